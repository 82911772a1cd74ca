"""Measurements of QForge: `python -m benchmarks run` sets up what it needs and writes a report."""
