"""From bound expressions to programs: one compile function a node type, common subexpressions numbered once.

A compile function gets the node and the slots of its children (which are compiled before it, without
recursion) and returns a step. Nodes whose children are not all evaluated for all rows (AND, OR, CASE,
COALESCE) are in `expr_logic.py` and `expr_conditional.py` and compile them themselves.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
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
    children,
)
from . import expr_compare, expr_conditional, expr_logic
from .casts import compile_cast
from .expr_program import Frame, Part, Scope, Step
from .functions.registry import Evaluate, implementation
from .vector import Vector, null_constant


class Compiler:
    """Compiles expressions into one scope; equal subexpressions share a slot."""

    def __init__(self, scope: Scope | None = None) -> None:
        self.scope = Scope() if scope is None else scope
        self._truth: dict[int, int] = {}

    def slot(self, expr: Expr, *, truth: bool = False) -> int:
        """The slot of an expression. With `truth` only the rows at which it is true matter: NULL may be
        given as false.
        """
        done: dict[int, int] = {}
        stack: list[tuple[Expr, bool]] = [(expr, False)]
        while stack:
            node, ready = stack.pop()
            if id(node) in done:
                continue
            if isinstance(node, (And, Or, Case, Coalesce)):
                done[id(node)] = self._lazy(node, truth and node is expr)
                continue
            parts = _operands(node)
            if not ready:
                stack.append((node, True))
                stack.extend((part, False) for part in reversed(parts))
                continue
            done[id(node)] = self._eager(node, tuple(done[id(part)] for part in parts))
        return done[id(expr)]

    def part(self, expr: Expr, *, truth: bool = False) -> Part:
        """The expression as a program of its own that runs on some rows of this scope's frame."""
        inner = Compiler(Scope(self.scope))
        result = inner.slot(expr, truth=truth)
        return Part(expr, inner.scope, result)

    def column(self, node: ColumnRef) -> int:
        """Columns are loaded by the outermost scope, so that what is known of them is found out once a
        batch.
        """
        key = (ColumnRef, node.id, node.type)
        found = self.scope.find(key)
        if found is not None:
            return found
        root = self.scope
        while root.parent is not None:
            root = root.parent
        root.emit(_load(node), (), key)
        slot = self.scope.find(key)
        assert slot is not None
        return slot

    def _eager(self, node: Expr, slots: tuple[int, ...]) -> int:
        if isinstance(node, ColumnRef):
            return self.column(node)
        key = _key(node, self.scope.numbers(slots))
        found = self.scope.find(key) if key is not None else None
        if found is not None:
            return found
        return self.scope.emit(_step(node, slots), slots, key)

    def _lazy(self, node: Expr, truth: bool) -> int:
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


def _key(node: Expr, numbers: tuple[int, ...]) -> Any:
    """What makes two eager nodes over operands of equal value numbers the same value; None for volatile
    calls.
    """
    if isinstance(node, Literal):
        value = node.value
        # 0.0 = -0.0, but 1 / x tells them apart.
        return Literal, node.type, struct.pack("<d", value) if isinstance(value, float) else value
    if isinstance(node, Call):
        if implementation(node.function).volatile:
            return None
        return Call, node.type, node.function, numbers
    if isinstance(node, Cast):
        return Cast, node.type, node.safe, numbers
    if isinstance(node, Comparison):
        return Comparison, node.op, numbers
    if isinstance(node, InList):
        return InList, numbers, node.items
    assert isinstance(node, (Not, IsNull)), node
    return type(node), numbers


def _step(node: Expr, slots: tuple[int, ...]) -> Step:
    if isinstance(node, Literal):
        constant = Vector.constant(node.type, node.value)
        return lambda frame: constant
    if isinstance(node, Call):
        made = implementation(node.function)
        return _call_step(node, made.build(node), slots, strict=made.strict)
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
    type_, span = node.type, node.span

    def step(frame: Frame) -> Vector:
        held = frame.slots
        args = [held[slot] for slot in slots]
        constant = True
        for arg in args:
            if not arg.is_constant:
                constant = False
            elif strict and arg.value is None:
                return null_constant(type_)
        try:
            if constant and args:
                args[0] = args[0].expand(1)
                return evaluate(args, 1).to_constant()
            return evaluate(args, frame.n)
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


Callback = Callable[[Frame], Vector]
