"""A run's numbers as a table for people and as JSON for `compare.py`."""

import os
import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import geometric_mean
from typing import Any, Final

from .rounds import ORACLE, SUBJECT, Cell, Cells

FORMAT: Final = 1


def ratio(cells: Mapping[str, Cell], name: str, other: str) -> float | None:
    """Median time of one engine over another's on a query; None if either has none."""
    one, two = cells[name].median, cells[other].median
    return None if one is None or two is None else one / two


def mean_ratio(cells: Cells, name: str, other: str) -> float | None:
    """Geometric mean of the ratios over the queries that both ran; None if there is none."""
    ratios = [ratio(row, name, other) for row in cells.values()]
    known = [value for value in ratios if value is not None]
    return geometric_mean(known) if known else None


def failures(cells: Cells) -> list[str]:
    """What makes the run fail: a query TandemDB cannot run or answers wrongly, an uncounted fallback."""
    found = []
    for query, row in cells.items():
        cell = row[SUBJECT]
        if cell.problem is not None:
            found.append(f"Q{query}: {cell.problem}")
        found.extend(f"Q{query}: uncounted fallback: {text}" for text in cell.uncounted)
    return found


def table(cells: Cells, names: Sequence[str]) -> str:
    """Median milliseconds by query and engine, ratios to the oracle, peak memory and fallbacks."""
    rivals = [name for name in names if name != SUBJECT]
    heads = ["query", *names, *(f"vs {name}" for name in rivals), "peak MB", "fallbacks"]
    rows = [_row(query, row, names, rivals) for query, row in cells.items()]
    means = [_number(mean_ratio(cells, SUBJECT, name), ".2f") for name in rivals]
    rows.append(["geom. mean", *(_mean_time(cells, name) for name in names), *means, "", ""])
    peaks = [str(max(row[name].peak_bytes for row in cells.values()) >> 20) for name in names]
    rows.append(["peak MB", *peaks, *("" for _ in rivals), "", ""])
    return _aligned([heads, *rows])


def reasons(cells: Cells, names: Sequence[str]) -> list[str]:
    """Why there is no time in some cells of the table."""
    return [
        f"Q{query} {name}: {row[name].problem}"
        for query, row in cells.items()
        for name in names
        if row[name].problem is not None
    ]


def fallbacks(cells: Cells) -> list[str]:
    """What TandemDB did not run where it was placed, by query, with how often over all runs."""
    return [
        f"Q{query} fallback: {text}" + (f" ({count} times)" if count > 1 else "")
        for query, row in cells.items()
        for text, count in Counter(row[SUBJECT].fallbacks).items()
    ]


def _row(query: int, row: Mapping[str, Cell], names: Sequence[str], rivals: Sequence[str]) -> list[str]:
    ratios = [_number(ratio(row, SUBJECT, name), ".2f") for name in rivals]
    subject = row[SUBJECT]
    fallbacks = len(subject.fallbacks) + len(subject.uncounted)
    peak = str(subject.peak_bytes >> 20)
    return [f"Q{query}", *(_time(row[name]) for name in names), *ratios, peak, str(fallbacks)]


def _time(cell: Cell) -> str:
    if cell.problem is not None:
        return "wrong" if cell.problem.startswith("wrong") else "n/a"
    return _number(None if cell.median is None else cell.median * 1000, ".1f")


def _mean_time(cells: Cells, name: str) -> str:
    """Geometric mean of the medians, if the engine ran every query: else unlike sums would be compared."""
    medians = [row[name].median for row in cells.values()]
    known = [value for value in medians if value is not None]
    return f"{geometric_mean(known) * 1000:.1f}" if len(known) == len(medians) else "-"


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Columns flush right but the first, with a rule under the heads."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            text.rjust(width) if column else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])


def document(cells: Cells, settings: Mapping[str, Any], versions: Mapping[str, str]) -> dict[str, Any]:
    """Everything measured, as JSON values; times in seconds, memory in bytes."""
    names = list(versions)
    return {
        "format": FORMAT,
        "settings": dict(settings),
        "versions": dict(versions),
        "machine": machine(),
        "queries": {str(query): {name: cell(row[name]) for name in names} for query, row in cells.items()},
        "geometric_means": {
            f"{SUBJECT}/{name}": mean_ratio(cells, SUBJECT, name) for name in names if name != SUBJECT
        },
        "peak_bytes": {name: max(row[name].peak_bytes for row in cells.values()) for name in names},
        "oracle": ORACLE,
        "failures": failures(cells),
    }


def cell(measured: Cell) -> dict[str, Any]:
    """A cell as JSON values, with its median and the number of fallbacks over all runs."""
    counted = len(measured.fallbacks) + len(measured.uncounted)
    return {**asdict(measured), "median": measured.median, "fallback_count": counted}


def machine() -> dict[str, Any]:
    """What the numbers were measured on."""
    processor = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        names = [line for line in information.read_text().splitlines() if line.startswith("model name")]
        processor = names[0].partition(":")[2].strip() if names else processor
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": processor,
        "cores": os.cpu_count(),
        "memory_bytes": memory,
        "system": platform.platform(),
        "python": platform.python_version(),
    }
