"""Completion and colours of the shell."""

import os
import sys

import pexpect
import pytest
import tandemdb
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from tandemdb.engine.cli.typing_help import SqlCompleter, SqlLexer


@pytest.fixture
def completer():
    with tandemdb.connect() as con:
        con.execute('CREATE TABLE Orders(id INTEGER, "a b" INTEGER); CREATE VIEW order_names AS SELECT 1')
        con.register("orphans", {"name": ["x"]})
        yield SqlCompleter(lambda: con.session.catalog.snapshot, [".help", ".tables", ".timer"])


@pytest.mark.parametrize(
    ("text", "completions"),
    [
        ("SELECT * FROM ord", ["order_names", "Orders", "ord", "order", "ordinality"]),
        ("SELECT orders.", ["id", '"a b"']),
        ("SELECT orphans.N", ["name"]),
        ("SELECT regexp_f", ["regexp_full_match"]),
        ("SEL", ["SELECT"]),
        ("sel", ["select"]),
        (".t", [".tables", ".timer"]),
        (".read ord", []),
        ("SELECT ", []),
        ("nope.x", []),
    ],
)
def test_completions(completer: SqlCompleter, text: str, completions: list[str]) -> None:
    found = [c.text for c in completer.get_completions(Document(text), CompleteEvent())]
    assert [c for c in completions if c not in found] == []
    if text not in ("SELECT * FROM ord",):
        assert found == completions


def test_colours_keep_the_text() -> None:
    line = "SELECT a1, 'it''s' || \"x\" + 1.5e3 -- é\t🙂"
    pieces = SqlLexer().lex_document(Document(line))(0)
    assert "".join(text for _, text in pieces) == line
    styles = {text: style for style, text in pieces}
    assert styles["SELECT"] == "ansiblue bold"
    assert styles["a1"] == ""
    assert styles["'it''s'"] == "ansigreen"
    assert styles["1.5e3"] == "ansimagenta"
    assert styles["-- é\t🙂"] == "ansibrightblack"


def test_tab_completes_in_the_shell(tmp_path) -> None:
    environment = {
        **os.environ,
        "TERM": "xterm",
        "XDG_STATE_HOME": str(tmp_path),
        "PROMPT_TOOLKIT_NO_CPR": "1",
    }
    child = pexpect.spawn(sys.executable, ["-m", "tandemdb"], encoding="utf-8", timeout=30, env=environment)
    child.expect("tandem>")
    child.send("CREATE TABLE quixotic AS SELECT 'fo' || 'und' AS v;\r")
    child.expect("1 row")
    child.expect("tandem>")
    child.send("FROM quix\t")
    child.expect("otic")  # it is completed beside the input: more letters would stop it
    child.send(";\r")
    child.expect("found")
    child.expect("tandem>")
    child.send("\x04")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
