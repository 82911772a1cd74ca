from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import measures, report


@pytest.fixture
def results() -> report.Results:
    results = report.Results(facts={"cpus": 2}, peers=["rq", "celery"])
    for value in (100.0, 300.0, 200.0):
        results.add("qforge", {measures.ONE_BY_ONE: value, "an own figure": 1.0})
        results.add("rq", {measures.ONE_BY_ONE: value * 10})
    results.missing = {"celery": "not run: no redis-server"}
    return results


def test_peers_stand_beside_qforge_with_median_and_spread(results: report.Results) -> None:
    text = report.markdown(results)
    table = text.split("### Enqueue one by one, jobs/s")[1].split("##")[0].strip().splitlines()
    assert table[2:] == ["| qforge | 200 | 100 | 300 |", "| rq | 2,000 | 1,000 | 3,000 |"]


def test_a_peer_without_figures_is_named_with_its_reason(results: report.Results) -> None:
    text = report.markdown(results)
    assert "**celery**: not run: no redis-server" in text
    assert "| celery | drain and pick-up: prefork" in text


def test_a_report_without_peers_compares_nothing(results: report.Results, tmp_path: Path) -> None:
    results.peers = []
    assert "##" not in report.markdown(results)
    report.write(tmp_path, results)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["raw.json", "report.md"]


def test_files_hold_every_value_and_a_picture_of_each_measured_workload(
    results: report.Results, tmp_path: Path
) -> None:
    report.write(tmp_path, results)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "enqueue.svg",
        "raw.json",
        "report.md",
    ]
    raw = json.loads((tmp_path / "raw.json").read_text(encoding="utf-8"))
    assert raw["figures"][measures.ONE_BY_ONE] == [100, 300, 200]
    assert raw["peers"] == {"rq": {measures.ONE_BY_ONE: [1000, 3000, 2000]}, "celery": {}}
    assert raw["missing"] == results.missing
    assert "![enqueue](enqueue.svg)" in (tmp_path / "report.md").read_text(encoding="utf-8")
