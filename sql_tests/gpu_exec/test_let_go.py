"""What is not needed any more is let go: batches, inputs of errors, originals of copies."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import doubles
import pytest
import tandemdb
from tandemdb.engine.settings import SettingValues
from tandemdb.gpu_exec.held import HeldBatch
from tandemdb.gpu_exec.operators import build
from tandemdb.gpu_exec.operators.base import KeptRows, device_batch, in_pieces, ops_of
from tandemdb.gpu_exec.operators.bridge import Bridge
from tandemdb.gpu_exec.operators.nested_loop_join import Loop
from tandemdb.gpu_exec.operators.transfer import Transfer
from tandemdb.physical import nodes
from tandemdb.physical.batch import Batch, Device
from tandemdb.physical.context import QueryContext, Task
from tandemdb.physical.memory import MemoryBroker
from tandemdb.planner import expr as e
from tandemdb.planner.types import BIGINT, VARCHAR

ROWS = 1000
NUMBER = e.Column(1, "a", BIGINT)
INPUT = nodes.Values(columns=(NUMBER,), literals=(), rows=float(ROWS))


@pytest.fixture
def task(double: doubles.Device) -> Iterator[Task]:
    task = Task(QueryContext(SettingValues().frozen(), MemoryBroker(None)), Device.GPU)
    ops_of(task)
    yield task
    task.end()
    task.query.close()


def numbers(task: Task, rows: int = ROWS) -> Batch:
    return device_batch((NUMBER,), [ops_of(task).numbers(range(rows))], rows)


def transfer() -> Any:
    return Transfer(nodes.Transfer(input=INPUT, device=Device.CPU), None)


def bridge() -> Any:
    shouted = e.Cast(VARCHAR, e.ref(NUMBER), False)
    column = e.Column(2, "s", VARCHAR)
    spec = nodes.Bridge(input=INPUT, columns=(column,), exprs=(shouted,), why=(("a test",),))

    def compute(rows: Iterator[Batch], task: Task) -> Iterator[Batch]:
        for batch in rows:
            yield Batch((column,), [batch.columns[0].cast("string")], batch.num_rows)

    return Bridge(spec, SimpleNamespace(transform=lambda node: compute))


def loop(task: Task) -> Any:
    task.query.artifacts[7] = SimpleNamespace(num_rows=ROWS // 4)
    made = Loop(SimpleNamespace(node=SimpleNamespace(op_id=0), build=7), None)  # type: ignore[arg-type]
    return made._few


@pytest.mark.parametrize("operator", [transfer, bridge, loop])
def test_a_batch_is_let_go_before_the_next_is_asked_for(
    task: Task, double: doubles.Device, operator: Any
) -> None:
    given = operator(task) if operator is loop else operator()
    seen: list[int] = []

    def rows() -> Iterator[Batch]:
        for _ in range(3):
            seen.append(double.live_bytes)
            yield numbers(task)
        seen.append(double.live_bytes)

    before = double.live_bytes
    deque(given(rows(), task), maxlen=0)
    assert seen == [before] * 4


def test_rows_that_are_away_are_brought_once_for_all_pieces(task: Task, double: doubles.Device) -> None:
    ops = ops_of(task)
    held = HeldBatch(numbers(task), ops)
    ops.memory.make_room(None)
    ops.memory.has_room = lambda size: False  # type: ignore[method-assign]
    name = "contiguous_split.unpack_from_memoryviews"
    double.calls.clear()
    pieces = in_pieces(held, held.nbytes // 8, ops, task)
    assert len(pieces) == 8
    assert double.calls[name] == 1, double.calls
    values = [piece.batch(ops).columns[0].to_arrow().to_pylist() for piece in pieces]
    assert list(itertools.chain(*values)) == list(range(ROWS))


def test_without_room_for_all_of_them_each_piece_brings_them(task: Task, double: doubles.Device) -> None:
    """Whoever holds them whole must not be why a piece finds no memory."""
    ops = ops_of(task)
    held = HeldBatch(numbers(task), ops)
    ops.memory.make_room(None)
    ops.memory.has_room = lambda size: False  # type: ignore[method-assign]
    brought = "contiguous_split.unpack_from_memoryviews"
    double.calls.clear()

    def short(name: str, number: int) -> None:
        # No room for a piece beside rows that are held for all of them: only those that it brings itself.
        if name == "contiguous_split.pack" and double.calls[brought] == 1:
            raise MemoryError("bad_alloc")

    double.before_call = short
    pieces = in_pieces(held, held.nbytes // 2, ops, task)
    double.before_call = None
    assert double.calls[brought] > 1
    values = [piece.batch(ops).columns[0].to_arrow().to_pylist() for piece in pieces]
    assert list(itertools.chain(*values)) == list(range(ROWS))


def test_originals_are_let_go_while_copies_are_made(
    task: Task, double: doubles.Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    ops = ops_of(task)
    kept = KeptRows(ops, task)
    for seq in range(12):
        kept.keep(numbers(task), seq)
    size = kept.parts[0][1].nbytes
    monkeypatch.setattr(build, "_CHUNKS_IN_MEMORY", ops.memory.limit // (3 * size))
    double.peak_bytes = before = double.live_bytes
    join = SimpleNamespace(kind=None, right=INPUT)
    made = build.Build(SimpleNamespace(node=join), None).finish([kept], task)  # type: ignore[arg-type]
    assert len(made.chunks) == 4
    assert sum(chunk.num_rows for chunk in made.chunks) == 12 * ROWS
    # Beside the rows that there are in any case, the copy of one chunk.
    assert double.peak_bytes <= before + 4 * size


def test_a_full_disk_is_not_asked_for_each_step(
    double: doubles.Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = SettingValues()
    settings.set("temp_directory", str(tmp_path / "missing"))
    full = Task(QueryContext(settings.frozen(), MemoryBroker(0)), Device.GPU)
    held = [HeldBatch(numbers(full), ops_of(full)) for _ in range(3)]
    clock = [100.0]
    monkeypatch.setattr("tandemdb.physical.spill.time", SimpleNamespace(monotonic=lambda: clock[0]))
    packed = "contiguous_split.ChunkedPack.create"
    ops_of(full).memory.make_room(None)
    assert double.calls[packed] == 1
    ops_of(full).memory.make_room(None)
    assert double.calls[packed] == 1
    assert "cannot be written to" in str(full.query.spilled.failure)
    (tmp_path / "missing").mkdir()
    clock[0] += 60
    ops_of(full).memory.make_room(None)
    assert not any(rows.is_here for rows in held)
    full.end()
    full.query.close()


def test_what_is_given_back_of_a_full_disk_is_used_at_once(tmp_path: Path) -> None:
    task = Task(QueryContext(SettingValues({"temp_directory": str(tmp_path)}).frozen(), MemoryBroker(0)))
    store = task.query.spilled
    first = store.in_file(100)
    assert first is not None
    assert first.write(memoryview(bytes(100)))
    store._failed(OSError(28, "No space left on device"))
    assert store.in_file(10) is None
    assert not store.may_take(10)
    del first
    assert store.may_take(10)
    assert store.in_file(10) is not None
    task.query.close()


# The inputs of errors
# ----------------------------------------------------------------------------------------------------
def peak(con: tandemdb.Connection, double: doubles.Device, sql: str, rows: int) -> float:
    """Bytes of the device a row."""
    con.execute(sql).fetchall()
    double.reset()
    con.execute(sql).fetchall()
    return double.peak_bytes / rows


def test_inputs_of_errors_that_do_not_happen_are_let_go(double: doubles.Device) -> None:
    rows = 20_000
    with tandemdb.connect(config={"threads": 1, "device": "cpu"}) as con:
        con.execute(f"CREATE TABLE t AS SELECT (range % 100)::BIGINT AS l FROM range({rows})")
        con.execute("SET on_fallback = 'error'; SET disabled_rules = 'all'; SET device = 'gpu'")
        one = peak(con, double, "SELECT l + 1 + CAST(l * l AS INTEGER) FROM t", rows)
        terms = " + ".join(f"CAST(l * {n} AS INTEGER)" for n in range(1, 9))
        many = peak(con, double, f"SELECT l + {terms} FROM t", rows)
    # Each term leaves the rows that failed, a byte each for two checks, and not what it was computed from.
    assert many - one < 8 * 6, (one, many)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT CAST(l * l AS TINYINT) + CAST(l AS TINYINT) FROM t",
        "SELECT CASE WHEN l > 20 THEN CAST(l * 7 AS TINYINT) END FROM t",
        "SELECT CAST(s || 'x' AS INTEGER) FROM t",
        "SELECT sum(CAST(l * l AS TINYINT)) FROM t GROUP BY l % 3",
        "SELECT l FROM t WHERE CAST(l * l AS TINYINT) > 3",
        "SELECT make_date(l, l * 5, 1) FROM t",
        "SELECT l IN (SELECT 5 FROM t v WHERE CAST(t.l * v.l * 0 + 200 AS TINYINT) > 0) FROM t",
    ],
)
def test_errors_tell_the_same_values(double: doubles.Device, sql: str) -> None:
    told: list[str] = []
    with tandemdb.connect(config={"threads": 1}) as con:
        con.execute("CREATE TABLE t AS SELECT range AS l, range::VARCHAR AS s FROM range(5, 60)")
        for device in ("cpu", "gpu"):
            con.execute(f"SET device = '{device}'")
            with pytest.raises(tandemdb.Error) as error:
                con.execute(sql).fetchall()
            told.append(str(error.value))
    assert told[0] == told[1]
