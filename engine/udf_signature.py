"""The signature of a Python function as SQL has it: from the types given, else from its annotations."""

from __future__ import annotations

import datetime
import inspect
import types
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..physical.arrow_types import UnknownArrowType, from_arrow
from ..planner import messages_udf as messages
from ..planner import types as t
from ..planner.functions.signature import ANY, Parameter
from ..planner.messages import plural
from ..planner.types import SQLType

_PYTHON_TYPES: dict[Any, SQLType] = {
    bool: t.BOOLEAN,
    int: t.BIGINT,
    float: t.DOUBLE,
    str: t.VARCHAR,
    bytes: t.BLOB,
    bytearray: t.BLOB,
    datetime.date: t.DATE,
    datetime.datetime: t.TIMESTAMP,
    datetime.time: t.TIME,
    datetime.timedelta: t.INTERVAL,
}
_NESTED = "LIST", "STRUCT", '"NULL"'


@dataclass(frozen=True)
class Signature:
    """Parameters in order, the type of further ones (None: there are none), and of the value."""

    params: tuple[Parameter, ...]
    variadic: Parameter | None
    result: SQLType


@dataclass(frozen=True)
class _Shape:
    """What Python tells of a callable: its parameters by position with their annotations."""

    params: tuple[Any, ...]
    variadic: bool
    further: Any
    returned: Any


def signature_of(name: str, function: Callable[..., Any], parameters: Any, return_type: Any) -> Signature:
    """The SQL signature of `function`. `parameters` is a list of types, or None for the annotations (a
    parameter without one takes any type); `return_type` a type, or None for the annotation.

    A type is a SQL name ('BIGINT'), the str() of a type in a cursor's description, such a type itself, a
    Python or NumPy class, or a pyarrow type. Raises BinderError where they do not fit together.
    """
    if parameters is not None and (isinstance(parameters, str) or not isinstance(parameters, Sequence)):
        raise messages.parameters_not_a_list(parameters)
    shape = _shape(name, function)
    if shape is None and parameters is None:
        raise messages.unknown_parameters(name)
    if parameters is not None:
        if shape is not None:
            _check_count(name, len(parameters), shape)
        params: tuple[Parameter, ...] = tuple(_sql_type(name, given) for given in parameters)
        variadic = ANY if shape is not None and shape.variadic else None
    else:
        assert shape is not None
        params = tuple(_parameter(name, annotation) for annotation in shape.params)
        variadic = _parameter(name, shape.further) if shape.variadic else None
    returned = return_type if return_type is not None or shape is None else shape.returned
    if returned is None or returned is inspect.Parameter.empty:
        raise messages.no_return_type(name)
    return Signature(params, variadic, _sql_type(name, returned))


def _shape(name: str, function: Callable[..., Any]) -> _Shape | None:
    """None where Python does not tell (some functions written in C)."""
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    hints = _hints(function)
    params, variadic, further = [], False, inspect.Parameter.empty
    for parameter in found.parameters.values():
        annotation = hints.get(parameter.name, parameter.annotation)
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            variadic, further = True, annotation
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            if parameter.default is inspect.Parameter.empty:
                raise messages.keyword_only(name, parameter.name)
        elif parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            params.append(annotation)
    returned = hints.get("return", found.return_annotation)
    return _Shape(tuple(params), variadic, further, returned)


def _hints(function: Any) -> dict[str, Any]:
    """Annotations with texts (`from __future__ import annotations`) replaced by what they name, where they
    can be.
    """
    if inspect.isclass(function):
        return {}
    function = getattr(function, "py_func", function)  # of a function that numba has compiled
    try:
        return typing.get_type_hints(function if inspect.isroutine(function) else type(function).__call__)
    except (NameError, TypeError, AttributeError, SyntaxError):
        # Some name is not there at run time: the texts are then read as SQL types.
        return {}


def _check_count(name: str, given: int, shape: _Shape) -> None:
    wanted = len(shape.params)
    if given < wanted or (given > wanted and not shape.variadic):
        least = "at least " if shape.variadic else ""
        raise messages.parameter_count(name, given, least + plural(wanted, "parameter"))


def _parameter(name: str, annotation: Any) -> Parameter:
    if annotation is inspect.Parameter.empty or annotation is typing.Any or annotation is object:
        return ANY
    return _sql_type(name, annotation)


def _sql_type(name: str, given: Any) -> SQLType:
    found = _known_type(given)
    if found.id.value in _NESTED:
        raise messages.unsupported_type(name, found)
    return found


def _known_type(given: Any) -> SQLType:
    if isinstance(given, SQLType):
        return given
    if isinstance(given, str):
        from ..planner.binder.type_names import parse_type

        return parse_type(given)
    if isinstance(given, type) and given in _PYTHON_TYPES:
        return _PYTHON_TYPES[given]
    if isinstance(given, types.UnionType) or typing.get_origin(given) is typing.Union:
        # X | None is X: any value may be NULL.
        others = [arg for arg in typing.get_args(given) if arg is not type(None)]
        if len(others) == 1:
            return _known_type(others[0])
        raise messages.no_sql_type(given)
    return _of_arrow(given)


def _of_arrow(given: Any) -> SQLType:
    """pyarrow's types, and NumPy's through them."""
    import pyarrow as pa

    try:
        if isinstance(given, np.dtype) or (isinstance(given, type) and issubclass(given, np.generic)):
            given = pa.from_numpy_dtype(given)
        if isinstance(given, pa.DataType):
            return from_arrow(given)
    except (UnknownArrowType, pa.ArrowException):
        pass  # no SQL type either
    raise messages.no_sql_type(given)
