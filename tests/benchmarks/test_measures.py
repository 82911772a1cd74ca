from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks import measures, stamps


def test_a_handler_stamps_its_start_and_a_nap_its_end_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "stamps"
    monkeypatch.setenv(stamps.VARIABLE, str(path))
    stamps._file.cache_clear()
    stamps.noop(7)
    stamps.nap(8)
    stamps._file.cache_clear()
    assert path.stat().st_size == 3 * 16
    (first, _), (start, started), (end, ended) = stamps.read(path)
    assert (first, start, end) == (7, 8, ~8)
    assert ended - started >= stamps.NAP_SECONDS


def test_a_stamp_that_is_just_being_written_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "stamps"
    path.write_bytes(stamps._RECORD.pack(1, 2.0) + b"half")
    assert stamps.read(path) == [(1, 2.0)]


def test_waiting_for_stamps_ends_when_no_new_one_comes(tmp_path: Path) -> None:
    path = tmp_path / "stamps"
    path.write_bytes(stamps._RECORD.pack(1, 2.0))
    assert stamps.wait_for(path, 1, seconds=0.01) == [(1, 2.0)]
    with pytest.raises(RuntimeError, match="only 1 of 2 stamps"):
        stamps.wait_for(path, 2, seconds=0.01)


def test_a_rate_is_of_the_gaps_between_the_first_and_the_last_start() -> None:
    assert measures.rate([(0, 10.0), (2, 10.5), (1, 12.0)]) == 1.0


def test_one_stamp_has_no_rate() -> None:
    with pytest.raises(RuntimeError, match="fewer than two"):
        measures.rate([(0, 1.0)])


@pytest.mark.parametrize(
    "measure", [measures.rate, measures.napped, lambda found: measures.waits(found, {0: 0.5})]
)
def test_jobs_that_ran_twice_are_not_measured(
    measure: Callable[[measures.Stamps], object],
) -> None:
    with pytest.raises(RuntimeError, match="2 stamps are of 1 jobs"):
        measure([(0, 1.0), (0, 2.0)])


def test_a_drain_ends_when_its_queue_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "stamps"
    path.write_bytes(b"".join(stamps._RECORD.pack(n, n / 10) for n in range(3)))
    left = iter([2, 1, 0])
    figures = measures.drained(path, 3, lambda: next(left))
    assert figures[measures.DRAIN] == pytest.approx(10)
    assert figures[measures.LAG] > 0
    assert list(left) == []


def test_pickups_leave_out_the_job_that_wakes_everything_up() -> None:
    sent: list[int] = []
    asked = measures.pickups(sent.append, 2)
    assert sent == [0, 1, 2]
    assert list(asked) == [1, 2]


def test_waits_are_from_the_return_of_the_call_to_the_start() -> None:
    asked = {number: float(number) for number in range(1, 101)}
    found = [(0, 0.5), *((n, n + n / 1000) for n in range(1, 101))]
    figures = measures.waits(found, asked)
    assert [round(value) for value in figures.values()] == [51, 96, 100]


def test_naps_are_scaled_to_two_thousand_and_counted_while_they_overlap() -> None:
    found = [(0, 0.0), (1, 0.01), (~0, 0.05), (2, 0.06), (~1, 0.07), (~2, 0.1)]
    figures = measures.napped(found)
    assert figures[measures.NAPS] == pytest.approx(0.1 * 2000 / 3)
    assert figures[measures.IN_FLIGHT] == 2
