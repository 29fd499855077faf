"""Writes docs/gpu_support.md from the capability table: python -m tandemdb.gpu_exec.support_docs [FILE]."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..physical import nodes
from ..physical.nodes import Node
from ..planner import expr as e
from ..planner.functions import AggregateFunction
from ..planner.types import BIGINT, SQLType, TypeId
from . import support
from .support_cases import (
    Answer,
    aggregate_answers,
    aggregates,
    cast_answers,
    join_answers,
    scalar_answers,
    scalars,
    window_answers,
    window_functions,
)

COMMAND = "python -m tandemdb.gpu_exec.support_docs"
PAGE = Path(__file__).resolve().parents[1] / "docs" / "gpu_support.md"

_HEAD = f"""\
# What the GPU runs

Generated from the capability table (`gpu_exec/support.py`) by `{COMMAND}`: do not edit.
A test compares.

EXPLAIN says the same for a query, operator by operator, and `tandemdb gpu-report` for whole files of them.
What has run on hardware is another question: `docs/gpu_status.md`.

What the GPU does not run, the CPU does. Constants, such as patterns and formats, may add reasons of their
own, which are found when a query is planned.
"""
# Bases of operators, and what placement adds.
_NO_OPERATORS = {"Node", "Unary", "Join"}
_TYPE = "a value of type "


def page() -> str:
    """The whole page."""
    parts = [_HEAD, _operators(), _joins(), _types(), _functions(), _aggregates(), _windows(), _casts()]
    return "\n".join(parts)


def _section(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], note: str = "") -> str:
    lines = [f"## {title}", ""]
    if note:
        lines += [note, ""]
    lines += [_row(head), _row(["---"] * len(head)), *map(_row, rows)]
    return "\n".join([*lines, ""])


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _answer(reason: str | None) -> str:
    return "yes" if reason is None else f"no: {reason}"


def _operators() -> str:
    kinds = sorted(
        (k for k in vars(nodes).values() if isinstance(k, type) and issubclass(k, Node)),
        key=lambda k: k.__name__,
    )
    rows = [
        (kind.__name__, _answer(support.OPERATORS.get(kind, f"{kind.__name__} has no GPU operator")))
        for kind in kinds
        if kind.__name__ not in _NO_OPERATORS
    ]
    return _section("Operators", ("operator", "on the GPU"), rows)


def _joins() -> str:
    rows = [(what, _answer("; ".join(reasons) if reasons else None)) for what, reasons in join_answers()]
    return _section("Joins", ("kind", "on the GPU"), rows)


def _types() -> str:
    rows = [(kind.value.strip('"'), _answer(support.TYPES[kind])) for kind in TypeId]
    return _section("Types", ("type", "on the GPU"), rows)


def _functions() -> str:
    rows = []
    for function in scalars():
        answers = scalar_answers(function)
        assert answers, function.name
        rows.append((f"`{function.name}`", *_answers(answers, f"the function {function.name}")))
    ready = sum(row[1] != "no" for row in rows)
    note = (
        f"{ready} of {len(rows)} scalar functions and operators run on the GPU, some of them not for all "
        "types. One type stands for arguments that all have it; types without a reason have no column on the "
        "GPU."
    )
    return _section("Functions", ("function", "on the GPU", "not, and why"), rows, note)


def _answers(answers: list[Answer], what: str) -> tuple[str, str]:
    """For which types there is a yes, and the reasons for the others, without saying again `what` it is."""
    good = [a for a in answers if not a.reasons]
    bad = [a for a in answers if a.reasons]
    by_constants: dict[tuple[int, ...], list[Answer]] = {}
    for answer in good:
        by_constants.setdefault(answer.constants, []).append(answer)
    whole = not bad and len(by_constants) == 1
    yes = [
        ("yes" if whole else _signatures(group, answers)) + _constants(places)
        for places, group in sorted(by_constants.items())
    ]
    by_reason: dict[tuple[str, ...], list[Answer]] = {}
    for answer in bad:
        by_reason.setdefault(_shown(answer, what), []).append(answer)
    no = []
    for reasons, group in by_reason.items():
        types = "" if not good and len(by_reason) == 1 else _signatures(group, answers)
        no.append(f"{types}: {'; '.join(reasons)}" if types and reasons else types or "; ".join(reasons))
    return "<br>".join(yes) or "no", "<br>".join(no)


def _constants(places: tuple[int, ...]) -> str:
    if not places:
        return ""
    numbers = " and ".join(str(place + 1) for place in places)
    return f" with argument{'s' if len(places) > 1 else ''} {numbers} constant"


def _shown(answer: Answer, what: str) -> tuple[str, ...]:
    """An answer's reasons. That a type has no column is said once, among the types."""
    return tuple(_short(r, what, answer.types) for r in answer.reasons if not r.startswith(_TYPE))


def _short(reason: str, what: str, types: Sequence[SQLType]) -> str:
    """A reason without what its row says already: the function, and the type."""
    rest = reason.removeprefix(what)
    for kind in types:
        rest = rest.removeprefix(f" of {kind}")
    return rest.removeprefix(":").strip().removeprefix("is ")


def _signatures(answers: list[Answer], every: list[Answer]) -> str:
    """The types of some of a function's signatures; one type for arguments that all have it, where all
    signatures have as many.
    """
    equal = len({len(a.types) for a in every}) == 1
    shown = (
        str(a.types[0]) if equal and len(set(a.types)) == 1 else f"({', '.join(map(str, a.types))})"
        for a in answers
    )
    return ", ".join(dict.fromkeys(shown))


def _aggregates() -> str:
    rows = []
    condition = e.IsNull(BIGINT, e.ColumnRef(BIGINT, 9, "c"))
    order = (e.SortKey(e.ColumnRef(BIGINT, 9, "c")),)
    for function in aggregates():
        plain = aggregate_answers(function)
        modes = [
            aggregate_answers(function, **extra)
            for extra in ({"distinct": True}, {"filter": condition}, {"order_by": order})
        ]
        what = f"the aggregate {function.name}"
        modal = [_mode(plain, mode, what) for mode in modes]
        rows.append((f"`{function.name}`", *_answers(plain, what), *modal))
    head = ("aggregate", "on the GPU", "not, and why", "DISTINCT", "FILTER", "ORDER BY within it")
    return _section("Aggregates", head, rows)


def _mode(plain: list[Answer], mode: list[Answer], what: str) -> str:
    """What a way to call an aggregate adds to the reasons."""
    new = [
        _short(reason, what, with_.types)
        for without, with_ in zip(plain, mode, strict=True)
        if not without.reasons
        for reason in with_.reasons
    ]
    if not new:
        return "no" if all(answer.reasons for answer in plain) else "yes"
    return "no: " + "; ".join(dict.fromkeys(new))


_OFFSET = e.FrameBound("preceding", e.Literal(BIGINT, 1))
_FRAMES = {unit: e.Frame(unit, _OFFSET, e.FrameBound("current row")) for unit in ("rows", "range", "groups")}
_EXCLUDE = e.Frame("rows", _OFFSET, e.FrameBound("current row"), "ties")


def _windows() -> str:
    rows = []
    condition = e.IsNull(BIGINT, e.ColumnRef(BIGINT, 9, "c"))
    for function in window_functions():
        plain = window_answers(function)
        aggregate = isinstance(function, AggregateFunction)
        what = f"the {'aggregate' if aggregate else 'window function'} {function.name}"
        framed = aggregate or function.framed
        nulls = not aggregate and function.takes_ignore_nulls
        asked = [({"frame": frame}, framed) for frame in (*_FRAMES.values(), _EXCLUDE)]
        asked += [
            ({"filter": condition}, aggregate),
            ({"distinct": True}, aggregate and function.name != "count_star"),
        ]
        asked += [({"ignore_nulls": True}, nulls)]
        modes = [
            _mode(plain, window_answers(function, **extra), what) if there else "" for extra, there in asked
        ]
        rows.append((f"`{function.name}`", *_answers(plain, what), *modes))
    head = ("function", "on the GPU", "not, and why", *(unit.upper() for unit in _FRAMES))
    note = (
        "Keys of PARTITION BY and ORDER BY, and distances of RANGE from them, may have all types of the GPU. "
        "DISTINCT is for frames that start with the partition. What a function does not take is left empty."
    )
    return _section("Windows", (*head, "EXCLUDE", "FILTER", "DISTINCT", "IGNORE NULLS"), rows, note)


def _casts() -> str:
    rows = []
    for source, answers in cast_answers().items():
        good = [a for a in answers if not a.reasons]
        by_reason: dict[str, list[str]] = {}
        for answer in answers:
            for reason in answer.reasons:
                why = reason.removeprefix(f"CAST from {source} to {answer.types[0]}").lstrip(": ")
                by_reason.setdefault(why, []).append(str(answer.types[0]))
        yes = (
            "every type it can be cast to"
            if len(good) == len(answers)
            else ", ".join(str(a.types[0]) for a in good)
        )
        no = "<br>".join(f"{', '.join(targets)}: {why}" for why, targets in by_reason.items())
        rows.append((str(source), yes or "none", no))
    return _section(
        "Casts", ("from", "on the GPU to", "not to, and why"), rows, "Between types that the GPU has."
    )


def main(arguments: Sequence[str]) -> int:
    """Writes the page to the file named, by default the one in the source tree; returns the exit code."""
    path = Path(arguments[0]) if arguments else PAGE
    try:
        path.write_text(page(), encoding="utf-8")
    except OSError as error:
        print(f"cannot write '{path}': {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
