"""Between vectors and what Python functions take and return: Python values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..physical.python_functions import call_text, value_text
from ..physical.python_values import python_values
from ..planner import messages_udf as messages
from ..planner.coercion import can_cast
from ..planner.errors import OutOfRangeError, SqlError
from ..planner.functions import UserFunction
from ..planner.python_literals import NoLiteral, python_literal
from ..planner.types import INTEGER_RANGES, SQLType, TypeId
from .casts import compile_cast
from .expr_merge import Piece, merge
from .functions.rowwise import of_literals
from .kernels.arrays import TextOverflow
from .vector import Vector, null_constant

# The class whose values are those of a type without a look at each.
_PLAIN: dict[TypeId, type] = {
    TypeId.BOOLEAN: bool,
    TypeId.FLOAT: float,
    TypeId.DOUBLE: float,
    TypeId.VARCHAR: str,
    TypeId.BLOB: bytes,
    **{kind: int for kind in INTEGER_RANGES if kind is not TypeId.HUGEINT},
}
# The error for a row: what was returned there, in words, and what is wrong with it.
Wrong = Callable[[int, str, str], SqlError]


def python_column(signature: UserFunction, vector: Vector) -> list[Any]:
    """The rows as Python values, None for NULL. InvalidInputError where Python has no such date."""
    kind = vector.type
    if vector.valid is None and kind.id in _PLAIN and not (kind.is_string or kind.id is TypeId.BLOB):
        return vector.values.tolist()
    try:
        return python_values(vector.array, kind)
    except OutOfRangeError as error:
        raise messages.no_python_argument(signature.name, kind) from error


def wrong_return(signature: UserFunction, columns: Sequence[Sequence[Any]]) -> Wrong:
    """Errors of the rows whose arguments are `columns`."""

    def wrong(row: int, shown: str, reason: str) -> SqlError:
        call = call_text(signature.name, [column[row] for column in columns])
        return messages.bad_return(signature.name, call, shown, signature.result, reason)

    return wrong


def returned_values(type_: SQLType, values: list[Any], wrong: Wrong) -> Vector:
    """What a function returned, row by row, as a vector of `type_`; each value is cast to it as if it stood
    in SQL text, except that a bool is a BOOLEAN and nothing else.
    """
    kinds = set(map(type, values))
    kinds.discard(type(None))
    if not kinds:
        return null_constant(type_)
    if kinds == {_PLAIN.get(type_.id)}:
        try:
            return of_literals(type_, values)
        except TextOverflow:
            raise
        except (OverflowError, UnicodeError, pa.ArrowException):
            pass  # some value does not fit: the way below finds it
    return _cast_values(type_, values, wrong)


def _cast_values(type_: SQLType, values: list[Any], wrong: Wrong) -> Vector:
    groups: dict[SQLType, tuple[list[int], list[Any]]] = {}
    for row, value in enumerate(values):
        kind, form = _literal(row, value, wrong)
        if form is not None and not _may_become(kind, type_):
            raise wrong(row, value_text(value), "")
        rows, forms = groups.setdefault(kind, ([], []))
        rows.append(row)
        forms.append(form)
    n = len(values)
    pieces = []
    for kind, (rows, forms) in groups.items():
        place = np.array(rows, dtype=np.int64)
        mask = np.zeros(n, dtype=np.bool_)
        mask[place] = True
        if kind.id is TypeId.NULL:
            pieces.append(Piece(mask, None, null_constant(type_)))
            continue
        pieces.append(Piece(mask, place, _cast(kind, type_, rows, forms, values, wrong)))
    return merge(type_, pieces, n)


def _literal(row: int, value: Any, wrong: Wrong) -> tuple[SQLType, Any]:
    try:
        return python_literal(value)
    except NoLiteral:
        raise wrong(row, value_text(value), f"it is of the class {type(value).__name__}") from None
    except UnicodeError as error:
        raise wrong(row, value_text(value), "the text has no UTF-8 form") from error
    except OverflowError:
        raise wrong(row, "a number beyond all doubles", "") from None


def _may_become(kind: SQLType, type_: SQLType) -> bool:
    if kind.id is TypeId.BOOLEAN:
        return type_.id is TypeId.BOOLEAN
    return can_cast(kind, type_)


def _cast(
    kind: SQLType, type_: SQLType, rows: list[int], forms: list[Any], values: list[Any], wrong: Wrong
) -> Vector:
    """Literals of one type as values of another; the error of the first that has no such value."""
    evaluate = compile_cast(kind, type_, False)
    try:
        return evaluate([of_literals(kind, forms)], len(forms))
    except SqlError:
        for row, form in zip(rows, forms, strict=True):
            try:
                evaluate([of_literals(kind, [form])], 1)
            except SqlError as error:
                raise wrong(row, value_text(values[row]), error.message) from error
        raise
