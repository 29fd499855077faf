"""Calls of a library as data: Arrow values, names of the library, and calls on them; each has a JSON form.

call("binaryop.binary_operation", column(pa.int64(), [1, None]), scalar(pa.int64(), 2), enum(...), dtype(...))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from .arrow_json import decode_array, encode_array

# What may stand as an argument: a form, a list of them, or a plain value of JSON.
Form = Any


@dataclass(frozen=True, eq=False)
class ColumnForm:
    """A column with the rows of an Arrow array, without the first `skip`: sliced on the device, if any."""

    array: pa.Array
    skip: int = 0


@dataclass(frozen=True, eq=False)
class ArrowForm:
    """An Arrow array itself, on the host, sliced there."""

    array: pa.Array
    skip: int = 0


@dataclass(frozen=True, eq=False)
class TableForm:
    """A table of columns of one length."""

    columns: tuple[ColumnForm, ...]


@dataclass(frozen=True, eq=False)
class ScalarForm:
    """One value; None is NULL of the type."""

    scalar: pa.Scalar


@dataclass(frozen=True)
class TypeForm:
    """A type of the library by the name of its `TypeId`; `scale` is the number of digits after the point."""

    name: str
    scale: int = 0


@dataclass(frozen=True)
class MapForm:
    """A dict of texts to texts, or to 0."""

    pairs: tuple[tuple[str, str | int], ...]


@dataclass(frozen=True)
class NameForm:
    """A name in the library, such as a member of an enumeration."""

    path: str


@dataclass(frozen=True, eq=False)
class CallForm:
    """A call of a function or class of the library, by its path."""

    path: str
    args: tuple[Form, ...] = ()
    kwargs: dict[str, Form] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class MethodForm:
    """A call of a method of what `target` gives."""

    target: Form
    name: str
    args: tuple[Form, ...] = ()


@dataclass(frozen=True, eq=False)
class AfterForm:
    """What `target` gives, after methods were called on it for their effect: (name, arguments) each."""

    target: Form
    steps: tuple[tuple[str, tuple[Form, ...]], ...]


@dataclass(frozen=True, eq=False)
class MemberForm:
    """An attribute of what `of` gives."""

    of: Form
    name: str


@dataclass(frozen=True, eq=False)
class ItemForm:
    """An element of the tuple or list that `of` gives."""

    of: Form
    index: int


@dataclass(frozen=True, eq=False)
class FileForm:
    """The path of a Parquet file that holds these columns, named c0, c1, ...; `group` rows a row group."""

    columns: tuple[ColumnForm, ...]
    group: int


def column(kind: pa.DataType, values: Sequence[Any], skip: int = 0) -> ColumnForm:
    """A column of the values after the first `skip`; None is NULL."""
    return ColumnForm(pa.array(values, kind), skip)


def table(*columns: ColumnForm) -> TableForm:
    return TableForm(columns)


def scalar(kind: pa.DataType, value: Any) -> ScalarForm:
    return ScalarForm(pa.scalar(value, kind))


def dtype(name: str, scale: int = 0) -> TypeForm:
    return TypeForm(name, scale)


def name(path: str) -> NameForm:
    return NameForm(path)


def call(path: str, *args: Form, **kwargs: Form) -> CallForm:
    return CallForm(path, args, kwargs)


def method(target: Form, name: str, *args: Form) -> MethodForm:
    return MethodForm(target, name, args)


def after(target: Form, *steps: tuple[Any, ...]) -> AfterForm:
    """`after(x, ("set_limit", 3))` gives x, once its limit is set."""
    return AfterForm(target, tuple((name, tuple(args)) for name, *args in steps))


def to_json(form: Form) -> Any:
    """The JSON form; `from_json` is its inverse."""
    match form:
        case ColumnForm(array, skip):
            return {"column": encode_array(array), "skip": skip}
        case ArrowForm(array, skip):
            return {"arrow": encode_array(array), "skip": skip}
        case TableForm(columns):
            return {"table": [to_json(c) for c in columns]}
        case ScalarForm(value):
            return {"scalar": encode_array(pa.array([value.as_py()], value.type))}
        case TypeForm(name, scale):
            return {"type": name, "scale": scale}
        case MapForm(pairs):
            return {"map": [list(pair) for pair in pairs]}
        case NameForm(path):
            return {"name": path}
        case CallForm(path, args, kwargs):
            return {
                "call": path,
                "args": to_json(list(args)),
                "kwargs": {k: to_json(v) for k, v in kwargs.items()},
            }
        case MethodForm(target, name, args):
            return {"method": name, "of": to_json(target), "args": to_json(list(args))}
        case AfterForm(target, steps):
            return {"after": [[name, *to_json(list(args))] for name, args in steps], "of": to_json(target)}
        case MemberForm(of, name):
            return {"member": name, "of": to_json(of)}
        case ItemForm(of, index):
            return {"item": index, "of": to_json(of)}
        case FileForm(columns, group):
            return {"file": [to_json(c) for c in columns], "group": group}
        case list():
            return [to_json(part) for part in form]
        case _:
            return form


def from_json(value: Any) -> Form:
    """The form that `to_json` wrote."""
    if isinstance(value, list):
        return [from_json(part) for part in value]
    if not isinstance(value, dict):
        return value
    match value:
        case {"column": array, "skip": skip}:
            return ColumnForm(decode_array(array), skip)
        case {"arrow": array, "skip": skip}:
            return ArrowForm(decode_array(array), skip)
        case {"table": columns}:
            return TableForm(tuple(from_json(c) for c in columns))
        case {"scalar": array}:
            return ScalarForm(decode_array(array)[0])
        case {"type": name, "scale": scale}:
            return TypeForm(name, scale)
        case {"map": pairs}:
            return MapForm(tuple((key, value) for key, value in pairs))
        case {"name": path}:
            return NameForm(path)
        case {"call": path, "args": args, "kwargs": kwargs}:
            return CallForm(path, tuple(from_json(args)), {k: from_json(v) for k, v in kwargs.items()})
        case {"method": name, "of": target, "args": args}:
            return MethodForm(from_json(target), name, tuple(from_json(args)))
        case {"after": steps, "of": target}:
            return after(from_json(target), *((name, *from_json(args)) for name, *args in steps))
        case {"member": name, "of": of}:
            return MemberForm(from_json(of), name)
        case {"item": index, "of": of}:
            return ItemForm(from_json(of), index)
        case {"file": columns, "group": group}:
            return FileForm(tuple(from_json(c) for c in columns), group)
        case _:
            raise ValueError(f"not a form: {value}")
