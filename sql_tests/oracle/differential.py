"""One query on two engines: the outcome, and the pairs of databases it runs on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from oracle.compare import difference
from oracle.datasets import Dataset
from oracle.engines import Engine, EngineCrash, EngineError, Result, connect
from oracle.queries import Query

ALWAYS_EVALUATED = "arith_int arith_decimal arith_double cast string_fn numeric_fn date_extract date_arith"
MUST_RAISE = frozenset(f"{ALWAYS_EVALUATED} compare is_null distinct_from".split())
"""A query of these features alone evaluates every row, so that it must raise where the oracle does.

Elsewhere the oracle may evaluate rows that another plan drops first (below a join, behind AND): either
may raise.
"""


@dataclass(frozen=True)
class Outcome:
    """What came of a query.

    `kind` is "same", "both raise", "oracle raises" and "oracle skips" (it drops the failing rows before they
    are computed; neither is counted against us), or a failure:
    "mismatch", "raises", "should raise", "unsupported", "crash".
    """

    kind: str
    detail: str = ""
    rows: int = 0

    @property
    def failed(self) -> bool:
        return self.kind in FAILURES

    @property
    def group(self) -> str:
        """What failures of one cause mostly share: the kind and the detail without names, numbers and
        texts.
        """
        if self.kind == "mismatch":
            return f"mismatch: {self.detail.partition(': ')[2] if ': type' in self.detail else 'rows'}"
        text = re.sub(
            r"'[^']*'|\"[^\"]*\"", "'...'", self.detail.strip().splitlines()[0] if self.detail.strip() else ""
        )
        return f"{self.kind}: {re.sub(r'[-]?[0-9]+', 'N', text)[:150]}"


FAILURES = ("mismatch", "raises", "should raise", "unsupported", "crash")


class Pair:
    """The oracle and the engine under test, each with the dataset's tables.

    `setup` and `oracle_setup` replace the statements that make the tables, for other ways to store them.
    """

    def __init__(
        self,
        engine: str,
        data: Dataset,
        settings: dict[str, str] | None = None,
        *,
        setup: Sequence[str] | None = None,
        oracle_setup: Sequence[str] | None = None,
    ) -> None:
        self.data = data
        self.oracle = connect("duckdb", data.setup() if oracle_setup is None else oracle_setup)
        self.engine = connect(engine, data.setup() if setup is None else setup)
        for setting, value in (settings or {}).items():
            self.engine.set(setting, value)

    def close(self) -> None:
        self.oracle.close()
        self.engine.close()

    def check(self, query: Query) -> Outcome:
        """Run the query on both, the oracle first."""
        return compare_engines(self.oracle, self.engine, query)


def compare_engines(oracle: Engine, engine: Engine, query: Query) -> Outcome:
    try:
        expected = oracle.execute(query.sql)
    except EngineError as error:
        return _oracle_raised(engine, query, error)
    try:
        actual = engine.execute(query.sql)
    except EngineError as error:
        if error.unsupported:
            return Outcome("unsupported", error.message, len(expected.rows))
        kind = "oracle skips" if oracle.raises_as_written(query.sql) else "raises"
        return Outcome(kind, error.message, len(expected.rows))
    except EngineCrash as crash:
        return Outcome("crash", str(crash), len(expected.rows))
    found = difference(expected, actual, ordered=query.ordered)
    return Outcome("mismatch" if found else "same", found or "", len(expected.rows))


def _oracle_raised(engine: Engine, query: Query, error: EngineError) -> Outcome:
    if error.phase == "bind":
        return Outcome("oracle raises", error.headline)
    try:
        engine.execute(query.sql)
    except EngineError as ours:
        return Outcome("unsupported" if ours.unsupported else "both raise", ours.message)
    except EngineCrash as crash:
        return Outcome("crash", str(crash))
    if query.features <= MUST_RAISE:
        return Outcome("should raise", error.headline)
    return Outcome("oracle raises", error.headline)


@dataclass
class Tally:
    """Counts over many queries: outcomes, features, non-empty results; on a GPU the operators that ran there
    and the reasons of those that did not.
    """

    queries: int = 0
    operators: int = 0
    fallbacks: Counter[str] = field(default_factory=Counter)
    nonempty: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)

    def add(self, query: Query, outcome: Outcome) -> None:
        self.queries += 1
        self.nonempty += bool(outcome.rows)
        self.kinds[outcome.kind] += 1
        self.features.update(query.features)

    def add_engine(self, engine: Engine) -> None:
        """What an engine on a GPU counted over all its queries."""
        self.operators += getattr(engine, "operators", 0)
        self.fallbacks.update(getattr(engine, "fallbacks", {}))


def run_on(engine: Engine, sql: str) -> Result | str:
    """The result, or the error's message."""
    try:
        return engine.execute(sql)
    except (EngineError, EngineCrash) as error:
        return f"{type(error).__name__}: {error}"
