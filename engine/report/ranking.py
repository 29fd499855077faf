"""Which reasons keep the most from the GPU."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .model import FileReport, Kind, ReasonCount

_PLACES = 3
_ORDER = {Kind.UNSUPPORTED: 0, Kind.ASKED: 1, Kind.COST: 2}


@dataclass
class _Count:
    queries: int = 0
    operators: int = 0
    bytes: float = 0.0
    saved: float = 0.0
    places: list[tuple[str, int, str]] = field(default_factory=list)


def ranked(files: Iterable[FileReport]) -> tuple[ReasonCount, ...]:
    """All reasons: first what is not built, then what was asked for, then costs; each with most bytes first.

    An operator with several reasons counts for each of them.
    """
    counts: dict[tuple[Kind, str], _Count] = {}
    for file in files:
        for statement in file.statements:
            if statement.plan is None:
                continue
            seen = set()
            for operator in statement.plan.operators:
                for kind, topic in dict.fromkeys((c.kind, c.topic) for c in operator.causes):
                    count = counts.setdefault((kind, topic), _Count())
                    count.operators += 1
                    count.bytes += operator.input_bytes
                    if len(count.places) < _PLACES:
                        count.places.append((file.path, statement.line, operator.title))
                    seen.add((kind, topic))
            for key in seen:
                counts[key].queries += 1
                counts[key].saved += statement.plan.saved.get(key[1], 0.0)
    found = [
        ReasonCount(kind, topic, c.queries, c.operators, c.bytes, c.saved, tuple(c.places))
        for (kind, topic), c in counts.items()
    ]
    return tuple(sorted(found, key=lambda r: (_ORDER[r.kind], -r.bytes, -r.operators, r.topic)))
