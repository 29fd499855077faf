"""Texts of the errors about Python functions: making them, and what they do while a query runs."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import BinderError, CatalogError, InvalidInputError, UnsupportedError
from .types import SQLType


# create_function and remove_function ------------------------------------------------------------------------
def not_a_function(given: object) -> InvalidInputError:
    """`function` cannot be called."""
    return InvalidInputError(
        "udf_not_callable", f"the function must be a Python callable, not {_a(type(given).__name__)}"
    )


def bad_name(given: object) -> InvalidInputError:
    """A name that no SQL text could call."""
    return InvalidInputError(
        "udf_name", f"the name of a function must be a text that is not empty: {given!r}"
    )


def bad_option(option: str, given: object, allowed: Sequence[object]) -> InvalidInputError:
    """`option`: 'type', 'null_handling', ..."""
    listed = " or ".join(repr(word) for word in allowed)
    return InvalidInputError("udf_option", f"{option} must be {listed}, not {given!r}")


def already_there(name: str) -> CatalogError:
    """The connection has a function of this name."""
    return CatalogError(
        "udf_exists",
        f'A function called "{name}" exists already',
        hint=f"Remove it first: remove_function({name!r}).",
    )


def built_in(name: str) -> CatalogError:
    """A name that SQL has given away."""
    return CatalogError(
        "udf_built_in", f'"{name}" is a built-in function', hint="Choose a name that is not taken."
    )


def not_there(name: str, hint: str | None) -> CatalogError:
    """remove_function of an unknown name."""
    return CatalogError("udf_unknown", f'There is no Python function called "{name}"', hint=hint)


def no_return_type(name: str) -> BinderError:
    """Nothing says what the function returns."""
    return BinderError(
        "udf_return_type",
        f'The type that "{name}" returns is not known',
        hint="Give return_type, or annotate the function: def f(x: int) -> int.",
    )


def parameters_not_a_list(given: object) -> BinderError:
    """`parameters` is one type, or something else."""
    return BinderError(
        "udf_parameters", f"parameters must be a list of types, one a parameter, or None; not {given!r}"
    )


def parameter_count(name: str, given: int, wanted: str) -> BinderError:
    """`wanted` in words, e.g. '2 parameters'."""
    types = "1 type is" if given == 1 else f"{given} types are"
    return BinderError("udf_parameter_count", f'{types} given for "{name}", which takes {wanted}')


def keyword_only(name: str, parameter: str) -> BinderError:
    """A parameter that no call by position reaches."""
    return BinderError(
        "udf_keyword_only",
        f'"{name}" needs the keyword argument {parameter!r}, but SQL passes arguments by position',
        hint="Give it a default, or wrap the function in a lambda.",
    )


def unknown_parameters(name: str) -> BinderError:
    """Python does not tell the signature of the callable."""
    return BinderError(
        "udf_signature",
        f'Python does not tell what parameters "{name}" has',
        hint="Give parameters: a list of types.",
    )


def no_sql_type(given: object) -> BinderError:
    """Something given as a type that is none."""
    return BinderError(
        "udf_type",
        f"no SQL type stands for {given!r}",
        hint="Name a type as in SQL, e.g. 'BIGINT' or 'DECIMAL(10,2)'; or give int, float, str, bool, bytes, "
        "date, datetime, time or timedelta.",
    )


def unsupported_type(name: str, kind: SQLType) -> UnsupportedError:
    """A type that values of Python functions cannot have."""
    return UnsupportedError("udf_type_unsupported", f'"{name}": values of type {kind} are not supported')


def device_parameters(name: str) -> BinderError:
    """device='gpu' without types: there is nothing to compile for."""
    return BinderError(
        "udf_device_parameters",
        f"\"{name}\" is compiled for device='gpu', so every parameter needs a type of its own",
        hint="Give parameters: a list of types, one a parameter.",
    )


def device_type(name: str, kind: SQLType) -> UnsupportedError:
    """device='gpu' with a type that compiled functions do not take."""
    return UnsupportedError(
        "udf_device_type",
        f"\"{name}\" cannot be compiled for device='gpu': no value of type {kind} goes into a kernel",
        hint="Kernels take BOOLEAN, integers up to 64 bits, FLOAT, DOUBLE, DATE and TIMESTAMP (as integers).",
    )


def device_arrow(name: str) -> BinderError:
    """device='gpu' together with type='arrow'."""
    return BinderError(
        "udf_device_arrow",
        f"\"{name}\": device='gpu' compiles a function of one row; it cannot be type='arrow'",
    )


def device_volatile(name: str) -> BinderError:
    """device='gpu' together with side_effects=True."""
    return BinderError(
        "udf_device_volatile", f"\"{name}\": a function compiled for device='gpu' can have no side effects"
    )


def not_compiled(name: str, target: str, reason: str, place: str | None) -> UnsupportedError:
    """numba refuses the function; `target` 'CPU' or 'GPU', `place` the line of the user's code."""
    where = f"\n  {place}" if place else ""
    return UnsupportedError(
        "udf_not_compiled",
        f'numba cannot compile "{name}" for the {target}: {reason}{where}',
        hint="Without device='gpu' the function is called as it is.",
    )


# While a query runs -----------------------------------------------------------------------------------------
def failed(name: str, call: str, error: str) -> InvalidInputError:
    """The function raised. `call` shows the row, e.g. 'f(3)'; `error` is Python's, with its class."""
    return InvalidInputError(
        "udf_failed",
        f'The Python function "{name}" failed for {call}: {error}',
        hint="With exception_handling='return_null' the value of such rows is NULL.",
    )


def returned_null(name: str, call: str) -> InvalidInputError:
    """None for a row without NULLs, under the default null_handling."""
    return InvalidInputError(
        "udf_returned_null",
        f'The Python function "{name}" returned None for {call}',
        hint="With null_handling='special' a function may return None, and is called with NULLs too.",
    )


def bad_return(name: str, call: str, returned: str, kind: SQLType, reason: str = "") -> InvalidInputError:
    """A returned value that is none of the declared type."""
    why = f": {reason}" if reason else ""
    return InvalidInputError(
        "udf_bad_return", f'The Python function "{name}" returned {returned} for {call}, not a {kind}{why}'
    )


def wrong_length(name: str, given: int, wanted: int) -> InvalidInputError:
    """An arrow function returned more or fewer values than it got rows."""
    return InvalidInputError(
        "udf_wrong_length",
        f'The Python function "{name}" returned {given} values for {wanted} rows',
        hint="A function of type='arrow' returns one value for each row, in the order of the rows.",
    )


def no_python_argument(name: str, kind: SQLType) -> InvalidInputError:
    """A date or time that Python's datetime cannot hold is an argument."""
    return InvalidInputError(
        "udf_python_range",
        f'A {kind} given to the Python function "{name}" lies outside the years 1 to 9999 of Python\'s dates',
        hint="With type='arrow' the function gets such values too.",
    )


def _a(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
