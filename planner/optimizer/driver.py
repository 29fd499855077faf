"""Runs batches of rules: one wrapper round every rule, whatever it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from time import perf_counter

from ..logical import Plan
from .context import OptimizerContext
from .verify import verify

# A pair of rules that undo each other would never settle; real queries need three or four rounds.
MOST_ROUNDS = 12

Apply = Callable[[Plan, OptimizerContext], Plan]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rewriting of plans that keeps their rows. `apply` returns the same object when it changes nothing.
    `why` is one line for people. `required` rules make plans executable at all and cannot be disabled.
    """

    name: str
    apply: Apply
    why: str
    required: bool = False


class Mode(Enum):
    """How often the rules of a batch run."""

    ONCE = "once"
    FIXED_POINT = "until nothing changes"


@dataclass(frozen=True, slots=True)
class Batch:
    """Rules that run together, in order."""

    name: str
    mode: Mode
    rules: tuple[Rule, ...]


def run_batches(plan: Plan, batches: Sequence[Batch], context: OptimizerContext) -> Plan:
    """The plan after all batches; every rule is checked for cancellation, timed and verified."""
    for batch in batches:
        rules = [rule for rule in batch.rules if rule.required or not _disabled(rule, context)]
        if batch.mode is Mode.ONCE:
            for rule in rules:
                plan = run_rule(plan, rule, context)
        else:
            plan = _settle(plan, rules, context)
    return plan


def _disabled(rule: Rule, context: OptimizerContext) -> bool:
    return rule.name in context.disabled_rules or "all" in context.disabled_rules


def _settle(plan: Plan, rules: Sequence[Rule], context: OptimizerContext) -> Plan:
    """Runs rules in turn until each of them has seen the plan as it is and left it alone."""
    quiet = 0
    for _ in range(MOST_ROUNDS):
        for rule in rules:
            if quiet == len(rules):
                return plan
            after = run_rule(plan, rule, context)
            quiet = quiet + 1 if after is plan else 0
            plan = after
    return plan


def run_rule(plan: Plan, rule: Rule, context: OptimizerContext) -> Plan:
    """One rule: cancellation check, timing, verification of what it changed."""
    context.check()
    start = perf_counter()
    after = rule.apply(plan, context)
    changed = after is not plan
    if changed:
        verify(plan, after, rule.name)
    context.trace.append((rule.name, (perf_counter() - start) * 1000, changed))
    return after
