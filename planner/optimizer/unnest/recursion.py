"""How a dependent join is pushed into a recursion."""

from __future__ import annotations

from dataclasses import replace

from ...logical import Recursion
from ..build import with_schema
from .operators import aligned
from .push import Pusher, pushes
from .pushed import Mode, Pushed


@pushes(Recursion)
def push_recursion(pusher: Pusher, node: Recursion, mode: Mode) -> Pushed:
    """Rows of all outer values recur side by side: what a round leaves to the next carries the outer
    columns."""
    anchor = with_schema(node.anchor, node.anchor_columns)
    step = with_schema(node.step, node.step_columns)
    first = pusher.push_strict(anchor)
    outer = sorted({*(node.outer_references & pusher.outer), *first.stand_ins, *pusher.through_ctes(step)})
    first = pusher.bind(first, outer)
    start = len(node.columns)
    pusher.ctes[node.cte_id] = {o: (start + i, False) for i, o in enumerate(outer)}
    again = pusher.push_strict(step)
    (anchor, step), columns, stand_ins = aligned(pusher, [first, again], [anchor, step])
    plan = replace(
        node,
        anchor=anchor,
        step=step,
        anchor_columns=anchor.schema,
        step_columns=step.schema,
        columns=(*node.columns, *columns),
        key=(*node.key, *range(start, start + len(columns))) if node.key else (),
    )
    return Pushed(plan, stand_ins)
