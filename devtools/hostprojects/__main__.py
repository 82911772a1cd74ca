"""Runs the host projects with a built wheel and says what holds."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from devtools.ephemeral import ephemeral
from devtools.errors import PostgresError
from devtools.hostprojects import names, newcomer, settled
from devtools.hostprojects.errors import Unmet

README = Path(__file__).resolve().parents[2] / "README.md"


def lines(wheel: Path, root: Path) -> Iterator[str]:
    """What holds, one line each; raises Unmet at the first that does not."""
    with ephemeral() as server:
        for name in ("newcomer", "settled"):
            server.create_database(name)
            (root / name).mkdir()
        page = README.read_text(encoding="utf-8")
        expected = yield from newcomer.run(root / "newcomer", wheel, server.url("newcomer"), page)
        environment = root / "newcomer" / "environment"
        yield from settled.run(
            root / "settled", environment, wheel, server.url("settled"), expected
        )
        yield names.taken(root, environment, wheel, page)


def main(arguments: list[str]) -> int:
    """Run all projects; returns 1 when something does not hold, 2 without a wheel."""
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        print("usage: python -m devtools.hostprojects dist/….whl", file=sys.stderr)
        return 2
    started, passed = time.monotonic(), 0
    with tempfile.TemporaryDirectory(prefix="qforge-hosts-") as root:
        try:
            for line in lines(Path(arguments[0]).absolute(), Path(root)):
                print(f"hostprojects: {line}", flush=True)
                passed += 1
            failed = 0
        except (Unmet, PostgresError, OSError, subprocess.SubprocessError) as error:
            print(f"hostprojects: FAILED: {error}")
            failed = 1
    seconds = time.monotonic() - started
    print(f"hostprojects: {passed} passed, {failed} failed, {seconds:.0f} s")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
