"""Python functions of one row: called with Python values, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any

from ..physical.python_functions import PythonFunction, call_text, error_text
from ..planner import messages_udf as messages
from .udf_values import python_column, returned_values, wrong_return
from .vector import Vector


def call(made: PythonFunction, args: Sequence[Vector], n: int) -> Vector:
    """The function's values for `n` rows."""
    signature, function = made.signature, made.function
    columns = [python_column(signature, arg) for arg in args]
    strict, fails_as_null = signature.is_strict, signature.fails_as_null
    values: list[Any] = []
    row: tuple[Any, ...]
    for row in zip(*columns, strict=True) if columns else repeat((), n):
        try:
            value = function(*row)
        except (Exception, SystemExit) as error:
            if not fails_as_null:
                called = call_text(signature.name, list(row))
                raise messages.failed(signature.name, called, error_text(error)) from error
            values.append(None)
            continue
        if value is None and strict:
            raise messages.returned_null(signature.name, call_text(signature.name, list(row)))
        values.append(value)
    return returned_values(signature.result, values, wrong_return(signature, columns))
