"""The engines a test can talk to, behind one small interface: TandemDB, and DuckDB as the oracle."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Result:
    """What a statement gave: column names, SQL type names in DuckDB's spelling, and rows of Python values."""

    names: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[Row]


class EngineError(Exception):
    """A statement failed with an error meant for users.

    `unsupported` tells a refusal ("not supported") from a failure of the statement itself; `phase` is "bind"
    where the statement was refused before it ran and "run" where its values were at fault.
    """

    def __init__(self, message: str, *, unsupported: bool = False, phase: str = "run") -> None:
        super().__init__(message)
        self.message = message
        self.unsupported = unsupported
        self.phase = phase

    @property
    def headline(self) -> str:
        """The first line of the message: what failures are grouped by."""
        return self.message.strip().splitlines()[0] if self.message.strip() else "(no message)"


class EngineCrash(Exception):
    """A statement ended in something no user should see: a traceback that isn't one of the engine's
    errors.
    """


class Engine(Protocol):
    """One connection to an empty in-memory database."""

    name: str

    def execute(self, sql: str) -> Result:
        """Run one statement; raises EngineError, or EngineCrash for anything that isn't a user error."""
        ...

    def raises_as_written(self, sql: str) -> bool:
        """Whether the statement fails while it runs when nothing is rearranged to spare it rows."""
        ...

    def set(self, setting: str, value: str) -> None:
        """Change a TandemDB setting such as batch_size; "default" resets it. DuckDB ignores TandemDB's
        settings.
        """
        ...

    def close(self) -> None: ...


class DuckDB:
    """The oracle: one connection to DuckDB on one thread, so that its answers do not depend on timing."""

    name = "duckdb"

    def __init__(self) -> None:
        import duckdb

        self._errors = duckdb.Error
        self._unsupported = duckdb.NotImplementedException
        self._bind = (duckdb.BinderException, duckdb.ParserException, duckdb.CatalogException)
        self._con = duckdb.connect(config={"threads": 1})

    def execute(self, sql: str) -> Result:
        try:
            cursor = self._con.execute(sql)
            description = cursor.description or []
            types = tuple(str(column[1]).strip('"') for column in description)
            rows = cursor.fetchall() if description else []
            if "INTERVAL" in types:
                rows = _arrow_rows(self._con.sql(sql).to_arrow_table())
        except self._errors as error:
            phase = "bind" if isinstance(error, self._bind) else "run"
            raise EngineError(
                str(error), unsupported=isinstance(error, self._unsupported), phase=phase
            ) from error
        return Result(tuple(column[0] for column in description), types, rows)

    def raises_as_written(self, sql: str) -> bool:
        """Without its optimizer, which may drop rows early: by the values of a join, below a projection."""
        self._con.execute("PRAGMA disable_optimizer")
        try:
            self.execute(sql)
        except EngineError as error:
            return error.phase == "run"
        finally:
            self._con.execute("PRAGMA enable_optimizer")
        return False

    def set(self, setting: str, value: str) -> None:
        """TandemDB's settings mean nothing here: every configuration must give the oracle's one answer."""

    def close(self) -> None:
        self._con.close()


class TandemDB:
    """A TandemDB connection through its public DB-API."""

    name = "tandemdb"
    settings: Mapping[str, str] = MappingProxyType({})

    def __init__(self) -> None:
        import tandemdb

        self._errors = tandemdb.Error
        self._internal = tandemdb.InternalError
        self._unsupported = tandemdb.NotSupportedError
        self._con = tandemdb.connect()
        for setting in self.settings:
            self.set(setting, "default")

    def execute(self, sql: str) -> Result:
        try:
            cursor = self._con.execute(sql)
            description = cursor.description or []
            types = tuple(str(column[1]).strip('"') for column in description)
            if "INTERVAL" in types:
                rows = _arrow_rows(cursor.fetch_arrow_table())
            else:
                rows = cursor.fetchall() if description else []
            if description:
                self._ran(cursor.profile)
        except self._internal as error:
            raise EngineCrash(_crash(error)) from error
        except self._errors as error:
            raise EngineError(str(error), unsupported=isinstance(error, self._unsupported)) from error
        except Exception as error:
            raise EngineCrash(_crash(error)) from error
        return Result(tuple(column[0] for column in description), types, rows)

    def _ran(self, profile: Any) -> None:
        """Told of every query that gave rows."""

    def raises_as_written(self, sql: str) -> bool:
        """Asked of the oracle only."""
        raise NotImplementedError

    def set(self, setting: str, value: str) -> None:
        if value == "default" and setting in self.settings:
            value = self.settings[setting]
        self._con.execute(f"RESET {setting}" if value == "default" else f"SET {setting} = '{value}'")

    def close(self) -> None:
        self._con.close()


class TandemDBOnGpu(TandemDB):
    """TandemDB with everything asked onto the GPU of the process, see doubles/process.py.

    What the GPU cannot run is bridged over the CPU: counted by reason, and never otherwise.
    """

    name = "tandemdb-gpu"
    settings: Mapping[str, str] = MappingProxyType({"device": "gpu", "on_fallback": "report"})

    def __init__(self) -> None:
        super().__init__()
        self.operators = 0
        self.fallbacks: Counter[str] = Counter()

    def _ran(self, profile: Any) -> None:
        from tandemdb.tpch.engines import uncounted

        if profile is None or profile.root is None:
            return
        silent = uncounted(profile)
        assert not silent, f"not run where they were placed, and not counted: {silent}"
        self.operators += sum(metrics.device.value == "GPU" for metrics in profile.operators.values())
        self.fallbacks.update(reason for found in profile.fallbacks for reason in found.reason.split("; "))


ENGINES: dict[str, Callable[[], Engine]] = {
    engine.name: engine for engine in (TandemDB, TandemDBOnGpu, DuckDB)
}
ON_GPU = frozenset({TandemDBOnGpu.name})
"""The engines that need a GPU in the process."""


def connect(name: str, setup: Iterable[str] = ()) -> Engine:
    """A fresh engine by name, see ENGINES, on which the statements of `setup` have run."""
    engine = ENGINES[name]()
    for statement in setup:
        engine.execute(statement)
    return engine


def _arrow_rows(table: Any) -> list[Row]:
    """The rows of an Arrow table; for results with intervals, whose months a Python timedelta cannot hold."""
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def _crash(error: Exception) -> str:
    """The error, with the innermost place: what crashes of one cause share."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    text = str(error).strip().splitlines()[0] if str(error).strip() else place.line
    return f"{type(error).__name__} in {place.name} ({Path(place.filename).name}): {text}"
