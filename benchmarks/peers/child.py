"""Runs one verb of a peer in its environment: `python -m benchmarks.peers.child NAME VERB …`.

Verbs: `prepare`; `one-by-one TASK COUNT` and `in-bulk TASK COUNT`, which print the seconds;
`pickup COUNT`, which prints when the calls returned; `work WORKLOAD`.
"""

from __future__ import annotations

import json
import sys
import time

from benchmarks import measures
from benchmarks.peers import catalog


def main(name: str, verb: str, *rest: str) -> None:
    driver = catalog.driver(name)
    if verb == "prepare":
        driver.prepare()
    elif verb == "work":
        driver.work(rest[0])
    elif verb == "one-by-one":
        print(json.dumps(_one_by_one(driver, rest[0], int(rest[1]))))
    elif verb == "in-bulk":
        print(json.dumps(_in_bulk(driver, rest[0], int(rest[1]))))
    elif verb == "pickup":
        with driver.sender() as send:
            asked = measures.pickups(lambda number: send("noop", number), int(rest[0]))
        print(json.dumps(list(asked.items())))
    else:
        raise ValueError(f"unknown verb: {verb}")


def _one_by_one(driver: catalog.Driver, task: str, count: int) -> float:
    with driver.sender() as send:
        started = time.monotonic()
        for number in range(count):
            send(task, number)
        return time.monotonic() - started


def _in_bulk(driver: catalog.Driver, task: str, count: int) -> float:
    with driver.bulk_sender() as send_many:
        started = time.monotonic()
        send_many(task, range(count))
        return time.monotonic() - started


if __name__ == "__main__":
    main(*sys.argv[1:])
