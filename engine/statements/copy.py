"""COPY."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ...physical.batch import Batch
from ...planner.expr import Column
from ...planner.statements import CopyFrom, CopyTo
from ...planner.types import BIGINT, VARCHAR, list_of
from ..outcome import Outcome, rows_outcome
from ..sinks.atomic import replacing
from ..sinks.partitions import by_partition
from ..sinks.writer import open_writer
from .insert import insert

if TYPE_CHECKING:
    from ..session import Session


def copy_to(
    session: Session, statement: CopyTo, sql: str, start: Callable[[], Outcome] | None = None
) -> Outcome:
    """Writes the rows as they come; the file is put in its place when all are there. One row: how many.
    `start` starts the query if it has been planned.
    """
    where = statement.destination
    rows = start() if start is not None else session.run(statement.query, sql)
    counted = [0]

    def batches() -> Iterator[Batch]:
        for batch in rows:
            session.check()
            counted[0] += batch.num_rows
            yield batch

    plan = statement.query.plan.schema
    columns = tuple(
        Column(place, name, kind, column.nullable)
        for place, (name, kind, column) in enumerate(
            zip(statement.query.names, statement.types, plan, strict=True)
        )
    )
    try:
        if where.partition_by:
            files = by_partition(where, columns, batches())
        else:
            if where.folder:
                os.makedirs(where.path, exist_ok=True)
                name = where.pattern.replace("{i}", "0")
                where = replace(where, path=os.path.join(where.path, f"{name}.{where.extension}"))
            with replacing(where.path) as file:
                writer = open_writer(file, where, columns)
                for batch in batches():
                    writer.write(batch)
                writer.close()
                session.check()
            files = [where.path]
    finally:
        rows.close()
    if where.return_files:
        return rows_outcome(["Count", "Files"], [BIGINT, list_of(VARCHAR)], [(counted[0], files)])
    return rows_outcome(["Count"], [BIGINT], [(counted[0],)])


def copy_from(session: Session, statement: CopyFrom, sql: str) -> Outcome:
    """Inserts the file's rows, all or nothing. One row: how many."""
    outcome = insert(session, statement.insert, sql)
    return rows_outcome(["Count"], [BIGINT], [(outcome.changed or 0,)])
