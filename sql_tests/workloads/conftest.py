"""The generated databases of this folder, written once a session, and what the oracle answers on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from oracle.engines import DuckDB, Engine, Result, TandemDB, TandemDBOnGpu
from workloads import hits, imdb

SMALL = {"imdb": 2000, "hits": 10_000}
"""Films and rows that the quick tests run on."""
LARGE = {"imdb": 12_000, "hits": 200_000}
"""Those of the slow tests."""
WRITERS: dict[str, Callable[[Path, int], dict[str, Path]]] = {"imdb": imdb.write, "hits": hits.write}


class Database:
    """One generated database: engines that see it, and the oracle's answers, asked for once each."""

    def __init__(self, name: str, size: int, files: dict[str, Path]) -> None:
        self.name = name
        self.size = size
        self._files = files
        self._engines: dict[str, Engine] = {}
        self._answers: dict[str, Result] = {}

    def engine(self, kind: type[Engine], **settings: str) -> Engine:
        """The engine of this kind over the files; made once."""
        key = f"{kind.name} {settings}"
        if key not in self._engines:
            made = self._engines[key] = kind()
            for table, path in self._files.items():
                made.execute(f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{path}')")
            for setting, value in settings.items():
                made.set(setting, value)
        return self._engines[key]

    def answer(self, sql: str) -> Result:
        """What the oracle answers."""
        if sql not in self._answers:
            self._answers[sql] = self.engine(DuckDB).execute(sql)
        return self._answers[sql]

    def close(self) -> None:
        for engine in self._engines.values():
            engine.close()


Open = Callable[[str, dict[str, int]], Database]


@pytest.fixture(scope="session")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """Gives databases by name and sizes; each is written when it is first asked for."""
    made: dict[tuple[str, int], Database] = {}

    def give(name: str, sizes: dict[str, int]) -> Database:
        size = sizes[name]
        if (name, size) not in made:
            folder = tmp_path_factory.mktemp(name)
            made[name, size] = Database(name, size, WRITERS[name](folder, size))
        return made[name, size]

    yield give
    for database in made.values():
        database.close()


def quick(database: Database) -> Engine:
    """The engine under test as the quick tests have it."""
    return database.engine(TandemDB, threads="2")


def thorough(database: Database) -> Engine:
    """The engine under test with batches that cut the large tables into many pieces."""
    return database.engine(TandemDB, threads="2", batch_size="5000")


def on_gpu(database: Database) -> Engine:
    """The engine under test with everything asked onto the GPU."""
    return database.engine(TandemDBOnGpu, threads="2")
