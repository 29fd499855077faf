"""Options that all readers of files have, and how their values are checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...physical.parquet_meta import FileId
from ...planner import messages_csv as messages
from ...planner.binder.type_names import parse_type
from ...planner.errors import SqlError
from ...planner.expr import Literal
from ...planner.messages_query import table_function_usage
from ...planner.types import VARCHAR, SQLType
from .filesystem import expand
from .hive import FileColumn, partitions

_TRUE, _FALSE = ("true", "t", "1", "yes", "on"), ("false", "f", "0", "no", "off")


class Options:
    """The named arguments of a table function, taken one by one."""

    def __init__(self, function: str, named: Mapping[str, Any]) -> None:
        self.function = function
        self.left = {name.lower(): value for name, value in named.items()}
        self.known: list[str] = []

    def take(self, names: str, convert: Callable[[str, Any], Any], default: Any = None) -> Any:
        """The value of the argument with one of these names."""
        result = default
        for name in names.split():
            self.known.append(name)
            if name in self.left:
                value = self.left.pop(name)
                result = convert(name, value.value if isinstance(value, Literal) else value)
        return result

    def end(self) -> None:
        """Refuses what was not taken."""
        for name in self.left:
            raise messages.unknown_parameter(name, self.function, self.known)


def boolean(name: str, value: Any) -> bool:
    """A truth value, as a word or number too."""
    word = str(value).lower()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise messages.bad_parameter(name, f"'{value}' is no truth value")


def text(name: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise messages.bad_parameter(name, "a text was expected")
    return value


def whole(name: str, value: Any) -> int:
    """A whole number."""
    if isinstance(value, str) and value.lstrip("-").isdigit():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise messages.bad_parameter(name, "a whole number was expected")
    return value


def text_list(name: str, value: Any) -> tuple[str, ...]:
    """One text or a list of them."""
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, (list, tuple)) or not all(isinstance(item, str) for item in items):
        raise messages.bad_parameter(name, "a list of texts was expected")
    return tuple(items)


def sql_type(name: str, value: Any) -> SQLType:
    """A type by its name."""
    try:
        return parse_type(text(name, value))
    except SqlError as error:
        raise messages.bad_parameter(name, error.message) from error


def type_map(name: str, value: Any) -> dict[str, SQLType]:
    """{'name': 'TYPE', ...}."""
    if not isinstance(value, dict) or not value:
        raise messages.bad_parameter(name, "a struct {'column': 'TYPE', ...} was expected")
    return {key: sql_type(name, kind) for key, kind in value.items()}


def types(name: str, value: Any) -> Any:
    """Types by column, or in order."""
    if isinstance(value, dict):
        return type_map(name, value)
    return [sql_type(name, kind) for kind in text_list(name, value)]


@dataclass(frozen=True)
class FileOptions:
    """What every reader can be asked for."""

    union_by_name: bool = False
    filename: str | None = None
    hive: bool | None = None
    hive_types: dict[str, SQLType] | None = None
    autocast: bool = True
    row_number: str | None = None


def file_options(options: Options) -> FileOptions:
    """The common ones of a call's options."""
    return FileOptions(
        options.take("union_by_name", boolean, False),
        options.take("filename", _column("filename")),
        options.take("hive_partitioning", boolean),
        options.take("hive_types", type_map),
        options.take("hive_types_autocast", boolean, True),
    )


def _column(default: str) -> Callable[[str, Any], str | None]:
    def convert(name: str, value: Any) -> str | None:
        if isinstance(value, str) and value.lower() not in ("true", "false"):
            return value
        return default if boolean(name, value) else None

    return convert


def listed_files(function: str, args: Sequence[Any], suffixes: Sequence[str]) -> tuple[FileId, ...]:
    """The files that a call's only argument stands for: a path or a list of paths."""
    paths = [args[0]] if len(args) == 1 and isinstance(args[0], str) else args[0] if len(args) == 1 else None
    if not isinstance(paths, (list, tuple)) or not paths or not all(isinstance(p, str) for p in paths):
        raise table_function_usage(function, f"{function}('path' or ['path', ...] [, option = value, ...])")
    return tuple(file for path in paths for file in expand(path, suffixes))


def file_columns(
    files: Sequence[FileId], options: FileOptions, taken: Iterable[str], below: str = ""
) -> tuple[FileColumn, ...]:
    """The columns that are said of files: the keys of their folders, and their names if asked for. A key
    takes the place of a column of the files called so.
    """
    found = partitions(
        files, below=below, wanted=options.hive, types=options.hive_types, autocast=options.autocast
    )
    if options.filename is not None:
        if options.filename.lower() in {name.lower() for name in taken}:
            raise messages.bad_parameter("filename", f'there is a column "{options.filename}" already')
        names = FileColumn(options.filename, VARCHAR, tuple(file.path for file in files))
        found = (names, *found)
    return found
