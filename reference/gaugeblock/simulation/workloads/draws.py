"""Seeded draws that come out the same everywhere: everything is computed from ``Random.random`` alone."""

from collections.abc import Sequence
from math import exp, log
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


def stream(seed: int, purpose: str) -> Random:
    """Return the stream of one purpose, independent of those of others under the same seed."""
    return Random(f"{seed}/{purpose}")


def exponential(random: Random, mean: float) -> float:
    """Draw from the exponential distribution with this mean."""
    return -mean * log(1.0 - random.random())


def log_uniform(random: Random, least: float, most: float) -> float:
    """Draw between two positive numbers so that every ratio is as likely as any other."""
    return least * exp(random.random() * log(most / least))


def pick(random: Random, items: Sequence[Item]) -> Item:
    """Draw one of the items, each as likely as any other."""
    return items[int(random.random() * len(items))]
