"""Comparisons, IN lists, IS NULL and IS [NOT] DISTINCT FROM.

Order: integers and temporals by value, strings and blobs by bytes, floats with NaN equal to itself and
above everything and -0.0 = 0.0, intervals by length with a month of 30 days.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..planner.expr import Comparison, InList, Literal
from ..planner.types import BLOB, BOOLEAN, SQLType, TypeId
from . import compute
from .dictionary import on_entries
from .expr_logic import _either
from .functions.registry import Evaluate
from .functions.wide import widened
from .storage import has_values
from .vector import Mask, Vector, combined_valid, null_constant

_NUMPY = {
    "=": np.equal,
    "<>": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
FEW_ITEMS = 4


def compile_comparison(node: Comparison) -> Evaluate:
    """A comparison of two values of one type."""
    kind = node.left.type
    if node.op == "is distinct from":
        return lambda args, n: _distinct(kind, args[0], args[1], n)
    if node.op == "is not distinct from":
        return lambda args, n: _negated(_distinct(kind, args[0], args[1], n))
    op = node.op
    return lambda args, n: compare(op, kind, args[0], args[1])


def compare(op: str, type_: SQLType, left: Vector, right: Vector) -> Vector:
    """`left op right` for vectors of `type_`, not both constant and neither the constant NULL; NULL where
    either is.
    """
    if type_.id is TypeId.NULL:
        return null_constant(BOOLEAN)
    if type_.is_nested:
        return _compare_arrays(op, _as_bytes(left), _as_bytes(right))
    if not has_values(type_):
        return _compare_arrays(op, left, right)
    if left.is_wide or right.is_wide:
        return _compare_wide(op, left, right)
    valid = combined_valid(left, right)
    if type_.is_float:
        values = compare_floats(op, left.values, right.values)
    elif type_.id is TypeId.INTERVAL:
        values = _compare_keys(op, interval_keys(left.values), interval_keys(right.values))
    else:
        values = _NUMPY[op](left.values, right.values)
    return Vector.of_truth(BOOLEAN, values, valid)


def compare_floats(op: str, left: Any, right: Any) -> Mask:
    """Total order of floats: NaN = NaN, NaN above everything, -0.0 = 0.0. Arrays or scalars of one dtype."""
    if op == "<":
        return compare_floats(">", right, left)
    if op == "<=":
        return ~compare_floats(">", left, right)
    if op == ">=":
        return ~compare_floats(">", right, left)
    if op == "<>":
        return ~compare_floats("=", left, right)
    if op == ">":
        # True also where either is NaN; then it is right unless `right` is.
        above = ~(left <= right)
        return above if _is_number(right) else above & (right == right)
    equal = left == right
    if _is_number(left) or _is_number(right):
        return equal
    return equal | ((left != left) & (right != right))


def _is_number(values: Any) -> bool:
    """Whether this is one scalar that is not NaN."""
    return np.ndim(values) == 0 and not math.isnan(values)


def interval_keys(values: Any) -> tuple[Any, Any, Any]:
    """Months, days and nanoseconds of intervals, carried over at 24 hours a day and 30 days a month, so
    that they compare in order.
    """
    day = 86_400_000_000_000
    nanos, days, months = values["nanos"], values["days"].astype(np.int64), values["months"].astype(np.int64)
    whole_days = truncated(nanos, day)
    days = days + whole_days
    whole_months = truncated(days, 30)
    nanos = nanos - whole_days * day
    return months + whole_months, days - whole_months * 30, nanos


def truncated(values: Any, divisor: int) -> Any:
    """Integers divided by a positive constant, rounded toward zero."""
    return values // divisor + ((values % divisor != 0) & (values < 0))


def _compare_keys(op: str, left: tuple[Any, ...], right: tuple[Any, ...]) -> Mask:
    equal = np.logical_and.reduce([a == b for a, b in zip(left, right, strict=True)])
    if op == "=":
        return equal
    if op == "<>":
        return ~equal
    less = left[-1] < right[-1]
    for a, b in zip(left[-2::-1], right[-2::-1], strict=True):
        less = (a < b) | ((a == b) & less)
    return {"<": less, "<=": less | equal, ">": ~(less | equal), ">=": ~less}[op]


def _as_bytes(vector: Vector) -> Vector:
    """Nested values as blobs that compare as they do."""
    from .operators.nested import encode, encoded

    if vector.is_constant:
        return Vector.constant(BLOB, encode(vector.type, vector.value))
    return Vector.of_array(BLOB, encoded(vector.type, vector.array))


_SWAPPED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _compare_arrays(op: str, left: Vector, right: Vector) -> Vector:
    if left.is_constant:
        return _compare_arrays(_SWAPPED[op], right, left)
    if right.is_constant:
        scalar = right.scalar
        return on_entries(
            left, lambda entries: Vector.of_array(BOOLEAN, compute.compare(op, entries.array, scalar))
        )
    return Vector.of_array(BOOLEAN, compute.compare(op, left.decoded().array, right.decoded().array))


def _compare_wide(op: str, left: Vector, right: Vector) -> Vector:
    n = len(right) if left.is_constant else len(left)
    sides = [v.scalar if v.is_constant and v.is_wide else widened(v, n).array for v in (left, right)]
    return Vector.of_array(BOOLEAN, compute.compare(op, *sides))


def is_null(args: Sequence[Vector], n: int) -> Vector:
    """IS NULL: never NULL itself."""
    (arg,) = args
    if arg.is_constant:
        return Vector.constant(BOOLEAN, arg.is_null)
    if arg.valid is None:
        return Vector.constant(BOOLEAN, False)
    return Vector.of_values(BOOLEAN, ~arg.valid)


def _distinct(type_: SQLType, left: Vector, right: Vector, n: int) -> Vector:
    """Differ, where NULL differs from every value but NULL."""
    if left.is_null or right.is_null:
        return _negated(is_null((right if left.is_null else left,), n))
    differs = compare("<>", type_, left, right).expand(n)
    if differs.valid is None:
        return differs
    a = np.True_ if left.valid is None else left.valid
    b = np.True_ if right.valid is None else right.valid
    return Vector.of_values(BOOLEAN, differs.values | (a ^ b))


def _negated(vector: Vector) -> Vector:
    """NOT of a vector without NULLs."""
    if vector.is_constant:
        return Vector.constant(BOOLEAN, not vector.value)
    return Vector.of_values(BOOLEAN, ~vector.values)


# IN -------------------------------------------------------------------------------------------------------
def is_literal_list(node: InList) -> bool:
    """Whether all items are literals of a type that is tested with one lookup."""
    kind = node.arg.type
    plain = kind.id not in (TypeId.NULL, TypeId.INTERVAL) and not kind.is_nested
    return plain and all(isinstance(item, Literal) for item in node.items)


def compile_in(node: InList) -> Evaluate:
    """IN over items that are expressions: a disjunction of equalities."""
    type_ = node.arg.type

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        arg, *items = (vector if vector.is_null else vector.expand(n) for vector in args)
        if arg.is_null:
            return null_constant(BOOLEAN)
        result = Vector.of_values(BOOLEAN, np.zeros(n, dtype=np.bool_))
        for item in items:
            if item.is_null:
                equal = Vector.of_values(BOOLEAN, np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_))
            else:
                equal = compare("=", type_, arg, item).expand(n)
            result = (
                _either(result, equal)
                if equal.valid is not None or result.valid is not None
                else (Vector.of_values(BOOLEAN, result.values | equal.values))
            )
        return result

    return evaluate


def compile_in_literals(node: InList) -> Evaluate:
    """IN over literals. With a NULL among them a miss is NULL."""
    type_ = node.arg.type
    items = [item.value for item in node.items if isinstance(item, Literal) and item.value is not None]
    has_null = len(items) < len(node.items)
    test = _membership(type_, items)

    def evaluate(args: Sequence[Vector], n: int) -> Vector:
        found = test(args[0]).expand(n)
        if not has_null:
            return found
        return Vector.of_values(BOOLEAN, found.values, found.values)

    return evaluate


def _membership(type_: SQLType, items: list[Any]) -> Any:
    """A function from a vector to whether its rows are among the items."""
    if not items:
        return lambda vector: Vector.of_truth(BOOLEAN, np.zeros(len(vector), dtype=np.bool_), vector.valid)
    if not has_values(type_):
        wanted = pa.array(sorted(set(items)), pa.string() if type_.is_string else pa.binary())
        return lambda vector: on_entries(vector, lambda entries: _among_strings(entries, wanted))
    constants = [Vector.constant(type_, item) for item in items]
    if any(constant.is_wide for constant in constants):
        return lambda vector: _any_equal(type_, vector, constants)
    values = np.unique(np.array([constant.values for constant in constants]))

    def test(vector: Vector) -> Vector:
        if vector.is_wide:
            return _any_equal(type_, vector, constants)
        own = vector.values
        if len(values) <= FEW_ITEMS and not type_.is_float:
            found = own == values[0]
            for value in values[1:]:
                found |= own == value
        else:
            found = np.isin(own, values)
            if type_.is_float and np.isnan(values).any():
                found |= np.isnan(own)
        return Vector.of_truth(BOOLEAN, found, vector.valid)

    return test


def _among_strings(entries: Vector, wanted: pa.Array) -> Vector:
    if len(wanted) == 1:
        return Vector.of_array(BOOLEAN, compute.compare("=", entries.array, wanted[0]))
    found = Vector.of_array(BOOLEAN, compute.is_in(entries.array, wanted))
    return Vector.of_truth(BOOLEAN, found.values, entries.valid)


def _any_equal(type_: SQLType, vector: Vector, constants: list[Vector]) -> Vector:
    results = [compare("=", type_, vector, constant) for constant in constants]
    return Vector.of_truth(BOOLEAN, np.logical_or.reduce([r.values for r in results]), vector.valid)
