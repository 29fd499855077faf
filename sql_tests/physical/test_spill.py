"""The file that rows go to when no memory takes them: its places are used again, a full disk is told."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tandemdb.physical import spill
from tandemdb.physical.memory import MemoryBroker, QueryMemory
from tandemdb.physical.spill import FilePlace, SpillStore


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SpillStore]:
    """A store of a query that has no memory at all."""
    store = SpillStore(QueryMemory(MemoryBroker(0)), str(tmp_path))
    yield store
    store.close()


def put(store: SpillStore, letter: str, size: int) -> FilePlace:
    assert store.in_memory(size) is None
    found = store.in_file(size)
    assert found is not None
    assert found.write(memoryview(letter.encode() * size))
    return found


def text(place: FilePlace) -> bytes:
    found = bytearray(place.nbytes)
    place.read(memoryview(found))
    return bytes(found)


def size_of_file(store: SpillStore) -> int:
    assert store._file is not None
    return os.fstat(store._file.fileno()).st_size


def test_places_side_by_side_become_one(store: SpillStore) -> None:
    """Whatever the order in which they are given back."""
    for order in ((0, 1, 2), (2, 1, 0), (0, 2, 1), (1, 0, 2)):
        kept: list[FilePlace | None] = [put(store, letter, 100) for letter in "abc"]
        last = put(store, "d", 10)
        for at in order:
            kept[at] = None
            gc.collect()
        together = put(store, "e", 300)
        assert text(together) == b"e" * 300
        assert text(last) == b"d" * 10
        assert size_of_file(store) == 310
        del together, last
        gc.collect()


def test_what_is_given_back_at_the_end_makes_the_file_no_longer(store: SpillStore) -> None:
    for size in (100, 150, 200):
        first, second = put(store, "a", size), put(store, "b", size)
        assert text(first) + text(second) == b"a" * size + b"b" * size
        del first, second
        gc.collect()
    assert size_of_file(store) == 400


def test_a_full_disk_is_no_error_until_somebody_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spill, "_FULL_SECONDS", 0.0)
    store = SpillStore(QueryMemory(MemoryBroker(0)), str(tmp_path / "missing"))
    assert store.failure is None
    assert store.in_file(3) is None
    assert "cannot be written to" in str(store.failure)
    assert (store._free, store._end) == ([], 0)
    (tmp_path / "missing").mkdir()
    assert put(store, "d", 4).nbytes == 4
    assert store.failure is None
    store.close()


def test_a_query_that_has_ended_takes_no_more(store: SpillStore, tmp_path: Path) -> None:
    put(store, "a", 10)
    store.close()
    assert store.in_file(3) is None
    assert store.failure is None
    assert os.listdir(tmp_path) == []
