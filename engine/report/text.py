"""The report for a terminal: every query's plan, then what keeps the most from the GPU."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from ...physical.memory import human_bytes
from ...physical.placement import seconds
from ..explain.text import explain_text
from .model import FileReport, ReasonCount, Report, StatementReport
from .words import KINDS, READING, basis, first_words, machine, percent, query_line, totals


def report_text(report: Report) -> str:
    """The whole report; the summary stands at the end, where a terminal shows it."""
    lines = [f"Why not on the GPU: {machine(report)}", basis(report)]
    for file in report.files:
        lines += ["", *_file(file)]
    lines += ["", "Summary", "-------", *_overview(report), "", *_reasons(report.reasons), "", totals(report)]
    return "\n".join(lines) + "\n"


def _file(file: FileReport) -> Iterator[str]:
    yield f"== {file.path}"
    if file.failure is not None:
        yield from _indented(file.failure.shown)
    for statement in file.statements:
        yield from _statement(statement)


def _statement(statement: StatementReport) -> Iterator[str]:
    yield ""
    yield f"-- statement {statement.number}, line {statement.line}: {first_words(statement.sql)}"
    for note in statement.notes:
        yield f"   note: {note}"
    if statement.failure is not None:
        yield from _indented(statement.failure.shown)
    elif statement.plan is None:
        yield f"   {statement.kind}: no operators"
    else:
        yield f"   {query_line(statement.plan)}"
        yield from _indented(explain_text(statement.plan.root))


def _indented(text: str) -> list[str]:
    return [f"   {line}".rstrip() for line in text.splitlines()]


def _overview(report: Report) -> Iterator[str]:
    rows = [("on GPU", "GPU/CPU operators", "estimated", "CPU alone", "query")]
    for file, statement in report.statements():
        where = f"{file.path}:{statement.line}"
        if statement.failure is not None:
            rows.append(
                ("-", "-", "-", "-", f"{where}  {statement.failure.kind}: {statement.failure.message}")
            )
        elif (plan := statement.plan) is not None:
            rows.append(
                (
                    percent(*plan.work),
                    f"{len(plan.on('GPU'))}/{len(plan.on('CPU'))}",
                    seconds(plan.seconds),
                    seconds(plan.cpu_seconds),
                    where,
                )
            )
    yield from _columns(rows)
    for file in report.files:
        if file.failure is not None:
            yield f"{file.path}: {file.failure.kind}: {file.failure.message}"


def _reasons(reasons: tuple[ReasonCount, ...]) -> Iterator[str]:
    if not reasons:
        yield "Nothing is kept from the GPU."
        return
    yield from wrap(READING, 100)
    yield ""
    rows = [("bytes", "operators", "queries", "saves", "reason")]
    kind = None
    for reason in reasons:
        if reason.kind is not kind:
            kind = reason.kind
            rows.append(("", "", "", "", f"[{KINDS[kind]}]"))
        counts = human_bytes(reason.bytes), str(reason.operators), str(reason.queries)
        rows.append((*counts, seconds(reason.saved) if reason.saved else "-", reason.topic))
    yield from _columns(rows)


def _columns(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Rows with every column but the last one right-aligned."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  ".join([*cells, row[-1]]).rstrip()
