"""Tables made of what Python programs hold: Arrow data, pandas and Polars frames, dictionaries of arrays."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import FrameType
from typing import Any, Protocol

import pyarrow as pa

from ...cpu_fallback.arrow_storage import to_storage
from ...physical.arrow_types import UnknownArrowType, from_arrow
from ...physical.batch import Batch
from ...physical.tables import MemoryTable
from ...planner import messages_frames as messages
from ...planner.catalog import TableColumn
from ...planner.expr import Column
from ...planner.types import INTEGER, NULL

_PACKAGE = __name__.split(".")[0]


def is_frame(value: Any) -> bool:
    """Whether a Python object can be read as a table."""
    return (
        _is_dataset(value)
        or (hasattr(value, "__arrow_c_stream__") and not isinstance(value, (pa.Array, pa.ChunkedArray)))
        or _is_pandas(value)
        or _is_lazy(value)
    )


def _is_dataset(value: Any) -> bool:
    return type(value).__module__ == "pyarrow._dataset" and hasattr(value, "to_table")


def _is_pandas(value: Any) -> bool:
    kind = type(value)
    return kind.__name__ == "DataFrame" and kind.__module__.split(".")[0] == "pandas"


def _is_lazy(value: Any) -> bool:
    kind = type(value)
    return kind.__name__ == "LazyFrame" and kind.__module__.split(".")[0] == "polars"


def arrow_table(name: str, value: Any) -> pa.Table:
    """The object as an Arrow table; its rows are not copied where it holds Arrow data.

    Raises InvalidInputError where it cannot be read as one.
    """
    try:
        if isinstance(value, pa.Table):
            return value
        if isinstance(value, pa.RecordBatch):
            return pa.Table.from_batches([value])
        if _is_pandas(value):
            return pa.Table.from_pandas(value, preserve_index=False)
        if _is_lazy(value):
            value = value.collect()
        if isinstance(value, Mapping):
            return pa.table(dict(value))
        if _is_dataset(value):
            return value.to_table()
        if hasattr(value, "__arrow_c_stream__"):
            return pa.RecordBatchReader.from_stream(value).read_all()
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise messages.unreadable(name, type(value), str(error)) from error
    raise messages.unsuitable(name, type(value))


def frame_table(name: str, value: Any, uid: int) -> MemoryTable:
    """A table of the object's rows as they are now. Raises InvalidInputError for what cannot be one."""
    data = arrow_table(name, value)
    columns: list[TableColumn] = []
    taken: set[str] = set()
    for field in data.schema:
        own, number = field.name, 1
        while own.lower() in taken:
            own, number = f"{field.name}_{number}", number + 1
        taken.add(own.lower())
        try:
            kind = from_arrow(field.type)
        except UnknownArrowType as error:
            raise messages.unknown_column_type(name, field.name, str(error)) from None
        columns.append(TableColumn(own, INTEGER if kind == NULL else kind))
    schema = tuple(Column(i, c.name, c.type) for i, c in enumerate(columns))
    batches = []
    for batch in data.to_batches():
        if not batch.num_rows:
            continue
        try:
            arrays = [to_storage(a, c.type) for a, c in zip(batch.columns, columns, strict=True)]
        except (pa.ArrowException, UnknownArrowType) as error:
            raise messages.unreadable(name, type(value), str(error)) from error
        batches.append(Batch(schema, arrays, batch.num_rows))
    return MemoryTable(name, tuple(columns), uid, 0, tuple(batches), (value,))


class Names(Protocol):
    """What knows Python objects by names in FROM."""

    def find(self, name: str) -> Any:
        """The object (or a table made of it), or None."""
        ...


class CallersNames:
    """The variables of a Python frame as tables: its locals go before its globals."""

    def __init__(self, frame: FrameType | None) -> None:
        self._frame = frame

    def find(self, name: str) -> Any:
        """The object of a variable called `name`, else of the only one that is called so without regard to
        case; None where there is none that is a table. InvalidInputError where several are.
        """
        if self._frame is None:
            return None
        for variables in (self._frame.f_locals, self._frame.f_globals):
            if is_frame(value := variables.get(name)):
                return value
            near = {key: value for key, value in variables.items() if key.lower() == name.lower()}
            near = {key: value for key, value in near.items() if is_frame(value)}
            if len({id(value) for value in near.values()}) > 1:
                raise messages.ambiguous(name, sorted(near))
            for value in near.values():
                return value
        return None


def callers_names() -> CallersNames:
    """The variables of the nearest function on the stack that is not this package's."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and str(frame.f_globals.get("__name__", "")).split(".")[0] == _PACKAGE:
        frame = frame.f_back
    return CallersNames(frame)
