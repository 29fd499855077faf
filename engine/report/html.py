"""The report as one HTML page: no script, no font or image from elsewhere, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from ...physical.memory import human_bytes
from ...physical.placement import seconds
from ..explain.text import human_count
from .model import Failure, FileReport, Operator, QueryPlan, ReasonCount, Report, StatementReport
from .words import KINDS, READING, basis, first_words, machine, percent, query_line, totals

_STYLE = """
:root { color-scheme: light dark; --line: #8885; --gpu: #2e7d32; --cpu: #b45309; --bad: #c62828; }
@media (prefers-color-scheme: dark) { :root { --gpu: #81c784; --cpu: #ffb74d; --bad: #ef9a9a; } }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem; border-bottom: 1px solid var(--line); }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); border-radius: .3rem; }
summary { cursor: pointer; padding: .3rem 0; }
details details { margin-left: 1rem; }
.scroll { overflow-x: auto; }
.op { padding-left: calc(var(--depth) * 1.2rem); white-space: nowrap; }
.what, .note { opacity: .75; font-size: .9em; white-space: normal; overflow-wrap: anywhere; }
.GPU { color: var(--gpu); font-weight: 600; } .CPU { color: var(--cpu); font-weight: 600; }
.bad { color: var(--bad); }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def report_html(report: Report) -> str:
    """A whole page. Everything that comes from the files or the lake is escaped."""
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(_POLICY)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Why not on the GPU: {escape(report.profile.name)}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        "<h1>Why not on the GPU</h1>",
        f"<p>{escape(machine(report))}.</p>",
        f"<p><strong>{escape(basis(report))}</strong></p>",
        f"<p>{escape(totals(report))}.</p>",
        *_reasons(report.reasons),
        *_overview(report),
        "<h2>Plans</h2>",
    ]
    for place, file in enumerate(report.files, 1):
        lines += _file(place, file)
    return "\n".join([*lines, "</body>", "</html>"]) + "\n"


def _table(heads: list[tuple[str, str]], rows: list[list[str]]) -> Iterator[str]:
    """A table; each head has its text and its class, which its cells have too. Cells are HTML."""
    yield '<div class="scroll"><table>'
    yield "<tr>" + "".join(f'<th class="{kind}">{escape(text)}</th>' for text, kind in heads) + "</tr>"
    for row in rows:
        cells = (f'<td class="{kind}">{cell}</td>' for cell, (_, kind) in zip(row, heads, strict=True))
        yield "<tr>" + "".join(cells) + "</tr>"
    yield "</table></div>"


def _reasons(reasons: tuple[ReasonCount, ...]) -> Iterator[str]:
    yield "<h2>Reasons</h2>"
    if not reasons:
        yield "<p>Nothing is kept from the GPU.</p>"
        return
    yield f'<p class="note">{escape(READING)}</p>'
    heads = [
        ("reason", ""),
        ("kind", ""),
        ("queries", "n"),
        ("operators", "n"),
        ("bytes", "n"),
        ("saves", "n"),
    ]
    rows = [
        [
            escape(r.topic),
            escape(KINDS[r.kind]),
            str(r.queries),
            str(r.operators),
            human_bytes(r.bytes),
            seconds(r.saved) if r.saved else "-",
        ]
        for r in reasons
    ]
    yield from _table(heads, rows)


def _overview(report: Report) -> Iterator[str]:
    yield "<h2>Queries</h2>"
    heads = [
        ("query", ""),
        ("work on the GPU", "n"),
        ("operators GPU", "n"),
        ("operators CPU", "n"),
        ("estimated", "n"),
        ("on the CPU alone", "n"),
    ]
    rows = []
    for place, file in enumerate(report.files, 1):
        if file.failure is not None:
            rows.append([_link(place, 0, file.path), _short(file.failure), "", "", "", ""])
        for statement in file.statements:
            link = _link(place, statement.number, f"{file.path}:{statement.line}")
            if statement.failure is not None:
                rows.append([link + " " + _short(statement.failure), "", "", "", "", ""])
            elif (plan := statement.plan) is not None:
                counts = str(len(plan.on("GPU"))), str(len(plan.on("CPU")))
                times = seconds(plan.seconds), seconds(plan.cpu_seconds)
                rows.append([link, percent(*plan.work), *counts, *times])
    yield from _table(heads, rows)


def _link(file: int, statement: int, text: str) -> str:
    return f'<a href="#f{file}s{statement}">{escape(text)}</a>'


def _short(failure: Failure) -> str:
    return f'<span class="bad">{escape(failure.kind)}: {escape(failure.message)}</span>'


def _file(place: int, file: FileReport) -> Iterator[str]:
    yield f'<details open id="f{place}s0"><summary><strong>{escape(file.path)}</strong></summary>'
    if file.failure is not None:
        yield f'<pre class="bad">{escape(file.failure.shown)}</pre>'
    for statement in file.statements:
        yield from _statement(place, statement)
    yield "</details>"


def _statement(place: int, statement: StatementReport) -> Iterator[str]:
    failed = statement.failure is not None
    told = "failed" if failed else statement.kind
    if statement.plan is not None:
        told = query_line(statement.plan)
    head = f"line {statement.line}: <code>{escape(first_words(statement.sql))}</code> {escape(told)}"
    opened = " open" if failed else ""
    kind = ' class="bad"' if failed else ""
    yield f'<details{opened} id="f{place}s{statement.number}"><summary{kind}>{head}</summary>'
    yield f"<pre>{escape(statement.sql)}</pre>"
    for note in statement.notes:
        yield f'<p class="note">{escape(note)}</p>'
    if statement.failure is not None:
        yield f'<pre class="bad">{escape(statement.failure.shown)}</pre>'
    if statement.plan is not None:
        yield from _plan(statement.plan)
    yield "</details>"


def _plan(plan: QueryPlan) -> Iterator[str]:
    heads = [
        ("operator", ""),
        ("device", ""),
        ("rows", "n"),
        ("bytes", "n"),
        ("GPU", "n"),
        ("CPU", "n"),
        ("why", ""),
    ]
    yield from _table(heads, [_operator(operator) for operator in plan.operators])
    up, down = human_bytes(plan.bytes_up), human_bytes(plan.bytes_down)
    yield f'<p class="note">Over the link to the GPU: about {up} up, {down} down.</p>'


def _operator(operator: Operator) -> list[str]:
    what = "".join(f'<div class="what">{escape(line)}</div>' for line in operator.details)
    on_gpu = "-" if operator.gpu_seconds is None else seconds(operator.gpu_seconds)
    return [
        f'<div class="op" style="--depth: {operator.depth}">{escape(operator.title)}{what}</div>',
        f'<span class="{operator.device}">{operator.device}</span>',
        f"~{human_count(operator.rows)}",
        f"~{human_bytes(operator.bytes)}",
        "" if operator.moves else on_gpu,
        "" if operator.moves else seconds(operator.cpu_seconds),
        escape(operator.reason),
    ]
