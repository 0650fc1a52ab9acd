"""A clause as a value: what it says to a person, and the checks by which a machine evaluates the same."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

from gaugeblock.model import Value
from gaugeblock_specs.context import Context
from gaugeblock_specs.verdicts import EvidenceKind, Verdict, Witness

Subject = TypeVar("Subject")
Finding: TypeAlias = tuple[Verdict, tuple[Witness, ...]]


class Check(Value, frozen=True):
    """One predicate of a clause, and the evidence that it needs.

    ``judge`` never gives ``UNDECIDABLE``: that is said where the evidence that a check needs is missing. A check that
    ``reads_any_trace`` copes with one that names things that do not exist; all others are spared it.
    """

    kind: EvidenceKind
    judge: Callable[[Context], Finding]
    needs_policies: bool = False
    reads_any_trace: bool = False

    @property
    def needs_trace(self) -> bool:
        """Whether it reads the trace."""
        return self.kind is EvidenceKind.TRACE


class Clause(Value, frozen=True):
    """One numbered rule.

    ``doc`` tells a person what the rule says, why it matters, and an example. ``seed`` is the section of WRENCH's class
    documentation from which it comes, ``ambiguities`` the choices (AMB) that it depends on.
    """

    id: str
    title: str
    doc: str
    seed: str
    checks: tuple[Check, ...]
    ambiguities: tuple[str, ...] = ()

    @property
    def evidence(self) -> tuple[EvidenceKind, ...]:
        """The kinds of evidence from which it can be judged, the least demanding first."""
        return tuple(check.kind for check in self.checks)


def safety(each: Callable[[Context], Iterable[Subject]], breach: Callable[[Context, Subject], Iterable[Witness]]) -> Check:
    """Make a check of the decisions alone: ``breach`` yields what is wrong with each subject; without one it does not apply."""
    return Check(EvidenceKind.DECISIONS, _for_each(each, breach))


def with_policies(
    each: Callable[[Context], Iterable[Subject]], breach: Callable[[Context, Subject], Iterable[Witness]]
) -> Check:
    """Make a check of the decisions of policies whose names are known."""
    return Check(EvidenceKind.POLICIES, _for_each(each, breach), needs_policies=True)


def with_trace(
    each: Callable[[Context], Iterable[Subject]],
    breach: Callable[[Context, Subject], Iterable[Witness]],
    *,
    needs_policies: bool = False,
    reads_any_trace: bool = False,
) -> Check:
    """Make a check of the decisions and the trace, and of the policies' names as well if it needs those."""
    return Check(EvidenceKind.TRACE, _for_each(each, breach), needs_policies, reads_any_trace)


def _for_each(
    each: Callable[[Context], Iterable[Subject]], breach: Callable[[Context, Subject], Iterable[Witness]]
) -> Callable[[Context], Finding]:
    def witnesses(context: Context, subjects: tuple[Subject, ...]) -> Iterator[Witness]:
        for subject in subjects:
            yield from breach(context, subject)

    def judge(context: Context) -> Finding:
        subjects = tuple(each(context))
        if not subjects:
            return Verdict.NOT_APPLICABLE, ()
        found = tuple(witnesses(context, subjects))
        return (Verdict.VIOLATED if found else Verdict.HOLDS), found

    return judge
