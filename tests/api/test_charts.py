"""Charts over HTTP."""

from __future__ import annotations

import pytest

from jobs.live import rollup
from tests.api.client import Api
from tests.support import factories


@pytest.mark.usefixtures("committed_db")
def test_what_happened_is_in_the_series_once_it_is_summed_up(open_api: Api) -> None:
    row = factories.job("running", queue="mail")
    factories.finish(factories.succeeded(row))
    rollup.advance("default", limit=10)
    found = open_api.get("/api/stats/timeseries/", {"range": "6h", "queue": "mail"})
    assert (len(found["counts"]["succeeded"]), found["step_seconds"]) == (72, 300)
    assert found["counts"]["succeeded"][-1] == 1
    assert found["run"]["p95"][-1] > 0
    assert found["complete_at"].endswith("Z")
    other = open_api.get("/api/stats/timeseries/", {"queue": "other"})
    assert other["counts"]["succeeded"][-1] == 0
    (task,) = open_api.get("/api/stats/tasks/")["results"]
    assert (task["task"], task["attempts"]) == (factories.TASK, 1)
    (queue,) = [q for q in open_api.get("/api/queues/")["results"] if q["name"] == "mail"]
    assert queue["rates"]["finished"][-1] == 1


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("timeseries/?range=2h", "range"),
        ("timeseries/?range=", "range"),
        ("timeseries/?queue=", "queue"),
        ("timeseries/?queue=" + "x" * 65, "queue"),
        ("timeseries/?task=a", "task"),
        ("tasks/?limit=0", "limit"),
        ("tasks/?limit=101", "limit"),
    ],
)
def test_a_bad_question_is_refused_by_name(api: Api, path: str, field: str) -> None:
    answer = api.get(f"/api/stats/{path}")
    assert (answer.status, list(answer.fields)) == (422, [field])
