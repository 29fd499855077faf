"""The measuring loop: every engine gets every text, in turns, and every result is checked."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

import pyarrow as pa

from . import parameters, texts, verify
from .client import Client, WorkerError

SUBJECT: Final = "tandemdb"
ORACLE: Final = "duckdb"


@dataclass
class Cell:
    """One engine on one query.

    Attributes:
        times: seconds of each counted run, planning included.
        first: seconds of the first run of the query in the process, if there was a warm-up.
        peak_bytes: the largest resident memory of the engine's process during any run.
        rows: rows of the last result.
        problem: why the engine could not run the query or what is wrong with its result; then it is not run
            again.
        fallbacks: fallbacks that the engine counted, over all runs.
        uncounted: fallbacks that the engine's profile shows but that it did not count.
    """

    times: list[float] = field(default_factory=list)
    first: float | None = None
    peak_bytes: int = 0
    rows: int = 0
    problem: str | None = None
    fallbacks: list[str] = field(default_factory=list)
    uncounted: list[str] = field(default_factory=list)

    @property
    def median(self) -> float | None:
        """Median seconds; None if there is no valid time."""
        return median(self.times) if self.times and self.problem is None else None


Cells = Mapping[int, Mapping[str, Cell]]


@dataclass(frozen=True)
class Schedule:
    """What to run.

    Attributes:
        queries: numbers, in this order.
        runs: counted runs, each with literals of its own.
        warmup: runs before them with the validation literals, checked but not timed.
        seed: what the literals are drawn from.
        scale: the lake's scale factor.
    """

    queries: Sequence[int]
    runs: int
    warmup: int
    seed: int
    scale: float

    def texts(self) -> Iterator[tuple[int, int, str]]:
        """(round, query, text) of all runs in order; rounds below zero are warm-up."""
        for turn in range(-self.warmup, self.runs):
            for query in self.queries:
                if turn < 0:
                    values = parameters.validation(query, self.scale)
                else:
                    values = parameters.draw(query, self.seed, turn, self.scale)
                yield turn, query, texts.render(query, values)


def measure(
    schedule: Schedule, clients: Mapping[str, Client], report: Callable[[int, int], None]
) -> dict[int, dict[str, Cell]]:
    """Run the schedule on all engines; cells by query and engine.

    Engines alternate query by query, and the one that starts changes, so that none always finds the machine
    as the same neighbour left it. `report` is told the round and the query before each.
    """
    cells = {query: {name: Cell() for name in clients} for query in schedule.queries}
    names = list(clients)
    for position, (turn, query, text) in enumerate(schedule.texts()):
        report(turn, query)
        shift = position % len(names)
        results: dict[str, pa.Table] = {}
        for name in names[shift:] + names[:shift]:
            cell = cells[query][name]
            if cell.problem is None:
                result = _run(clients[name], text, turn, cell)
                if result is not None:
                    results[name] = result
        _check(cells[query], results, clients, text)
    return cells


def _run(client: Client, text: str, turn: int, cell: Cell) -> pa.Table | None:
    """One run of one text; None if the engine could not."""
    try:
        reply, table = client.run(text)
    except WorkerError as error:
        cell.problem = str(error)
        return None
    if turn >= 0:
        cell.times.append(reply["seconds"])
    if cell.first is None:
        cell.first = reply["seconds"]
    cell.peak_bytes = max(cell.peak_bytes, reply["peak_bytes"])
    cell.rows = reply["rows"]
    cell.fallbacks.extend(reply["fallbacks"])
    cell.uncounted.extend(reply["uncounted"])
    return table


def _check(
    cells: Mapping[str, Cell], results: Mapping[str, pa.Table], clients: Mapping[str, Client], text: str
) -> None:
    """Compare every result with the oracle's, and note what differs as the cell's problem."""
    keys, limit = texts.ordering(text)

    def unlimited() -> pa.Table:
        return clients[ORACLE].run(texts.without_limit(text))[1]

    order = verify.Order(keys, unlimited if limit is not None else None)
    for name, result in results.items():
        if name == ORACLE:
            continue
        if ORACLE not in results:
            if name == SUBJECT:
                cells[name].problem = f"not verified: {ORACLE} failed: {cells[ORACLE].problem}"
            continue
        rules = verify.STRICT if name == SUBJECT else verify.LENIENT
        differences = verify.compare(results[ORACLE], result, order, rules)
        if differences:
            cells[name].problem = "wrong: " + "; ".join(differences)
