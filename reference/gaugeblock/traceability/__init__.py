"""Traceability: what carries each clause out, tests it, exercises it, proves it and breaks it, computed from the tree."""

from gaugeblock.traceability.loading import load
from gaugeblock.traceability.records import ClauseRecord, Table, TheoremRecord

__all__ = ["ClauseRecord", "Table", "TheoremRecord", "load"]
