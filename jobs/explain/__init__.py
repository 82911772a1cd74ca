"""Why is this job not running? Facts from a few bounded queries, reasons by rules alone."""

from jobs.explain.facts import Facts, gather
from jobs.explain.reasons import reasons
from jobs.explain.words import Code, Reason

__all__ = ["Code", "Facts", "Reason", "gather", "reasons"]
