"""How a function of the double takes its arguments: as strictly as a compiled one, by its annotations.

A plain int where a Scalar belongs, a Column where a Table does, a tuple for a list, a member of another
enumeration: each is a TypeError. (The compiled functions take any integer for a member of an enumeration; the
double takes none, as a member of the wrong one would be misread in silence.)
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import operator
import threading
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from typing import Any, TypeVar

from .device import Allocation, device
from .rmm.pylibrmm.memory_resource import DeviceMemoryResource, get_current_device_resource
from .rmm.pylibrmm.stream import Stream

_Function = TypeVar("_Function", bound=Callable[..., Any])
_local = threading.local()


def resource() -> DeviceMemoryResource:
    """Where the call in progress takes memory from."""
    stack = getattr(_local, "stack", None)
    return stack[-1] if stack else get_current_device_resource()


@contextlib.contextmanager
def taking_from(mr: DeviceMemoryResource | None) -> Iterator[None]:
    """Memory comes from `mr`, or from the current resource, within."""
    stack = _local.__dict__.setdefault("stack", [])
    stack.append(get_current_device_resource() if mr is None else mr)
    try:
        yield
    finally:
        stack.pop()


@contextlib.contextmanager
def scratch(nbytes: int) -> Iterator[None]:
    """Working memory of a call: hash tables, row numbers, sort buffers."""
    working = Allocation(resource(), max(nbytes, 8))
    try:
        yield
    finally:
        del working


def full_name(kind: type) -> str:
    """A class by the name the real library calls it."""
    module = kind.__module__.removeprefix("doubles.")
    return kind.__name__ if module == "builtins" else f"{module}.{kind.__name__}"


def wrong(name: str, expected: str, value: Any) -> TypeError:
    return TypeError(
        f"Argument '{name}' has incorrect type (expected {expected}, got {full_name(type(value))})"
    )


def check_stream(stream: Any) -> None:
    """None, a Stream, or what has `__cuda_stream__`."""
    if stream is not None and not isinstance(stream, Stream):
        Stream(stream)


def check(name: str, hint: Any, value: Any) -> None:
    """TypeError where a value does not fit a parameter's annotation."""
    origin = typing.get_origin(hint)
    if hint is Any or hint is inspect.Parameter.empty or origin is Callable:
        return
    if origin in (types.UnionType, typing.Union):
        options = typing.get_args(hint)
        if value is None and type(None) in options:
            return
        options = tuple(o for o in options if o is not type(None))
        if len(options) == 1:
            check(name, options[0], value)
        elif not any(_fits(option, value) for option in options):
            raise TypeError(f"Function call with ambiguous argument types: '{name}'")
    elif origin is list:
        if not isinstance(value, list):
            raise wrong(name, "list", value)
        for part in value:
            check(name, typing.get_args(hint)[0], part)
    elif origin is dict:
        if not isinstance(value, dict):
            raise wrong(name, "dict", value)
    elif origin is Sequence:
        if isinstance(value, (str, bytes)) or not hasattr(value, "__len__"):
            raise TypeError(f"object of type '{type(value).__name__}' has no len()")
        for part in value:
            check(name, typing.get_args(hint)[0], part)
    elif hint is bool:
        if not isinstance(value, bool):
            raise wrong(name, "bool", value)
    elif hint is int:
        _check_integer(name, value)
    elif hint is float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(f"must be real number, not {type(value).__name__} (argument '{name}')")
    elif isinstance(hint, type) and issubclass(hint, IntEnum):
        if not isinstance(value, hint):
            raise TypeError(f"an integer is required (argument '{name}': {hint.__name__}, got {value!r})")
    elif isinstance(hint, type) and not isinstance(value, hint):
        raise wrong(name, full_name(hint), value)


def _check_integer(name: str, value: Any) -> None:
    if isinstance(value, (bool, IntEnum)):
        raise TypeError(f"an integer is required (argument '{name}', got {value!r})")
    try:
        found = operator.index(value)
    except TypeError:
        raise TypeError(f"an integer is required (argument '{name}')") from None
    if not -(2**31) <= found < 2**31:
        raise OverflowError("value too large to convert to size_type")


def _fits(hint: Any, value: Any) -> bool:
    try:
        check("", hint, value)
    except TypeError:
        return False
    return True


@functools.cache
def _names() -> dict[str, Any]:
    """Classes that annotations name but modules cannot import, as they import each other."""
    from . import pylibcudf

    return {name: getattr(pylibcudf, name) for name in ("Column", "DataType", "Scalar", "Table")}


# Of these an exact instance needs a closer look all the same.
_LOOKED_AT = frozenset((int, bool, list, Any, Sequence))


@functools.cache
def _plainly(hint: Any) -> frozenset[type]:
    """Classes whose own instances fit an annotation without a closer look."""
    options = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    return frozenset(o for o in options if isinstance(o, type) and o not in _LOOKED_AT)


def _binding(function: Callable[..., Any]) -> Callable[[tuple[Any, ...], dict[str, Any]], dict[str, Any]]:
    """What tells the arguments of a call by their names; as `Signature.bind`, which takes its time."""
    signature = inspect.signature(function)
    parameters = signature.parameters.values()
    plain = all(p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) for p in parameters)
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    required = {p.name for p in parameters if p.default is p.empty}
    known = set(signature.parameters)

    def bind(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        found = dict(zip(positional, args, strict=False)) | kwargs
        whole = len(found) == len(args) + len(kwargs)
        if plain and whole and required <= found.keys() <= known:
            return found
        return dict(signature.bind(*args, **kwargs).arguments)

    return bind


def library(function: _Function) -> _Function:
    """A function or method of the library: counted, arguments checked, memory from its `mr`."""
    bind = _binding(function)
    name = f"{function.__module__.removeprefix('doubles.pylibcudf.')}.{function.__qualname__}"
    hints: dict[str, Any] = {}

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        if not hints:
            hints.update(typing.get_type_hints(function, localns=_names()) or {"": Any})
        arguments = bind(args, kwargs)
        for parameter, value in arguments.items():
            if type(value) in _plainly(hints.get(parameter, Any)):
                continue
            if parameter == "stream":
                check_stream(value)
            elif parameter == "mr":
                if value is not None and not isinstance(value, DeviceMemoryResource):
                    raise wrong(
                        "mr", "rmm.pylibrmm.memory_resource._memory_resource.DeviceMemoryResource", value
                    )
            elif parameter not in ("self", "cls"):
                check(parameter, hints.get(parameter, Any), value)
        device.called(name)
        with taking_from(arguments.get("mr")):
            result = function(*args, **kwargs)
        if device.observe is not None:
            device.observe(name, arguments)
        return result

    return typing.cast(_Function, called)
