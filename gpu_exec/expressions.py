"""Evaluates bound expressions over device batches, column by column, or what one kernel computes by it.

Every node is evaluated for all rows; what must not surface in rows that AND, OR, CASE or COALESCE skip is an
error, not a value, so errors travel as rows (`values.Failure`) and are cut down on the way up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..physical.batch import Batch
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
)
from . import expr_compare, expr_conditional, expr_logic, fused
from .casts import cast
from .functions.registry import function
from .ops import Ops
from .udf import user_call
from .values import Evaluation, Failure, Value, raise_failures


def evaluate(exprs: Sequence[Expr], batch: Batch, ops: Ops, *, telling: bool = False) -> list[Value]:
    """The value of each expression; one object is evaluated once, and its value let go with its last use.
    Nothing is raised for rows that fail; `telling`: see `Evaluation`.
    """
    run = Evaluation(ops, batch.num_rows, telling=telling)
    parts = fused.parts_of(exprs, batch, ops)
    operands, uses = _steps(exprs, parts)
    done: dict[int, Value] = {}
    for root in exprs:
        stack = [root]
        while stack:
            node = stack[-1]
            if id(node) in done:
                stack.pop()
                continue
            below = operands[id(node)]
            missing = [part for part in below if id(part) not in done]
            if missing:
                stack.extend(reversed(missing))
                continue
            stack.pop()
            if fused.is_fused(node, parts):
                done[id(node)] = fused.computed(node, parts, batch, ops)
                continue
            args = [done[id(part)] for part in below]
            for part in below:
                uses[id(part)] -= 1
                if not uses[id(part)]:
                    del done[id(part)]
            done[id(node)] = _value(node, args, batch, run).placed(node.span)
            del args
    return [done[id(root)] for root in exprs]


def _steps(exprs: Sequence[Expr], parts: fused.Parts) -> tuple[dict[int, tuple[Expr, ...]], Counter[int]]:
    """What each expression is computed from, and how often the value of each is asked for."""
    operands: dict[int, tuple[Expr, ...]] = {}
    uses: Counter[int] = Counter(map(id, exprs))
    stack = list(exprs)
    while stack:
        node = stack.pop()
        if id(node) not in operands:
            below = () if fused.is_fused(node, parts) else fused.operands(node, parts)
            operands[id(node)] = below
            uses.update(map(id, below))
            stack += below
    return operands, uses


def checked(exprs: Sequence[Expr], batch: Batch, ops: Ops) -> list[Value]:
    """As `evaluate`; raises the first error that a row has."""
    values = evaluate(exprs, batch, ops)
    raise_failures(ops, _failures(values), lambda: _failures(evaluate(exprs, batch, ops, telling=True)))
    return values


def _failures(values: Sequence[Value]) -> list[Failure]:
    return [failure for value in values for failure in value.failures]


def columns(exprs: Sequence[Expr], batch: Batch, ops: Ops) -> list[Any]:
    """The expressions as columns; raises the first error that a row has."""
    values = checked(exprs, batch, ops)
    run = Evaluation(ops, batch.num_rows)
    return [run.column(value) for value in values]


def predicate(expr: Expr, batch: Batch, ops: Ops) -> Any:
    """The rows at which an expression is true, as a column without NULLs; raises errors."""
    (value,) = checked([expr], batch, ops)
    return Evaluation(ops, batch.num_rows).truth(value)


def _value(node: Expr, args: list[Value], batch: Batch, run: Evaluation) -> Value:
    match node:
        case ColumnRef(id=id_, type=type_):
            return Value(type_, batch.column(id_), bounds=batch.bounds.get(id_))
        case Literal(type=type_, value=value):
            return Value(type_, None, value)
        case Call():
            return function(node.function)(node, args, run)
        case UserCall():
            return user_call(node, args, run)
        case Cast():
            return cast(node, args[0], run)
        case Comparison(op=op):
            return expr_compare.compare(op, args[0], args[1], run)
        case And() | Or():
            return expr_logic.connective(args, run, conjunction=isinstance(node, And))
        case Not():
            return expr_logic.negation(args[0], run)
        case IsNull():
            return expr_compare.is_null(args[0], run)
        case InList():
            return expr_compare.in_list(args[0], args[1:], run)
        case Case():
            return expr_conditional.case(node, args, run)
        case Coalesce():
            return expr_conditional.coalesce(node, args, run)
        case _:
            raise AssertionError(node)
