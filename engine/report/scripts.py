"""From SQL files to a report: every statement is bound and planned, none is run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ...physical.placement import PlacementContext
from ...planner.binder import bind
from ...planner.errors import Error, SqlError
from ...planner.expr import Expr, Literal
from ...planner.frontend.deep import run_deep
from ...planner.frontend.parse import Parsed, parse_script, split_script
from ...planner.logical import Limit, Plan, transform_plan
from ...planner.messages_catalog import lake_is_read_only
from ...planner.messages_settings import profile_without_gpu
from ...planner.statements import (
    Alter,
    CreateIndex,
    CreateMacro,
    CreateTable,
    CreateView,
    Delete,
    Describe,
    Drop,
    Explain,
    Insert,
    Query,
    ResetVariable,
    SetVariable,
    Show,
    Statement,
    Transaction,
    Update,
)
from ..catalog import MemoryCatalog, new_uid
from ..devices import placement_context
from ..hints import hinted_settings
from ..planning import Planned, plan_query
from ..scripts import line_of, placed
from ..session import Session, told
from ..settings import SettingValues, find_setting
from ..sources.lake import Lake
from ..statements.ddl import may_create
from ..statements.registry import EXECUTORS
from .estimated_table import EstimatedTable, appended, filled_by
from .model import Failure, FileReport, QueryPlan, Report, StatementReport
from .plans import query_plan
from .ranking import ranked

_KINDS: dict[type[Statement], str] = {
    Query: "query",
    CreateTable: "create table",
    CreateView: "create view",
    Insert: "insert",
    Update: "update",
    Delete: "delete",
    Alter: "alter",
    CreateIndex: "create index",
    CreateMacro: "create macro",
    Transaction: "transaction",
    Drop: "drop",
    SetVariable: "set",
    ResetVariable: "set",
    Show: "show",
    Explain: "explain",
    Describe: "describe",
}
_LIMIT = "LIMIT or OFFSET is given by a subquery, which was not run: planned without it"
_PROFILE = "gpu_profile was not set: the report's own profile stays"


def report(files: Iterable[tuple[str, str | Failure]], profile: str, lake: str | None = None) -> Report:
    """The report over files, given as (name, text or why it cannot be read), in this order: what one defines
    the next ones can use. `profile` is a value of the setting gpu_profile.

    SettingsError for a profile that is unknown or has no GPU, IoError for a lake that is none. What is wrong
    in the files is part of the report.
    """
    planner = ScriptPlanner(profile, lake)
    found = tuple(planner.file(name, text) for name, text in files)
    return Report(planner.context().profile, lake, found, ranked(found))


class ScriptPlanner:
    """Plans the statements of scripts, one after another, against a catalog that has what they define."""

    def __init__(self, profile: str, lake: str | None = None) -> None:
        settings = SettingValues({"gpu_profile": profile})
        self._session = Session(MemoryCatalog(None if lake is None else Lake(lake)), settings)
        if not self.context().profile.has_gpu:
            raise profile_without_gpu(profile)

    def context(self, hints: Mapping[str, Any] | None = None) -> PlacementContext:
        """What statements are placed by now, under the settings that a statement's hints give."""
        settings = self._session.settings.overlaid(hints or {})
        return placement_context(settings.planning(), explaining=True, hinted="device" in (hints or {}))

    def file(self, name: str, text: str | Failure) -> FileReport:
        """All statements of a script."""
        if isinstance(text, Failure):
            return FileReport(name, failure=text)
        try:
            pieces = split_script(text)
        except SqlError as error:
            error.sql = error.sql or text
            return FileReport(name, failure=failure(error, text))
        statements = [
            self._statement(number, text, start, end) for number, (start, end) in enumerate(pieces, 1)
        ]
        return FileReport(name, tuple(statements))

    def _statement(self, number: int, text: str, start: int, end: int) -> StatementReport:
        piece = text[start:end]
        line = line_of(text, start)
        try:
            (parsed,) = parse_script(piece)
            depth = parsed.depth + self._session.catalog.snapshot.views_read(piece)
            kind, plan, notes = run_deep(lambda: self._planned(parsed), depth)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is listed, and the rest goes on
            shown = told(error, piece)
            assert isinstance(shown, Error)
            return StatementReport(
                number, line, piece, "error", failure=failure(placed(shown, piece, start, text), text)
            )
        return StatementReport(number, line, piece, kind, plan, notes=tuple(notes))

    def _planned(self, parsed: Parsed) -> tuple[str, QueryPlan | None, list[str]]:
        hints = hinted_settings(parsed.hints)
        context = self._session.bind_context(self._session.catalog.snapshot)
        statement = bind(parsed, context)
        kind = _KINDS.get(type(statement), type(statement).__name__.lower())
        notes: list[str] = []
        query = _query(statement)
        if query is None:
            self._apply(statement, parsed, notes)
            return kind, None, notes
        plan = _without_open_limits(query.plan)
        if plan is not query.plan:
            notes.append(_LIMIT)
        placement = self.context(hints)
        settings = self._session.settings.overlaid(hints).planning()
        planned = plan_query(plan, context.ids, settings, placement=placement, runs=False)
        self._fill(statement, planned)
        return kind, query_plan(planned, placement), notes

    def _fill(self, statement: Statement, planned: Planned) -> None:
        """What a query that makes rows of a table does to the catalog."""
        catalog = self._session.catalog
        if isinstance(statement, CreateTable):
            if may_create(self._session, statement.name, statement, "table"):
                catalog.put_table(filled_by(statement.name, statement.columns, new_uid(), planned.logical))
        elif isinstance(statement, Insert):
            table = catalog.snapshot.tables.get(statement.table.lower())
            if table is None:
                raise lake_is_read_only(statement.table)
            more = filled_by(table.name, table.columns, new_uid(), planned.logical)
            catalog.put_table(appended(table, more))

    def _apply(self, statement: Statement, parsed: Parsed, notes: list[str]) -> None:
        match statement:
            case SetVariable(name=name) | ResetVariable(name=name):
                if find_setting(name).name == "gpu_profile":
                    notes.append(_PROFILE)
                elif isinstance(statement, SetVariable):
                    # Not through the statement's own function: that asks whether this machine has a GPU.
                    self._session.settings.set(name, statement.value)
                else:
                    self._session.settings.reset(name)
            case CreateTable():
                # Not known to be empty: plans for it shall be those for the rows that it is going to have.
                if may_create(self._session, statement.name, statement, "table"):
                    table = EstimatedTable(statement.name, statement.columns, new_uid(), 0)
                    self._session.catalog.put_table(table)
            case Show() | Describe() | Explain() | Delete():
                pass
            case _:
                EXECUTORS[type(statement)](self._session, statement, parsed.sql)


def _query(statement: Statement) -> Query | None:
    """The query whose operators would run, or are explained."""
    match statement:
        case Query():
            return statement
        case CreateTable(query=query):
            return query
        case Insert(query=query) | Update(query=query) | Delete(query=query):
            return query
        case Explain(statement=inner):
            return _query(inner)
        case _:
            return None


def _without_open_limits(plan: Plan) -> Plan:
    """The plan with limits that only running a subquery would tell left out."""

    def visit(node: Plan) -> Plan:
        if not isinstance(node, Limit):
            return node
        limit, offset = _known(node.limit), _known(node.offset)
        if limit is node.limit and offset is node.offset:
            return node
        return replace(node, limit=limit, offset=offset or 0)

    return transform_plan(plan, visit)


def _known(value: int | Expr | None) -> int | None:
    if isinstance(value, Literal):
        return value.value
    return None if isinstance(value, Expr) else value


def failure(error: Error, text: str) -> Failure:
    """An error of a script as the report lists it."""
    if not isinstance(error, SqlError):
        return Failure(type(error).__name__, "", str(error), None, None, None, str(error))
    line = column = None
    if error.span is not None and error.sql == text:
        line = line_of(text, error.span.start)
        column = error.span.start - text.rfind("\n", 0, error.span.start)
    return Failure(error.kind, error.code, error.message, error.hint, line, column, str(error))
