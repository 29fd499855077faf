"""EXPLAIN [ANALYZE]."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...planner.messages_query import not_explained
from ...planner.statements import CreateTable, Explain, Insert, Query, Statement
from ...planner.types import VARCHAR
from ..explain.costs import plan_costs
from ..explain.json_form import explain_json
from ..explain.text import explain_text
from ..outcome import Outcome, rows_outcome

if TYPE_CHECKING:
    from ..session import Session


def explain(session: Session, statement: Explain, sql: str) -> Outcome:
    """The plan as one row (explain_key, explain_value), as DuckDB lays it out; with ANALYZE the query runs
    first, its rows are dropped.
    """
    query = _query(statement.statement)
    planned = session.plan(query.plan, sql, explaining=not statement.analyze)
    profile = note = costs = None
    if statement.cost:
        costs = plan_costs(planned.root, planned.created, planned.placement)
    if statement.analyze:
        outcome = session.start(planned, query, sql)
        for _ in outcome:
            pass
        profile = outcome.profile
        note = analyzed_here(session.settings["gpu_profile"])
    explained = explain_json if statement.format == "json" else explain_text
    text = explained(planned.root, profile, note, costs)
    key = "analyzed_plan" if statement.analyze else "physical_plan"
    return rows_outcome(["explain_key", "explain_value"], [VARCHAR, VARCHAR], [(key, text)])


def analyzed_here(gpu_profile: str) -> str:
    """Where an analyzed query ran: what EXPLAIN says of a GPU of a profile is not what happened."""
    ran = "the query ran on this machine's CPU"
    if gpu_profile == "none":
        return ran
    return f"{ran}; gpu_profile = '{gpu_profile}' changes only what EXPLAIN without ANALYZE shows"


def _query(statement: Statement) -> Query:
    match statement:
        case Query():
            return statement
        case CreateTable(query=Query() as query) | Insert(query=query):
            return query
        case _:
            raise not_explained()
