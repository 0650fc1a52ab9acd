"""Exploration of shipped functions on symbolic integers: every feasible path is run, and its properties are proved.

A theorem is a function of a `Source` of numbers and a `Path`; `explore` proves or refutes it, `replay` runs it on numbers.
"""

from gaugeblock_proofs.engine.assignment import Assignment
from gaugeblock_proofs.engine.errors import (
    BudgetExhausted,
    EngineError,
    NondeterministicTheorem,
    NotProved,
    PathDiscarded,
    TheoremMisuse,
    UnsupportedOperation,
)
from gaugeblock_proofs.engine.explorer import explore
from gaugeblock_proofs.engine.path import Path
from gaugeblock_proofs.engine.replay import Replay, Theorem, replay
from gaugeblock_proofs.engine.sources import ConcreteSource, Source
from gaugeblock_proofs.engine.symbols import (
    Condition,
    SymbolicBoolean,
    SymbolicDate,
    SymbolicInteger,
    all_of,
    any_of,
    implies,
    negate,
    same_truth,
)
from gaugeblock_proofs.engine.verdicts import Budget, Counterexample, Exploration, Reason, Verdict

__all__ = [
    "Assignment",
    "Budget",
    "BudgetExhausted",
    "ConcreteSource",
    "Condition",
    "Counterexample",
    "EngineError",
    "Exploration",
    "NondeterministicTheorem",
    "NotProved",
    "Path",
    "PathDiscarded",
    "Reason",
    "Replay",
    "Source",
    "SymbolicBoolean",
    "SymbolicDate",
    "SymbolicInteger",
    "Theorem",
    "TheoremMisuse",
    "UnsupportedOperation",
    "Verdict",
    "all_of",
    "any_of",
    "explore",
    "implies",
    "negate",
    "replay",
    "same_truth",
]
