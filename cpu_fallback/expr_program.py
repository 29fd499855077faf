"""Straight-line programs: a compiled expression is a list of steps over numbered slots.

The compiler (expr_compile.py) numbers every distinct subexpression once, so a common subexpression is
computed once a batch, a tree of any depth runs without recursion, and a slot is dropped after its last use.
Parts that must be evaluated for some rows only (a branch of CASE, a later term of AND that can fail) are
programs of their own that run on a *frame* of those rows and fetch what the outer program has already
computed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ..physical.batch import Batch
from ..planner.expr import Expr
from .vector import Vector

Rows = npt.NDArray[np.integer[Any]]
Step = Callable[["Frame"], Vector]


class Frame:
    """One run of a program: the batch, the number of rows, and the slots.

    `parent` and `rows` are set for a part of a program that runs on the rows `rows` of its parent (None: on
    all of them).
    """

    __slots__ = ("batch", "n", "parent", "rows", "slots")

    def __init__(self, batch: Batch, n: int, parent: Frame | None = None, rows: Rows | None = None) -> None:
        self.batch = batch
        self.n = n
        self.parent = parent
        self.rows = rows
        self.slots: list[Any] = []

    def narrow(self, rows: Rows | None) -> Frame:
        """A frame of the given rows of this one."""
        return Frame(self.batch, self.n if rows is None else len(rows), self, rows)

    def inherited(self, slot: int) -> Vector:
        """The parent's vector at this frame's rows."""
        assert self.parent is not None
        vector: Vector = self.parent.slots[slot]
        return vector if self.rows is None else vector.take(self.rows)


class Program:
    """Steps in order; step i fills slot i. `results` are the slots a caller wants, `dying[i]` those not
    needed after step i.
    """

    __slots__ = ("dying", "results", "steps")

    def __init__(self, steps: list[Step], uses: list[tuple[int, ...]], results: tuple[int, ...]) -> None:
        self.steps = steps
        self.results = results
        last: dict[int, int] = {}
        for at, used in enumerate(uses):
            last[at] = at
            for slot in used:
                last[slot] = at
        dying: list[list[int]] = [[] for _ in steps]
        for slot, at in last.items():
            if slot not in results:
                dying[at].append(slot)
        self.dying = [tuple(slots) for slots in dying]

    def run(self, frame: Frame) -> list[Vector]:
        """The results for a frame of at least one row."""
        slots: list[Any] = [None] * len(self.steps)
        frame.slots = slots
        for at, (step, dying) in enumerate(zip(self.steps, self.dying, strict=True)):
            slots[at] = step(frame)
            for slot in dying:
                slots[slot] = None
        return [slots[i] for i in self.results]

    def run_one(self, frame: Frame) -> Vector:
        """The only result."""
        return self.run(frame)[0]


class Scope:
    """A program while it is being built. `parent` is the scope whose frame its frames narrow.

    Slots are numbered anew in every scope, so keys are made of value numbers instead: those are shared by all
    scopes of a program, and two slots with one number hold the same value.
    """

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.steps: list[Step] = []
        self.uses: list[tuple[int, ...]] = []
        self.inherited: set[int] = set()
        self._numbers: dict[Any, int] = {} if parent is None else parent._numbers
        self._number_of: list[int] = []
        self._slots: dict[int, int] = {}

    def numbers(self, slots: tuple[int, ...]) -> tuple[int, ...]:
        """The value numbers of slots, of which keys are made."""
        return tuple(self._number_of[slot] for slot in slots)

    def emit(self, step: Step, uses: tuple[int, ...] = (), key: Any = None) -> int:
        """Adds a step and returns its slot; a step with a key is found again by `find`."""
        slot = len(self.steps)
        self.steps.append(step)
        self.uses.append(uses)
        # A step without a key has a value of its own.
        number = self._numbers.setdefault(object() if key is None else key, len(self._numbers))
        self._number_of.append(number)
        self._slots[number] = slot
        return slot

    def find(self, key: Any) -> int | None:
        """The slot of an equal subexpression, computed here or in a scope around this one."""
        number = self._numbers.get(key)
        if number is None:
            return None
        found = self._slots.get(number)
        if found is not None or self.parent is None:
            return found
        outer = self.parent.find(key)
        if outer is None:
            return None
        self.inherited.add(outer)
        return self.emit(lambda frame: frame.inherited(outer), (), key)

    def program(self, *results: int) -> Program:
        """The finished program."""
        return Program(self.steps, self.uses, results)


class Part:
    """An expression compiled as a program of its own, to be run on some rows of the frame around it."""

    __slots__ = ("expr", "program", "uses")

    def __init__(self, expr: Expr, scope: Scope, result: int) -> None:
        self.expr = expr
        self.program = scope.program(result)
        self.uses = tuple(sorted(scope.inherited))

    def run(self, frame: Frame, rows: Rows | None) -> Vector:
        """The value at the rows `rows` of `frame` (None: all of them); at least one."""
        return self.program.run_one(frame.narrow(rows))
