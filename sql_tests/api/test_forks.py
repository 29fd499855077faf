"""A process forked from one that ran queries runs them too, whatever its parent's threads were doing."""

import os
import subprocess
import sys
import threading
import warnings

import pytest
from tandemdb.planner.forks import kept_over_forks

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

# One process for all children, each of which would wait for ever for a thread that it does not have.
CODE = """
import os, signal, sys, threading, tandemdb
from tandemdb.planner.frontend import run_deep

QUERY = "SELECT sum(range) FROM range(1000000)"
con = tandemdb.connect(config={"threads": 2})
con.execute(QUERY).fetchall()

def child(what, work):
    pid = os.fork()
    if pid == 0:
        signal.alarm(10)
        print(what, work(), flush=True)
        os._exit(0)
    os.waitpid(pid, 0)

child("inherited:", lambda: con.execute(QUERY).fetchall())
child("own:", lambda: tandemdb.connect(config={"threads": 2}).execute(QUERY).fetchall())

def fetched():
    try:
        return rows.fetchall()
    except tandemdb.OperationalError as error:
        return error.code

rows = con.execute("SELECT range FROM range(100000000)")
rows.fetchone()
child("fetched:", fetched)
rows.close()

limit, inside, end = sys.getrecursionlimit(), threading.Event(), threading.Event()
caller = threading.Thread(target=lambda: run_deep(lambda: inside.set() or end.wait(), 500))
caller.start()
inside.wait()
child("deep:", lambda: (sys.getrecursionlimit() == limit, run_deep(lambda: "done", 500)))
end.set()
"""


def test_a_forked_child_has_threads_of_its_own() -> None:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", CODE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "inherited: [(499999500000,)]",
        "own: [(499999500000,)]",
        "fetched: forked",
        "deep: (True, 'done')",
    ]


def test_a_fork_waits_for_a_thread_that_holds_a_lock_of_the_process() -> None:
    lock = kept_over_forks(threading.RLock())
    held, forked = threading.Event(), threading.Event()
    order: list[str] = []

    def hold() -> None:
        with lock:
            held.set()
            order.append("forked" if forked.wait(0.1) else "released")

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        os._exit(0 if lock.acquire(timeout=1) else 1)
    forked.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert order == ["released"]
