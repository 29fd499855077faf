"""EXPLAIN as JSON: the same facts as the text, for programs."""

from __future__ import annotations

import json
from typing import Any

from ...physical.nodes import Node
from ..profile import Profile
from .costs import PlanCosts, node_cost_json, summary_json
from .describe_node import details, title
from .text import link_bytes

VERSION = 1


def explain_json(
    root: Node,
    profile: Profile | None = None,
    note: str | None = None,
    costs: PlanCosts | None = None,
) -> str:
    """A JSON object: `version`, `plan` (nested nodes), with `costs` (COST) `cost`, and after ANALYZE
    `profile` and `note`. Times are in milliseconds; `profile` has the names of `engine.profile.Profile`.
    """
    up, down = link_bytes(root)
    link = {"bytes_up": up, "bytes_down": down}
    result: dict[str, Any] = {"version": VERSION, "plan": _node(root, profile, costs), "link": link}
    if costs is not None:
        result["cost"] = summary_json(costs)
    if profile is not None:
        result["profile"] = {
            "planning_ms": profile.planning,
            "execution_ms": profile.execution_ms,
            "threads": profile.threads,
            "rows": profile.rows,
            "peak_bytes": profile.peak_bytes,
            "spilled_bytes": profile.spilled_bytes,
            "spilled_to_disk": profile.spilled_to_disk,
            "unpinned_bytes": profile.unpinned_bytes,
            "fallbacks": [str(f) for f in profile.fallbacks],
        }
    if note is not None:
        result["note"] = note
    return json.dumps(result, indent=2, ensure_ascii=False)


def _node(node: Node, profile: Profile | None, costs: PlanCosts | None) -> dict[str, Any]:
    result: dict[str, Any] = {
        "operator": title(node),
        "details": details(node),
        "device": node.device.value,
        "reason": node.reason,
        "estimated_rows": node.rows,
        "estimated_bytes": node.bytes,
        "columns": [{"name": c.name, "type": str(c.type)} for c in node.schema],
    }
    if costs is not None:
        result["cost"] = node_cost_json(costs.nodes[node.op_id])
    metrics = None if profile is None else profile.operators.get(node.op_id)
    if metrics is not None:
        result["rows"] = metrics.rows
        result["batches"] = metrics.batches
        result["milliseconds"] = metrics.seconds * 1000
        result["bytes"] = metrics.bytes
        result |= metrics.extra
    result["inputs"] = [_node(child, profile, costs) for child in node.inputs]
    return result
