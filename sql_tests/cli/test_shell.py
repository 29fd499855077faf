"""The interactive loop, driven through a pseudo-terminal."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest


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
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    child = pexpect.spawn(
        sys.executable, ["-m", "tandemdb"], encoding="utf-8", timeout=60, env={**os.environ, "TERM": "dumb"}
    )
    child.expect("tandem> ")
    child.sendline("SELECT g % 7 AS k, max(g) FROM (SELECT range AS g FROM range(3000000)) GROUP BY k;")
    time.sleep(1.2)
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
