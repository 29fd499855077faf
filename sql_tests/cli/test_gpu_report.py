"""`tandemdb gpu-report`: every statement planned for a GPU, none run, and the reasons counted."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import tandemdb
from planner_catalog import TPCH
from product_tree import ROOT
from tandemdb.engine import session
from tandemdb.engine.cli.main import main
from tandemdb.engine.report.json_form import report_data
from tandemdb.engine.report.model import Report
from tandemdb.engine.report.scripts import report
from tandemdb.gpu_exec import support
from tandemdb.planner import expr as e
from tandemdb.planner.types import TypeId

ROWS = 200_000


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("report") / "lake"
    folder.mkdir()
    rows = range(ROWS)
    table = pa.table(
        {
            "k": rows,
            "s": [f"name {i % 977}" for i in rows],
            "p": pa.array([i % 100 for i in rows], pa.int64())
            .cast(pa.decimal128(20))
            .cast(pa.decimal128(9, 2)),
            "at": pa.array([i * 1_000_000 for i in rows], pa.timestamp("us", "UTC")),
        }
    )
    pq.write_table(table, folder / "big.parquet")
    return str(folder)


@pytest.fixture
def planned(lake: str) -> Callable[..., Report]:
    """The report over scripts given as texts."""
    return lambda *texts, profile="h200": report(
        ((f"{i}.sql", text) for i, text in enumerate(texts, 1)), profile, lake
    )


def reasons(found: Report) -> dict[str, Any]:
    return {reason.topic: reason for reason in found.reasons}


# Far more than a CPU is quick with, and nothing to read.
HEAVY = "SELECT range % 10 AS g, sum(range) FROM range(100000000) GROUP BY g"
UPPER = "the function upper: not on a Monday"
REGEX = "the function regexp_matches: not on a Tuesday"


@pytest.fixture(autouse=True)
def gaps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two functions that the GPU lacks, whatever it has learnt."""
    for topic in (UPPER, REGEX):
        name, reason = topic.removeprefix("the function ").split(": ")
        monkeypatch.setitem(support.FUNCTIONS, name, reason)


# Planning ---------------------------------------------------------------------------------------------------
def test_a_plan_is_that_of_explain_for_the_profile(planned: Any, lake: str) -> None:
    sql = "SELECT s, sum(k) FROM big WHERE k % 7 = 1 GROUP BY s ORDER BY 2"
    ((_, statement),) = planned(sql).statements()
    with tandemdb.connect(lake=lake) as con:
        con.execute("SET gpu_profile = 'h200'")
        ((_, text),) = con.execute(f"EXPLAIN (FORMAT json) {sql}").fetchall()
    nodes = flat(json.loads(text)["plan"])
    given = [(o.title, o.device, o.reason, o.rows, o.bytes) for o in statement.plan.operators]
    keys = ("operator", "device", "reason", "estimated_rows", "estimated_bytes")
    assert given == [tuple(node[key] for key in keys) for node in nodes]
    assert {o.device for o in statement.plan.operators} == {"CPU", "GPU"}


def flat(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node, *(below for child in node["inputs"] for below in flat(child))]


NOTHING_RUNS = (
    "CREATE TABLE t AS SELECT k, s FROM big",
    "INSERT INTO t SELECT k + 1, s FROM big",
    "SELECT * FROM t ORDER BY k LIMIT (SELECT count(*) FROM big)",
    "EXPLAIN ANALYZE SELECT sum(k) FROM t",
    "DESCRIBE SELECT * FROM t",
    "SHOW TABLES",
    "DROP TABLE t",
)


def test_nothing_is_run(planned: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "LocalRun", lambda *_: pytest.fail("a query was run"))
    found = planned("; ".join(NOTHING_RUNS))
    assert [s.failure for _, s in found.statements()] == [None] * len(NOTHING_RUNS)
    assert [s.plan is not None for _, s in found.statements()] == [True] * 4 + [False] * 3
    notes = [s.notes for _, s in found.statements()]
    assert "not run" in notes[2][0]


def scan_rows(found: Report, statement: int) -> list[float]:
    plan = [s for _, s in found.statements()][statement].plan
    return [o.rows for o in plan.operators if o.title == "Scan"]


def test_a_table_that_was_only_planned_has_its_estimated_rows(planned: Any) -> None:
    found = planned(
        "CREATE TABLE t AS SELECT k, s FROM big; SELECT * FROM t; INSERT INTO t SELECT k, s FROM big; FROM t;"
        "CREATE TABLE empty(a INTEGER); FROM empty; INSERT INTO empty SELECT k FROM big; FROM empty"
    )
    assert [scan_rows(found, n) for n in (1, 3, 5, 7)] == [[ROWS], [2 * ROWS], [0], [ROWS]]


def test_what_is_known_of_a_planned_tables_columns_steers_later_plans(planned: Any) -> None:
    found = planned("CREATE TABLE t AS SELECT s FROM big; SELECT s, count(*) FROM t GROUP BY s")
    plan = [s for _, s in found.statements()][1].plan
    (groups,) = [o.rows for o in plan.operators if o.title == "Aggregate"]
    assert 900 < groups < 1100


def test_later_files_see_what_earlier_ones_define(planned: Any) -> None:
    found = planned("CREATE VIEW v AS SELECT k FROM big", "SELECT max(k) FROM v; DROP VIEW v", "FROM v")
    failed = [s.failure for _, s in found.statements()]
    assert failed[:3] == [None, None, None]
    assert 'Table "v" does not exist' in failed[3].message


def test_settings_hold_for_what_follows_and_the_reports_profile_stays(planned: Any) -> None:
    found = planned(
        f"{HEAVY}; SET device = 'cpu'; {HEAVY}; RESET device; SET gpu_profile = 'none'; {HEAVY}; SET nope = 1"
    )
    statements = [s for _, s in found.statements()]
    on_gpu = [bool(s.plan.on("GPU")) for s in statements if s.plan is not None]
    assert on_gpu == [True, False, True]
    assert statements[4].notes != ()
    assert "nope" in statements[6].failure.message
    (asked,) = [r for r in found.reasons if r.kind.value == "asked"]
    assert (asked.topic, asked.queries) == ("SET device = 'cpu'", 1)


def test_hints_hold_for_their_query(planned: Any) -> None:
    hinted = HEAVY.replace("SELECT", "SELECT /*+ device(cpu) */", 1)
    found = planned(f"{hinted}; {HEAVY}; SELECT /*+ nope(1) */ 1")
    assert [bool(p.on("GPU")) for p in found.plans()] == [False, True]
    assert [(r.topic, r.queries) for r in found.reasons if r.kind.value == "asked"] == [
        ("hint device(cpu)", 1)
    ]
    (failed,) = [s.failure for _, s in found.statements() if s.failure is not None]
    assert "nope" in failed.message


def test_an_expression_bridged_over_the_cpu_counts_as_work_there(
    planned: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(support.FUNCTIONS, "abs", "not on a Sunday")
    found = planned("SELECT abs(range) AS g, sum(range * 3), max(range) FROM range(100000000) GROUP BY g")
    (plan,) = found.plans()
    (bridge,) = [o for o in plan.operators if o.title == "Bridge over the CPU"]
    assert bridge.device == "CPU"
    assert bridge in plan.on("CPU")
    assert [c.topic for c in bridge.causes] == ["the function abs: not on a Sunday"]
    counted = reasons(found)["the function abs: not on a Sunday"]
    assert (counted.operators, counted.kind.value) == (1, "unsupported")
    assert counted.saved > 0


def test_asking_for_the_gpu_needs_none_here(planned: Any) -> None:
    found = planned("SET on_fallback = 'error'; SET device = 'gpu'; SELECT sum(k) FROM big")
    assert found.failures == 0
    assert found.plans()[0].on("CPU") == []


def test_errors_have_their_place_and_the_rest_goes_on(planned: Any) -> None:
    found = planned("SELECT 1;\nSELECT\n  nope FROM big;\nSELEC 2; SELECT ?;\nSELECT 3", "SELECT 'open")
    failed = [s.failure for _, s in found.statements()]
    assert [f and (f.kind, f.line, f.column) for f in failed[:3]] == [
        None,
        ("Binder Error", 3, 3),
        ("Parser Error", 4, 1),
    ]
    assert "LINE 3:   nope FROM big" in failed[1].shown
    assert failed[3].line == 4
    assert failed[4] is None
    assert found.files[1].failure is not None
    assert (found.files[1].failure.line, found.files[1].failure.column) == (1, 8)
    assert found.failures == 4


def test_a_bug_of_ours_is_listed_as_one(planned: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from tandemdb.engine.report import scripts

    def broken(*_: object, **__: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr(scripts, "plan_query", broken)
    (failed,) = [s.failure for _, s in planned("SELECT 1").statements()]
    assert failed.kind == "Internal Error"


def test_deep_statements(planned: Any) -> None:
    nested = "SELECT k FROM big"
    for level in range(100):
        nested = f"SELECT * FROM ({nested}) q ORDER BY {'k' if level % 2 else '-k'} LIMIT {1000 - level}"
    found = planned(
        nested, " UNION ALL ".join(["SELECT k FROM big"] * 100), f"SELECT {'k + ' * 900}k FROM big"
    )
    assert found.failures == 0
    assert max(o.depth for o in found.plans()[0].operators) > 90
    assert json.loads(json.dumps(report_data(found)))


# Reasons ----------------------------------------------------------------------------------------------------
def test_a_reason_counts_queries_operators_and_bytes(planned: Any) -> None:
    found = planned(
        "SELECT upper(s) FROM big; SELECT upper(s), s FROM big; SELECT upper(a.s) FROM big a JOIN big b ON "
        "a.k = b.k ORDER BY upper(a.s)"
    )
    upper = reasons(found)[UPPER]
    operators = [o for p in found.plans() for o in p.operators if any(c.topic == UPPER for c in o.causes)]
    assert (upper.queries, upper.operators) == (3, len(operators))
    assert upper.bytes == sum(o.input_bytes for o in operators) >= 3 * ROWS * 20
    assert [place[:2] for place in upper.places] == [("1.sql", 1)] * 3


def test_an_operator_counts_for_each_of_its_reasons(planned: Any) -> None:
    found = planned("SELECT upper(s), regexp_matches(s, 'x') FROM big")
    assert reasons(found)[UPPER].operators == reasons(found)[REGEX].operators == 1


def test_reasons_are_counted_without_names_and_sizes(planned: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_casts(part: e.Expr) -> list[str]:
        return [f"CAST from {part.arg.type} to {part.type}: not today"] if isinstance(part, e.Cast) else []

    monkeypatch.setattr(support, "_part_reasons", no_casts)
    monkeypatch.setitem(support.TYPES, TypeId.TIMESTAMPTZ, "no time zones")
    found = planned(
        "SELECT p::VARCHAR FROM big; SELECT (p + p)::VARCHAR FROM big; SELECT at, at AS b FROM big"
    )
    topics = {r.topic: r.queries for r in found.reasons if r.kind.value == "unsupported"}
    cast = "CAST from DECIMAL to VARCHAR: not today"
    stamp = "a value of type TIMESTAMP WITH TIME ZONE: no time zones"
    assert (topics[cast], topics[stamp]) == (2, 1)
    texts = {c.text for p in found.plans() for o in p.operators for c in o.causes if c.topic in (cast, stamp)}
    assert texts >= {"CAST from DECIMAL(9,2) to VARCHAR: not today", "column at: no time zones"}
    assert len([text for text in texts if text.startswith("CAST from DECIMAL(")]) == 2


def test_what_is_saved_is_seen_by_placing_without_the_reason(
    planned: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sql = "SELECT s FROM big WHERE upper(s) = 'X' ORDER BY s"
    before = planned(sql)
    with monkeypatch.context() as patch:
        patch.setitem(support.FUNCTIONS, "upper", None)
        after = planned(sql)
    assert UPPER not in reasons(after)
    saved = before.plans()[0].seconds - after.plans()[0].seconds
    assert reasons(before)[UPPER].saved == pytest.approx(saved)
    assert saved > 0


def test_nothing_is_saved_where_another_reason_stays(planned: Any) -> None:
    found = planned("SELECT regexp_matches(upper(s), 'x') FROM big")
    assert reasons(found)[UPPER].saved == reasons(found)[REGEX].saved == 0


def test_costs_are_a_reason_too_and_come_last(planned: Any) -> None:
    found = planned("SELECT upper(s) FROM big; SELECT 1; SET device = 'cpu'; SELECT 2")
    assert [r.kind.value for r in found.reasons] == ["unsupported", "asked", "cost"]


def test_reasons_with_most_bytes_come_first(planned: Any) -> None:
    found = planned("SELECT upper('x' || range) FROM range(10)", "SELECT regexp_matches(s, 'x') FROM big")
    assert [r.topic for r in found.reasons if r.topic in (UPPER, REGEX)] == [REGEX, UPPER]


def test_shares_and_times(planned: Any) -> None:
    found = planned("SELECT sum(k) FROM big", "SELECT upper(s) FROM big", "SELECT 1")
    for plan in found.plans():
        on_gpu, work = plan.work
        assert 0 <= on_gpu <= work
        # The cheapest assignment is no dearer than one of those it is chosen from.
        assert plan.seconds <= plan.cpu_seconds * (1 + 1e-9)
        assert work == pytest.approx(plan.cpu_seconds)


@pytest.fixture(scope="module")
def tpch() -> Report:
    """The 22 queries over tables without rows."""
    setup = ";".join(f"CREATE TABLE {name}({columns})" for name, columns in TPCH.items())
    queries = sorted((ROOT / "tpch" / "queries").glob("*.sql"))
    return report([("setup.sql", setup), *((p.name, p.read_text()) for p in queries)], "h200")


def test_tpch_is_planned_whole(tpch: Report) -> None:
    assert tpch.failures == 0
    assert len(tpch.plans()) == 22
    assert {r.kind.value for r in tpch.reasons} == {"cost"}


# Forms ------------------------------------------------------------------------------------------------------
EVIL = """CREATE TABLE "<script>alert(1)</script>"("a&b" INTEGER, "</td>" VARCHAR);
SELECT upper("</td>") AS "<img src=x onerror=alert(2)>" FROM "<script>alert(1)</script>" WHERE "a&b" > 1;
SELECT '"><script>' FROM "<b>nowhere";
"""
VOID = {"meta", "br"}


class Page(HTMLParser):
    """Tags, attributes and text of a page; tags must nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def written(capsys: Any, *arguments: str) -> tuple[int, str, str]:
    code = main(["gpu-report", *arguments])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    folder = tmp_path / "scripts"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.sql").write_text("CREATE VIEW v AS SELECT k, s FROM big")
    (folder / "b.sql").write_text("SELECT upper(s) FROM v;\nSELECT sum(k) FROM v")
    (folder / "sub" / "c.SQL").write_text("SELECT k FROM v LIMIT 3")
    (folder / ".hidden.sql").write_text("SELECT hidden")
    (folder / ".git").mkdir()
    (folder / ".git" / "d.sql").write_text("SELECT hidden")
    (folder / "notes.txt").write_text("SELECT nothing")
    return folder


def test_text(scripts: Path, lake: str, capsys: Any) -> None:
    code, out, _ = written(capsys, str(scripts), "--lake", lake)
    assert code == 0
    assert "profile h200: NVIDIA H200" in out
    assert "not measurements" in out
    assert "CPU because: " + UPPER in out
    assert out.index("Summary") < out.rindex(UPPER)
    files = [line.removeprefix("== ") for line in out.splitlines() if line.startswith("== ")]
    assert files == [str(scripts / name) for name in ("a.sql", "b.sql", "sub/c.SQL")]
    assert re.search(r"^3 queries planned, 0 of them wholly|^3 queries planned", out, re.MULTILINE)
    assert "\x1b" not in out


def test_html_is_one_page_in_which_nothing_is_taken_for_markup(tmp_path: Path, capsys: Any) -> None:
    script = tmp_path / "a&<b>.sql"
    script.write_text(EVIL)
    code, out, _ = written(capsys, str(script), "--format", "html")
    assert code == 1
    page = Page(out)
    assert not page.tags & {"script", "img", "link", "iframe", "b"}
    for name, value in page.attributes:
        assert not name.startswith("on")
        assert name not in ("src", "srcset", "action")
        assert name != "href" or str(value).startswith("#")
    targets = {value for name, value in page.attributes if name == "id"}
    assert {f"#{target}" for target in targets} >= {v for name, v in page.attributes if name == "href"}
    assert "http" not in out.replace("http-equiv", "")
    assert "@import" not in out
    assert "url(" not in out
    assert "color-scheme: light dark" in out
    whole = "".join(page.texts)
    for text in (
        EVIL.splitlines()[1].rstrip(";"),
        'Table "<b>nowhere" does not exist',
        str(script),
        UPPER,
    ):
        assert text in whole


DOCS = (ROOT / "docs" / "gpu_report.md").read_text(encoding="utf-8")
# Where each kind of object stands in the JSON.
PLACES = {
    "profile": ("profile",),
    "summary": ("summary",),
    "reason": ("reasons",),
    "example": ("reasons", "examples"),
    "file": ("files",),
    "statement": ("files", "statements"),
    "error": ("files", "statements", "error"),
    "plan": ("files", "statements", "plan"),
    "operator": ("files", "statements", "plan", "operators"),
    "cause": ("files", "statements", "plan", "operators", "why_not_gpu"),
}


def objects(data: Any, path: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    if isinstance(data, list):
        for item in data:
            yield from objects(item, path)
    elif data is not None:
        if path:
            yield from objects(data[path[0]], path[1:])
        else:
            yield data


def test_json_has_the_documented_keys_and_no_others(scripts: Path, lake: str, capsys: Any) -> None:
    (scripts / "d.sql").write_text("SELECT nope")
    (scripts / "e.sql").write_text("SELECT 'open")
    code, out, _ = written(capsys, str(scripts), "--lake", lake, "--format", "json")
    assert code == 1
    data = json.loads(out)
    documented: dict[str, set[str]] = {}
    for owner, keys in re.findall(r"^\| (\w+) \| (`[^|]*`) \|", DOCS, re.MULTILINE):
        documented.setdefault(owner, set()).update(re.findall(r"`(\w+)`", keys))
    assert set(documented) == {"report", *PLACES}
    assert set(data) == documented["report"]
    for owner, path in PLACES.items():
        found = list(objects(data, path))
        assert found, owner
        for item in found:
            assert set(item) == documented[owner], owner
    assert [e["code"] for e in objects(data, ("files", "error"))] != []
    assert data["summary"]["failed"] == 2


def test_the_form_follows_the_output_files_ending(
    scripts: Path, lake: str, tmp_path: Path, capsys: Any
) -> None:
    for name, start in (("r.json", "{"), ("r.html", "<!DOCTYPE"), ("r.txt", "Why not on the GPU")):
        code, out, err = written(capsys, str(scripts), "--lake", lake, "--output", str(tmp_path / name))
        assert (code, out) == (0, "")
        assert "3 queries planned" in err
        assert (tmp_path / name).read_text().startswith(start)
    code, _, _ = written(
        capsys, str(scripts), "--lake", lake, "-o", str(tmp_path / "r.html"), "--format", "text"
    )
    assert code == 0
    assert (tmp_path / "r.html").read_text().startswith("Why not on the GPU")


@pytest.mark.parametrize(
    ("arguments", "code", "needle"),
    [
        (["missing.sql"], 1, "cannot read 'missing.sql': No such file or directory"),
        (["empty"], 1, "the folder 'empty' has no .sql file"),
        (["latin.sql"], 1, "cannot read 'latin.sql': it is not UTF-8 text"),
        (["good.sql", "--lake", "nowhere"], 2, "the lake folder 'nowhere' does not exist"),
        (["good.sql", "--gpu-profile", "cpu-2"], 2, "the profile 'cpu-2' has no GPU"),
        (["good.sql", "--gpu-profile", "foo"], 2, "'h200'"),
        (["good.sql", "-o", "no/such/folder.txt"], 1, "cannot write 'no/such/folder.txt'"),
    ],
)
def test_what_cannot_be_read_or_written(
    arguments: list[str], code: int, needle: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "latin.sql").write_bytes(b"SELECT '\xe4'")
    (tmp_path / "good.sql").write_text("SELECT 1")
    found, out, err = written(capsys, *arguments)
    assert found == code
    assert needle in out + err


def test_names_that_are_not_utf8(tmp_path: Path, capsys: Any) -> None:
    folder = tmp_path / "names"
    folder.mkdir()
    (folder / os.fsdecode(b"bad\xff.sql")).write_text("SELECT 1")
    for form in ("text", "json", "html"):
        output = tmp_path / f"out.{form}"
        code, _, _ = written(capsys, str(folder), "--format", form, "-o", str(output))
        assert code == 0
        assert "bad\\udcff.sql" in output.read_text()
    assert json.loads((tmp_path / "out.json").read_text())["files"][0]["path"].endswith("bad\udcff.sql")


def test_an_unreadable_file_does_not_hide_the_others(tmp_path: Path, capsys: Any) -> None:
    (tmp_path / "good.sql").write_text("SELECT 1")
    code, out, _ = written(capsys, str(tmp_path / "missing.sql"), str(tmp_path / "good.sql"))
    assert code == 1
    assert "1 query planned" in out


# The table of commands --------------------------------------------------------------------------------------
@pytest.mark.usefixtures("in_folder_of_commands")
@pytest.mark.parametrize(
    "arguments",
    [["-f", "gpu-report"], ["--format", "csv", "-f", "gpu-report"], ["-f", "gpu-report", "-o", "out"]],
)
def test_a_file_of_a_commands_name_is_a_file(arguments: list[str], capsys: Any) -> None:
    assert main(arguments) == 0
    assert "gpu-report: statement 1/1" in capsys.readouterr().err


@pytest.fixture
def in_folder_of_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gpu-report").write_text("SELECT 1 AS a")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("in_folder_of_commands")
def test_a_command_reads_a_file_of_its_own_name(capsys: Any) -> None:
    code, out, _ = written(capsys, "gpu-report")
    assert code == 0
    assert "== gpu-report" in out


def test_a_command_after_options_is_explained(capsys: Any) -> None:
    for rest in ([], ["q.sql"]):
        with pytest.raises(SystemExit) as ended:
            main(["--threads", "2", "gpu-report", *rest])
        assert ended.value.code == 2
        assert "the command gpu-report comes first: tandemdb gpu-report ..." in capsys.readouterr().err


def test_a_database_of_a_commands_name_can_be_written(capsys: Any) -> None:
    assert main(["./gpu-report", "-c", "SELECT 1"]) == 2
    assert "./gpu-report" in capsys.readouterr().err


def test_help_lists_the_commands(capsys: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert re.search(r"^  gpu-report +say what", capsys.readouterr().out, re.MULTILINE)


def test_a_wrong_option_is_told(capsys: Any) -> None:
    with pytest.raises(SystemExit):
        main(["-c", "SELECT 1", "--nope"])
    assert "unrecognized arguments: --nope" in capsys.readouterr().err
