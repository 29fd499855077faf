"""Placement: a device for every node, with the reason, and a Transfer wherever rows change sides.

Dynamic programming over the plan: for each node and each device the cheapest way to have its rows there
computed, where an input on the other device adds a transfer. So a query never crosses the link for one small
operator.

The rows of a CTE are kept on one device, and each reader on the other one moves what it reads. What a
subtree costs therefore depends on where the CTEs are that it reads from outside: it is computed for each of
their devices in turn, and where a CTE is defined the device is chosen by the cost of its definition and all
its readers. That is exact; beyond `OPEN_CTES` CTEs in use at one place, further ones are put where their
definitions alone are cheapest, and the plan is compared with those forced to one device.

A node that the GPU cannot run for a few of its expressions has a second form that it can, see bridging.py.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from ..planner.expr import Column
from . import nodes
from .backend import Capability, Support
from .batch import Device
from .bridging import bridged
from .cost import CostModel, plan_seconds
from .create import number
from .nodes import Node
from .profiles import HardwareProfile

# CTEs whose devices are tried in all combinations: 2 to this power.
OPEN_CTES = 8


@dataclass(frozen=True)
class PlacementContext:
    """What placement decides by: the `device` setting (auto, cpu, gpu), which a hint may have given, the
    machine's profile, and what each device's backend can run (the CPU's runs every node of a query).
    `absent` says in words why the GPU cannot be used at all, when it cannot.
    """

    mode: str
    profile: HardwareProfile
    capabilities: Mapping[Device, Capability]
    absent: str = "this machine has no GPU"
    hinted: bool = False

    @property
    def asked(self) -> str:
        """Who asked for the device, in words."""
        return f"hint device({self.mode})" if self.hinted else f"SET device = '{self.mode}'"

    @property
    def has_gpu(self) -> bool:
        """Whether anything can be placed on a GPU."""
        return Device.GPU in self.capabilities and self.profile.has_gpu


def place(root: Node, context: PlacementContext) -> Node:
    """The plan with `device` and `reason` set on every node and Transfers inserted; its output is on the CPU.
    Nodes are numbered anew.
    """
    if context.mode == "cpu" or not context.has_gpu:
        reason = context.asked if context.mode == "cpu" else context.absent
        return nodes.transform_nodes(root, lambda n: replace(n, device=Device.CPU, reason=reason))
    placement = _Placement(context, root)
    placed = placement.placed()
    if placement.capped and context.mode == "auto":
        placed = _no_dearer_than_forced(placed, root, context)
    return number(placed)


def _no_dearer_than_forced(placed: Node, root: Node, context: PlacementContext) -> Node:
    """What was not tried in full may be dearer than everything on one device."""
    plans = [placed]
    for mode in ("cpu", "gpu"):
        forced = place(root, replace(context, mode=mode))
        why = f"cheapest with all that the {mode.upper()} can run there"
        plans.append(nodes.transform_nodes(forced, lambda n, why=why: replace(n, reason=why)))
    return min(plans, key=lambda plan: plan_seconds(plan, context.profile))


def seconds(value: float) -> str:
    """A duration for people.

    >>> seconds(0.0123), seconds(0.00123), seconds(0.0000051)
    ('12 ms', '1.2 ms', '5.1 us')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.{0 if value >= 10 * size else 1}f} {unit}"
    return f"{value * 1e6:.{0 if value >= 1e-5 else 1}f} us"


# Devices of the CTEs that a subtree reads and does not define, sorted by id.
_Env = tuple[tuple[int, Device], ...]


@dataclass(slots=True)
class _Option:
    """The cheapest way to have a node's rows on a device: in which form (the node itself, or its bridged
    one), on which device each of the form's inputs, and of a Cte where its rows are kept.
    """

    seconds: float
    form: Node
    inputs: tuple[Device, ...] = ()
    kept: Device | None = None


_Options = dict[Device, _Option]


@dataclass
class _Placement:
    context: PlacementContext
    root: Node
    model: CostModel = field(init=False)
    capped: bool = False  # a CTE's device was not tried in all combinations
    _options: dict[tuple[int, _Env], _Options] = field(default_factory=dict)
    _open: dict[int, frozenset[int]] = field(default_factory=dict)
    _forms: dict[int, tuple[tuple[Node, ...], Mapping[Device, Support]]] = field(default_factory=dict)
    _movable: dict[int, bool] = field(default_factory=dict)
    _fresh: int = -1

    def __post_init__(self) -> None:
        self.model = CostModel(self.context.profile)

    def placed(self) -> Node:
        options = self.options(self.root, ())
        device = self._cheapest(self.root, options, Device.CPU)
        return self._wanted(self._assigned(self.root, device, ()), Device.CPU)

    # Choosing -----------------------------------------------------------------------------------------------
    def options(self, node: Node, env: _Env) -> _Options:
        """The cheapest way for each device that can have the node's rows computed there."""
        read = self._reads(node)
        own = tuple(pair for pair in env if pair[0] in read)
        key = id(node), own
        found = self._options.get(key)
        if found is None:
            if isinstance(node, nodes.Cte):
                found = self._cte_options(node, own)
            elif isinstance(node, nodes.CteScan):
                kept = dict(own)[node.cte_id]
                found = {kept: _Option(self.model.seconds(node, kept), node)}
            else:
                found = self._node_options(node, own)
            if self.context.mode == "gpu" and Device.GPU in found:
                found = {Device.GPU: found[Device.GPU]}
            self._options[key] = found
        return found

    def _node_options(self, node: Node, env: _Env) -> _Options:
        forms, support = self._forms_of(node)
        below = [self.options(child, env) for child in node.inputs]
        found: _Options = {}
        for device, answer in support.items():
            # A bridge, and so what is above it, has no way at all where its rows cannot be on the GPU.
            if not answer or not all(below):
                continue
            chosen = tuple(
                self._cheapest(child, options, device)
                for child, options in zip(node.inputs, below, strict=True)
            )
            total = self.model.seconds(node, device) + sum(
                options[d].seconds + self._moving(child, d, device)
                for child, options, d in zip(node.inputs, below, chosen, strict=True)
            )
            if total < math.inf:
                found[device] = _Option(total, node, chosen)
        for form in forms:
            for device, option in self.options(form, env).items():
                if device not in found or option.seconds < found[device].seconds:
                    found[device] = _Option(option.seconds, form)
        return found

    def _cte_options(self, node: nodes.Cte, env: _Env) -> _Options:
        definition = self.options(node.definition, env)
        inside = self._reads(node.body) | self._reads(node.definition)
        candidates = list(self.context.capabilities)
        if self.context.mode == "gpu" and Device.GPU in definition:
            candidates = [Device.GPU]
        elif len(inside) > OPEN_CTES:
            self.capped = True
            candidates = [min(definition, key=lambda d: definition[d].seconds)]
        found: _Options = {}
        for kept in candidates:
            source = self._cheapest(node.definition, definition, kept)
            made = definition[source].seconds + self._moving(node.definition, source, kept)
            if made == math.inf:
                continue
            for device, option in self.options(node.body, _with(env, node.cte_id, kept)).items():
                total = made + option.seconds
                if device not in found or total < found[device].seconds:
                    found[device] = _Option(total, node, (source, device), kept)
        return found

    def _cheapest(self, node: Node, options: _Options, target: Device) -> Device:
        """Where the node's rows are best computed when they are wanted on `target`."""
        return min(
            options, key=lambda d: (options[d].seconds + self._moving(node, d, target), d is not target)
        )

    def _moving(self, node: Node, source: Device, target: Device) -> float:
        if source is target:
            return 0.0
        if target is Device.GPU and not self._may_move(node):
            return math.inf
        return self.model.moving(node, source)

    def _may_move(self, node: Node) -> bool:
        """Whether the GPU can hold a node's rows."""
        found = self._movable.get(id(node))
        if found is None:
            capability = self.context.capabilities[Device.GPU]
            found = self._movable[id(node)] = bool(capability.supports(_transfer(node, Device.GPU)))
        return found

    def _forms_of(self, node: Node) -> tuple[tuple[Node, ...], Mapping[Device, Support]]:
        """The node's other forms, and what each device says of the node itself."""
        found = self._forms.get(id(node))
        if found is None:
            support = {d: c.supports(node) for d, c in self.context.capabilities.items()}
            if isinstance(node, nodes.Bridge):
                support[Device.CPU] = Support(("rows on the CPU need no bridge",))
            other = None
            if not support[Device.GPU]:
                other = bridged(node, self.context.capabilities[Device.GPU], self._new_id)
            found = self._forms[id(node)] = () if other is None else (other,), support
        return found

    def _reads(self, node: Node) -> frozenset[int]:
        """The CTEs that are read in a subtree and defined outside it."""
        found = self._open.get(id(node))
        if found is None:
            if isinstance(node, nodes.CteScan):
                found = frozenset((node.cte_id,))
            elif isinstance(node, nodes.Cte):
                body = self._reads(node.body) - {node.cte_id}
                found = self._reads(node.definition) | body
            else:
                found = frozenset[int]().union(*map(self._reads, node.inputs))
            self._open[id(node)] = found
        return found

    def _new_id(self) -> int:
        """A column id that the plan does not use."""
        if self._fresh < 0:
            self._fresh = max(c.id for n in nodes.walk_nodes(self.root) for c in _columns(n))
        self._fresh += 1
        return self._fresh

    # Building -----------------------------------------------------------------------------------------------
    def _assigned(self, node: Node, device: Device, env: _Env) -> Node:
        option = self.options(node, env)[device]
        if option.form is not node:
            return self._assigned(option.form, device, env)
        inner = env
        if option.kept is not None:
            assert isinstance(node, nodes.Cte)
            inner = _with(env, node.cte_id, option.kept)
        children = []
        for place_, (child, own) in enumerate(zip(node.inputs, option.inputs, strict=True)):
            definition = option.kept is not None and place_ == 0
            target = option.kept if definition else device
            assert target is not None
            children.append(self._wanted(self._assigned(child, own, env if definition else inner), target))
        new = nodes.with_inputs(node, tuple(children))
        return replace(new, device=device, reason=self._reason(node, device, env))

    def _wanted(self, placed: Node, target: Device) -> Node:
        return placed if placed.device is target else _transfer(placed, target)

    def _reason(self, node: Node, device: Device, env: _Env) -> str:
        """Why a node is on a device, and what leaves the GPU's memory for it there, or would."""
        why = self._why(node, device, env)
        if device is Device.GPU or Device.GPU in self.options(node, env):
            leaves = self.model.memory.told(node, there=device is Device.GPU)
            return why if leaves is None else f"{why}; {leaves}"
        return why

    def _why(self, node: Node, device: Device, env: _Env) -> str:
        other = Device.CPU if device is Device.GPU else Device.GPU
        if isinstance(node, nodes.CteScan):
            return "its rows are kept there"
        if isinstance(node, nodes.Bridge):
            return "; ".join(dict.fromkeys(reason for reasons in node.why for reason in reasons))
        if not isinstance(node, nodes.Cte):
            elsewhere = self._forms_of(node)[1][other]
            if not elsewhere:
                return "; ".join(elsewhere.reasons)
        if self.context.mode == "gpu":
            return self.context.asked if device is Device.GPU else "its input is there"
        options = self.options(node, env)
        if other not in options:
            return "the only device that can"
        mine, theirs = options[device].seconds, options[other].seconds
        if mine < theirs:
            less = f"{seconds(theirs - mine)} less than on the {other.value}"
            return f"estimated {seconds(mine)} with all below it, {less}"
        return "its rows are needed there"


def _with(env: _Env, cte_id: int, device: Device) -> _Env:
    return tuple(sorted((*(pair for pair in env if pair[0] != cte_id), (cte_id, device)), key=lambda p: p[0]))


def _columns(node: Node) -> Iterator[Column]:
    yield from node.schema
    if isinstance(node, nodes.TableScan):
        yield from node.hidden


def _transfer(node: Node, to: Device) -> Node:
    what = f"rows are needed on the {to.value}"
    return nodes.Transfer(input=node, device=to, reason=what, rows=node.rows, bytes=node.bytes)
