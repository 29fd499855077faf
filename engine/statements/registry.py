"""The table of statement kinds: which function executes each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...planner import statements as kinds
from ..outcome import Outcome
from . import (
    alter,
    changes,
    copy,
    ddl,
    describe,
    explain,
    index,
    insert,
    macro,
    prepared,
    query,
    settings,
    transaction,
)

if TYPE_CHECKING:
    from ..session import Session

# A function gets the session, the bound statement, and the statement's SQL text.
Execute = Callable[["Session", Any, str], Outcome]

EXECUTORS: dict[type[kinds.Statement], Execute] = {
    kinds.Query: query.execute_query,
    kinds.CopyTo: copy.copy_to,
    kinds.CopyFrom: copy.copy_from,
    kinds.CreateTable: ddl.create_table,
    kinds.CreateIndex: index.create_index,
    kinds.CreateMacro: macro.create_macro,
    kinds.CreateView: ddl.create_view,
    kinds.Alter: alter.alter,
    kinds.RenameView: alter.rename_view,
    kinds.Drop: ddl.drop,
    kinds.Insert: insert.insert,
    kinds.Update: changes.update,
    kinds.Delete: changes.delete,
    kinds.Transaction: transaction.transaction,
    kinds.SetVariable: settings.set_variable,
    kinds.ResetVariable: settings.reset_variable,
    kinds.SetUserVariable: prepared.set_user_variable,
    kinds.Prepare: prepared.prepare,
    kinds.Execute: prepared.execute,
    kinds.Deallocate: prepared.deallocate,
    kinds.Show: settings.show,
    kinds.Accepted: settings.accept,
    kinds.Explain: explain.explain,
    kinds.Describe: describe.describe,
}
