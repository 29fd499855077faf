"""Kernels of compiled Python functions: the code for one row, the same on every device.

A device compiles the user's function for itself, puts it under the name `function` into `row_code`'s text,
and calls the result for each row. numba compiles both: on the CPU inside a loop, on the GPU in a thread a
row.

States of a row tell what became of it; nothing but VALUE has a value in `out`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..planner.functions import UserFunction
from ..planner.types import INTEGER_RANGES, SQLType, TypeId

NULL, VALUE, FAILED, NONE, OUT_OF_RANGE, PENDING = range(6)

# What values are in a kernel: dates and timestamps are the integers under them.
_DTYPES: dict[TypeId, str] = {
    TypeId.BOOLEAN: "?",
    TypeId.TINYINT: "i1",
    TypeId.SMALLINT: "i2",
    TypeId.INTEGER: "i4",
    TypeId.BIGINT: "i8",
    TypeId.UTINYINT: "u1",
    TypeId.USMALLINT: "u2",
    TypeId.UINTEGER: "u4",
    TypeId.UBIGINT: "u8",
    TypeId.FLOAT: "f4",
    TypeId.DOUBLE: "f8",
}
_INTEGERS: dict[TypeId, str] = {TypeId.DATE: "i4"} | dict.fromkeys(
    (TypeId.TIMESTAMP, TypeId.TIMESTAMP_S, TypeId.TIMESTAMP_MS, TypeId.TIMESTAMP_NS), "i8"
)
_BY_DTYPE = {np.dtype(code): SQLType(kind) for kind, code in _DTYPES.items()}


def kernel_dtype(type_: SQLType) -> np.dtype[Any] | None:
    """The dtype of values of a type in kernels; None where they do not go into one.

    >>> kernel_dtype(SQLType(TypeId.DATE)), kernel_dtype(SQLType(TypeId.VARCHAR))
    (dtype('int32'), None)
    """
    code = (_DTYPES | _INTEGERS).get(type_.id)
    return None if code is None else np.dtype(code)


def computed_type(returned: np.dtype[Any], declared: SQLType) -> SQLType | None:
    """The SQL type in which a function of `declared` type gives its values, when numba has found that it
    returns `returned`: the declared one for dates and timestamps, of which it returns the integers; None
    where it cannot.
    """
    own = _BY_DTYPE.get(returned)
    if own is None or declared.id not in _INTEGERS:
        return own
    return declared if own.is_integer else None


def row_code(signature: UserFunction) -> str:
    """Python text that defines `row(i, out, state, arguments...)`: what a thread does.

    Of each parameter k there are an array `a<k>` and, where the function is called with NULLs, its validity
    `v<k>`; else `valid` says at which rows all are there. `state` is written last, so that it tells of a row
    whose function raised: FAILED.
    """
    places = range(len(signature.params))
    if signature.is_strict:
        names = ["valid", *(f"a{k}" for k in places)]
        lines = ["    if not valid[i]:", "        state[i] = NULL", "        return"]
        passed = [f"a{k}[i]" for k in places]
    else:
        names = [name for k in places for name in (f"a{k}", f"v{k}")]
        lines = [f"    x{k} = a{k}[i] if v{k}[i] else None" for k in places]
        passed = [f"x{k}" for k in places]
    lines += ["    state[i] = FAILED", f"    value = function({', '.join(passed)})"]
    lines += ["    if value is None:", "        state[i] = NONE", "        return"]
    if signature.computed.id is TypeId.DATE:
        low, high = INTEGER_RANGES[TypeId.INTEGER]
        lines += [
            f"    if value < {low} or value > {high}:",
            "        state[i] = OUT_OF_RANGE",
            "        return",
        ]
    lines += ["    out[i] = value", "    state[i] = VALUE"]
    return "\n".join([f"def row({', '.join(['i', 'out', 'state', *names])}):", *lines]) + "\n"


def row_function(signature: UserFunction, function: Callable[..., Any]) -> Callable[..., None]:
    """The function that `row_code` defines, over `function`; plain Python until a device compiles it."""
    return defined(row_code(signature), "row", {"function": function})


def defined(code: str, name: str, names: dict[str, Any]) -> Callable[..., Any]:
    """What a text of Python code defines under `name`; the states and `names` are its globals."""
    states = {
        "NULL": NULL,
        "VALUE": VALUE,
        "FAILED": FAILED,
        "NONE": NONE,
        "OUT_OF_RANGE": OUT_OF_RANGE,
    }
    namespace: dict[str, Any] = {"__name__": __name__, **states, **names}
    exec(compile(code, f"<kernel {name}>", "exec"), namespace)
    return namespace[name]


def arguments(signature: UserFunction) -> list[str]:
    """The names of a row's parameters after `i`, in order."""
    head = row_code(signature).partition("(")[2].partition(")")[0]
    return head.split(", ")[1:]
