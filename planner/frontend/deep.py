"""Room for recursion: how deep a statement nests, and running a function where that depth fits."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from sqlglot.tokenizer_core import Token, TokenType

from .. import messages_query as messages
from ..forks import in_forked_children, kept_over_forks

T = TypeVar("T")

# Brackets, subqueries and CASEs within each other.
MAX_DEPTH = 1_000
# The same and chains of operators, which are left-deep trees.
MAX_TREE_DEPTH = 3_000
# Up to this depth the parser's recursion (some 24 frames a level) and all later passes fit Python's usual
# limit of 1,000 frames, with
# room for the caller's own.
SHALLOW_DEPTH = 12
_STACK_BYTES = 512 * 1024 * 1024
_FRAMES = 400_000
_POLL_SECONDS = 0.1

_OPEN = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE})
_CLOSE = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END})
# Each of these makes its operand one level deeper (chains of binary operators are left-deep trees).
_CHAIN = frozenset(
    {
        TokenType.PLUS, TokenType.DASH, TokenType.STAR, TokenType.SLASH, TokenType.DIV, TokenType.MOD,
        TokenType.DPIPE,
        TokenType.NOT, TokenType.DCOLON, TokenType.CARET, TokenType.DSTAR, TokenType.AMP, TokenType.PIPE,
        TokenType.TILDE,
        TokenType.EQ, TokenType.NEQ, TokenType.LT, TokenType.LTE, TokenType.GT, TokenType.GTE, TokenType.LIKE,
        TokenType.IS, TokenType.JOIN, TokenType.DOT,
    }
)  # fmt: skip
# These start a new operand list at the same level; chains of AND, OR and set operations are walked
# iteratively.
_RESET = frozenset(
    {
        TokenType.COMMA, TokenType.AND, TokenType.OR, TokenType.FROM, TokenType.WHERE, TokenType.SELECT,
        TokenType.UNION,
        TokenType.EXCEPT, TokenType.INTERSECT, TokenType.WHEN, TokenType.THEN, TokenType.ELSE, TokenType.ON,
        TokenType.HAVING, TokenType.GROUP_BY, TokenType.ORDER_BY, TokenType.LIMIT, TokenType.ALIAS,
    }
)  # fmt: skip
_SET_OPERATIONS = frozenset({TokenType.UNION, TokenType.EXCEPT, TokenType.INTERSECT})


def nesting_depth(tokens: Sequence[Token]) -> tuple[int, int]:
    """How deep brackets nest, and an upper estimate of the syntax tree's depth, from one pass over the
    tokens.

    >>> from tandemdb.planner.frontend import tokenize
    >>> nesting_depth(tokenize("SELECT ((1)) + 2 + 3"))
    (2, 2)
    """
    chains, set_operations = [0], [0]
    depth = deepest = brackets = 0
    for token in tokens:
        kind = token.token_type
        if kind in _OPEN:
            chains.append(0)
            set_operations.append(0)
            depth += 1
            brackets = max(brackets, len(chains) - 1)
        elif kind in _CLOSE:
            if len(chains) > 1:
                depth -= 1 + chains.pop() + set_operations.pop()
        elif kind in _CHAIN:
            chains[-1] += 1
            depth += 1
        elif kind in _RESET:
            depth -= chains[-1]
            chains[-1] = 0
            if kind in _SET_OPERATIONS:
                set_operations[-1] += 1
                depth += 1
        if depth > deepest:
            deepest = depth
    return brackets, deepest


def query_count(tokens: Sequence[Token]) -> int:
    """How many queries a statement holds. CTEs that read one another nest no brackets, but their plans do:
    with the brackets this bounds a plan's depth.

    >>> from tandemdb.planner.frontend import tokenize
    >>> query_count(tokenize("WITH a AS (SELECT 1), b AS (FROM a) SELECT * FROM b"))
    2
    """
    kinds = Counter(token.token_type for token in tokens)
    return max(kinds[TokenType.SELECT], kinds[TokenType.FROM])


class _RecursionRoom:
    """Raises the interpreter's recursion limit while any deep call runs; the last one to leave restores
    it."""

    def __init__(self) -> None:
        self._lock = kept_over_forks(threading.RLock())
        self._active = 0
        self._usual = 0
        in_forked_children(self._leave_all)

    def __enter__(self) -> None:
        with self._lock:
            if self._active == 0:
                self._usual = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self._usual, _FRAMES))
            self._active += 1

    def __exit__(self, *exc: object) -> None:
        with self._lock:
            self._active -= 1
            if self._active == 0:
                sys.setrecursionlimit(self._usual)

    def _leave_all(self) -> None:
        """The threads of the deep calls were left behind by a fork."""
        if self._active:
            self._active = 0
            sys.setrecursionlimit(self._usual)


_ROOM = _RecursionRoom()
_STACK_SIZE_LOCK = kept_over_forks(threading.RLock())


def run_deep(fn: Callable[[], T], depth: int, stop: Callable[[], None] = lambda: None) -> T:
    """Calls `fn` and returns its result; beyond SHALLOW_DEPTH in a thread whose stack fits MAX_DEPTH levels.

    An exception of `fn` is raised here; one that needs more room than there is becomes a ParserError. `fn`
    must not depend on thread-local state. Ctrl-C comes here while the thread works: `stop` tells `fn` to end
    soon, and KeyboardInterrupt goes on only when it has.
    """
    try:
        return fn() if depth <= SHALLOW_DEPTH else _DeepCall(fn).result(stop)
    except RecursionError as error:
        raise messages.beyond_depth() from error


class _DeepCall(Generic[T]):
    """One call in a thread of its own, whose stack is deep."""

    def __init__(self, fn: Callable[[], T]) -> None:
        self._fn = fn
        self._result: list[T] = []
        self._failure: list[BaseException] = []
        self._given_up = threading.Event()
        self._begun = threading.Event()
        # Not `Thread.join`: an interrupted one takes the thread for dead before Python 3.13.
        self._ended = threading.Event()

    def result(self, stop: Callable[[], None]) -> T:
        """What the function returns or raises."""
        with _ROOM:
            try:
                thread = self._started()
                self._wait()
            except BaseException:
                self._given_up.set()
                stop()
                if self._begun.is_set():
                    self._wait()
                raise
            thread.join()
        if self._failure:
            raise self._failure[0]
        return self._result[0]

    def _wait(self) -> None:
        # With time-outs: a signal that comes just before a wait without one is seen only when that ends.
        while not self._ended.wait(_POLL_SECONDS):
            pass

    def _started(self) -> threading.Thread:
        thread = threading.Thread(target=self._work, name="tandemdb-deep", daemon=True)
        # The stack size is a setting of the process, read when a thread starts.
        with _STACK_SIZE_LOCK:
            before = threading.stack_size(_STACK_BYTES)
            try:
                thread.start()
            finally:
                threading.stack_size(before)
        return thread

    def _work(self) -> None:
        self._begun.set()
        try:
            # Looked at after `_begun` is set: nobody waits for a thread that had not begun by then.
            if not self._given_up.is_set():
                self._result.append(self._fn())
        except BaseException as error:  # noqa: BLE001 - handed to the caller above
            self._failure.append(error)
        finally:
            self._ended.set()
