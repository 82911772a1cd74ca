"""Command line of the benchmarks: `python -m benchmarks run|console|tabs|migrations --help`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.peers import catalog
from benchmarks.scale import FULL, MEDIUM, SMALL

WORKLOADS = ("enqueue", "drain", "pickup", "naps", "waits", "backlog", "snapshot", "workflows")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="the engine's workloads")
    run.add_argument("--only", default=",".join(WORKLOADS), help="workloads, comma-separated")
    run.add_argument("--repetitions", type=int, default=3)
    run.add_argument("--peers", default="", help="other queues to run beside: all, or names")
    size = run.add_mutually_exclusive_group()
    size.add_argument("--small", action="store_true", help="sizes for a quick look")
    size.add_argument("--medium", action="store_true", help="sizes for some minutes with peers")
    run.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    console = commands.add_parser("console", help="what the console asks, beside many jobs")
    console.add_argument("--jobs", type=int, default=2_000_000)
    console.add_argument("--repetitions", type=int, default=30)
    tabs = commands.add_parser("tabs", help="open tabs beside ordinary requests, on two workers")
    tabs.add_argument("--tabs", type=int, default=20)
    tabs.add_argument("--seconds", type=float, default=20.0)
    migrations = commands.add_parser("migrations", help="who waits while the schema changes")
    migrations.add_argument("--jobs", type=int, default=1_000_000)
    given = parser.parse_args(argv)
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
    if given.command == "run":
        return _run(parser, given)
    with _database():
        if given.command == "console":
            from benchmarks.console.command import run as measure

            return measure(jobs=given.jobs, repetitions=given.repetitions)
        if given.command == "migrations":
            from benchmarks.upgrade.command import run as migrate

            return migrate(jobs=given.jobs)
        from benchmarks.console.tabs import run as open_tabs

        return open_tabs(tabs=given.tabs, seconds=given.seconds)


def _run(parser: argparse.ArgumentParser, given: argparse.Namespace) -> int:
    wanted = given.only.split(",")
    if unknown := sorted(set(wanted) - set(WORKLOADS)):
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(WORKLOADS)}")
    try:
        peers = catalog.named(given.peers)
    except ValueError as error:
        parser.error(f"--peers: {error}")
    size = SMALL if given.small else MEDIUM if given.medium else FULL
    with _database():
        from benchmarks.run import run

        well = run(wanted, repetitions=given.repetitions, scale=size, out=given.out, peers=peers)
    return 0 if well else 1


@contextmanager
def _database() -> Iterator[None]:
    """A server of its own, whose address stands in DATABASE_URL."""
    with tempfile.TemporaryDirectory(prefix="qforge-bench-") as folder:
        from benchmarks.server import durable_server

        with durable_server(Path(folder)) as server:
            os.environ["DATABASE_URL"] = server.url("bench")
            yield


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
