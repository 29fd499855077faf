"""Driving single operators: relations in awkward storages, pipelines of one or two tasks, rows to compare."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from tandemdb.cpu_fallback import scalars
from tandemdb.cpu_fallback.operators.values import literal_column
from tandemdb.physical import nodes
from tandemdb.physical.backend import YES, Support
from tandemdb.physical.batch import Batch, Device
from tandemdb.physical.context import QueryContext, Task
from tandemdb.physical.memory import MemoryBroker
from tandemdb.physical.pipeline import ArtifactSource, Morsel, run_task
from tandemdb.planner.expr import Column, ColumnRef, ref
from tandemdb.planner.types import SQLType

DEFAULT_BATCH = 131_072
BATCH_SIZES = (1, 3, 1024, DEFAULT_BATCH)
STORAGES = ("plain", "sliced", "dictionary", "wide")
_ids = itertools.count(1000)


@dataclass
class Relation:
    """Rows of named, typed columns, in literal form."""

    columns: tuple[Column, ...]
    rows: list[tuple[Any, ...]]

    def __getitem__(self, name: str) -> ColumnRef:
        """A reference to a column."""
        return ref(self.column(name))

    def column(self, name: str) -> Column:
        """A column by name."""
        return next(c for c in self.columns if c.name == name)

    def node(self) -> nodes.Values:
        """A physical node with this schema (its rows are not in it)."""
        return nodes.Values(columns=self.columns, literals=())

    def batches(self, size: int, storage: str = "plain") -> list[Batch]:
        """The rows cut into batches. `storage`: plain, sliced (arrays with an offset), dictionary (strings,
        another dictionary every batch), wide (decimals of more than 18 digits and HUGEINT as decimal128 in
        every other batch).
        """
        return [
            self._batch(self.rows[start : start + size], storage, number)
            for number, start in enumerate(range(0, len(self.rows), size))
        ]

    def _batch(self, rows: list[tuple[Any, ...]], storage: str, number: int) -> Batch:
        arrays = []
        for index, column in enumerate(self.columns):
            values = [row[index] for row in rows]
            arrays.append(_stored(column.type, values, storage, number))
        return Batch(self.columns, arrays, len(rows))


def _stored(type_: SQLType, values: list[Any], storage: str, number: int) -> pa.Array:
    if storage == "sliced":
        filler = [v for v in values if v is not None][:1] or [None]
        return literal_column(type_, [*filler * 3, *values, *filler]).slice(3, len(values))
    array = literal_column(type_, values)
    if storage == "dictionary" and type_.is_string:
        encoded = array.dictionary_encode()
        # An entry that no row uses, and another order of entries from batch to batch.
        entries = pa.array(
            [f"unused {number}", *encoded.dictionary.to_pylist()[:: -1 if number % 2 else 1]], pa.string()
        )
        count = len(encoded.dictionary)
        codes = [
            None if c is None else (count - c if number % 2 else c + 1) for c in encoded.indices.to_pylist()
        ]
        return pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), entries)
    if storage == "wide" and number % 2 and not pa.types.is_decimal(array.type):
        from tandemdb.cpu_fallback.operators.concat import widened
        from tandemdb.physical.stored import may_be_wide

        return widened(array, type_) if may_be_wide(type_) else array
    return array


def relation(rows: Sequence[Sequence[Any]], **types: SQLType) -> Relation:
    """A relation with fresh column ids."""
    columns = tuple(Column(next(_ids), name, kind) for name, kind in types.items())
    return Relation(columns, [tuple(row) for row in rows])


def new_column(name: str, type_: SQLType) -> Column:
    """A column with a fresh id."""
    return Column(next(_ids), name, type_)


class BatchSource:
    """Gives out batches, one or more a morsel; an empty batch stands before and after them. `moved` brings
    them to the device that is tested.
    """

    op_id = -1

    def __init__(
        self, schema: Sequence[Column], batches: Sequence[Batch], per_morsel: int = 2, moved: Any = None
    ) -> None:
        self.schema = tuple(schema)
        self.parts = [list(batches[i : i + per_morsel]) for i in range(0, len(batches), per_morsel)]
        self.moved = moved or (lambda rows, task: rows)

    def morsels(self, q: QueryContext) -> Iterator[Morsel]:
        return (Morsel(seq, part) for seq, part in enumerate(self.parts))

    def read(self, morsel: Morsel, task: Task) -> Iterator[Batch]:
        first, last = morsel.payload[0], morsel.payload[-1]
        rows = (first.slice(0, 0), *morsel.payload, last.slice(last.num_rows, 0))
        yield from self.moved(iter(rows), task)


@dataclass
class Runner:
    """Runs pipelines of one query on one device, with artifacts that pass from one to the next."""

    backend: Any
    tasks: int = 1
    batch_size: int = DEFAULT_BATCH
    memory_limit: int | None = None
    context: QueryContext = field(init=False)
    maker: Maker = field(init=False)

    def __post_init__(self) -> None:
        settings = {"batch_size": self.batch_size, "threads": self.tasks}
        self.context = QueryContext(settings, MemoryBroker(self.memory_limit))
        self.maker = Maker(self.backend)

    @property
    def device(self) -> Device:
        """Where the operators run."""
        return self.backend.device

    def supports(self, node: Any) -> bool:
        """Whether placement would put a node on the device."""
        return bool(support(self.backend, node))

    def rows(self, many: int) -> int:
        """How many rows to take where some do: fewer on the GPU in batches of few, the double is slow."""
        return many if self.device is Device.CPU else many // {1: 5, 3: 3}.get(self.batch_size, 1)

    def storage(self, number: int) -> str:
        """A storage for a data set; over all batch sizes and tasks each data set comes in all of them."""
        return STORAGES[(number + BATCH_SIZES.index(self.batch_size) + 2 * self.tasks) % len(STORAGES)]

    def run(self, pipeline: int, source: Any, transforms: Sequence[Any], sink: Any) -> Any:
        """Runs a pipeline; its artifact is kept under `pipeline` and returned, to be read on the host."""
        steps = [self.maker.transform(spec) for spec in transforms]
        end = self.maker.sink(sink)
        morsels = _Locked(source.morsels(self.context))
        tasks = [Task(self.context, self.device) for _ in range(self.tasks)]
        parts: list[Any] = [None] * self.tasks
        errors: list[BaseException] = []

        def work(number: int) -> None:
            try:
                parts[number] = run_task(source, steps, end, morsels, tasks[number])
            except BaseException as error:  # noqa: BLE001 - handed to the test's thread
                errors.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(1, self.tasks)]
        for thread in threads:
            thread.start()
        work(0)
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]
        artifact = end.finish(parts, tasks[0])
        for task in tasks:
            task.end()
        self.context.artifacts[pipeline] = artifact
        return artifact if self.device is Device.CPU else OnHost(self, pipeline)

    def relation(self, data: Relation, storage: str = "plain") -> BatchSource:
        """A source of the relation's rows in batches of the runner's size, on the runner's device."""
        moved = None if self.device is Device.CPU else transfer(self.backend, self.device)
        return BatchSource(data.columns, data.batches(self.batch_size, storage), moved=moved)


@dataclass
class OnHost:
    """An artifact of the GPU, read as other pipelines read it."""

    runner: Runner
    pipeline: int

    def batches(self) -> list[Batch]:
        """Its rows in host memory."""
        runner = self.runner
        columns = runner.context.artifacts[self.pipeline].columns
        spec = ArtifactSource(self.pipeline, columns, tuple(range(len(columns))))
        source, down = runner.backend.source(spec, runner.maker), transfer(runner.backend, Device.CPU)
        task = Task(runner.context, runner.device)
        parts = (source.read(morsel, task) for morsel in source.morsels(runner.context))
        found = list(down(itertools.chain.from_iterable(parts), task))
        task.end()
        return found


def transfer(backend: Any, to: Device) -> Any:
    """What moves batches between the host and the backend's device."""
    return backend.transform(nodes.Transfer(input=nodes.Node(), device=to), None)


def support(backend: Any, node: Any) -> Any:
    """What placement is told of a node. Inputs are columns, whose types must be the device's too."""
    if backend.device is Device.CPU:
        return YES
    found = [backend.supports(part) for part in (node, *node.inputs)]
    return Support(tuple(reason for part in found for reason in part.reasons))


class NotOnThisDevice(Exception):
    """Placement would not put this operator on the device; the text has the reasons."""


class Maker:
    """Makes all operators by one backend. Raises NotOnThisDevice."""

    def __init__(self, backend: Any) -> None:
        self.backend = backend

    def source(self, spec: Any) -> Any:
        return self.backend.source(self._placed(spec), self)

    def transform(self, spec: Any) -> Any:
        return self.backend.transform(self._placed(spec), self)

    def sink(self, spec: Any, **options: Any) -> Any:
        return self.backend.sink(self._placed(spec), self, **options)

    def _placed(self, spec: Any) -> Any:
        node = spec if isinstance(spec, nodes.Node) else getattr(spec, "node", None)
        if node is not None and not (found := support(self.backend, node)):
            raise NotOnThisDevice("; ".join(found.reasons))
        return spec


class _Locked:
    def __init__(self, items: Iterator[Any]) -> None:
        self._items = items
        self._lock = threading.Lock()

    def __iter__(self) -> _Locked:
        return self

    def __next__(self) -> Any:
        with self._lock:
            return next(self._items)


def rows_of(batches: Sequence[Batch], batch_size: int | None = None) -> list[tuple[Any, ...]]:
    """Rows in literal form, see `comparable`; checks each batch's shape and bounds on the way."""
    result: list[tuple[Any, ...]] = []
    for batch in batches:
        assert batch.num_rows > 0
        assert batch_size is None or batch.num_rows <= batch_size
        columns = []
        for column, array in zip(batch.schema, batch.columns, strict=True):
            assert isinstance(array, pa.Array)
            assert len(array) == batch.num_rows
            array.validate(full=True)
            values = [scalars.literal_value(column.type, array, i) for i in range(len(array))]
            bounds = batch.bounds.get(column.id)
            if bounds is not None:
                assert all(v is None or bounds[0] <= v <= bounds[1] for v in values), (column, bounds)
            columns.append([comparable(v) for v in values])
        result += zip(*columns, strict=True) if columns else [()] * batch.num_rows
    return result


def comparable(value: Any) -> Any:
    """NaN as a text, -0.0 as 0.0, doubles without their last digits."""
    if isinstance(value, float):
        if value != value:
            return "nan"
        return float(np.format_float_positional(value, 12, fractional=False)) if abs(value) < 1e300 else value
    return value


def multiset(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows in an order of their own."""
    return sorted(
        rows, key=lambda row: tuple((v is None, str(type(v)), v if v is not None else 0) for v in row)
    )
