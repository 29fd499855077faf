"""What docs/udf.md shows works as it stands there, with the results that its comments tell."""

import ast
import re

from product_tree import ROOT

TEXT = (ROOT / "docs" / "udf.md").read_text(encoding="utf-8")


def test_the_examples_give_what_the_comments_say() -> None:
    names: dict[str, object] = {}
    told = 0
    for block in re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL):
        exec(compile(block, "udf.md", "exec"), names)
        for line in block.splitlines():
            code, _, comment = line.partition("  # ")
            if comment:
                assert eval(code, names) == ast.literal_eval(comment), line
                told += 1
    assert told >= 5
