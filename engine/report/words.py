"""What all forms of a report say in the same words."""

from __future__ import annotations

from ...physical.memory import human_bytes
from ...physical.placement import seconds
from ...planner.messages import plural
from .model import Kind, QueryPlan, Report, share

KINDS = {
    Kind.UNSUPPORTED: "not built for the GPU",
    Kind.ASKED: "asked for by the script",
    Kind.COST: "decided by cost",
}
READING = (
    "Nothing was run. Rows and bytes are the planner's estimates. Work is the time that the CPU alone would "
    "need. 'Saves' is what the queries would gain if this reason alone were gone; an operator with several "
    "reasons counts for each of them."
)


def machine(report: Report) -> str:
    """The machine that the report is for."""
    p = report.profile
    return (
        f"profile {p.name}: {p.gpu_name}, {human_bytes(p.gpu_memory)} of device memory, {p.cores} CPU cores"
    )


def basis(report: Report) -> str:
    """Where the times come from."""
    return (
        f"Times are estimates by the hardware profile {report.profile.name}, whose rates are "
        f"{report.profile.origin}; they are not measurements of these queries."
    )


def percent(part: float, whole: float) -> str:
    """A share for people; '-' of nothing.

    >>> percent(995, 1000), percent(1, 1000), percent(1, 1), percent(0, 0)
    ('99%', '<1%', '100%', '-')
    """
    found = share(part, whole)
    if found is None:
        return "-"
    if 0 < found < 0.01:
        return "<1%"
    # Only all of it is 100%.
    return f"{min(found, 1) * 100 // 1:.0f}%"


def query_line(plan: QueryPlan) -> str:
    """A query in one line."""
    on_gpu = plural(len(plan.on("GPU")), "operator")
    return (
        f"{percent(*plan.work)} of the work on the GPU: {on_gpu} there, {len(plan.on('CPU'))} on the CPU; "
        f"estimated {seconds(plan.seconds)}, on the CPU alone {seconds(plan.cpu_seconds)}"
    )


def totals(report: Report) -> str:
    """All queries in one line."""
    plans = report.plans()
    on_gpu = sum(p.work[0] for p in plans)
    work = sum(p.work[1] for p in plans)
    count = f"{len(plans)} quer{'y' if len(plans) == 1 else 'ies'}"
    whole = sum(not p.on("CPU") for p in plans)
    took = seconds(sum(p.seconds for p in plans)), seconds(sum(p.cpu_seconds for p in plans))
    return (
        f"{count} planned, {whole} of them wholly on the GPU; {percent(on_gpu, work)} of the work on the "
        f"GPU; estimated {took[0]}, on the CPU alone {took[1]}; {report.failures} failed"
    )


def first_words(sql: str, width: int = 60) -> str:
    """The beginning of a statement on one line."""
    text = " ".join(sql.split())
    return text if len(text) <= width else text[: width - 3] + "..."
