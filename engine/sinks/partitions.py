"""COPY TO with PARTITION_BY: a folder `key=value` for each combination of values."""

from __future__ import annotations

import contextlib
import os
import shutil
import uuid
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any, BinaryIO
from urllib.parse import quote

import numpy as np
import pyarrow as pa

from ...cpu_fallback import compute
from ...cpu_fallback.operators import rows as row
from ...physical.batch import Batch
from ...planner import messages_copy as messages
from ...planner.copy_options import Destination
from ...planner.expr import Column
from .atomic import scratch_name, sync_folder, writing
from .texts import text_array
from .writer import Writer, open_writer

_OPEN_FILES = 100
_NULL = "__HIVE_DEFAULT_PARTITION__"


class Partitioned:
    """Writes rows to files in folders. All is written to a folder beside the destination, whose files are put
    in place when the statement has succeeded.
    """

    def __init__(self, where: Destination, columns: tuple[Column, ...]) -> None:
        self.where = where
        self.keys = where.partition_by
        self.kept = [i for i in range(len(columns)) if where.keep_keys or i not in set(self.keys)]
        self.names = [columns[place].name for place in self.keys]
        self.columns = tuple(columns[place] for place in self.kept)
        self.open: OrderedDict[str, tuple[BinaryIO, Writer]] = OrderedDict()
        self.counts: dict[str, int] = {}
        root = where.path.rstrip("/") or where.path
        if os.path.isfile(root):
            if where.existing != "overwrite":
                raise messages.is_a_file(where.path)
        elif where.existing == "refuse" and os.path.isdir(root) and os.listdir(root):
            raise messages.folder_not_empty(where.path)
        self.root = root
        self.scratch = scratch_name(root)
        with writing(where.path):
            os.makedirs(self.scratch)

    def write(self, batch: Batch) -> None:
        """Each row to the file of its folder, in order."""
        texts = [
            self._folder_names(batch, place, name) for place, name in zip(self.keys, self.names, strict=True)
        ]
        folders = texts[0] if len(texts) == 1 else compute.join(texts, "/")
        coded = compute.encode_dictionary(folders)
        codes = coded.indices.to_numpy()
        order = np.argsort(codes, kind="stable").astype(np.int32)
        ends = np.flatnonzero(np.diff(codes[order])) + 1
        schema = [batch.schema[place] for place in self.kept]
        rest = Batch(schema, [batch.columns[place] for place in self.kept], batch.num_rows)
        for part in np.split(order, ends):
            folder = coded.dictionary[int(codes[part[0]])].as_py()
            self._writer(folder).write(row.take(rest, part))

    def close(self) -> list[str]:
        """Puts the files in place; returns their paths."""
        while self.open:
            self._close_oldest()
        with writing(self.where.path):
            if self.where.existing == "overwrite":
                self._clear()
            return sorted(self._place(relative) for relative in self._written())

    def drop(self) -> None:
        """Removes what was written."""
        with contextlib.suppress(OSError):
            for file, _ in self.open.values():
                file.close()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def _folder_names(self, batch: Batch, place: int, name: str) -> pa.Array:
        coded = compute.encode_dictionary(text_array(batch.columns[place], batch.schema[place]))
        head = quote(name, safe="")
        words = [f"{head}={quote(word, safe='')}" for word in coded.dictionary.to_pylist()]
        # NULL is the last of the names.
        words.append(f"{head}={_NULL}")
        codes = compute.fill_null(coded.indices, len(words) - 1).to_numpy()
        return compute.take(pa.array(words, pa.string()), codes)

    def _writer(self, folder: str) -> Writer:
        found = self.open.get(folder)
        if found is None:
            if len(self.open) >= _OPEN_FILES:
                self._close_oldest()
            number = self.counts.get(folder, 0)
            self.counts[folder] = number + 1
            name = self.where.pattern.replace("{uuid}", str(uuid.uuid4())).replace("{i}", str(number))
            if number and "{uuid}" not in self.where.pattern and "{i}" not in self.where.pattern:
                name += f"_{number}"
            path = os.path.join(self.scratch, folder, f"{name}.{self.where.extension}")
            with writing(path):
                os.makedirs(os.path.dirname(path), exist_ok=True)
                file = open(path, "xb")  # noqa: SIM115 - closed by _close_oldest or drop
            found = self.open[folder] = (file, open_writer(file, self.where, self.columns))
        self.open.move_to_end(folder)
        return found[1]

    def _close_oldest(self) -> None:
        _, (file, writer) = self.open.popitem(last=False)
        with writing(self.where.path), file:
            writer.close()
            file.flush()
            os.fsync(file.fileno())

    def _written(self) -> Iterator[str]:
        for base, _, names in os.walk(self.scratch):
            for name in names:
                yield os.path.relpath(os.path.join(base, name), self.scratch)

    def _clear(self) -> None:
        """OVERWRITE: what was there goes."""
        if os.path.isfile(self.root):
            os.unlink(self.root)
        elif os.path.isdir(self.root):
            shutil.rmtree(self.root)

    def _place(self, relative: str) -> str:
        path = os.path.join(self.root, relative)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.replace(os.path.join(self.scratch, relative), path)
        sync_folder(os.path.dirname(path))
        return path


def by_partition(where: Destination, columns: tuple[Column, ...], batches: Any) -> list[str]:
    """Writes all batches; all or nothing is put in place. Returns the paths."""
    parts = Partitioned(where, columns)
    try:
        for batch in batches:
            parts.write(batch)
        return parts.close()
    finally:
        parts.drop()
