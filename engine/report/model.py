"""What a report holds. Pure data: `text`, `json_form` and `html` write it.

Sizes are bytes and times seconds; all of them are estimates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from ...physical.nodes import Node
from ...physical.profiles import HardwareProfile


class Kind(Enum):
    """What keeps an operator on the CPU: the GPU cannot run it; it could, and is estimated to be no faster; a
    statement asked for the CPU.
    """

    UNSUPPORTED = "unsupported"
    COST = "cost"
    ASKED = "asked"


@dataclass(frozen=True, slots=True)
class Cause:
    """Why an operator is not on the GPU: in the words of its plan, and the `topic` that it is counted as."""

    kind: Kind
    text: str
    topic: str


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator of a placed plan; `number` counts them in the order of the plan's text, from 1, `depth` is
    the number of operators above it. `gpu_seconds` is None where the GPU cannot run it; both times are
    without its inputs. `moves` marks a transfer, which is no work of its own.
    """

    number: int
    depth: int
    inputs: tuple[int, ...]
    title: str
    details: tuple[str, ...]
    device: str
    reason: str
    causes: tuple[Cause, ...]
    rows: float
    bytes: float
    input_bytes: float
    cpu_seconds: float
    gpu_seconds: float | None
    moves: bool


@dataclass(frozen=True)
class QueryPlan:
    """A query placed for the report's machine. `seconds` is what it is estimated to take as placed, and
    `cpu_seconds` on the CPU alone; `saved[topic]` what would be saved if that reason alone were gone.
    """

    root: Node
    operators: tuple[Operator, ...]
    seconds: float
    cpu_seconds: float
    bytes_up: float
    bytes_down: float
    saved: dict[str, float]

    def on(self, device: str) -> list[Operator]:
        """The operators on a device, transfers left out."""
        return [o for o in self.operators if o.device == device and not o.moves]

    @property
    def work(self) -> tuple[float, float]:
        """(on the GPU, all): work is the time that the CPU would need for it."""
        on_gpu = sum(o.cpu_seconds for o in self.on("GPU"))
        return on_gpu, on_gpu + sum(o.cpu_seconds for o in self.on("CPU"))


@dataclass(frozen=True)
class Failure:
    """An error: its heading and text, its place (`line` and `column` from 1, None where it has none), and the
    whole as it is shown, with the line of SQL and a caret.
    """

    kind: str
    code: str
    message: str
    hint: str | None
    line: int | None
    column: int | None
    shown: str


@dataclass(frozen=True)
class StatementReport:
    """One statement: with a `plan` if it has a query to place, with a `failure` if it is wrong, else it has
    only been applied to the catalog or the settings. `notes` say what was assumed.
    """

    number: int
    line: int
    sql: str
    kind: str
    plan: QueryPlan | None = None
    failure: Failure | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class FileReport:
    """One file; `failure` says why none of its statements could be looked at."""

    path: str
    statements: tuple[StatementReport, ...] = ()
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """How much a reason hits: queries, operators, and the bytes that these operators read. `saved` are the
    seconds that the queries would save if this reason alone were gone. `places`: (file, line, operator) of
    the first ones.
    """

    kind: Kind
    topic: str
    queries: int
    operators: int
    bytes: float
    saved: float
    places: tuple[tuple[str, int, str], ...]


@dataclass(frozen=True)
class Report:
    """The whole report for a machine of `profile`; `reasons` with the most bytes first."""

    profile: HardwareProfile
    lake: str | None
    files: tuple[FileReport, ...]
    reasons: tuple[ReasonCount, ...] = field(default=())

    def statements(self) -> Iterator[tuple[FileReport, StatementReport]]:
        """Every statement with its file."""
        for file in self.files:
            for statement in file.statements:
                yield file, statement

    def plans(self) -> list[QueryPlan]:
        """The plans of all queries."""
        return [s.plan for _, s in self.statements() if s.plan is not None]

    @property
    def failures(self) -> int:
        """Statements and files that could not be planned."""
        return sum(f.failure is not None for f in self.files) + sum(
            s.failure is not None for _, s in self.statements()
        )


def share(part: float, whole: float) -> float | None:
    """part / whole; None of nothing."""
    return part / whole if whole else None
