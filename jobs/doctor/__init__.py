"""What is wrong with the queue as a whole? Facts from a few bounded queries, findings by rules."""

from jobs.doctor.facts import Facts
from jobs.doctor.reading import gather
from jobs.doctor.rules import Limits, findings
from jobs.doctor.words import Code, Finding, Severity

__all__ = ["Code", "Facts", "Finding", "Limits", "Severity", "findings", "gather"]
