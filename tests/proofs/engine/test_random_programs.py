"""Random little programs compute symbolically what they compute on numbers, along exactly the paths that numbers take."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gaugeblock_proofs.engine import Path, Source, Verdict, all_of, explore, implies

Step = tuple[str, int, int, int]
"""Operation, two registers it reads, and a small constant; the result goes to a new register."""

GRID = range(4)
OPERATIONS = ("add", "subtract", "scale", "if less", "if at most", "if equal", "min", "max")

steps = st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 9), st.integers(0, 9), st.integers(-3, 3))
programs = st.lists(steps, min_size=1, max_size=6)
quick = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])


def execute(program: list[Step], inputs: list[int], trace: list[bool]) -> int:
    """Run the program, noting how each comparison came out."""
    registers = list(inputs)
    for operation, first, second, number in program:
        left, right = registers[first % len(registers)], registers[second % len(registers)]
        registers.append(step(operation, left, right, number, trace))
    return registers[-1]


def step(operation: str, left: int, right: int, number: int, trace: list[bool]) -> int:
    """Return the result of one operation."""
    if operation == "add":
        return left + right + number
    if operation == "subtract":
        return number - left - right
    if operation == "scale":
        return left * number + right
    comparisons = {
        "if less": left < right + number,
        "if at most": number + left <= right,
        "if equal": left == right + number,
        "min": right < left,
        "max": right > left,
    }
    outcome = bool(comparisons[operation])
    trace.append(outcome)
    return {"min": min, "max": max}[operation](left, right) if operation in ("min", "max") else left if outcome else right


@quick
@given(programs)
def test_symbolic_results_agree_with_concrete_ones(program: list[Step]) -> None:
    """For every input of a small grid the symbolic result has the concrete value."""
    expected = {inputs: execute(program, list(inputs), []) for inputs in product(GRID, GRID)}

    def theorem(symbols: Source, path: Path) -> None:
        x, y = symbols.integer("x", 0, 3), symbols.integer("y", 0, 3)
        result = execute(program, [x, y], [])
        path.prove_all(implies(all_of(x == a, y == b), result == value) for (a, b), value in expected.items())

    report = explore(theorem)
    assert report.verdict is Verdict.PROVED, report.describe()


@quick
@given(programs)
def test_the_paths_are_those_that_numbers_take(program: list[Step]) -> None:
    """There is a path for each sequence of outcomes that some input has, and no other."""
    taken: list[tuple[bool, ...]] = []

    def theorem(symbols: Source, path: Path) -> None:
        trace: list[bool] = []
        execute(program, [symbols.integer("x", 0, 3), symbols.integer("y", 0, 3)], trace)
        taken.append(tuple(trace))
        path.prove(True)

    explore(theorem)
    concrete: set[tuple[bool, ...]] = set()
    for inputs in product(GRID, GRID):
        trace: list[bool] = []
        execute(program, list(inputs), trace)
        concrete.add(tuple(trace))
    assert len(taken) == len(set(taken))
    assert set(taken) == concrete


@quick
@given(programs, st.integers(0, 3), st.integers(0, 3))
def test_a_wrong_claim_is_refuted_by_its_smallest_input(program: list[Step], x: int, y: int) -> None:
    """Denying one result is refuted by an input of the least sum that has this result."""
    denied = execute(program, [x, y], [])

    def theorem(symbols: Source, path: Path) -> None:
        path.prove(execute(program, [symbols.integer("x", 0, 3), symbols.integer("y", 0, 3)], []) != denied)

    report = explore(theorem)
    assert report.counterexample is not None
    assert report.counterexample.minimal
    assert report.counterexample.confirmed
    found = [value for _, value in report.counterexample.assignment.values]
    assert sum(found) == min(a + b for a, b in product(GRID, GRID) if execute(program, [a, b], []) == denied)


@quick
@given(programs)
def test_dates_agree_with_rational_arithmetic(program: list[Step]) -> None:
    """The same programs over reals agree with exact floats on a grid of halves."""
    grid = [Fraction(half, 2) for half in range(5)]
    expected = {pair: execute(program, [float(each) for each in pair], []) for pair in product(grid, grid)}  # type: ignore[misc]

    def theorem(symbols: Source, path: Path) -> None:
        x, y = symbols.date("x", 0.0, 2.0), symbols.date("y", 0.0, 2.0)
        result = execute(program, [x, y], [])  # type: ignore[list-item]
        path.prove_all(implies(all_of(x == float(a), y == float(b)), result == v) for (a, b), v in expected.items())

    report = explore(theorem)
    assert report.verdict is Verdict.PROVED, report.describe()
