"""The interactive loop, driven through a pseudo-terminal."""

import builtins
import io
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest
import tandemdb
from tandemdb.engine.cli.formats import write_csv
from tandemdb.engine.cli.shell import Shell, _is_complete
from tandemdb.planner.frontend import parse


@pytest.fixture
def shell(tmp_path) -> Iterator[pexpect.spawn]:
    environment = {**os.environ, "TERM": "dumb", "XDG_STATE_HOME": str(tmp_path)}
    child = pexpect.spawn(sys.executable, ["-m", "tandemdb"], encoding="utf-8", timeout=60, env=environment)
    child.expect("tandem> ")
    yield child
    child.close(force=True)


def test_statements_over_lines_and_commands(shell: pexpect.spawn) -> None:
    shell.sendline("SELECT 40")
    shell.expect(r"\.\.\.\.\.\.> ")
    shell.sendline("+ 2 AS answer;")
    shell.expect("42")
    shell.expect("tandem> ")
    shell.sendline("CREATE TABLE t AS SELECT 1 AS a;")
    shell.expect("1 row")
    shell.sendline(".tables")
    shell.expect(r"\bt\r")
    shell.sendline("help")
    shell.expect("this text")
    shell.sendline("SELECT nope FROM t;")
    shell.expect("Binder Error")
    shell.sendline("quit")
    shell.expect(pexpect.EOF)
    shell.close()
    assert shell.exitstatus == 0


def test_interrupt_keeps_the_shell(shell: pexpect.spawn) -> None:
    shell.sendline("SELECT count(*) FROM range(3000000) a, range(3000000) b WHERE a.range * b.range % 7 = 3;")
    time.sleep(1.5)
    began = time.perf_counter()
    shell.sendintr()
    shell.expect("Interrupted")
    assert time.perf_counter() - began < 0.5
    shell.expect("tandem> ")
    shell.sendline("SELECT 'still ' || 'here';")
    shell.expect("still here")


def test_interrupt_while_kernels_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first query on a machine: the compiler cannot be stopped, but nobody waits for it."""
    kernels = tmp_path / "kernels"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(kernels))
    child = pexpect.spawn(
        sys.executable, ["-m", "tandemdb"], encoding="utf-8", timeout=60, env={**os.environ, "TERM": "dumb"}
    )
    child.expect("tandem> ")
    # More rows than any machine groups while the test waits: the interrupt never comes after the end.
    child.sendline("SELECT g % 7 AS k, max(g) FROM (SELECT range AS g FROM range(300000000000)) GROUP BY k;")
    # The first kernel is stored, so the compiler is at one of the others.
    deadline = time.monotonic() + 60
    while not any(kernels.rglob("*.nbc")):
        assert time.monotonic() < deadline, "no kernel was compiled"
        time.sleep(0.01)
    began = time.perf_counter()
    child.sendintr()
    child.expect("Interrupted")
    assert time.perf_counter() - began < 1.0
    child.expect("tandem> ")
    child.sendline("SELECT 'still ' || 'here';")
    child.expect("still here")
    child.close(force=True)


def test_interrupt_where_the_parent_ignores_it(tmp_path: Path) -> None:
    """Whatever is started in the background of a script ignores Ctrl-C; a shell at a prompt does not."""
    child = pexpect.spawn(
        "/bin/sh",
        ["-c", f"trap '' INT; exec {sys.executable} -m tandemdb"],
        encoding="utf-8",
        timeout=60,
        env={**os.environ, "TERM": "dumb"},
    )
    child.expect("tandem> ")
    child.sendline("SELECT count(*) FROM range(3000000) a, range(3000000) b WHERE a.range * b.range % 7 = 3;")
    time.sleep(1.5)
    child.sendintr()
    child.expect("Interrupted")
    child.close(force=True)


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[list[str], str]]:
    """What a shell in this process prompts and prints, given lines and then the end of input."""

    def typed(*lines: str) -> tuple[list[str], str]:
        left, prompts = list(lines), []

        def read(prompt: str) -> str:
            prompts.append(prompt.strip())
            if not left:
                raise EOFError
            return left.pop(0)

        monkeypatch.setattr(builtins, "input", read)
        out = io.StringIO()
        with tandemdb.connect() as connection:
            shell = Shell(connection, write_csv, out)
            shell.timer = False
            assert shell.run() == 0
        return prompts, out.getvalue().partition("help.\n")[2]

    return typed


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('SELECT "";', "Parser Error: zero-length delimited identifier"),
        ("SELECT x'zz';", "Parser Error: Hex string literal contains a non-hexadecimal character 'z'"),
        ("SELECT \ud800", "Invalid Input Error: The statement has a lone surrogate"),
    ],
)
def test_what_no_later_line_can_mend_is_told_at_once(
    typed: Callable[..., tuple[list[str], str]], text: str, said: str
) -> None:
    prompts, shown = typed(text, "SELECT 1 AS a;")
    assert prompts == ["tandem>"] * 3
    assert shown.startswith(said)
    assert shown.endswith("a\n1\n")


def test_a_compiled_sqlglot_is_told_in_the_shell(
    typed: Callable[..., tuple[list[str], str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse, "EXTENSIBLE", False)
    prompts, shown = typed("SELECT 1;")
    assert prompts == ["tandem>"] * 2
    assert "sqlglotc" in shown


@pytest.mark.parametrize("opened", ["'a;", '"a;', "/* a;", "$$a;", "$x$ a $$;", "e'\\';"])
def test_an_open_string_goes_on_and_is_told_at_the_end_of_input(
    typed: Callable[..., tuple[list[str], str]], opened: str
) -> None:
    prompts, shown = typed(f"SELECT {opened}")
    assert prompts == ["tandem>", "......>"]
    assert shown.startswith("Parser Error: unterminated ")
    assert "LINE 1: SELECT " in shown


def test_a_statement_without_its_semicolon_is_not_run_at_the_end_of_input(
    typed: Callable[..., tuple[list[str], str]],
) -> None:
    _, shown = typed("CREATE TABLE t AS SELECT 1 AS a; DELETE FROM t")
    assert shown == "Not run, as no semicolon ends it: CREATE TABLE t AS SELECT 1 AS a; DELETE FROM t\n"
    assert typed("SELECT 1", "AS a")[1] == "Not run, as no semicolon ends it:\nSELECT 1\nAS a\n"
    assert typed("-- nothing")[1] == ""


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("select 1;", True),
        ("select 1; -- x", True),
        ("select 1 /* ; */ ;", True),
        (";", True),
        ("select 1", False),
        ("select 1 -- all;", False),
        ("select 1 /* ; */", False),
        ("select ';'", False),
        ("select 1; select 2", False),
    ],
)
def test_a_semicolon_ends_a_statement_outside_of_comments_only(text: str, complete: bool) -> None:
    assert _is_complete(text) is complete
