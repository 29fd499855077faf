"""Straight-line programs: a compiled expression is a list of steps over numbered slots.

The compiler (expr_compile.py) numbers every distinct subexpression once, so a common subexpression is
computed once a batch, and a slot is dropped after its last use. Parts that must be evaluated for some rows
only (a branch of CASE, a later term of AND that can fail) are programs of their own that run on a *frame*
of those rows and fetch what the outer program has already computed. A step that needs parts is a generator:
it yields the runs it asks for and is sent their values, so that expressions of any depth run without
recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from types import GeneratorType
from typing import Any

import numpy as np
import numpy.typing as npt

from ..physical.batch import Batch
from .functions.registry import Check
from .vector import Vector

Rows = npt.NDArray[np.integer[Any]]
# The value, or a generator that yields runs of parts, is sent their values, and returns the value.
Run = tuple["Program", "Frame"]
Steps = Generator[Run, Vector, Vector]
Step = Callable[["Frame"], "Vector | Steps"]


class Frame:
    """One run of a program: the batch, the number of rows, and the slots.

    `check` is called between pieces of long work and may raise. `parent` and `rows` are set for a part of a
    program that runs on the rows `rows` of its parent (None: on all of them).
    """

    __slots__ = ("batch", "check", "n", "parent", "rows", "slots")

    def __init__(
        self, batch: Batch, n: int, check: Check, parent: Frame | None = None, rows: Rows | None = None
    ) -> None:
        self.batch = batch
        self.n = n
        self.check = check
        self.parent = parent
        self.rows = rows
        self.slots: list[Any] = []

    def narrow(self, rows: Rows | None) -> Frame:
        """A frame of the given rows of this one."""
        return Frame(self.batch, self.n if rows is None else len(rows), self.check, self, rows)

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
        _execute(self, frame)
        return [frame.slots[i] for i in self.results]


def _execute(program: Program, frame: Frame) -> None:
    """Fills the frame's slots; parts run on a stack of their own."""
    waiting: list[tuple[Program, Frame, int, Steps]] = []
    frame.slots = [None] * len(program.steps)
    at = 0
    while True:
        sent: Any = None
        if at == len(program.steps):
            if not waiting:
                return
            sent = frame.slots[program.results[0]]
            program, frame, at, steps = waiting.pop()
        else:
            steps = program.steps[at](frame)
            if not isinstance(steps, GeneratorType):
                at = _settle(program, frame, at, steps)
                continue
        try:
            inner, narrowed = steps.send(sent)
        except StopIteration as end:
            at = _settle(program, frame, at, end.value)
            continue
        waiting.append((program, frame, at, steps))  # type: ignore[arg-type]
        program, frame, at = inner, narrowed, 0
        frame.slots = [None] * len(program.steps)


def _settle(program: Program, frame: Frame, at: int, value: Any) -> int:
    """Puts a value into its slot and drops those that nobody needs any more."""
    slots = frame.slots
    slots[at] = value
    for slot in program.dying[at]:
        slots[slot] = None
    return at + 1


class Scope:
    """A program while it is being built. `parent` is the scope whose frame its frames narrow.

    Steps are found again by keys that mean the same in every scope of a compilation (expr_numbers.py);
    slots are numbered anew in each.
    """

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.steps: list[Step] = []
        self.uses: list[tuple[int, ...]] = []
        self.inherited: set[int] = set()
        self._slots: dict[Hashable, int] = {}

    def emit(self, step: Step, uses: tuple[int, ...] = (), key: Hashable = None) -> int:
        """Adds a step and returns its slot; a step with a key is found again by `find`."""
        slot = len(self.steps)
        self.steps.append(step)
        self.uses.append(uses)
        if key is not None:
            self.name(slot, key)
        return slot

    def name(self, slot: int, key: Hashable) -> None:
        """Lets `find` find a slot by this key."""
        self._slots[key] = slot

    def find(self, key: Hashable) -> int | None:
        """The slot of an equal subexpression, computed here or in a scope around this one."""
        scope: Scope | None = self
        inside: list[Scope] = []
        while scope is not None and key not in scope._slots:
            inside.append(scope)
            scope = scope.parent
        if scope is None:
            return None
        slot = scope._slots[key]
        while inside:
            slot = inside.pop()._inherit(slot, key)
        return slot

    def _inherit(self, outer: int, key: Hashable) -> int:
        self.inherited.add(outer)
        return self.emit(lambda frame: frame.inherited(outer), (), key)

    def program(self, *results: int) -> Program:
        """The finished program."""
        return Program(self.steps, self.uses, results)


class Part:
    """An expression compiled as a program of its own, to be run on some rows of the frame around it."""

    __slots__ = ("program", "uses")

    def __init__(self, scope: Scope, result: int) -> None:
        self.program = scope.program(result)
        self.uses = tuple(sorted(scope.inherited))

    def at(self, frame: Frame, rows: Rows | None) -> Run:
        """A run at the rows `rows` of `frame` (None: all of them; at least one), for a step to yield."""
        return self.program, frame.narrow(rows)
