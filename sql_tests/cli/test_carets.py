"""The caret stands under the token, whatever comes before it."""

import io
import unicodedata
from pathlib import Path

import pytest
from tandemdb import connect
from tandemdb.engine.cli.batch import run_files, run_text
from tandemdb.engine.cli.formats import write_plain

BEFORE = [
    "SELECT 1 AS one; ",
    "SELECT 1;\n\n  -- two\n",
    "SELECT 1;\r\nSELECT 2;\r\n   ",
    "SELECT 'é☃';\t\t",
    "SELECT '漢字\n漢字'; SELECT\t1;",
    "SELECT 'e\u0301e\u0301' AS \"e\u0301\"; ",
    "/* 漢 */ SELECT 1; /* 字 */ ",
    "SELECT '👩\u200d🚀'; ",
    f"SELECT '{'x' * 200}'; ",
]
STATEMENTS = [
    "SELECT '漢', 'e\u0301',\t nope FROM (SELECT 1)",
    "SELECT nope",
    "SELECT a\nFROM nope",
    "SELECT * FROM nope",
]


def columns(text: str) -> int:
    """An independent count: tabs stand for themselves on both lines, so they count one here."""
    return sum(
        0
        if unicodedata.category(c) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(c) in "WF"
        else 1
        for c in text
    )


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("before", BEFORE)
def test_the_caret_is_under_the_token(
    before: str, statement: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = before + statement + ";\nSELECT 3;"
    path = tmp_path / "s.sql"
    path.write_text(script, encoding="utf-8", newline="")
    for run in (
        lambda: run_files(connect(), [str(path)], write_plain, io.StringIO(), "stop"),
        lambda: run_text(connect(), script, write_plain, io.StringIO(), "stop"),
    ):
        assert not run()
        error = capsys.readouterr().err
        number = script[: script.index("nope")].count("\n") + 1
        lines = error.split("\n")
        at = next(i for i, line in enumerate(lines) if line.startswith("LINE "))
        shown, caret = lines[at].rstrip("\r"), lines[at + 1]
        assert shown.startswith(f"LINE {number}: "), error
        place = shown.rindex("nope")
        assert columns(shown[:place]) == columns(caret[: caret.index("^")]), error
        assert [i for i, c in enumerate(caret) if c == "\t"] == [] or caret.count("\t") == shown[
            :place
        ].count("\t")
        assert caret.strip() == "^~~~"
