"""The report of a GPU check as a table for people, in Markdown."""

from collections.abc import Iterator, Mapping
from typing import Any

from .rounds import ORACLE, SUBJECT


def markdown(report: Mapping[str, Any]) -> str:
    """The whole report.

    >>> print(markdown({"date": "2026-01-02T03:04:05Z", "rehearsal": True, "complete": False, "seconds": 1.0,
    ...     "machine": {"processor": "p", "cores": 2}, "steps": {"preflight": {"status": "running"}}}))
    # GPU check, 2026-01-02T03:04:05Z
    <BLANKLINE>
    **A rehearsal on doubles of the GPU libraries: nothing here is about hardware.**
    <BLANKLINE>
    Not complete. CPU: p, 2 cores. 1.0 s in all.
    <BLANKLINE>
    | step | status | seconds | found |
    |---|---|---|---|
    | preflight | running |  |  |
    <BLANKLINE>
    """
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    yield f"# GPU check, {report['date']}"
    yield ""
    if report["rehearsal"]:
        yield "**A rehearsal on doubles of the GPU libraries: nothing here is about hardware.**"
        yield ""
    state = "Complete." if report["complete"] else "Not complete."
    host = report["machine"]
    card = report["steps"].get("preflight", {})
    gpu = f" GPU: {card['gpu']}, {card['memory_bytes'] >> 20} MiB." if "gpu" in card else ""
    yield f"{state}{gpu} CPU: {host['processor']}, {host['cores']} cores. {report['seconds']} s in all."
    yield ""
    yield "| step | status | seconds | found |"
    yield "|---|---|---|---|"
    for name, step in report["steps"].items():
        yield f"| {name} | {step['status']} | {step.get('seconds', '')} | {_cell(_found(step))} |"
    for name, step in report["steps"].items():
        if step.get("queries"):
            yield from _queries(name, step)


def _found(step: Mapping[str, Any]) -> str:
    """What a step found, in a line."""
    parts = [step["problem"]] if "problem" in step else []
    if "tests" in step:
        parts.append(step["summary"])
    if "said" in step:
        ended = len(step["ended"])
        parts.append(step["said"] + (f"; {ended} processes ended before their time" if ended else ""))
    for name, rate in step.get("bytes_a_second", {}).items():
        parts.append(f"{name.replace('_', ' ')} {rate / 1e9:.1f} GB/s")
    for name, source in step.get("sources", {}).items():
        share = source["share_of_copy"]
        told = "" if share is None else f", {share:.0%} of a copy"
        fell = f", {len(source['fallbacks'])} fallbacks" if source["fallbacks"] else ""
        parts.append(f"{name} {source['bytes_a_second'] / 1e9:.2f} GB/s{told}{fell}")
    if "verified" in step:
        mean = step["geometric_mean"]
        ratio = "" if mean is None else f", {mean:.2f} times {ORACLE}'s time"
        parts.append(f"{step['verified']} of 22 equal to {ORACLE}, {step['fallbacks']} fallbacks{ratio}")
    return "; ".join(parts)


def _queries(name: str, step: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield f"## {name}"
    yield ""
    yield f"Median milliseconds of {step['runs']} runs from Parquet, device gpu, {step['threads']} threads."
    yield ""
    yield f"| query | {SUBJECT} | {ORACLE} | ratio | rows | fallbacks | problem |"
    yield "|---|---|---|---|---|---|---|"
    for number, row in step["queries"].items():
        ours, theirs = row[SUBJECT], row[ORACLE]
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
        cells = [f"Q{number}", _ms(ours), _ms(theirs), ratio, str(ours["rows"]), str(ours["fallback_count"])]
        yield f"| {' | '.join(cells)} | {_cell(ours['problem'] or '')} |"


def _ms(cell: Mapping[str, Any]) -> str:
    return "" if cell["median"] is None else f"{cell['median'] * 1000:.1f}"


def _cell(text: str) -> str:
    """A text within a cell of a table."""
    return " ".join(text.replace("|", "\\|").split())[:600]
