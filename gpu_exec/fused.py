"""Expressions that one kernel computes: libcudf evaluates a tree of operations row by row.

Such an expression is made of columns of fixed width, constants, comparisons, IS NULL, AND, OR, NOT, and sums,
differences and products of integers and decimals that are proven to stay within INT32 or INT64. It cannot
fail, and its values, NULLs, type and bounds are those that `expressions.py` gives operation by operation. Out
of it stay texts (not of fixed width), DECIMAL128 (and all decimals of the library: ours are scaled INT64, see
`docs/gpu_status.md`), integers of 8 and 16 bits in arithmetic (C++ makes them 32), NULL constants, and
arithmetic of floats (code compiled for a tree may fuse a product with a sum).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..physical.batch import Batch
from ..physical.stored import Bounds, range_of, values_range
from ..planner.expr import (
    And,
    Call,
    Cast,
    ColumnRef,
    Comparison,
    Expr,
    IsNull,
    Literal,
    Not,
    Or,
    children,
)
from ..planner.types import SQLType
from .integers import fits_64
from .library import Expression
from .ops import Ops
from .storage import STORED, arrow_scalar, data_type
from .values import Value

# One operation is as good as a call of its own.
_LEAST_OPERATIONS = 2
# The device holds what is computed in between, for every thread, in memory that is scarce.
_MOST_OPERATIONS = 48
_OPERATORS = {
    "=": "EQUAL",
    "<>": "NOT_EQUAL",
    "<": "LESS",
    "<=": "LESS_EQUAL",
    ">": "GREATER",
    ">=": "GREATER_EQUAL",
}
_ARITHMETIC = {"+": "ADD", "-": "SUB", "*": "MUL"}
_MIRRORED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_SAME = "is not distinct from"
# What a comparison of floats takes at most, NaN being above all numbers.
_OPERATIONS_OF_FLOATS = 8


@dataclass(frozen=True)
class Part:
    """An expression that may be part of a tree of `operations`; `bounds` as those of a Value."""

    operations: int
    bounds: Bounds | None = None
    is_constant: bool = False


# By the id of an expression; None where it cannot be part of a tree.
Parts = dict[int, Part | None]


def parts_of(roots: Sequence[Expr], batch: Batch, ops: Ops) -> Parts:
    """What of expressions over a batch may be part of trees."""
    found: Parts = {}
    if not batch.num_rows:
        return found
    for root in roots:
        stack = [root]
        while stack:
            node = stack[-1]
            missing = [part for part in children(node) if id(part) not in found]
            if missing and id(node) not in found:
                stack.extend(missing)
                continue
            stack.pop()
            if id(node) not in found:
                found[id(node)] = _part(node, [found[id(part)] for part in children(node)], batch, ops)
    return found


def is_fused(node: Expr, parts: Parts) -> bool:
    """Whether an expression is computed by one kernel."""
    part = parts.get(id(node))
    return part is not None and part.operations >= _LEAST_OPERATIONS


def operands(node: Expr, parts: Parts) -> tuple[Expr, ...]:
    """The parts of an expression that is none itself; of AND and OR those that are some, joined."""
    if not isinstance(node, (And, Or)):
        return children(node)
    groups: list[list[Expr]] = []
    others: list[Expr] = []
    size = _MOST_OPERATIONS
    for arg in node.args:
        part = parts.get(id(arg))
        if part is None or part.is_constant:
            others.append(arg)
            continue
        if size + 1 + part.operations > _MOST_OPERATIONS:
            groups.append([])
            size = 0
        groups[-1].append(arg)
        size += 1 + part.operations
    joined: list[Expr] = []
    for group in groups:
        part = _joined([parts[id(arg)] for arg in group])
        if part is None or part.operations < _LEAST_OPERATIONS or len(group) == 1:
            joined += group
            continue
        whole = replace(node, args=tuple(group))
        parts[id(whole)] = part
        joined.append(whole)
    return (*joined, *others)


def computed(node: Expr, parts: Parts, batch: Batch, ops: Ops) -> Value:
    """The value of an expression that `is_fused`."""
    part = parts[id(node)]
    assert part is not None
    builder = _Builder(ops)
    tree = builder.made(node)
    column = ops.computed([batch.column(number) for number in builder.places], tree)
    assert column.type() == data_type(node.type), node
    return Value(node.type, column, bounds=part.bounds)


def _part(node: Expr, args: Sequence[Part | None], batch: Batch, ops: Ops) -> Part | None:
    match node:
        case ColumnRef(type=type_, id=number):
            column = batch.column(number)
            plain = not type_.is_string and column.type() == data_type(type_)
            return Part(0, batch.bounds.get(number)) if plain else None
        case Literal(type=type_, value=value):
            plain = value is not None and type_.id in STORED and not type_.is_string
            if not plain or Value(type_, None, value).is_wide:
                return None
            bounds = (value, value) if isinstance(value, int) and not isinstance(value, bool) else None
            return Part(0, bounds, is_constant=True)
        case _:
            known = [arg for arg in args if arg is not None]
            if len(known) < len(args) or all(arg.is_constant for arg in known):
                return None
            made = _operation(node, known, ops)
            return None if made is None or made.operations > _MOST_OPERATIONS else made


def _operation(node: Expr, args: Sequence[Part], ops: Ops) -> Part | None:
    below = sum(arg.operations for arg in args)
    match node:
        case Comparison(op=op, left=left, right=right) if left.type == right.type:
            if left.type.is_float:
                plain = op in _OPERATORS and not any(map(_is_nan, (left, right)))
                return Part(below + _OPERATIONS_OF_FLOATS) if plain else None
            return Part(below + (1 if op in _OPERATORS or op == _SAME else 2))
        case And() | Or():
            return _joined(args)
        case Not() | IsNull():
            return Part(below + 1)
        case Call(function=symbol, args=(left, right)) if symbol in _ARITHMETIC:
            if not all(_is_exact(type_) for type_ in (node.type, left.type, right.type)):
                return None
            if not _is_alike((node.type, left.type, right.type), ops):
                return None
            sides = (_bounds(part, arg) for part, arg in zip(args, node.args, strict=True))
            return _within(range_of(symbol, *sides), node.type, below + 1)
        case Cast(arg=arg) if _is_exact(node.type) and _is_exact(arg.type):
            shift = node.type.scale - arg.type.scale
            if shift < 0 or not _is_alike((node.type, arg.type), ops):
                return None
            low, high = _bounds(args[0], arg)
            return _within((low * 10**shift, high * 10**shift), node.type, below + (1 if shift else 0))
        case _:
            return None


def _is_nan(node: Expr) -> bool:
    return isinstance(node, Literal) and math.isnan(node.value)


def _is_exact(type_: SQLType) -> bool:
    return type_.is_integer or type_.is_decimal


def _is_alike(types: Sequence[SQLType], ops: Ops) -> bool:
    """Whether all are stored alike, as integers in which the library computes without making them wider."""
    kinds = {data_type(type_).id() for type_ in types}
    return kinds == {ops.plc.TypeId.INT32} or kinds == {ops.plc.TypeId.INT64}


def _bounds(part: Part, node: Expr) -> Bounds:
    return values_range(node.type) if part.bounds is None else part.bounds


def _within(bounds: Bounds, type_: SQLType, operations: int) -> Part | None:
    """A part with these bounds, if the type and 64 bits hold them."""
    low, high = values_range(type_)
    fits = low <= bounds[0] and bounds[1] <= high and fits_64(bounds)
    return Part(operations, bounds) if fits else None


def _joined(args: Sequence[Part | None]) -> Part | None:
    """AND or OR of parts."""
    known = [arg for arg in args if arg is not None and not arg.is_constant]
    if len(known) < len(args):
        return None
    return Part(sum(arg.operations for arg in known) + len(known) - 1)


class _Builder:
    """Makes a tree, and notes which columns it is over."""

    def __init__(self, ops: Ops) -> None:
        self.ops = ops
        self.places: dict[int, int] = {}
        self._constants: dict[tuple[SQLType, str], Expression] = {}

    def made(self, node: Expr) -> Expression:
        """The tree of a part."""
        ops = self.ops
        match node:
            case ColumnRef(id=number):
                return ops.leaf(self.places.setdefault(number, len(self.places)))
            case Literal(type=type_, value=value):
                return self._constant(type_, value)
            case Comparison(op=op, left=left, right=right):
                if left.type.is_float:
                    return self._floats(op, left, right)
                sides = self.made(left), self.made(right)
                if op in _OPERATORS:
                    return ops.tree(_OPERATORS[op], *sides)
                same = ops.tree("NULL_EQUAL", *sides)
                return same if op == _SAME else ops.tree("NOT", same)
            case And(args=args) | Or(args=args):
                operator = "NULL_LOGICAL_AND" if isinstance(node, And) else "NULL_LOGICAL_OR"
                return functools.reduce(functools.partial(ops.tree, operator), map(self.made, args))
            case Not(arg=arg):
                return ops.tree("NOT", self.made(arg))
            case IsNull(arg=arg):
                return ops.tree("IS_NULL", self.made(arg))
            case Call(function=symbol, args=(left, right)):
                return ops.tree(_ARITHMETIC[symbol], self.made(left), self.made(right))
            case Cast(arg=arg):
                shift = node.type.scale - arg.type.scale
                found = self.made(arg)
                return found if not shift else ops.tree("MUL", found, self._constant(node.type, 10**shift))
        raise AssertionError(node)

    def _constant(self, type_: SQLType, value: Any) -> Expression:
        key = type_, repr(value)
        if key not in self._constants:
            self._constants[key] = self.ops.constant(self.ops.scalar(arrow_scalar(type_, value)))
        return self._constants[key]

    def _floats(self, op: str, left: Expr, right: Expr) -> Expression:
        """In SQL's order NaN equals itself and is above everything; in the library's it is unordered."""
        if isinstance(left, Literal):
            left, right, op = right, left, _MIRRORED[op]
        tree, a, b = self.ops.tree, self.made(left), self.made(right)
        nan = tree("NOT_EQUAL", a, a)
        # A constant is never NaN here.
        number = isinstance(right, Literal)
        above = nan if number else tree("NULL_LOGICAL_AND", nan, tree("EQUAL", b, b))
        above = tree("NULL_LOGICAL_OR", tree("GREATER", a, b), above)
        equal = tree("EQUAL", a, b)
        if not number:
            both = tree("NULL_LOGICAL_AND", nan, tree("NOT_EQUAL", b, b))
            equal = tree("NULL_LOGICAL_OR", equal, both)
        match op:
            case "=" | "<>":
                found = equal
            case ">" | "<=":
                found = above
            case _:
                found = tree("NULL_LOGICAL_OR", above, equal)
        return tree("NOT", found) if op in ("<>", "<=", "<") else found
