"""Command line of the benchmarks: `python -m benchmarks run --help`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

WORKLOADS = ("enqueue", "drain", "pickup", "backlog", "workflows")


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("command", choices=["run"])
    parser.add_argument("--only", default=",".join(WORKLOADS), help="workloads, comma-separated")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--small", action="store_true", help="sizes for a quick look")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    given = parser.parse_args(argv)
    wanted = given.only.split(",")
    if unknown := sorted(set(wanted) - set(WORKLOADS)):
        parser.error(f"unknown: {', '.join(unknown)}; there are {', '.join(WORKLOADS)}")
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
    with tempfile.TemporaryDirectory(prefix="qforge-bench-") as folder:
        from benchmarks.server import durable_server

        with durable_server(Path(folder)) as server:
            os.environ["DATABASE_URL"] = server.url("bench")
            from benchmarks.run import run

            run(wanted, repetitions=given.repetitions, small=given.small, out=given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
