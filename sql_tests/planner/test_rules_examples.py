"""Every rule's docstring shows a query before and after it: the plans are made and compared."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from textwrap import dedent

import pytest
from optimizer_catalog import before_and_after, rules_by_name
from tandemdb.planner.optimizer.batches import BATCHES

RULES = rules_by_name(BATCHES)
_EXAMPLE = re.compile(
    r"^(?P<i> *)sql: (?P<sql>.*(?:\n(?P=i)    .*)*)\n(?:(?P=i)given: (?P<given>.*)\n)?"
    r"(?P=i)before:\n(?P<before>(?:(?P=i)    .*\n)+)(?P=i)after:\n(?P<after>(?:(?P=i)    .*\n)+)",
    re.MULTILINE,
)


def _example(name: str) -> re.Match[str]:
    found = _EXAMPLE.search(sys.modules[RULES[name].apply.__module__].__doc__ or "")
    assert found is not None, f"{name} has no example"
    return found


@pytest.mark.parametrize("name", RULES)
def test_docstring_example(name: str) -> None:
    example = _example(name)
    given = tuple(RULES[g.strip()] for g in (example["given"] or "").split(",") if g.strip())
    before, after = before_and_after(example["sql"], RULES[name], given)
    assert before == dedent(example["before"]).strip("\n")
    assert after == dedent(example["after"]).strip("\n")
    assert before != after


def test_one_rule_a_file() -> None:
    modules = [rule.apply.__module__ for rule in RULES.values()]
    assert len(set(modules)) == len(modules)
    for name, rule in RULES.items():
        assert rule.apply.__module__.rpartition(".")[2] == name
        assert rule.why
        assert Path(inspect.getfile(rule.apply)).name == f"{name}.py"
