"""Hive partitions: folders named `key=value`, whose values would be columns. Refused, not left out."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ...physical.parquet_meta import FileId
from ...planner import messages_files as messages


def refuse_partitions(files: Sequence[FileId], below: str = "") -> None:
    """UnsupportedError when the folders of all files, or those under the folder `below`, have the same keys:
    DuckDB takes them for columns then.
    """
    keys = _keys(files[0].path[len(below) :])
    if keys and all(_keys(file.path[len(below) :]) == keys for file in files):
        raise messages.hive_partitions(files[0].path, sorted(keys))


def _keys(path: str) -> frozenset[str]:
    folders = os.path.dirname(path).split(os.sep)
    parts = (folder.partition("=") for folder in folders)
    return frozenset(key for key, equals, _ in parts if key and equals)
