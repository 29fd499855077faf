"""The interactive loop: statements end with a semicolon, dot commands do the rest."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import TextIO

from ...planner.errors import Error, SqlError
from ...planner.frontend.parse import split_script
from ..catalog import Snapshot
from ..connection import Connection
from .batch import run_files
from .formats import FORMATS, Format

_HELP = """\
.help                this text
.tables              names of tables and views
.schema [NAME]       columns of a table, or of all tables
.mode FORMAT         output format: {formats}
.timer on|off        show how long statements take
.read FILE           run a SQL file
.quit                leave (so does Ctrl-D)
Statements end with a semicolon. Ctrl-C cancels a running query or the current input."""

# Words that people type before they have found the dot commands.
_WORDS = {"exit": ".quit", "quit": ".quit", "help": ".help", "?": ".help", "\\q": ".quit", "\\h": ".help"}


class Shell:
    """Reads statements from a terminal and prints their results."""

    def __init__(self, connection: Connection, form: Format, out: TextIO) -> None:
        self.connection = connection
        self.form = form
        self.out = out
        self.timer = True

    def run(self) -> int:
        """Loops until .quit or end of input; returns the exit code."""
        from ... import __version__

        _hear_interrupts()
        print(f"TandemDB {__version__}. Enter .help for help.", file=self.out)
        prompt = _Prompt(lambda: self.connection.session.catalog.snapshot)
        pending = ""
        while True:
            try:
                line = prompt.read("......> " if pending else "tandem> ")
            except KeyboardInterrupt:
                pending = ""
                continue
            except EOFError:
                self._tell_unfinished(pending)
                return 0
            if not pending and line.strip().startswith("."):
                if not self._guarded_command(line.strip()):
                    return 0
                continue
            if not pending and (command := _WORDS.get(line.strip().rstrip(";").lower())):
                if not self._guarded_command(command):
                    return 0
                continue
            pending = f"{pending}\n{line}" if pending else line
            if not pending.strip():
                pending = ""
            elif _is_complete(pending):
                self.statement(pending)
                pending = ""

    def statement(self, text: str) -> None:
        """Runs statements; errors are shown, Ctrl-C cancels, the session goes on."""
        cursor = self.connection.cursor()
        began = time.perf_counter()
        try:
            for start, end in split_script(text):
                try:
                    cursor.execute(text[start:end])
                finally:
                    for _, message in cursor.messages:
                        print(f"Warning: {message}", file=self.out)
                if cursor.description is not None:
                    self.form(cursor, self.out)
                elif cursor.rowcount >= 0:
                    print(f"{cursor.rowcount} row{'s' if cursor.rowcount != 1 else ''}", file=self.out)
                for fallback in cursor.profile.fallbacks if cursor.description is not None else ():
                    print(f"fallback: {fallback}", file=self.out)
            if self.timer:
                print(f"({time.perf_counter() - began:.3f} s)", file=self.out)
        except KeyboardInterrupt:
            print("Interrupted", file=self.out)
        except Error as error:
            if isinstance(error, SqlError) and error.sql is None:
                error.sql = text
            print(error, file=self.out)
        finally:
            cursor.close()
            self.out.flush()

    def _tell_unfinished(self, text: str) -> None:
        """Says what becomes of statements that the end of the input cut short: nothing."""
        try:
            if split_script(text):
                print(f"Not run, as no semicolon ends it:{_beside(text)}", file=self.out)
        except SqlError as error:
            error.sql = error.sql or text
            print(error, file=self.out)

    def _guarded_command(self, line: str) -> bool:
        """A dot command; neither an error nor Ctrl-C ends the shell."""
        try:
            return self.command(line)
        except KeyboardInterrupt:
            print("Interrupted", file=self.out)
        except Error as error:
            print(error, file=self.out)
        return True

    def command(self, line: str) -> bool:
        """Runs a dot command; False to leave."""
        name, _, argument = line.partition(" ")
        argument = argument.strip().rstrip(";")
        match name.rstrip(";"):
            case ".quit" | ".exit":
                return False
            case ".help":
                print(_HELP.format(formats=", ".join(sorted(FORMATS))), file=self.out)
            case ".tables":
                for table in self.connection.session.catalog.snapshot.names():
                    print(table, file=self.out)
            case ".schema":
                names = [argument] if argument else list(self.connection.session.catalog.snapshot.names())
                for table in names:
                    print(f"-- {table}", file=self.out)
                    self.statement('DESCRIBE "' + table.replace('"', '""') + '"')
            case ".mode" if argument in FORMATS:
                self.form = FORMATS[argument]
            case ".mode":
                print(f"formats: {', '.join(sorted(FORMATS))}", file=self.out)
            case ".timer" if argument in ("on", "off"):
                self.timer = argument == "on"
            case ".timer":
                print("usage: .timer on|off", file=self.out)
            case ".read" if argument:
                run_files(self.connection, [argument], self.form, self.out, "stop")
            case ".read":
                print("usage: .read FILE", file=self.out)
            case _:
                print(f"unknown command {name}; .help lists the commands", file=self.out)
        return True


def _hear_interrupts() -> None:
    """Makes Ctrl-C raise KeyboardInterrupt. A process started in the background ignores it, and so would its
    children, this one included; whoever has a prompt expects it to work.
    """
    if (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    ):
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_complete(text: str) -> bool:
    """Whether the input ends with a semicolon that ends a statement (not one inside a string or comment)."""
    try:
        pieces = split_script(text)
    except SqlError as error:
        # An open string, name or comment goes on in the next line; nothing there mends what else is wrong.
        return error.code != "unterminated"
    if not pieces:
        return not text.strip("; \t\n")
    # What would follow is a statement of its own only after a semicolon, and one in a comment is none.
    return len(split_script(text + "\nx")) > len(pieces)


def _beside(text: str) -> str:
    """A text after a colon: of several lines below it."""
    return ("\n" if "\n" in text else " ") + text


class _Prompt:
    """Line input: prompt_toolkit with history, colours and completion on a terminal that has them, else plain
    input().
    """

    def __init__(self, snapshot: Callable[[], Snapshot]) -> None:
        self._session = None
        if sys.stdin.isatty() and os.environ.get("TERM", "dumb") != "dumb":
            from prompt_toolkit import PromptSession
            from prompt_toolkit.history import FileHistory, InMemoryHistory

            history = InMemoryHistory()
            with contextlib.suppress(OSError):
                from platformdirs import user_state_path

                folder = user_state_path("tandemdb", ensure_exists=True)
                history = FileHistory(str(folder / "history"))
            from .typing_help import SqlCompleter, SqlLexer

            commands = re.findall(r"^\.\w+", _HELP, re.MULTILINE)
            self._session = PromptSession(
                history=history,
                lexer=SqlLexer(),
                completer=SqlCompleter(snapshot, commands),
                complete_while_typing=False,
            )

    def read(self, prompt: str) -> str:
        """One line; EOFError at the end of input, KeyboardInterrupt on Ctrl-C."""
        return input(prompt) if self._session is None else self._session.prompt(prompt)
