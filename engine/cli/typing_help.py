"""What the shell does while people type: completion at Tab, and colours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.lexers import Lexer

from ...planner.frontend.keywords import KEYWORDS
from ...planner.functions import function_names
from ..catalog import Snapshot

_WORD = re.compile(r"[\w.]+$")
_PARTS = re.compile(
    r"""(?P<comment>--.*|/\*.*?(?:\*/|$))|(?P<string>'(?:[^']|'')*'?)|(?P<name>"(?:[^"]|"")*"?)"""
    r"""|(?P<number>\b\d[\w.]*)|(?P<word>[^\W\d]\w*)|(?P<other>.)""",
    re.DOTALL,
)
_STYLES = {"comment": "ansibrightblack", "string": "ansigreen", "number": "ansimagenta"}


class SqlCompleter(Completer):
    """Completes dot commands, tables, columns, functions and keywords, in this order. `snapshot` gives the
    catalog as it is; columns are those of tables in memory, as others would have to be read.
    """

    def __init__(self, snapshot: Callable[[], Snapshot], commands: Iterable[str]) -> None:
        self._snapshot = snapshot
        self._commands = tuple(commands)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Completions of the word before the cursor."""
        text = document.text_before_cursor
        found = _WORD.search(text)
        word = "" if found is None else found[0]
        if text.lstrip().startswith("."):
            if " " not in text.strip():
                yield from _completions(text.strip(), self._commands)
            return
        snapshot = self._snapshot()
        if "." in word:
            table, _, start = word.rpartition(".")
            entry = snapshot.registered.get(table.lower()) or snapshot.tables.get(table.lower())
            if entry is not None:
                yield from _completions(start, (column.name for column in entry.columns))
            return
        if word:
            yield from _completions(word, _candidates(snapshot, word))


def _candidates(snapshot: Snapshot, word: str) -> Iterator[str]:
    yield from snapshot.names()
    for table in (*snapshot.registered.values(), *snapshot.tables.values()):
        yield from (column.name for column in table.columns)
    yield from function_names()
    upper = not word.islower()
    yield from (key.upper() if upper else key for key in sorted(KEYWORDS))


def _completions(start: str, candidates: Iterable[str]) -> Iterator[Completion]:
    told: set[str] = set()
    for candidate in candidates:
        key = candidate.lower()
        if key.startswith(start.lower()) and key not in told:
            told.add(key)
            plain = re.fullmatch(r"\.?[^\W\d]\w*", candidate)
            shown = candidate if plain else '"' + candidate.replace('"', '""') + '"'
            yield Completion(shown, start_position=-len(start), display=candidate)


class SqlLexer(Lexer):
    """Colours of a line of SQL."""

    def lex_document(self, document: Document) -> Callable[[int], list[tuple[str, str]]]:
        """The styled pieces of each line."""
        lines = document.lines
        return lambda number: [_styled(part) for part in _PARTS.finditer(lines[number])]


def _styled(part: re.Match[str]) -> tuple[str, str]:
    kind = part.lastgroup or ""
    if kind == "word":
        return ("ansiblue bold" if part[0].lower() in KEYWORDS else ""), part[0]
    return _STYLES.get(kind, ""), part[0]
