"""Physical plan nodes: what will run, operator by operator. Pure data: frozen, no callables, no open files.

Placement fills `device` and `reason`; creation fills the estimates and `op_id`, the node's number in preorder
by which profiles name it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from ..planner.catalog import Table
from ..planner.expr import AggregateCall, Column, ColumnRef, Expr, SortKey, WindowCall, references
from ..planner.logical import JoinKind
from .batch import Device


@dataclass(frozen=True, eq=False)
class Node:
    """Base of all physical nodes. `rows` and `bytes` are estimates of the output; `reason` says why the
    device was chosen.
    """

    op_id: int = -1
    device: Device = Device.CPU
    reason: str = ""
    rows: float = 0.0
    bytes: float = 0.0

    @property
    def schema(self) -> tuple[Column, ...]:
        """The output columns."""
        raise AssertionError(type(self))

    @property
    def inputs(self) -> tuple[Node, ...]:
        """The nodes whose rows this one reads."""
        return ()


@dataclass(frozen=True)
class RuntimeFilter:
    """A filter that a hash join's build side makes for a scan on its probe side: keep rows whose `column` may
    match key `key` of join `join_id`.
    """

    join_id: int
    key: int
    column: Column


@dataclass(frozen=True, eq=False, kw_only=True)
class TableScan(Node):
    """Reads `names` of `table` as `columns`; rows satisfy `predicate` (all of it is applied by the scan) and
    may be thinned by runtime filters.
    """

    table: Table
    columns: tuple[Column, ...]
    names: tuple[str, ...]
    alias: str = ""
    predicate: Expr | None = None
    # Columns that only the predicate reads are scanned but not returned; they follow `columns` here.
    hidden: tuple[Column, ...] = ()
    hidden_names: tuple[str, ...] = ()
    runtime_filters: tuple[RuntimeFilter, ...] = ()

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns


@dataclass(frozen=True, eq=False, kw_only=True)
class Values(Node):
    """Literal rows (expressions without column references)."""

    columns: tuple[Column, ...]
    literals: tuple[tuple[Expr, ...], ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns


@dataclass(frozen=True, eq=False, kw_only=True)
class Unary(Node):
    """A node with one input."""

    input: Node

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.input.schema

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.input,)


@dataclass(frozen=True, eq=False, kw_only=True)
class Filter(Unary):
    """Rows for which the predicate is true."""

    predicate: Expr


@dataclass(frozen=True, eq=False, kw_only=True)
class Project(Unary):
    """Computes expressions."""

    columns: tuple[Column, ...]
    exprs: tuple[Expr, ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns


@dataclass(frozen=True, eq=False, kw_only=True)
class Repeat(Unary):
    """Each row as many times as the BIGINT column `count` says (none for 0 and less); the column is dropped.
    For INTERSECT/EXCEPT ALL.
    """

    count: Column

    @cached_property
    def schema(self) -> tuple[Column, ...]:  # type: ignore[override]
        return tuple(c for c in self.input.schema if c.id != self.count.id)


@dataclass(frozen=True, eq=False, kw_only=True)
class Unnest(Unary):
    """The rows of `kept` columns with the elements of `lists` as `columns`; see logical.Unnest."""

    kept: tuple[Column, ...]
    lists: tuple[Expr, ...]
    columns: tuple[Column, ...]
    ordinality: Column | None = None
    keep: bool = False

    @property
    def schema(self) -> tuple[Column, ...]:
        counted = () if self.ordinality is None else (self.ordinality,)
        return (*self.kept, *self.columns, *counted)


@dataclass(frozen=True)
class JoinKey:
    """An equality between the sides; with `null_equal` NULL matches NULL (IS NOT DISTINCT FROM). Both
    expressions have one SQL type.
    """

    left: Expr
    right: Expr
    null_equal: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Join(Node):
    """What both joins have: kinds and schemas are those of logical.Join, of which `columns` are wanted."""

    kind: JoinKind
    left: Node
    right: Node
    mark: Column | None = None
    columns: tuple[Column, ...] = ()

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.left, self.right)


@dataclass(frozen=True, eq=False, kw_only=True)
class HashJoin(Join):
    """Builds a hash table over the right input, probes it with the left. Kinds and schemas as logical.Join.

    A pair matches when all `keys` are equal and `residual` is true. MARK: see logical.Join; `mark_keys` are
    the three-valued equalities of `mark_terms`, `mark_rest` its other terms. `join_id` names the join for
    runtime filters.
    """

    keys: tuple[JoinKey, ...]
    residual: Expr | None = None
    mark_keys: tuple[JoinKey, ...] = ()
    mark_rest: tuple[Expr, ...] = ()
    join_id: int = -1


@dataclass(frozen=True, eq=False, kw_only=True)
class NestedLoopJoin(Join):
    """Join without an equality: evaluates `condition` (None: true) over every pair, block by block. The right
    input is held in memory.
    """

    condition: Expr | None = None
    mark_terms: tuple[Expr, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class HashAggregate(Unary):
    """Groups and aggregates, see logical.Aggregate. Without calls this is DISTINCT; without groups exactly
    one row comes out.
    """

    group_columns: tuple[Column, ...]
    groups: tuple[Expr, ...]
    call_columns: tuple[Column, ...]
    calls: tuple[AggregateCall, ...]

    @cached_property
    def schema(self) -> tuple[Column, ...]:  # type: ignore[override]
        return (*self.group_columns, *self.call_columns)


@dataclass(frozen=True, eq=False, kw_only=True)
class Sort(Unary):
    """Stable sort."""

    keys: tuple[SortKey, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class Window(Unary):
    """Adds `call_columns` to `kept`, the wanted columns of the input; see logical.Window. Keys, arguments,
    filters and offsets of frames are plain columns of the input, or literals: a Project below computes them.
    """

    kept: tuple[Column, ...]
    partition: tuple[ColumnRef, ...]
    order: tuple[SortKey, ...]
    call_columns: tuple[Column, ...]
    calls: tuple[WindowCall, ...]

    @cached_property
    def schema(self) -> tuple[Column, ...]:  # type: ignore[override]
        return (*self.kept, *self.call_columns)


@dataclass(frozen=True, eq=False, kw_only=True)
class TopN(Unary):
    """Rows offset .. offset + limit in the order of keys; ties in input order."""

    keys: tuple[SortKey, ...]
    limit: int
    offset: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class Limit(Unary):
    """Rows offset .. offset + limit in input order (limit None: all after offset); stops its input early."""

    limit: int | None
    offset: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class UnionAll(Node):
    """Rows of each branch in turn, renamed to `columns` by position."""

    branches: tuple[Node, ...]
    columns: tuple[Column, ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns

    @property
    def inputs(self) -> tuple[Node, ...]:
        return self.branches


@dataclass(frozen=True, eq=False, kw_only=True)
class Cte(Node):
    """Computes `definition` once; `body` reads it by CteScan."""

    cte_id: int
    name: str
    definition: Node
    body: Node

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.body.schema

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.definition, self.body)


@dataclass(frozen=True, eq=False, kw_only=True)
class CteScan(Node):
    """Reads the columns at `positions` of a Cte's definition as `columns`."""

    cte_id: int
    name: str
    columns: tuple[Column, ...]
    positions: tuple[int, ...]

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns


@dataclass(frozen=True, eq=False, kw_only=True)
class Recursion(Node):
    """Rows of `anchor`, then of `step` over the rows of the round before; see logical.Recursion. Both have
    the columns of this node, in order.
    """

    cte_id: int
    name: str
    anchor: Node
    step: Node
    columns: tuple[Column, ...]
    distinct: bool
    key: tuple[int, ...] = ()
    keeps_all: bool = False  # a WorkingScan reads all rows so far

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.anchor, self.step)


@dataclass(frozen=True, eq=False, kw_only=True)
class WorkingScan(Node):
    """Reads the columns at `positions` of a Recursion's last round, or of all its rows so far."""

    cte_id: int
    name: str
    columns: tuple[Column, ...]
    positions: tuple[int, ...]
    whole: bool = False

    @property
    def schema(self) -> tuple[Column, ...]:
        return self.columns


@dataclass(frozen=True, eq=False, kw_only=True)
class Transfer(Unary):
    """Moves batches between host and device memory; `device` is where they go."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Bridge(Unary):
    """Adds `columns`, the values of `exprs`, which the CPU evaluates while the rows stay on the GPU: only the
    columns that the expressions read are moved there, and only their values back. `why[i]` are the reasons
    why the GPU cannot evaluate exprs[i].
    """

    columns: tuple[Column, ...]
    exprs: tuple[Expr, ...]
    why: tuple[tuple[str, ...], ...]

    @cached_property
    def schema(self) -> tuple[Column, ...]:  # type: ignore[override]
        return (*self.input.schema, *self.columns)

    @cached_property
    def needed(self) -> tuple[Column, ...]:
        """The columns that the expressions read."""
        read = frozenset[int]().union(*map(references, self.exprs))
        return tuple(c for c in self.input.schema if c.id in read)


_INPUT_FIELDS: dict[type, tuple[str, ...]] = {
    HashJoin: ("left", "right"),
    NestedLoopJoin: ("left", "right"),
    Cte: ("definition", "body"),
    Recursion: ("anchor", "step"),
}


def with_inputs(node: Node, new: tuple[Node, ...]) -> Node:
    """The same node over new inputs; the same object if they are the same."""
    if all(a is b for a, b in zip(node.inputs, new, strict=True)):
        return node
    if isinstance(node, UnionAll):
        return replace(node, branches=new)
    names = _INPUT_FIELDS.get(type(node), ("input",))
    return replace(node, **dict(zip(names, new, strict=True)))


def transform_nodes(node: Node, visit: Callable[[Node], Node]) -> Node:
    """Rebuilds bottom-up; `visit` sees each node after its inputs."""
    if node.inputs:
        node = with_inputs(node, tuple(transform_nodes(child, visit) for child in node.inputs))
    return visit(node)


def walk_nodes(node: Node) -> Iterator[Node]:
    """Every node in preorder, without recursion."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(current.inputs))
