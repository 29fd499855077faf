"""DB-API cursors (PEP 249): one query each; executing again never touches an earlier result."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ..physical.batch import Batch
from ..planner import messages_api as messages
from ..planner.types import SQLType
from .frame_results import to_numpy, to_pandas, to_polars
from .notices import Message, tell
from .outcome import Outcome
from .profile import Profile
from .result import to_record_batch, to_rows, to_table
from .sources.frames import Names, callers_names

if TYPE_CHECKING:
    from .connection import Connection

Parameters = Sequence[Any] | Mapping[str, Any]


class Cursor:
    """Executes statements and fetches their rows."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._outcome: Outcome | None = None
        self._batches: Iterator[Batch] = iter(())
        self._rows: Iterator[tuple[Any, ...]] = iter(())
        self._batch: Batch | None = None  # the batch that `_rows` is over
        self._taken = 0  # rows taken of it
        self._is_streamed = False  # whoever has the stream of the rest decides when the query ends
        self._closed = False
        self.arraysize = 1
        # PEP 249: (class, exception) of every warning that the last execute() gave.
        self.messages: list[Message] = []

    # Executing
    def execute(self, sql: str, parameters: Parameters | None = None) -> Cursor:
        """Executes a script; the last statement's rows can be fetched. Returns the cursor itself."""
        self._check()
        self._finish()
        self.messages.clear()
        self._set(self._run(sql, parameters))
        return self

    def execute_with(self, sql: str, names: Names) -> Cursor:
        """As `execute`, with tables of these names in place of the caller's variables."""
        self._check()
        self._finish()
        self.messages.clear()
        self._set(self._telling(lambda: self._connection.session.execute(sql, (), names)))
        return self

    def executemany(self, sql: str, parameters: Iterable[Parameters]) -> Cursor:
        """Executes one statement with each set of parameters. `INSERT ... VALUES (?, ...)` is executed once
        for all of them: all rows or none.
        """
        self._check()
        self._finish()
        self.messages.clear()
        rows = [_values(values) for values in parameters]
        if len(rows) > 1 and (outcome := self._insert_many(_text(sql), rows)) is not None:
            self._set(outcome)
            return self
        changed = 0
        for values in rows:
            self._set(self._run(sql, values))
            for _ in self._batches:
                pass
            changed += self.rowcount if self.rowcount > 0 else 0
        self._total = changed
        return self

    def _insert_many(self, sql: str, rows: list[Parameters]) -> Outcome | None:
        return self._telling(lambda: self._connection.session.insert_many(sql, rows))

    def _run(self, sql: object, parameters: object) -> Outcome | None:
        callers = callers_names()
        return self._telling(
            lambda: self._connection.session.execute(_text(sql), _values(parameters), callers)
        )

    def _telling(self, execute: Callable[[], Outcome | None]) -> Outcome | None:
        session = self._connection.session
        try:
            return execute()
        finally:
            notices, session.notices = session.notices, []
            tell(notices, self.messages)

    def _set(self, outcome: Outcome | None) -> None:
        self._outcome = outcome
        self._is_streamed = False
        self._total: int | None = None
        self._batches = iter(()) if outcome is None else iter(outcome)
        self._rows = iter(())
        self._batch = None

    def _finish(self) -> None:
        outcome, self._outcome = self._outcome, None
        if outcome is not None and not self._is_streamed:
            outcome.close()

    # Describing
    @property
    def connection(self) -> Connection:
        """The connection this cursor belongs to."""
        return self._connection

    @property
    def description(self) -> list[tuple[str, SQLType, None, None, None, None, None]] | None:
        """One entry a result column: name and type (an object whose str() is the SQL type); None without a
        result.
        """
        if self._outcome is None or not self._outcome.names:
            return None
        pairs = zip(self._outcome.names, self._outcome.types, strict=True)
        return [(name, kind, None, None, None, None, None) for name, kind in pairs]

    @property
    def rowcount(self) -> int:
        """Rows that INSERT, UPDATE, DELETE or CREATE TABLE AS changed; -1 where that is not known."""
        if self._outcome is None:
            return -1
        if self._total is not None:
            return self._total
        return -1 if self._outcome.changed is None else self._outcome.changed

    @property
    def profile(self) -> Profile:
        """What the last statement did: complete once its rows have been fetched."""
        return self._result().profile

    @property
    def statement_kind(self) -> str:
        """'query', 'insert', 'create', 'drop', 'set', ... of the last statement; '' when there was none."""
        return "" if self._outcome is None else self._outcome.kind

    # Fetching
    def fetchone(self) -> tuple[Any, ...] | None:
        """The next row, or None."""
        self._result()
        while True:
            row = next(self._rows, None)
            if row is not None:
                self._taken += 1
                return row
            self._batch = next(self._batches, None)
            if self._batch is None:
                return None
            self._taken = 0
            self._rows = to_rows(self._batch)

    def fetchmany(self, size: int | None = None) -> list[tuple[Any, ...]]:
        """Up to `size` (default: arraysize) rows."""
        count = self.arraysize if size is None else size
        rows = []
        while len(rows) < count and (row := self.fetchone()) is not None:
            rows.append(row)
        return rows

    def fetchall(self) -> list[tuple[Any, ...]]:
        """All remaining rows."""
        self._result()
        return [row for batch in self._rest() for row in to_rows(batch)]

    def fetch_arrow_table(self) -> pa.Table:
        """All remaining rows as an Arrow table."""
        outcome = self._result()
        return to_table(self._rest(), outcome.schema)

    def fetch_record_batch(self) -> pa.RecordBatchReader:
        """The remaining rows as a stream of Arrow record batches, made while they are read. It stays when
        the cursor executes again.
        """
        outcome = self._result()
        batches = (to_record_batch(batch, outcome.schema) for batch in self.fetch_batches())
        return pa.RecordBatchReader.from_batches(outcome.schema, batches)

    arrow = to_arrow_table = fetch_arrow_table
    fetch_arrow_reader = to_arrow_reader = fetch_record_batch

    def df(self) -> Any:
        """All remaining rows as a pandas DataFrame; see `frame_results.to_pandas`."""
        return to_pandas(self.fetch_arrow_table())

    fetchdf = fetch_df = to_df = df

    def pl(self) -> Any:
        """All remaining rows as a Polars DataFrame."""
        return to_polars(self.fetch_arrow_table())

    def fetchnumpy(self) -> dict[str, Any]:
        """All remaining rows as one NumPy array a column, masked where it has NULLs."""
        return to_numpy(self.fetch_arrow_table())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The remaining rows, for whoever takes Arrow data (the Arrow PyCapsule interface)."""
        return self.fetch_record_batch().__arrow_c_stream__(requested_schema)

    def nextset(self) -> None:
        """None, as a script has its last statement's result only (PEP 249); rows left are dropped."""
        self._check()
        self._rest()

    def fetch_batches(self) -> Iterator[Batch]:
        """The remaining rows as the engine's own batches, made while they are read. The stream stays when
        the cursor executes again.
        """
        self._result()
        self._is_streamed = True
        return self._rest()

    def _rest(self) -> Iterator[Batch]:
        """Takes the batches not yet fetched, first what is left of the one that rows were taken from."""
        batch, self._batch, self._rows = self._batch, None, iter(())
        batches, self._batches = self._batches, iter(())
        if batch is None or self._taken >= batch.num_rows:
            return batches
        return itertools.chain([batch.slice(self._taken, batch.num_rows - self._taken)], batches)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        while (row := self.fetchone()) is not None:
            yield row

    def _result(self) -> Outcome:
        self._check()
        if self._outcome is None:
            raise messages.nothing_executed()
        if not self._outcome.names and self._outcome.kind != "query":
            raise messages.no_rows(self._outcome.kind)
        return self._outcome

    # Closing
    def close(self) -> None:
        """Cancels a running query, also one that a stream of the last result reads, and makes the cursor
        unusable.
        """
        self._is_streamed = False
        self._finish()
        self._closed = True

    def __enter__(self) -> Cursor:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _check(self) -> None:
        if self._closed:
            raise messages.closed("cursor")
        self._connection.check_open()

    def setinputsizes(self, sizes: Sequence[Any]) -> None:
        """Required by PEP 249; has no effect, sizes are not needed."""

    def setoutputsize(self, size: int, column: int | None = None) -> None:
        """Required by PEP 249; has no effect, sizes are not needed."""


def _text(sql: object) -> str:
    if not isinstance(sql, str):
        raise messages.sql_not_text(type(sql))
    return sql


def _values(parameters: object) -> Parameters:
    """Parameters as given: a sequence for ? and $1, a mapping for $name; a str is taken for a mistake."""
    if parameters is None:
        return ()
    if isinstance(parameters, (str, bytes)) or not isinstance(parameters, (Sequence, Mapping)):
        raise messages.bad_parameters(type(parameters))
    return parameters
