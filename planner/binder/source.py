"""A bound FROM item: its plan and the names it offers."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..logical import Plan
from .environment import Environment
from .scope import Merged, Relation, Scope


@dataclass(frozen=True)
class Source:
    """A plan, the tables whose columns it returns, and the columns merged by USING."""

    plan: Plan
    relations: tuple[Relation, ...]
    merged: dict[str, Merged] = field(default_factory=dict)

    def merged_with(self, other: Source) -> dict[str, Merged]:
        """Merged columns of both; a name merged on either side only stays so (the other side's column makes
        it ambiguous).
        """
        return {**other.merged, **self.merged}

    def scope(self, outer: Scope | None) -> Scope:
        """The names as a scope."""
        return Scope(self.relations, self.merged, outer)


def lateral_environment(env: Environment, left: Source | None) -> Environment:
    """The environment of a FROM item that may refer to the columns of those left of it."""
    return env if left is None else env.inside(left.scope(env.outer))
