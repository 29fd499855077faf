"""What a query is bound in: the statement's context, the CTEs in force, the scope around it, the views being
expanded.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..expr import Column
from ..logical import Plan
from ..statements import BindContext
from .scope import Scope


@dataclass
class CteBinding:
    """A bound WITH entry. `uses` counts its references, so that an unread one leaves no trace in the plan."""

    id: int
    name: str
    names: tuple[str, ...]
    definition: Plan
    materialized: bool | None
    uses: int = 0

    @property
    def columns(self) -> tuple[Column, ...]:
        """Columns of the definition, one a name."""
        return self.definition.schema


@dataclass
class RecursionBinding:
    """A recursive WITH entry while its recursive part is bound; a use of it reads `columns`."""

    id: int
    name: str
    names: tuple[str, ...]
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class SelfReference:
    """A WITH entry where it may not be read: in the part of itself that is no recursive one."""

    name: str


@dataclass(frozen=True)
class Environment:
    """Everything a query may refer to besides its own FROM clause."""

    context: BindContext
    ctes: dict[str, CteBinding | RecursionBinding | SelfReference] = field(default_factory=dict)
    outer: Scope | None = None
    views: tuple[str, ...] = ()

    def with_cte(self, cte: CteBinding | RecursionBinding | SelfReference) -> Environment:
        """The same with one more CTE, which hides others of its name."""
        return replace(self, ctes={**self.ctes, cte.name.lower(): cte})

    def inside(self, scope: Scope) -> Environment:
        """For a subquery that stands in `scope`."""
        return replace(self, outer=scope)


@dataclass(frozen=True)
class BoundQuery:
    """A plan and the names of its columns, one a column of plan.schema."""

    plan: Plan
    names: tuple[str, ...]
