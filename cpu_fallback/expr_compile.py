"""From bound expressions to programs: one compile function a node type, common subexpressions computed once.

A node's children are compiled before it, without recursion. Nodes whose children are not all evaluated for
all rows (AND, OR, CASE, COALESCE) compile theirs themselves, in `expr_logic.py` and `expr_conditional.py`;
those functions are generators that yield what they want compiled.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from ..planner.errors import SqlError
from ..planner.expr import (
    And,
    Call,
    Case,
    Cast,
    Coalesce,
    ColumnRef,
    Comparison,
    Expr,
    InList,
    IsNull,
    Literal,
    Not,
    Or,
    UserCall,
    children,
)
from . import expr_compare, expr_conditional, expr_logic
from .casts import compile_cast
from .expr_numbers import Numbers
from .expr_program import Frame, Part, Scope, Step
from .expr_raise import is_quick
from .functions.registry import Evaluate, Interruptible, implementation
from .pieces import in_pieces
from .vector import Vector, null_constant

# A compilation in progress: yields others that it waits for, is sent what they return.
Compilation = Generator[Any, Any, Any]
_LAZY = (And, Or, Case, Coalesce)


class Compiler:
    """Compiles expressions into one scope; equal subexpressions share a slot."""

    def __init__(self, scope: Scope | None = None, numbers: Numbers | None = None) -> None:
        self.scope = Scope() if scope is None else scope
        self.numbers = Numbers() if numbers is None else numbers

    def slot(self, expr: Expr, *, truth: bool = False) -> int:
        """The slot of an expression. With `truth` only the rows at which it is true matter: NULL may be
        given as false.
        """
        stack: list[Compilation] = [self.compile(expr, truth)]
        value: Any = None
        while stack:
            try:
                wanted = stack[-1].send(value)
            except StopIteration as end:
                stack.pop()
                value = end.value
            else:
                stack.append(wanted)
                value = None
        return value

    def compile(self, expr: Expr, truth: bool = False) -> Compilation:
        """Compiles into this scope; returns the slot."""
        done: dict[int, int] = {}
        stack = [expr]
        while stack:
            node = stack[-1]
            if id(node) in done:
                stack.pop()
                continue
            lazy_truth = truth and node is expr
            key = self._key(node, lazy_truth)
            found = self._find(key)
            if found is not None:
                done[id(node)] = found
            elif isinstance(node, ColumnRef):
                done[id(node)] = self._column(node, key)
            elif isinstance(node, _LAZY):
                slot = yield self._lazy(node, lazy_truth)
                self.scope.name(slot, key)
                done[id(node)] = slot
            else:
                parts = _operands(node)
                missing = [part for part in parts if id(part) not in done]
                if missing:
                    stack.extend(reversed(missing))
                    continue
                slots = tuple(done[id(part)] for part in parts)
                done[id(node)] = self.scope.emit(_step(node, slots), slots, key)
        return done[id(expr)]

    def part(self, expr: Expr, truth: bool = False) -> Compilation:
        """Compiles into a program of its own that runs on some rows of this scope's frame; returns the
        Part.
        """
        inner = Compiler(Scope(self.scope), self.numbers)
        result = yield inner.compile(expr, truth)
        return Part(inner.scope, result)

    def _key(self, node: Expr, truth: bool) -> tuple[int, bool]:
        return self.numbers.of(node), truth and isinstance(node, _LAZY)

    def _find(self, key: tuple[int, bool]) -> int | None:
        # What is known exactly does where only the truth matters.
        found = self.scope.find((key[0], False))
        return self.scope.find(key) if found is None and key[1] else found

    def _column(self, node: ColumnRef, key: tuple[int, bool]) -> int:
        """Columns are loaded by the outermost scope, so that what is known of them is found out once a
        batch.
        """
        root = self.scope
        while root.parent is not None:
            root = root.parent
        root.emit(_load(node), (), key)
        slot = self.scope.find(key)
        assert slot is not None
        return slot

    def _lazy(self, node: Expr, truth: bool) -> Compilation:
        if isinstance(node, (And, Or)):
            return expr_logic.compile_connective(self, node, truth)
        if isinstance(node, Case):
            return expr_conditional.compile_case(self, node)
        assert isinstance(node, Coalesce)
        return expr_conditional.compile_coalesce(self, node)


def _operands(node: Expr) -> tuple[Expr, ...]:
    if isinstance(node, InList) and expr_compare.is_literal_list(node):
        return (node.arg,)
    return children(node)


def _step(node: Expr, slots: tuple[int, ...]) -> Step:
    if isinstance(node, Literal):
        constant = Vector.constant(node.type, node.value)
        return lambda frame: constant
    if isinstance(node, Call):
        made = implementation(node.function)
        return _call_step(node, made.build(node), slots, strict=made.strict)
    if isinstance(node, UserCall):
        from .udf import user_step

        return user_step(node, slots)
    if isinstance(node, Cast):
        return _call_step(node, compile_cast(node.arg.type, node.type, node.safe), slots, strict=True)
    if isinstance(node, Comparison):
        strict = not node.op.startswith("is")
        return _call_step(node, expr_compare.compile_comparison(node), slots, strict=strict)
    if isinstance(node, InList):
        if expr_compare.is_literal_list(node):
            return _call_step(node, expr_compare.compile_in_literals(node), slots, strict=True)
        return _call_step(node, expr_compare.compile_in(node), slots, strict=False)
    if isinstance(node, Not):
        return _call_step(node, expr_logic.negation, slots, strict=True)
    assert isinstance(node, IsNull), node
    return _call_step(node, expr_compare.is_null, slots, strict=False)


def _call_step(node: Expr, evaluate: Evaluate, slots: tuple[int, ...], *, strict: bool) -> Step:
    """A step that calls `evaluate` with at least one argument that is not constant, and names the place in
    errors.
    """
    type_, span, whole = node.type, node.span, is_quick(node)

    def step(frame: Frame) -> Vector:
        held = frame.slots
        args = [held[slot] for slot in slots]
        constant = True
        for arg in args:
            if not arg.is_constant:
                constant = False
            elif strict and arg.is_null:
                return null_constant(type_)
        try:
            run = evaluate.checked(frame.check) if isinstance(evaluate, Interruptible) else evaluate
            if constant and args:
                args[0] = args[0].expand(1)
                return run(args, 1).to_constant()
            if whole or not args:
                return run(args, frame.n)
            return in_pieces(run, type_, args, frame.n, frame.check, strict=strict)
        except SqlError as error:
            if error.span is None:
                error.span = span
            raise

    return step


def _load(node: ColumnRef) -> Step:
    id_, type_ = node.id, node.type

    def load(frame: Frame) -> Vector:
        batch = frame.batch
        return Vector.of_array(type_, batch.column(id_), batch.bounds.get(id_))

    return load
