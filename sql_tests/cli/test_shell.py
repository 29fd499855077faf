"""The interactive loop, driven through a pseudo-terminal."""

import sys
import time
from collections.abc import Iterator

import pexpect
import pytest


@pytest.fixture
def shell(tmp_path) -> Iterator[pexpect.spawn]:
    import os

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
