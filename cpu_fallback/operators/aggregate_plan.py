"""From aggregate calls to states: which states a node needs, which calls share them.

`sum(x)`, `avg(x)` and `count(x)` use one sum, one count of rows and one count of NULLs. A call with DISTINCT
uses the same states, over the distinct values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...planner.expr import AggregateCall, Case, ColumnRef, Expr, Literal
from .aggregate_state import State

Check = Callable[[], None]
# Makes a state; `check` raises once the query is cancelled.
Factory = Callable[[Check], State]


@dataclass
class StateSlot:
    """One state: what makes it, which expressions are its arguments and its FILTER."""

    factory: Factory
    args: tuple[int, ...]
    filter: int | None


@dataclass
class AggregatePlan:
    """States and the expressions they read; equal ones once. `grouped`: there are group keys."""

    grouped: bool = False
    exprs: list[Expr] = field(default_factory=list)
    slots: list[StateSlot] = field(default_factory=list)
    inner: dict[Any, AggregatePlan] = field(default_factory=dict)
    _expr_numbers: dict[Expr, int] = field(default_factory=dict)
    _slot_numbers: dict[Any, int] = field(default_factory=dict)

    def expr(self, expr: Expr) -> int:
        """The number of an expression that is evaluated for every batch."""
        found = self._expr_numbers.get(expr)
        if found is None:
            found = self._expr_numbers[expr] = len(self.exprs)
            self.exprs.append(expr)
        return found

    def state(self, key: Any, factory: Factory, call: AggregateCall, args: Sequence[Expr]) -> int:
        """The number of a state over `args` under the FILTER of `call`; equal ones are one."""
        exprs = tuple(self.expr(_guarded(arg, call.filter)) for arg in args)
        chosen = None if call.filter is None else self.expr(call.filter)
        identity = (key, exprs, chosen)
        found = self._slot_numbers.get(identity)
        if found is None:
            found = self._slot_numbers[identity] = len(self.slots)
            self.slots.append(StateSlot(factory, exprs, chosen))
        return found

    def extend(self, slot: int, first: int, arg: Expr) -> int:
        """The place of `arg` among a state's arguments from number `first` on; added if missing."""
        condition = self.slots[slot].filter
        guarded = _guarded(arg, None if condition is None else self.exprs[condition])
        args, number = self.slots[slot].args, self.expr(guarded)
        if number not in args[first:]:
            self.slots[slot].args = args = (*args, number)
        return args.index(number, first)


def _guarded(arg: Expr, condition: Expr | None) -> Expr:
    """An argument that is not evaluated in rows that FILTER leaves out: it might fail there."""
    if condition is None or isinstance(arg, (ColumnRef, Literal)):
        return arg
    return Case(arg.type, ((condition, arg),), Literal(arg.type, None))


def start_states(plan: AggregatePlan, check: Check) -> list[State]:
    """New states for all slots."""
    return [slot.factory(check) for slot in plan.slots]
