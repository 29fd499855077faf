"""Hive partitions: folders named `key=value`, whose values are columns of the files in them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from ...physical.parquet_meta import FileId
from ...planner import messages_files as messages
from ...planner.literals import parse_text
from ...planner.types import BIGINT, DATE, TIMESTAMP, VARCHAR, SQLType

_NULL = "__HIVE_DEFAULT_PARTITION__"
_DETECTED = (DATE, TIMESTAMP, BIGINT)


@dataclass(frozen=True)
class FileColumn:
    """A column that is not in files but said of them: its value in each file, in literal form."""

    name: str
    type: SQLType
    values: tuple[Any, ...]


def partitions(
    files: Sequence[FileId],
    *,
    below: str = "",
    wanted: bool | None = None,
    types: Mapping[str, SQLType] | None = None,
    autocast: bool = True,
) -> tuple[FileColumn, ...]:
    """The columns of the folders of all files, or of those under the folder `below`. Without `wanted` there
    are some only when all files have the same keys. IoError where they must and have not.
    """
    if wanted is False:
        return ()
    known = [_keys(file.path[len(below) :]) for file in files]
    keys = sorted(known[0]) if known else []
    if not all(set(found) == set(keys) for found in known):
        if wanted or types:
            other = next(i for i, found in enumerate(known) if set(found) != set(keys))
            raise messages.hive_mismatch(files[0].path, files[other].path)
        return ()
    given = {name.lower(): kind for name, kind in (types or {}).items()}
    for name in given:
        if name not in {key.lower() for key in keys}:
            raise messages.unknown_hive_type(name, keys)
    columns = []
    for key in keys:
        texts = [found[key] for found in known]
        kind = given.get(key.lower()) or (_detected(texts) if autocast else VARCHAR)
        columns.append(FileColumn(key, kind, tuple(_literal(key, text, kind) for text in texts)))
    return tuple(columns)


def _detected(texts: Sequence[str | None]) -> SQLType:
    for kind in _DETECTED:
        if all(text is None or _parses(text, kind) for text in texts):
            return kind if any(text is not None for text in texts) else VARCHAR
    return VARCHAR


def _parses(text: str, kind: SQLType) -> bool:
    if kind == BIGINT:
        digits = text.removeprefix("-")
        if not digits.isascii() or not digits.isdigit():
            return False
    try:
        parse_text(text, kind)
    except ValueError:
        return False
    return True


def _literal(key: str, text: str | None, kind: SQLType) -> Any:
    if text is None or kind == VARCHAR:
        return text
    try:
        return parse_text(text, kind)
    except ValueError:
        raise messages.hive_value(key, text, kind) from None


def _keys(path: str) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for folder in os.path.dirname(path).split(os.sep):
        key, equals, value = folder.partition("=")
        if key and equals and "=" not in value:
            text = unquote(value)
            found[unquote(key)] = None if text in (_NULL, "NULL") else text
    return found
