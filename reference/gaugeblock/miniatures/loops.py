"""Loops of a faulty copy that are cut off: a fault may have taken away what ends one."""

import ast
from collections.abc import Iterator

from gaugeblock.model import GaugeblockError

ROUNDS = "_rounds_of_a_loop"
"""The name by which the code of a copy finds its `rounds`."""


class EndlessLoop(GaugeblockError):
    """A loop went round more often than the copy allows."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"a loop went round more than {limit} times; expected it to end")
        self.limit = limit


def rounds(limit: int) -> Iterator[None]:
    """Yield ``limit`` times.

    Raises:
        EndlessLoop: when asked once more.
    """
    for _ in range(limit):
        yield None
    raise EndlessLoop(limit)


class LimitedLoops(ast.NodeTransformer):
    """Turns ``while test: body`` into a loop over `rounds` that first looks whether the test still holds."""

    def visit_While(self, node: ast.While) -> ast.stmt:
        """Limit a loop, and those within it; one with an ``else`` stays as it is."""
        self.generic_visit(node)
        if node.orelse:
            return node
        leave = ast.If(ast.UnaryOp(ast.Not(), node.test), [ast.Break()], [])
        call = ast.Call(ast.Name(ROUNDS, ast.Load()), [], [])
        return ast.copy_location(ast.For(ast.Name("_", ast.Store()), call, [leave, *node.body], []), node)
