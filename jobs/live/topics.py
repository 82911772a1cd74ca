"""What a page wants to hear of."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from jobs.errors import InvalidInput
from jobs.live.changes import Changes

MAX_TOPICS: Final = 50
WORDS: Final = ("stats", "jobs", "workflows")
_WORKFLOW: Final = re.compile(r"workflow:([0-9]{1,18})")


@dataclass(frozen=True, slots=True)
class Topics:
    """Ids come only for what was asked for; the flags always come, since they cost nothing."""

    stats: bool = True
    jobs: bool = True
    workflows: bool = True
    """Of all workflows; otherwise of those in `chosen`."""
    chosen: frozenset[int] = frozenset()

    @classmethod
    def parse(cls, text: str) -> Topics:
        """`stats,jobs,workflow:12`. Raises InvalidInput for anything else."""
        words, chosen = set[str](), set[int]()
        parts = [part.strip() for part in text.split(",")]
        if len(parts) > MAX_TOPICS:
            raise InvalidInput("topics", f"may be at most {MAX_TOPICS}, not {len(parts)}")
        for part in parts:
            if match := _WORKFLOW.fullmatch(part):
                chosen.add(int(match[1]))
            elif part in WORDS:
                words.add(part)
            else:
                known = ", ".join(WORDS)
                raise InvalidInput("topics", f"knows {known} and workflow:ID, not {part!r:.80}")
        return cls("stats" in words, "jobs" in words, "workflows" in words, frozenset(chosen))

    def of(self, changes: Changes) -> Changes:
        """The changes without the ids nobody asked for."""
        workflows = changes.workflows if self.workflows else changes.workflows & self.chosen
        jobs = changes.jobs if self.jobs else frozenset[int]()
        return replace(changes, jobs=jobs, workflows=workflows)


EVERYTHING: Final = Topics()
