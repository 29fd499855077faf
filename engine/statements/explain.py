"""EXPLAIN [ANALYZE]."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...physical.batch import Device
from ...physical.nodes import Node, Transfer, walk_nodes
from ...planner.messages_query import not_explained
from ...planner.statements import (
    CopyFrom,
    CopyTo,
    CreateTable,
    Delete,
    Explain,
    Insert,
    Query,
    Statement,
    Update,
)
from ...planner.types import VARCHAR
from ..explain.costs import plan_costs
from ..explain.json_form import explain_json
from ..explain.text import explain_text
from ..outcome import Outcome, rows_outcome
from ..planning import Planned
from ..profile import Profile
from .changes import delete, update
from .copy import copy_to
from .ddl import create_table
from .insert import insert

if TYPE_CHECKING:
    from ..session import Session


def explain(session: Session, statement: Explain, sql: str) -> Outcome:
    """The plan as one row (explain_key, explain_value), as DuckDB lays it out; with ANALYZE the
    statement runs first; the rows of a query are dropped.
    """
    query = _query(statement.statement)
    planned = session.plan(query.plan, sql, explaining=not statement.analyze)
    profile = note = costs = None
    if statement.cost:
        costs = session.deep(lambda: plan_costs(planned.root, planned.created, planned.placement))
    if statement.analyze:
        profile = _analyzed(session, statement.statement, planned, sql)
        note = analyzed_here(planned.root, profile, session.settings["gpu_profile"])
    explained = explain_json if statement.format == "json" else explain_text
    text = session.deep(lambda: explained(planned.root, profile, note, costs))
    key = "analyzed_plan" if statement.analyze else "physical_plan"
    return rows_outcome(["explain_key", "explain_value"], [VARCHAR, VARCHAR], [(key, text)])


def _analyzed(session: Session, statement: Statement, planned: Planned, sql: str) -> Profile:
    started: list[Outcome] = []

    def start() -> Outcome:
        started.append(session.start(planned, _query(statement), sql))
        return started[0]

    match statement:
        case CopyTo():
            copy_to(session, statement, sql, start)
        case CopyFrom():
            insert(session, statement.insert, sql, start)
        case Insert():
            insert(session, statement, sql, start)
        case Update():
            update(session, statement, sql, start)
        case Delete():
            delete(session, statement, sql, start)
        case CreateTable():
            create_table(session, statement, sql, start)
    # A query, or one whose table is there already (IF NOT EXISTS).
    for _ in () if started else start():
        pass
    return started[0].profile


def analyzed_here(root: Node, profile: Profile, gpu_profile: str) -> str:
    """Where an analyzed query ran, by what its operators counted: what EXPLAIN says of a GPU of a profile is
    not what happened.
    """
    counted = [
        profile.operators[node.op_id]
        for node in walk_nodes(root)
        if node.op_id in profile.operators and not isinstance(node, Transfer)
    ]
    # A bridge is an operator of the GPU whose expressions run on the CPU.
    on_cpu = sum(found.device is Device.CPU or "bridged_rows" in found.extra for found in counted)
    if all(found.device is Device.CPU for found in counted):
        ran = "the query ran on this machine's CPU"
    else:
        ran = "the query ran on this machine's GPU"
        ran += f" and, in {on_cpu} of {len(counted)} operators, on its CPU" if on_cpu else ""
    if gpu_profile == "none":
        return ran
    return f"{ran}; gpu_profile = '{gpu_profile}' changes only what EXPLAIN without ANALYZE shows"


def _query(statement: Statement) -> Query:
    match statement:
        case Query():
            return statement
        case CopyFrom(insert=Insert(query=query)):
            return query
        case CreateTable(query=Query() as query) | CopyTo(query=query) | Insert(query=query):
            return query
        case Update(query=query):
            return query
        case Delete(query=Query() as query):
            return query
        case _:
            raise not_explained()
