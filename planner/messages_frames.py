"""Texts of the errors about Python objects that are used as tables."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import InvalidInputError, UnsupportedError

_KINDS = "a pandas or Polars DataFrame, a pyarrow Table, RecordBatch, RecordBatchReader or Dataset"


def unsuitable(name: str, kind: type) -> InvalidInputError:
    """A name in FROM, or an object given, is a Python object that is no table."""
    return InvalidInputError(
        "python_object",
        f'Python object "{name}" of type "{kind.__name__}" cannot be read as a table',
        hint=f"it must be {_KINDS}, or another object with __arrow_c_stream__",
    )


def unreadable(name: str, kind: type, why: str) -> InvalidInputError:
    """The conversion of a Python object failed."""
    return InvalidInputError(
        "python_object", f'Python object "{name}" of type "{kind.__name__}" cannot be read as a table: {why}'
    )


def ambiguous(name: str, found: Sequence[str]) -> InvalidInputError:
    """Several variables are called so, by other letters."""
    listed = ", ".join(f'"{variable}"' for variable in found)
    return InvalidInputError(
        "ambiguous_python_object",
        f'"{name}" may be any of the Python variables {listed}',
        hint="write the name as the variable has it, or use register()",
    )


def unknown_column_type(name: str, column: str, kind: str) -> UnsupportedError:
    """An Arrow type that no SQL type stands for."""
    return UnsupportedError(
        "arrow_type",
        f'Column "{column}" of the Python object "{name}" has the Arrow type {kind}, which is not supported',
    )


def two_objects(name: str) -> InvalidInputError:
    """Two relations that are put together name different objects alike."""
    return InvalidInputError(
        "ambiguous_python_object",
        f'the relations mean different Python objects by "{name}"',
        hint="register() one of them under another name",
    )


def other_connection() -> InvalidInputError:
    """Two relations that are put together belong to different connections."""
    return InvalidInputError("other_connection", "the relations belong to different connections")


def unknown_join(how: str) -> InvalidInputError:
    """join(how=...)"""
    return InvalidInputError(
        "join_kind", f'"{how}" is no kind of join', hint="one of inner, left, right, full, semi, anti"
    )
