"""Plans in short: a line an operator, with its device, a number for the reason, and estimated rows."""

from collections.abc import Iterator, Mapping
from typing import Any

_WIDTH = 96


class PlanText:
    """Writes plans one after the other; a reason is spelled out once, under all of them."""

    def __init__(self) -> None:
        self._reasons: dict[str, int] = {}

    def lines(self, plan: Mapping[str, Any]) -> list[str]:
        """The lines of a plan in the form of EXPLAIN (FORMAT json), from its `plan` object.

        >>> scan = {"operator": "Scan", "details": ["t", "columns a", "where a > 1"], "device": "CPU",
        ...         "reason": "few rows", "estimated_rows": 1200.0, "inputs": []}
        >>> [line.split() for line in PlanText().lines(scan)]
        [['CPU', '[1]', 'Scan:', 't;', 'where', 'a', '>', '1', '1,200']]
        """
        return [
            f"{node['device']:3} {self._reason(node)}  {_clipped(tree + _what(node)):{_WIDTH}}"
            f"{node['estimated_rows']:14,.0f}"
            for tree, node in _walk(plan)
        ]

    def reasons(self) -> list[str]:
        """What the numbers after the devices mean."""
        return [f"[{number}] {text}" for text, number in self._reasons.items()]

    def _reason(self, node: Mapping[str, Any]) -> str:
        number = self._reasons.setdefault(node["reason"], len(self._reasons) + 1)
        return f"[{number}]"


def _walk(plan: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Nodes in preorder, each with the branches drawn before it."""
    stack = [("", "", plan)]
    while stack:
        branch, under, node = stack.pop()
        yield branch, node
        inputs = node["inputs"]
        for index, child in reversed(list(enumerate(inputs))):
            last = index == len(inputs) - 1
            stack.append((under + ("└─" if last else "├─"), under + ("  " if last else "│ "), child))


def _what(node: Mapping[str, Any]) -> str:
    """The operator and what it works with; a scan's columns are left to the full EXPLAIN."""
    details = [text for text in node["details"] if not text.startswith("columns ")]
    return f"{node['operator']}: {'; '.join(details)}" if details else node["operator"]


def _clipped(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "..."
