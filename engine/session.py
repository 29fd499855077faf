"""A session: settings, catalog and running queries of one connection; executes statements one after
another.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from ..physical.context import QueryContext
from ..physical.memory import MemoryBroker
from ..physical.tables import MemoryTable
from ..planner.binder import bind
from ..planner.binder.insert_many import GIVEN_ROWS, insert_of_given_rows
from ..planner.errors import Error, GpuWarning, SqlError
from ..planner.expr import Literal
from ..planner.frontend.commands import TransactionCommand
from ..planner.frontend.deep import run_deep
from ..planner.frontend.parse import Parsed, parse_script
from ..planner.logical import Plan
from ..planner.messages_changes import in_transaction, no_transaction, transaction_aborted
from ..planner.messages_runtime import host_memory_short, internal_error, interrupted, threads_short
from ..planner.statements import BindContext, Query
from ..planner.types import SQLType
from .catalog import MemoryCatalog, Snapshot, new_uid
from .devices import asked_elsewhere, backends, placement_context
from .dynamic_limits import resolve_limits
from .given_rows import given_rows, mismatched
from .hints import hinted_settings
from .outcome import Outcome, Running
from .planning import Planned, plan_query
from .profile import Profile
from .runners.local import LocalRun
from .settings import SettingValues
from .sources.frames import Names
from .statements.registry import EXECUTORS
from .transactions import Transaction
from .udf import UserFunctions

T = TypeVar("T")
# What Python says of it, with no class of its own.
_NO_THREAD = "can't start new thread"


@dataclass(frozen=True)
class Described:
    """A query by its text: names and types of its columns, and the Python objects that it names."""

    sql: str
    names: tuple[str, ...]
    types: tuple[SQLType, ...]
    lent: Mapping[str, MemoryTable]


class Session:
    """Executes SQL against a catalog. Not for use by two threads at once, except `interrupt`."""

    def __init__(self, catalog: MemoryCatalog, settings: SettingValues) -> None:
        # What is committed, and what statements read and change: in a transaction its own state.
        self.shared_catalog = catalog
        self.catalog = catalog
        self.settings = settings
        # What the statement at work goes by: the session's settings under its hints.
        self._effective = settings
        self._hints: Mapping[str, Any] = {}
        self.functions = UserFunctions()
        self.memory = MemoryBroker(settings["memory_limit"])
        # What statements told beside their results; whoever executes takes them away.
        self.notices: list[GpuWarning] = []
        # By lower-case name: the texts of PREPARE, the values of SET VARIABLE.
        self.prepared: dict[str, str] = {}
        self.variables: dict[str, Literal] = {}
        self._callers: Names | None = None  # of the statement at work
        self._running: set[LocalRun] = set()
        self._lock = threading.Lock()
        self._interrupted = threading.Event()
        self._depth = 0  # of the plan of the statement at work, at most

    def execute(
        self,
        sql: str,
        parameters: Sequence[Any] | Mapping[str, Any] = (),
        callers: Names | None = None,
    ) -> Outcome | None:
        """Executes a script; earlier statements run to their end, the last one's outcome is returned (None
        for an empty script). FROM may name the variables of `callers`.

        Raises SqlError; the session stays usable.
        """
        self._interrupted.clear()
        outcome: Outcome | None = None
        with _telling(sql):
            try:
                statements = parse_script(sql, self.check)
            except BaseException:
                self._abort()
                raise
        for parsed in statements:
            if outcome is not None:
                for _ in outcome:
                    pass
            # Values are for the last statement, as in DuckDB.
            values = parameters if parsed is statements[-1] else ()
            outcome = self.execute_parsed(parsed, values, callers)
        return outcome

    def insert_many(self, sql: str, rows: Sequence[Sequence[Any] | Mapping[str, Any]]) -> Outcome | None:
        """Executes `INSERT ... VALUES (?, ...)` for all sets of parameters at once: all rows or none. None,
        and nothing done, where the statement has to be executed for each of them.
        """
        self._interrupted.clear()
        with _telling(sql):
            statements = parse_script(sql, self.check)
        found = insert_of_given_rows(statements[0]) if len(statements) == 1 else None
        if found is None:
            return None
        parsed, keys = found
        wrong = mismatched(rows, keys)
        if wrong is not None:
            return self.execute_parsed(statements[0], rows[wrong])  # which says what is wrong with it
        table = given_rows(GIVEN_ROWS, rows, keys, new_uid())
        if table is None:
            return None
        with _telling(sql):
            return self._execute(parsed, (), None, table)

    def describe(self, sql: str, callers: Names | None) -> Described | None:
        """What the one query of a text would give, which is bound only; None where it is no query."""
        self._interrupted.clear()
        with _telling(sql):
            statements = parse_script(sql, self.check)
            if len(statements) != 1:
                return None
            (parsed,) = statements
            snapshot = self.catalog.snapshot.with_callers(callers)
            self._depth = parsed.depth + snapshot.views_read(parsed.text)
            context = self.bind_context(snapshot)
            statement = self.deep(lambda: bind(parsed, context))
        if not isinstance(statement, Query):
            return None
        types = tuple(column.type for column in statement.plan.schema)
        return Described(parsed.text, statement.names, types, snapshot.borrowed)

    def check(self) -> None:
        """InterruptError once the statement at work is interrupted: asked while it is parsed, bound and
        planned, and before it changes the catalog. A running query is cancelled by itself.
        """
        if self._interrupted.is_set():
            raise interrupted()

    @property
    def transaction(self) -> Transaction | None:
        """The transaction that was begun, if it has not ended."""
        return self.catalog if isinstance(self.catalog, Transaction) else None

    def begin(self, read_only: bool = False) -> None:
        """Begins a transaction. TransactionError in another one."""
        if self.transaction is not None:
            raise in_transaction()
        self.catalog = Transaction(self.shared_catalog, read_only)

    def commit(self) -> None:
        """Ends the transaction; what it changed can be seen by others, unless a statement of it failed."""
        own = self.transaction
        if own is None:
            raise no_transaction("commit")
        self.catalog = self.shared_catalog
        if not own.aborted:
            own.commit()

    def rollback(self) -> None:
        """Ends the transaction; what it changed is gone."""
        if self.transaction is None:
            raise no_transaction("rollback")
        self.catalog = self.shared_catalog

    def _abort(self) -> None:
        if (own := self.transaction) is not None:
            own.aborted = True

    def execute_parsed(
        self,
        parsed: Parsed,
        parameters: Sequence[Any] | Mapping[str, Any] = (),
        callers: Names | None = None,
    ) -> Outcome:
        """Executes one statement. In a transaction, nothing more can be executed after one that fails."""
        ends = isinstance(parsed.ast, TransactionCommand) and parsed.ast.kind != "begin"
        with _telling(parsed.sql):
            if self.transaction is not None and self.transaction.aborted and not ends:
                raise transaction_aborted()
            try:
                return self._execute(parsed, parameters, callers)
            except BaseException:
                self._abort()
                raise
            finally:
                # The caller's frame holds whatever is named in it.
                self._callers = None

    def execute_inner(self, parsed: Parsed, parameters: Sequence[Any] | Mapping[str, Any]) -> Outcome:
        """Executes a statement that the one at work stands for."""
        with _telling(parsed.sql):
            return self._execute(parsed, parameters, self._callers)

    def deep(self, work: Callable[[], T]) -> T:
        """What `work` returns, which recurses as deep as the plan of the statement at work. It only makes
        things, and changes nothing outside of them: it runs on another thread if it needs the room.
        """
        return run_deep(work, self._depth, self._interrupted.set)

    def _execute(
        self,
        parsed: Parsed,
        parameters: Sequence[Any] | Mapping[str, Any],
        callers: Names | None,
        lent: MemoryTable | None = None,
    ) -> Outcome:
        start = time.perf_counter()
        self._callers = callers
        snapshot = self.catalog.snapshot.with_callers(callers)
        if lent is not None:
            snapshot = snapshot.lending(lent)
        self._depth = parsed.depth + snapshot.views_read(parsed.text)
        self._depth += sum(macro.depth for macro in snapshot.macros.values())
        self._hints = hinted_settings(parsed.hints)
        self._effective = self.settings.overlaid(self._hints) if self._hints else self.settings
        context = self.bind_context(snapshot, parameters)
        statement = self.deep(lambda: bind(parsed, context))
        self._bind_ms = (time.perf_counter() - start) * 1000
        self._ids = context.ids
        return EXECUTORS[type(statement)](self, statement, parsed.sql)

    def bind_context(
        self, snapshot: Snapshot, parameters: Sequence[Any] | Mapping[str, Any] = ()
    ) -> BindContext:
        """The context in which a statement of this session is bound."""
        context = BindContext(
            snapshot,
            self.settings,
            parameters,
            check=self.check,
            functions=self.functions.signatures,
            variables=self.variables,
            rows=lambda plan: self._rows_now(plan, context),
            macros=snapshot.macros,
        )
        return context

    def _rows_now(self, plan: Plan, context: BindContext) -> list[str]:
        """The values of a plan of one column, which the statement at work must know to be bound."""
        self._ids, self._bind_ms = context.ids, 0.0
        outcome = self.run(Query(plan, ("value",)), "")
        return [value for batch in outcome for value in batch.columns[0].to_pylist()]

    def plan(self, plan: Plan, sql: str, *, explaining: bool = False) -> Planned:
        """Optimises and creates the physical plan of a plan bound by the current statement; `explaining`
        places it for the machine of the `gpu_profile` setting, which may not be this one.
        """
        plan = resolve_limits(plan, self, self._ids, sql)
        settings = self._effective.planning()
        placement = placement_context(settings, explaining=explaining, hinted="device" in self._hints)
        planned = self.deep(
            lambda: plan_query(
                plan, self._ids, settings, placement=placement, runs=not explaining, check=self.check
            )
        )
        planned.milliseconds = {"bind": self._bind_ms, **planned.milliseconds}
        return planned

    def run(self, query: Query, sql: str) -> Outcome:
        """Plans and starts a query."""
        return self.start(self.plan(query.plan, sql), query, sql)

    def start(self, planned: Planned, query: Query, sql: str) -> Outcome:
        """Starts a planned query."""
        context = QueryContext(self._effective.frozen(), self.memory, functions=self.functions.by_number)
        elsewhere, types = self.deep(
            lambda: (
                list(asked_elsewhere(planned.root, self._effective)),
                [column.type for column in query.plan.schema],
            )
        )
        context.fall_back(elsewhere)
        profile = Profile(
            planning=planned.milliseconds,
            root=planned.root,
            threads=context.threads,
            fallbacks=context.fallbacks,
        )
        with self._lock:
            # Under the lock, so that a run that ends at once is not discarded before it is there, and that
            # `interrupt` either finds the run or is seen here.
            self.check()
            run = LocalRun(planned.pipelines, context, backends(), self._ended)
            self._running.add(run)
        running = Running(run, profile)
        batches = _with_sql(running, sql, self.transaction)
        return Outcome(query.names, types, batches, profile=profile, close=running.finish)

    def _ended(self, run: LocalRun) -> None:
        with self._lock:
            self._running.discard(run)

    def _runs(self) -> list[LocalRun]:
        with self._lock:
            return list(self._running)

    def interrupt(self) -> None:
        """Cancels all running queries and the statement being planned; may be called from any thread."""
        self._interrupted.set()
        for run in self._runs():
            run.cancel()

    def close(self) -> None:
        """Cancels running queries and waits until no thread works for them."""
        for run in self._runs():
            run.join()


def _with_sql(running: Running, sql: str, transaction: Transaction | None) -> Any:
    """The run's batches; an error gets the SQL text that its span refers to, and aborts the transaction."""
    with _telling(sql):
        try:
            yield from running.batches()
        except Exception:
            if transaction is not None:
                transaction.aborted = True
            raise


@contextmanager
def _telling(sql: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        known = told(error, sql)
        if known is error:
            raise  # its cause, such as what a Python function raised, stays
        raise known from error


def told(error: Exception, sql: str) -> Exception:
    """The error as users may see it: with the SQL text; what the system refuses as out of memory, a bug of
    ours as an internal error.
    """
    if isinstance(error, MemoryError):
        return host_memory_short()
    if isinstance(error, RuntimeError) and str(error) == _NO_THREAD:
        return threads_short()
    if not isinstance(error, Error):
        return internal_error(error)
    if isinstance(error, SqlError) and error.sql is None:
        error.sql = sql
    return error
