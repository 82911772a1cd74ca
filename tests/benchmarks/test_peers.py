from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from benchmarks.__main__ import main
from benchmarks.peers import catalog, environments, redis
from benchmarks.peers.bench import Bench
from benchmarks.peers.field import Field, gathered
from benchmarks.scale import SMALL

ROOT = Path(__file__).resolve().parents[2]


def test_an_unknown_peer_is_refused_by_name(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The command sets it for its process; here it is to be as before.
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", os.environ["DJANGO_SETTINGS_MODULE"])
    with pytest.raises(SystemExit):
        main(["run", "--peers", "rq,resque"])
    assert "--peers: unknown: resque; there are procrastinate, " in capsys.readouterr().err


def test_peers_are_named_once_in_the_order_given() -> None:
    assert catalog.named("") == []
    assert catalog.named("rq, huey,rq") == ["rq", "huey"]
    assert catalog.named("all") == list(catalog.NAMES)


@pytest.mark.parametrize("name", catalog.NAMES)
def test_every_peer_says_what_it_does_and_bounds_its_versions(name: str) -> None:
    peer = catalog.driver(name).PEER
    words = (peer.configuration, peer.durable, peer.results, peer.history, peer.transactional)
    assert all(words)
    assert environments.distribution(peer.requirements[0]) == name
    assert [one for one in peer.requirements if not re.search(r">=\d", one)] == []
    assert re.search(r",<\d", peer.requirements[0])
    assert (peer.broker == "postgresql") == bool(peer.tables)


def test_the_side_of_a_peer_needs_neither_django_nor_qforge() -> None:
    code = """
import sys
from benchmarks.peers import catalog, child
for name in catalog.NAMES:
    catalog.driver(name)
print(sorted(n for n in sys.modules if n.split(".")[0] in {"django", "jobs", "psycopg"}))
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_peers_on_redis_are_not_run_without_it_and_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with gathered(["rq", "huey"], tmp_path) as field:
        assert field.missing == dict.fromkeys(["rq", "huey"], "not run: no redis-server")
        assert field.measure("rq", "drain", SMALL) == {}
    assert not field.failed


class Failing:
    """Stands for a peer whose workers break."""

    calls = 0

    def measure(self, *arguments: Any) -> dict[str, float]:
        self.calls += 1
        raise RuntimeError("workers broke")


def test_a_peer_that_fails_leaves_with_its_reason() -> None:
    field, failing = Field(), Failing()
    field.benches["rq"] = cast(Bench, failing)
    assert field.measure("rq", "drain", SMALL) == {}
    assert field.measure("rq", "pickup", SMALL) == {}
    assert failing.calls == 1
    assert field.missing == {"rq": "stopped at drain: workers broke"}
    assert field.failed


def test_an_installed_environment_is_used_until_its_requirements_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer = catalog.driver("rq").PEER
    python = tmp_path / "rq" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    stamp = tmp_path / "rq" / "requirements"
    stamp.write_text(environments.wanted(peer), encoding="utf-8")
    assert environments.ensure("rq", peer, tmp_path) == python
    stamp.write_text("rq>=1", encoding="utf-8")
    monkeypatch.setattr(environments.venv, "create", lambda *_, **__: None)
    with pytest.raises(FileNotFoundError):
        environments.ensure("rq", peer, tmp_path)
    assert not stamp.exists()


@pytest.mark.skipif(redis.program() is None, reason="no redis-server")
def test_redis_runs_for_the_time_of_the_block(tmp_path: Path) -> None:
    with redis.running(tmp_path) as server:
        assert server.ask("RPUSH list one two") == "2"
        assert server.ask("LLEN list") == "2"
        with pytest.raises(RuntimeError, match="WRONGTYPE"):
            server.ask("HLEN list")
    with pytest.raises(OSError, match=r"."):
        server.ask("PING")
    assert re.match(r"\d+\.", redis.version())
