"""Compare two runs written by `run.py --json`: python -m tandemdb.tpch.compare OLD NEW.

For each query the engine's median in both runs and their ratio. The machine may have been busier in one of
the runs, so the oracle's change is shown beside it: a query counts as slower if it lost time both outright
and against the oracle. The exit code is 1 if a query is slower than the threshold allows, or failed in the
new run only.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from .report import FORMAT
from .rounds import SUBJECT


class ComparisonError(Exception):
    """The files cannot be compared; the text is a sentence for the user."""


@dataclass(frozen=True)
class Change:
    """A query in both runs; times in seconds, None where the engine has no valid time."""

    query: int
    old: float | None
    new: float | None
    control: float | None

    @property
    def ratio(self) -> float | None:
        """New time over old."""
        return None if self.old is None or self.new is None else self.new / self.old

    def slower_than(self, threshold: float) -> bool:
        """Whether the query regressed: it failed, or is slower outright and against the oracle's change."""
        if self.new is None:
            return self.old is not None
        return self.ratio is not None and min(self.ratio, self.ratio / (self.control or 1.0)) > threshold


def load(path: Path) -> dict[str, Any]:
    """A run's document. Raises ComparisonError."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ComparisonError(f"{path} cannot be read: {error}") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ComparisonError(f"{path} was not written by this version of tandemdb.tpch.run")
    return document


def changes(old: Mapping[str, Any], new: Mapping[str, Any], engine: str = SUBJECT) -> list[Change]:
    """The engine's change on each query that both runs hold. Raises ComparisonError for unlike runs."""
    for setting in ("scale", "source", "threads"):
        if old["settings"][setting] != new["settings"][setting]:
            values = f"{old['settings'][setting]} and {new['settings'][setting]}"
            raise ComparisonError(f"the runs differ in {setting}: {values}")
    found = []
    for query in old["queries"]:
        if query in new["queries"]:
            before, after = old["queries"][query], new["queries"][query]
            if engine not in before or engine not in after:
                raise ComparisonError(f"no {engine} in one of the runs")
            control = Change(0, before[old["oracle"]]["median"], after[new["oracle"]]["median"], None).ratio
            found.append(Change(int(query), before[engine]["median"], after[engine]["median"], control))
    if not found:
        raise ComparisonError("the runs have no query in common")
    return found


def render(found: Sequence[Change], threshold: float) -> str:
    """The comparison as lines for people."""
    lines = ["query     old ms     new ms  new/old  oracle"]
    for change in found:
        ratio = "-" if change.ratio is None else f"{change.ratio:.2f}"
        control = "-" if change.control is None else f"{change.control:.2f}"
        flag = "  SLOWER" if change.slower_than(threshold) else ""
        name = f"Q{change.query}"
        lines.append(f"{name:5} {_ms(change.old)} {_ms(change.new)} {ratio:>8} {control:>7}{flag}")
    ratios = [change.ratio for change in found if change.ratio is not None]
    controls = [change.control for change in found if change.control is not None]
    means = [f"{geometric_mean(values):.2f}" if values else "-" for values in (ratios, controls)]
    lines.append(f"geometric mean {means[0]:>22} {means[1]:>7}")
    return "\n".join(lines)


def _ms(seconds: float | None) -> str:
    return "       n/a" if seconds is None else f"{seconds * 1000:10.1f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line entry; returns the exit code: 0 no regression, 1 some, 2 the runs cannot be compared."""
    parser = argparse.ArgumentParser(
        prog="python -m tandemdb.tpch.compare", description="Compare two runs of tandemdb.tpch.run."
    )
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--engine", default=SUBJECT)
    parser.add_argument(
        "--threshold", type=float, default=1.15, help="largest ratio that is not slower (1.15)"
    )
    chosen = parser.parse_args(arguments)
    try:
        found = changes(load(chosen.old), load(chosen.new), chosen.engine)
    except ComparisonError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(render(found, chosen.threshold))
    return 1 if any(change.slower_than(chosen.threshold) for change in found) else 0


if __name__ == "__main__":
    sys.exit(main())
