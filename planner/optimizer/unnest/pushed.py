"""What pushing a dependent join into a plan gives."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...expr import Expr
from ...logical import Plan
from .domain import StandIn


@dataclass
class Pushed:
    """A plan without outer references, and how to get the rows for one outer row from it.

    The rows for outer values d are those of `plan` whose `stand_ins` equal d and for which all of `pulled`
    hold. `plan` may hold rows for values that no outer row has; nothing depends on them. `deferred` are
    output columns that are missing from `plan`: expressions over its columns and the outer ones. `absent`:
    where `plan` has no row for d, there is one all the same, with these values (an aggregate over no rows).
    They may refer to outer columns. None: no row means no row.
    """

    plan: Plan
    stand_ins: dict[int, StandIn] = field(default_factory=dict)
    pulled: list[Expr] = field(default_factory=list)
    deferred: dict[int, Expr] = field(default_factory=dict)
    absent: dict[int, Expr] | None = None


@dataclass(frozen=True, slots=True)
class Mode:
    """What the consumer allows. `pull`: correlated predicates and values may be handed up instead of being
    evaluated here. `repeats`: duplicate rows change the result. `existence`: only whether there is a row
    matters."""

    pull: bool
    repeats: bool
    existence: bool = False


STRICT = Mode(pull=False, repeats=True)
