"""Why there is no GPU to use: each cause, simulated, is one sentence with the fix, wherever one is wanted."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import doubles
import pytest
import tandemdb
from tandemdb.engine import devices
from tandemdb.engine.cli.formats import write_table
from tandemdb.engine.cli.main import main
from tandemdb.engine.cli.shell import Shell
from tandemdb.gpu_exec import library

NO_FILE = "libcuda.so.1: cannot open shared object file: No such file or directory"


class Runtime(ModuleType):
    """cuda.bindings.runtime of a machine: what its driver answers."""

    def __init__(
        self,
        error: str = "cudaSuccess",
        count: int = 1,
        capability: tuple[int, int] = (9, 0),
        supported: int = 12040,
    ) -> None:
        super().__init__("cuda.bindings.runtime")
        self.error, self.count, self.capability = SimpleNamespace(name=error), count, capability
        self.supported = supported
        self.fine = SimpleNamespace(name="cudaSuccess")

    def cudaGetDeviceCount(self) -> tuple[Any, int | None]:
        failed = self.error.name not in ("cudaSuccess", "cudaErrorDevicesUnavailable")
        return (self.error, None) if failed else (self.fine, self.count)

    def cudaGetDeviceProperties(self, device: int) -> tuple[Any, Any]:
        major, minor = self.capability
        return self.error, SimpleNamespace(name=b"Tesla P100\0\0", major=major, minor=minor)

    def cudaDriverGetVersion(self) -> tuple[Any, int]:
        return self.fine, self.supported

    def cudaRuntimeGetVersion(self) -> tuple[Any, int]:
        return self.fine, 13050


class Machine:
    """A machine with an NVIDIA GPU and the libraries, of which a test takes something away."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.patch = monkeypatch
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
        self.loader()
        self.runtime(Runtime())

    def loader(self, problem: str | None = None) -> None:
        """What the system's loader says against the driver's library."""

        def load(name: str) -> None:
            assert name == "libcuda.so.1"
            if problem is not None:
                raise OSError(problem)

        self.patch.setattr(library, "ctypes", SimpleNamespace(CDLL=load))

    def runtime(self, module: ModuleType | None) -> None:
        self.patch.setitem(sys.modules, "cuda.bindings.runtime", module)

    def without(self, name: str) -> None:
        self.patch.setitem(sys.modules, name, None)

    def visible(self, devices: str) -> None:
        self.patch.setenv("CUDA_VISIBLE_DEVICES", devices)
        self.runtime(Runtime("cudaErrorNoDevice"))


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    with doubles.install():
        library.forget()
        devices.why_no_gpu.cache_clear()
        yield Machine(monkeypatch)
    library.forget()
    devices.why_no_gpu.cache_clear()


def fails(name: str) -> Any:
    """A change of the machine: the runtime's calls give this error."""
    return lambda machine: machine.runtime(Runtime(name))


# What is taken away, and the sentence.
CAUSES: dict[str, tuple[Any, str]] = {
    "no library": (
        lambda m: m.without("pylibcudf"),
        "the GPU libraries are not installed: pip install 'tandemdb[gpu]'",
    ),
    "no driver": (
        lambda m: m.loader(NO_FILE),
        "there is no NVIDIA driver: install it, on a machine with an NVIDIA GPU",
    ),
    "a driver that cannot be loaded": (
        lambda m: m.loader("/usr/lib/libcuda.so.1: invalid ELF header"),
        "the NVIDIA driver cannot be loaded (/usr/lib/libcuda.so.1: invalid ELF header): install it anew",
    ),
    "no bindings": (
        lambda m: m.runtime(None),
        (
            "the GPU libraries cannot be loaded (import of cuda.bindings.runtime halted; None in "
            "sys.modules): install it anew with pip install --force-reinstall 'tandemdb[gpu]'"
        ),
    ),
    "a broken installation": (
        lambda m: m.without("pylibcudf.io.parquet"),
        (
            "the GPU libraries cannot be loaded (import of pylibcudf.io.parquet halted; None in "
            "sys.modules): install it anew with pip install --force-reinstall 'tandemdb[gpu]'"
        ),
    ),
    "libraries of another release": (
        lambda m: m.patch.setattr(sys.modules["rmm"], "__version__", "25.08.01"),
        "the GPU libraries are of release 25.08.01, and 26.10 is needed: pip install 'tandemdb[gpu]'",
    ),
    "a driver that is too old": (
        fails("cudaErrorInsufficientDriver"),
        (
            "the NVIDIA driver is too old (it supports CUDA 12.4, the GPU libraries need CUDA 13): update "
            "the driver"
        ),
    ),
    "a library that is no driver": (
        lambda m: m.runtime(Runtime("cudaErrorInsufficientDriver", supported=0)),
        "libcuda.so.1 is there and is no working NVIDIA driver: install the driver anew",
    ),
    "a driver in pieces": (
        fails("cudaErrorSystemDriverMismatch"),
        (
            "the parts of the NVIDIA driver differ in version: restart the machine, and if that does not "
            "help install the driver anew"
        ),
    ),
    "a stub for a driver": (
        fails("cudaErrorStubLibrary"),
        (
            "libcuda.so.1 is the CUDA toolkit's stub: take its folder out of LD_LIBRARY_PATH, and install "
            "the NVIDIA driver"
        ),
    ),
    "an error without a text of ours": (
        fails("cudaErrorECCUncorrectable"),
        "the NVIDIA driver fails with cudaErrorECCUncorrectable: check it with nvidia-smi",
    ),
    "a GPU in use": (
        fails("cudaErrorDevicesUnavailable"),
        "the GPU is in use, or its compute mode forbids it: see nvidia-smi",
    ),
    "no GPU": (
        fails("cudaErrorNoDevice"),
        "the NVIDIA driver finds no GPU: check with nvidia-smi, and in a container that it is given one",
    ),
    "a count of none": (
        lambda m: m.runtime(Runtime(count=0)),
        "the NVIDIA driver finds no GPU: check with nvidia-smi, and in a container that it is given one",
    ),
    "no visible GPU": (lambda m: m.visible(""), "CUDA_VISIBLE_DEVICES='' hides every GPU: unset it"),
    "a visible GPU that is not there": (
        lambda m: m.visible("7"),
        "CUDA_VISIBLE_DEVICES='7' hides every GPU: unset it",
    ),
    "a card that is too old": (
        lambda m: m.runtime(Runtime(capability=(6, 0))),
        "the GPU Tesla P100 is too old (compute capability 6.0): use one of 7.5 or newer",
    ),
}


def test_a_machine_that_lacks_nothing(machine: Machine) -> None:
    assert library.why_absent() is None
    machine.runtime(Runtime(capability=library.LEAST_CAPABILITY))
    assert library.why_absent() is None


@pytest.fixture(params=CAUSES)
def sentence(machine: Machine, request: pytest.FixtureRequest) -> str:
    """What a machine that lacks something says; it lacks it while the test runs."""
    take_away, expected = CAUSES[request.param]
    take_away(machine)
    return expected


def test_every_cause_is_one_sentence_with_the_fix(sentence: str) -> None:
    assert library.why_absent() == sentence


def test_set_device_tells_it_and_the_query_runs_on_the_cpu(sentence: str) -> None:
    with tandemdb.connect() as con:
        with pytest.warns(tandemdb.GpuWarning) as told:
            cursor = con.execute("SET device = 'gpu'")
        ((kind, message),) = cursor.messages
        assert kind is tandemdb.GpuWarning
        assert str(message) == (
            f"SET device = 'gpu': {sentence}; until then queries run on the CPU, and every operator counts "
            "as a fallback"
        )
        assert [str(w.message) for w in told] == [str(message)]
        cursor = con.execute("SELECT 1")
        assert cursor.messages == []
        assert cursor.fetchall() == [(1,)]
        assert {f.reason for f in cursor.profile.fallbacks} == {sentence}


def test_set_device_is_refused_where_fallbacks_are_errors(sentence: str) -> None:
    with tandemdb.connect(config={"on_fallback": "error"}) as con:
        with pytest.raises(tandemdb.ProgrammingError) as refused:
            con.execute("SET device = 'gpu'")
        head, hint = str(refused.value).splitlines()
        assert head == f"Settings Error: \"device\" cannot be set to 'gpu': {sentence}"
        assert "on_fallback" in hint
        assert con.execute("SHOW device").fetchall() == [("auto",)]
        assert con.execute("SELECT 1").fetchall() == [(1,)]


def test_the_command_line_tells_it(sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["--device", "gpu", "-c", "SELECT 1 AS a"],
        ["-c", "SET device = 'gpu'; SELECT 1 AS a"],
    ):
        assert main([*arguments, "--format", "csv"]) == 0
        out, err = capsys.readouterr()
        assert out == "a\n1\n"
        first, *rest = err.splitlines()
        assert first.startswith(f"Warning: SET device = 'gpu': {sentence}; until then")
        assert all(line.startswith("fallback: ") for line in rest)


def test_the_command_line_stops_where_fallbacks_are_errors(
    sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-c", "SET on_fallback = 'error'; SET device = 'gpu'; SELECT 1"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in err
    assert "Traceback" not in err


def test_without_a_driver_nothing_is_imported(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Importing takes seconds."""
    machine.loader(NO_FILE)
    monkeypatch.setattr(library.importlib, "import_module", lambda name: pytest.fail(f"{name} was imported"))
    assert "no NVIDIA driver" in str(library.why_absent())


def test_connect_tells_it_or_refuses(machine: Machine) -> None:
    machine.loader(NO_FILE)
    with pytest.warns(tandemdb.GpuWarning, match="no NVIDIA driver") as told:
        con = tandemdb.connect(config={"device": "gpu"})
    assert told[0].filename == __file__
    assert [kind for kind, _ in con.messages] == [tandemdb.GpuWarning]
    con.close()
    with pytest.raises(tandemdb.ProgrammingError, match="no NVIDIA driver"):
        tandemdb.connect(config={"device": "gpu", "on_fallback": "error"})


def test_the_warning_is_at_the_users_line(machine: Machine) -> None:
    machine.loader(NO_FILE)
    with tandemdb.connect() as con:
        for execute in (con.execute, con.sql, con.cursor().execute, lambda sql: con.executemany(sql, [()])):
            with pytest.warns(tandemdb.GpuWarning) as told:
                execute("SET device = 'gpu'")
            assert [w.filename for w in told] == [__file__]


def test_an_error_after_it_leaves_the_message(machine: Machine) -> None:
    machine.loader(NO_FILE)
    with tandemdb.connect() as con:
        cursor = con.cursor()
        with pytest.warns(tandemdb.GpuWarning), pytest.raises(tandemdb.ProgrammingError):
            cursor.execute("SET device = 'gpu'; SELECT nope")
        assert len(cursor.messages) == 1
        assert cursor.execute("SELECT 1").messages == []


def test_the_shell_tells_it(machine: Machine) -> None:
    machine.loader(NO_FILE)
    out = io.StringIO()
    with tandemdb.connect() as con:
        shell = Shell(con, write_table, out)
        with pytest.warns(tandemdb.GpuWarning):
            shell.statement("SET device = 'gpu';")
    assert out.getvalue().startswith("Warning: SET device = 'gpu': there is no NVIDIA driver: install it")


def test_explain_for_a_profile_needs_no_gpu(machine: Machine) -> None:
    machine.loader(NO_FILE)
    with tandemdb.connect() as con:
        with pytest.warns(tandemdb.GpuWarning):
            con.execute("SET gpu_profile = 'h200'; SET device = 'gpu'")
        ((_, text),) = con.execute("EXPLAIN SELECT range + 1 FROM range(10)").fetchall()
        assert "[GPU]" in text


@pytest.mark.parametrize("value", ["auto", "cpu"])
def test_other_devices_need_no_gpu(machine: Machine, value: str) -> None:
    machine.loader(NO_FILE)
    with tandemdb.connect(config={"on_fallback": "error"}) as con:
        assert con.execute(f"SET device = '{value}'").messages == []
