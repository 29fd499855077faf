"""The examples in the doubles' docstrings are right."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import doubles
import pytest

MODULES = [module.name for module in pkgutil.walk_packages(doubles.__path__, "doubles.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    found = [t for name in MODULES for t in finder.find(importlib.import_module(name)) if t.examples]
    assert len(found) > 10
