"""The examples in docstrings do what they say."""

import doctest
import importlib
from pathlib import Path

import pytest
from product_tree import ROOT, module_name, modules

WITH_EXAMPLES = [path for path in modules() if ">>> " in (ROOT / path).read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=str)
def test_examples(path: Path) -> None:
    result = doctest.testmod(importlib.import_module(module_name(path)), optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0
    assert result.failed == 0
