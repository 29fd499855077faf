"""EXPLAIN as text: a tree with device, reason, rows, bytes, and after ANALYZE what really happened."""

from __future__ import annotations

from collections.abc import Mapping

from ...physical.batch import Device
from ...physical.context import OperatorMetrics
from ...physical.cost import bridge_bytes, over_link
from ...physical.memory import human_bytes
from ...physical.nodes import Bridge, Node, Transfer, walk_nodes
from ..profile import Profile
from .costs import PlanCosts, node_cost_text, summary_text
from .describe_node import details, title


def human_count(value: float) -> str:
    """A number of rows for people.

    >>> human_count(6001215)
    '6.00 M'
    """
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if value >= size:
            scale = 1e3 if unit == "k" else size
            return f"{value / scale:.2f} {unit}" if unit != "k" else f"{value / scale:.1f} k"
    return f"{value:.0f}"


def explain_text(
    root: Node,
    profile: Profile | None = None,
    note: str | None = None,
    costs: PlanCosts | None = None,
) -> str:
    """The plan as a tree, a node a line with what it works with beneath it; with a `profile` (ANALYZE)
    measured rows and times, with `costs` estimated seconds. `note` is a last line.
    """
    lines: list[str] = []
    _render(root, lines, None if profile is None else profile.operators, costs)
    over_link = link_bytes(root)
    if any(over_link):
        up, down = map(human_bytes, over_link)
        lines += ["", f"over the link to the GPU: ~{up} up, ~{down} down"]
    if costs is not None:
        lines += ["", summary_text(costs)]
    if profile is not None:
        lines += _summary(profile)
    return "\n".join(lines if note is None else [*lines, note])


def link_bytes(root: Node) -> tuple[float, float]:
    """Estimated bytes that cross the link to the GPU and back: what GPU scans read, and what is transferred
    or bridged.
    """
    up = down = 0.0
    for node in walk_nodes(root):
        if isinstance(node, Transfer):
            up += node.bytes if node.device is Device.GPU else 0.0
            down += node.bytes if node.device is Device.CPU else 0.0
        elif isinstance(node, Bridge):
            there, back = bridge_bytes(node)
            down, up = down + there, up + back
        elif node.device is Device.GPU:
            up += over_link(node)
    return up, down


def _render(
    root: Node, lines: list[str], metrics: Mapping[int, OperatorMetrics] | None, costs: PlanCosts | None
) -> None:
    # An explicit stack: a plan may be a thousand nodes deep.
    stack = [(root, "", "")]
    while stack:
        node, first, rest = stack.pop()
        lines.append(first + _headline(node, metrics))
        bar = "│ " if node.inputs else "  "
        lines.extend(f"{rest}{bar}  {text}" for text in details(node))
        if node.reason:
            lines.append(f"{rest}{bar}  {node.device.value} because: {node.reason}")
        cost = None if costs is None else costs.nodes[node.op_id]
        if cost:
            lines.append(f"{rest}{bar}  {node_cost_text(cost)}")
        children = []
        for index, child in enumerate(node.inputs):
            last = index == len(node.inputs) - 1
            children.append((child, rest + ("└─" if last else "├─"), rest + ("  " if last else "│ ")))
        stack.extend(reversed(children))


def _headline(node: Node, metrics: Mapping[int, OperatorMetrics] | None) -> str:
    parts = [title(node), f"[{node.device.value}]"]
    estimate = f"~{human_count(node.rows)} rows, ~{human_bytes(node.bytes)}"
    if metrics is None:
        return " ".join([*parts, estimate])
    own = metrics.get(node.op_id)
    if own is None:
        return " ".join([*parts, estimate])
    measured = (
        f"{human_count(own.rows)} rows (estimated {human_count(node.rows)}), {own.seconds * 1000:.1f} ms"
    )
    if own.bytes:
        measured += f", {human_bytes(own.bytes)}"
    if "bridged_rows" in own.extra:
        there, back = (human_bytes(own.extra[name]) for name in ("bytes_down", "bytes_up"))
        measured += f"; over the CPU {human_count(own.extra['bridged_rows'])} rows, {there} down, {back} up"
    return " ".join([*parts, measured])


def _summary(profile: Profile) -> list[str]:
    planning = sum(profile.planning.values())
    steps = ", ".join(f"{name} {ms:.1f}" for name, ms in profile.planning.items())
    execution = f"execution {profile.execution_ms:.1f} ms on {profile.threads} threads"
    peak = f"peak memory {human_bytes(profile.peak_bytes)}"
    if profile.spilled_bytes:
        peak += f", {human_bytes(profile.spilled_bytes)} left the GPU for want of its memory"
    if profile.spilled_to_disk:
        peak += f", {human_bytes(profile.spilled_to_disk)} of it to disk"
    if profile.unpinned_bytes:
        peak += f", {human_bytes(profile.unpinned_bytes)} to or from the GPU without pinned memory"
    lines = [
        "",
        f"planning {planning:.1f} ms ({steps}); {execution}; {peak}; {profile.rows} rows",
        "operator times are summed over threads, each without its inputs",
    ]
    count = len(profile.fallbacks)
    lines.append(f"fallbacks: {count}" + "".join(f"\n  {text}" for text in profile.fallbacks))
    return lines
