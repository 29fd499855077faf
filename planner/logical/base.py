"""What all logical nodes have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ..expr import Column, Expr, references


@dataclass(frozen=True, eq=False)
class Plan:
    """Base of all logical nodes. Compared by identity: rules return the same object when nothing changed."""

    @property
    def schema(self) -> tuple[Column, ...]:
        """The output columns."""
        raise AssertionError(type(self))

    @property
    def inputs(self) -> tuple[Plan, ...]:
        """The plans whose rows this node reads."""
        return ()

    @property
    def expressions(self) -> tuple[Expr, ...]:
        """All expressions of this node itself."""
        return ()

    @cached_property
    def ids(self) -> frozenset[int]:
        """Ids of the output columns."""
        return frozenset(c.id for c in self.schema)

    @cached_property
    def outer_references(self) -> frozenset[int]:
        """Ids read somewhere in this plan and produced nowhere in it below the reader."""
        # From the leaves up: hundreds of joins on one another would not fit the stack.
        for node in _without_outer_references(self):
            _ = node.outer_references
        below: set[int] = set()
        free: set[int] = set()
        for child in self.inputs:
            below |= child.ids
            free |= child.outer_references
        for expr in self.expressions:
            free |= references(expr) - below
        return frozenset(free)


def _without_outer_references(plan: Plan) -> Iterator[Plan]:
    """The nodes below a plan whose outer references have not been asked for, each after those below it."""
    found: list[Plan] = []
    left = list(plan.inputs)
    while left:
        node = left.pop()
        if "outer_references" not in node.__dict__:
            found.append(node)
            left.extend(node.inputs)
    return reversed(found)


@dataclass(frozen=True, eq=False)
class Unary(Plan):
    """A node with one input, whose columns it passes on unless it says otherwise."""

    input: Plan

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.input.schema

    @property
    def inputs(self) -> tuple[Plan, ...]:
        return (self.input,)
