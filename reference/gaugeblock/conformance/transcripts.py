"""Transcript judging: the reference replays the recorded answers of a subject's policies, and compares the calls.

What is judged is orchestration alone: which policy is asked when, about what, and what is made of its answer. The policies
themselves may be anybody's, as long as they keep their contracts.
"""

from typing import Any, Final, cast

import msgspec

from gaugeblock.conformance.answers import Decided
from gaugeblock.conformance.exact import differences
from gaugeblock.conformance.interception import STATE, WAKEUP, Input, Interceptor, PlainStates, plain
from gaugeblock.conformance.parting import find_parting
from gaugeblock.conformance.verdicts import CaseResult, Parting, Verdict
from gaugeblock.model import (
    ContainerId,
    Failure,
    GaugeblockError,
    InvocationId,
    LayerName,
    NodeName,
    ObservedState,
    PolicyKind,
    Prewarm,
    ScalingRequests,
    WorkingState,
)
from gaugeblock.policies.protocols import Policy
from gaugeblock.scheduler import GreedyScheduler
from gaugeblock.wire.cases import Case
from gaugeblock.wire.documents import Date, Document, FailureDocument, PrewarmDocument
from gaugeblock.wire.errors import shortened
from gaugeblock.wire.protocol import PolicyCall

NO_TRANSCRIPT: Final = "found an answer without a transcript; expected one, since this run judges transcripts"
BROKEN_CONTRACT: Final = "with the recorded answers of its policies the round cannot be decided"
LONGEST_SHOWN: Final = 300


class ScalingDocument(Document, frozen=True):
    """What a node-scaling policy answers."""

    activations: tuple[NodeName, ...] = ()
    deactivations: tuple[NodeName, ...] = ()


OUTPUTS: Final[dict[str, Any]] = {
    "failures": tuple[FailureDocument, ...],
    "scale": ScalingDocument,
    "order": tuple[InvocationId, ...],
    "select": frozenset[NodeName],
    "pick": ContainerId | None,
    "containers": tuple[ContainerId, ...],
    "ram_layers": tuple[LayerName, ...],
    "disk_layers": tuple[LayerName, ...],
    "choose": NodeName | None,
    "propose": tuple[PrewarmDocument, ...],
    WAKEUP: Date | None,
}
"""The form of each method's output."""

CLAUSES: Final[dict[str, str]] = {
    "failures": "ROUND-2",
    "scale": "ROUND-3",
    "order": "ROUND-4",
    "select": "ROUND-5",
    "pick": "PLACE-1",
    "containers": "RECL-4",
    "ram_layers": "RECL-5",
    "disk_layers": "RECL-6",
    "choose": "PLACE-7",
    "propose": "ROUND-6",
    WAKEUP: "ROUND-7",
}
"""The clause that says when a method is called, and with what."""


class Departure(GaugeblockError):
    """A recorded call is not the one that the reference makes at that point."""

    def __init__(self, number: int, clause: str, sentence: str) -> None:
        super().__init__(f"policy call {number}: {sentence}")
        self.parting = Parting(f"policy call {number} of the transcript", clause, sentence)


class Tape:
    """The recorded calls, taken one by one in the order made; only wake-up dates may be collected in any order."""

    def __init__(self, calls: tuple[PolicyCall, ...]) -> None:
        self._left = list(enumerate(calls))
        self._length = len(calls)

    def take(self, kind: PolicyKind, method: str) -> tuple[int, PolicyCall]:
        """Return the next call, which must be of this kind and method, and its number, counted from 0.

        Raises:
            Departure: when it is another one, or none is left.
        """
        due = f"{kind.value}.{method}"
        if not self._left:
            raise Departure(self._length, CLAUSES[method], f"the transcript ends; the reference calls {due}")
        for index, (number, call) in enumerate(self._left):
            if (call.kind, call.method) == (kind, method):
                del self._left[index]
                return number, call
            if not call.method == method == WAKEUP:
                break
        number, call = self._left[0]
        raise Departure(number, CLAUSES[method], f"found a call of {_named(call)}; the reference calls {due}")

    def require_end(self) -> None:
        """Raise `Departure` if there are calls that the reference does not make."""
        if self._left:
            number, call = self._left[0]
            raise Departure(number, "ROUND-7", f"found a further call of {_named(call)}; the reference makes no more calls")


class Replayer(Interceptor):
    """Answers as the tape says, once it has seen that it was asked the same."""

    def __init__(self, kind: PolicyKind, tape: Tape, states: PlainStates) -> None:
        super().__init__(kind, "the subject's own")
        self._tape = tape
        self._states = states

    def answer(self, method: str, asked: Input, state: WorkingState, *rest: object) -> Any:
        """Return the recorded answer.

        Raises:
            Departure: when the recorded call is another one, was given other things, or has an answer of another form.
        """
        number, call = self._tape.take(self.kind, method)
        given = msgspec.json.decode(call.input)
        due = {**plain(asked), STATE: self._states.of(state)} if STATE in given else plain(asked)
        for key in (*due, *(key for key in given if key not in due)):
            if key not in given or key not in due or given[key] != due[key]:
                _depart(number, call, key, given, due)
        try:
            output = msgspec.convert(msgspec.json.decode(call.output), OUTPUTS[method])
        except msgspec.ValidationError as error:
            raise Departure(number, CLAUSES[method], f"{_named(call)}: output: {error}") from None
        return _meant(number, call, output, state)


def judge_transcript(case: Case, answer: Decided, strict_order: bool = False) -> CaseResult:
    """Judge an answer by its transcript; the policies that the case names do not matter."""
    if answer.transcript is None:
        return CaseResult(case.id, Verdict.MALFORMED, NO_TRANSCRIPT)
    return _judged(case.id, case.round, answer, answer.transcript, strict_order)


def _judged(
    case: str, observed: ObservedState, answer: Decided, calls: tuple[PolicyCall, ...], strict_order: bool
) -> CaseResult:
    tape, states = Tape(calls), PlainStates()
    scheduler = GreedyScheduler()
    for kind in PolicyKind:
        scheduler = scheduler.with_policy(cast("Policy", Replayer(kind, tape, states)))
    try:
        decisions, trace = scheduler.schedule(observed)
        tape.require_end()
    except Departure as departure:
        return CaseResult(case, Verdict.FAILED, parting=departure.parting)
    except GaugeblockError as error:
        return CaseResult(case, Verdict.FAILED, f"{BROKEN_CONTRACT}: {error}")
    found = differences(decisions, answer.decisions, strict_order)
    if not found:
        return CaseResult(case, Verdict.PASSED)
    return CaseResult(case, Verdict.FAILED, "", found, find_parting(trace, answer.decisions))


def _meant(number: int, call: PolicyCall, output: Any, state: WorkingState) -> Any:
    """Return the model's value for what was recorded."""
    match call.method:
        case "failures":
            return tuple(Failure(each.invocation, each.reason) for each in output)
        case "scale":
            return ScalingRequests(output.activations, output.deactivations)
        case "propose":
            return tuple(Prewarm(each.node, each.function) for each in output)
        case "order":
            known = {each.id: each for each in state.worklist}
            unknown = [each for each in output if each not in known]
            if unknown:
                sentence = f"{_named(call)}: output: found invocation {unknown[0]}; expected members of the worklist"
                raise Departure(number, CLAUSES["order"], sentence)
            return tuple(known[each] for each in output)
    return output


def _depart(number: int, call: PolicyCall, key: str, given: Input, due: Input) -> None:
    """Raise the departure that shows what stands under ``key`` of the input, and what the reference passes."""
    path, found, expected = _first_difference(f"input.{key}", given.get(key, msgspec.UNSET), due.get(key, msgspec.UNSET))
    clause = "RECL-2" if key == "deficits" else "ACCT-9" if key == STATE else CLAUSES[call.method]
    raise Departure(number, clause, f"{_named(call)}: {path}: found {_shown(found)}; the reference passes {_shown(expected)}")


def _first_difference(path: str, found: Any, expected: Any) -> tuple[str, Any, Any]:
    """Go down to the first part that differs, through objects of the same keys and lists of as many objects."""
    if isinstance(found, dict) and isinstance(expected, dict) and found.keys() == expected.keys():
        key = next(key for key in found if found[key] != expected[key])
        return _first_difference(f"{path}.{key}", found[key], expected[key])
    if isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        index = next(index for index in range(len(found)) if found[index] != expected[index])
        if isinstance(found[index], dict):
            return _first_difference(f"{path}[{index}]", found[index], expected[index])
    return path, found, expected


def _shown(value: Any) -> str:
    return "no such key" if value is msgspec.UNSET else shortened(msgspec.json.encode(value).decode(), LONGEST_SHOWN)


def _named(call: PolicyCall) -> str:
    return f"{call.kind.value}.{call.method}"
