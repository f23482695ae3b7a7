"""The stubs are true, the package is typed, and whatever is public is documented."""
import functools
import inspect
import os
import pathlib
import subprocess
import sys
import venv

import pytest
import waitstate
from waitstate import _core

SOURCE = pathlib.Path(os.environ.get("WAITSTATE_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
PACKAGE = pathlib.Path(waitstate.__file__).parent
# Facts that stubtest cannot know about classes made by pybind11: their metaclass, and an __init__ that only says that there is
# none. Classes with an underscore are for this package alone.
ALLOWED = r"""
waitstate\._core\._[A-Z].*
waitstate\._core\.[A-Z]\w*
waitstate\._core\..*\.__init__
waitstate\._core\..*\.__new__
waitstate\._core\.Rows\.index
"""


def run(tmp_path, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "MYPYPATH": str(PACKAGE.parent)}
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """The folder of mypy's cache: reading others' stubs takes most of its time."""
    return str(tmp_path_factory.mktemp("mypy"))


def test_the_package_is_typed(tmp_path, cache):
    status, output = run(tmp_path, "mypy", "--strict", "--cache-dir", cache, "-p", "waitstate")
    assert status == 0, output


def test_the_stubs_are_generated(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run([sys.executable, "-B", str(SOURCE / "python/bind/generate_stubs.py"), "--check"], cwd=tmp_path,
                          env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_stubs_are_what_there_is(tmp_path):
    allowed = tmp_path / "allowed"
    allowed.write_text(ALLOWED)
    status, output = run(tmp_path, "mypy.stubtest", "waitstate._core", "--allowlist", str(allowed),
                         "--ignore-unused-allowlist")
    assert status == 0, output


def test_users_see_types(tmp_path, cache):
    program = tmp_path / "program.py"
    program.write_text("""
import waitstate
trace = waitstate.EventTrace("x")
reveal_type(trace[0])
reveal_type(trace[1:2])
reveal_type(trace[0].enterptr)
reveal_type(trace.columns("send").time.dtype)
trace.stak(0)
""")
    status, output = run(tmp_path, "mypy", "--strict", "--cache-dir", cache, str(program))
    assert status == 1
    for expected in ('"waitstate._core.Event"', '"waitstate.event_range.EventRange"', 'Union[builtins.int, None]',
                     '"EventTrace" has no attribute "stak"'):
        assert expected in output, output


# ---- plug-ins of users ----

BUILD = os.environ.get("WAITSTATE_BUILD")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A virtual environment in which the module is installed; strict(files): status and output of mypy --strict there."""
    if BUILD is None:
        pytest.skip("WAITSTATE_BUILD names no build tree")
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", system_site_packages=True)
    subprocess.run(["cmake", "--install", BUILD, "--prefix", str(folder / "venv"), "--component", "python"], check=True,
                   stdout=subprocess.DEVNULL)
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MYPYPATH")}

    def strict(*files):
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--python-executable", folder / "venv/bin/python",
                               "--cache-dir", folder / "cache", *files], cwd=folder, env=environment, capture_output=True,
                              text=True)
        return done.returncode, done.stdout + done.stderr

    return strict


HOOKS = [name for name, value in vars(waitstate.Pattern).items()
         if inspect.isfunction(value) and (name.endswith(("_callback", "_batch")) or name in (
             "init", "wrapup", "configure", "severity", "confidence", "undetermined", "headline"))]


def all_hooks():
    """A plug-in that has every hook, with the types that the base class says, in names that users have."""
    lines = ["from collections.abc import Iterable", "from typing import Any, Union", "", "import numpy.typing as npt",
             "import waitstate", "", "Array = npt.NDArray[Any]", "Value = Union[int, float, str]",
             "CallPathId = Union[int, waitstate.CallPath]", "LocationId = Union[int, waitstate.Location]", "", "",
             "class Everything(waitstate.Pattern):", '    """All hooks."""', "",
             '    id, parent, unit, within_parent = "everything", "mpi", "occ", True',
             '    metric_kind, title, summary = "other", "Everything", "All hooks."',
             '    metrics = [{"id": "more", "parent": "everything"}]', '    parameters = {"least": (3, "", "A number.")}',
             "    least: int", '    needs = ("mpi_latesender",)', "    needs_stack = needs_queue = True", ""]
    for name in HOOKS:
        signature = str(inspect.signature(getattr(waitstate.Pattern, name))).replace("'", "").replace("_core.", "waitstate.")
        passed = ", ".join(list(inspect.signature(getattr(waitstate.Pattern, name)).parameters)[1:])
        given = "0" if name == "severity" else f"super().{name}({passed})"
        lines += [f"    def {name}{signature}:", f"        return {given}", ""]
    return "\n".join(lines) + USE


# How patterns and programs are written, with what hooks are given.
USE = """

class Used(waitstate.Pattern):
    needs_stack = needs_queue = True
    parameters = {"threshold": (3, "bytes", "The least.")}
    threshold: int

    def init(self) -> None:
        self.seen: dict[int, int] = {}

    def recv_callback(self, recv: waitstate.Event) -> None:
        if recv.sendptr is None or recv.enterptr is None:
            return
        send = self.trace.event(recv.sendptr)
        enter = self.trace.event(recv["enterptr"])
        if send["time"] > enter.time:
            self.seen[recv.enterptr] = send["time"] - enter.time
        assert self.trace.stack(recv.loc)[-1] == recv.enterptr or self.trace.queue(dest=recv.loc)

    def completed_receives_callback(self, receives: waitstate.CompletedReceives) -> None:
        for message in receives.messages:
            if message.bytes >= self.threshold:
                self.add_call(receives.call, 1)
                ticks = message.send.enter - receives.call.enter
                if ticks > 0:
                    self.add_wait(receives.call, ticks, message.send)

    def completed_receives_batch(self, messages: Array) -> None:
        ticks = messages["send"]["enter"] - messages["recv"]["enter"]
        self.add_waits(messages["recv"], ticks, messages["send"], where=(ticks > 0).nonzero()[0])

    def collective_callback(self, collective: waitstate.Collective) -> None:
        for member in collective.members:
            self.add(member.call.callpath, member.call.location, 1)

    def undetermined(self, evidence: waitstate.TraceEvidence) -> Iterable[tuple[Union[int, str], str]]:
        yield "used", "nobody knows"


def main(path: str) -> None:
    result = waitstate.analyze(path, plugins=[Used, Everything], parameters={"used.threshold": 2}, focus=waitstate.Focus(time=(1, 2)))
    share = result.share("used")
    print(share if share is None else 100 * share, result.efficiency(whole=True).parallel_efficiency, result.waits["used"].pairs[0].ticks)
    trace = waitstate.EventTrace(path)
    messages = trace.messages()
    print(messages.len.sum(), messages["src"], dict(messages).keys(), [name.upper() for name in messages])
    for event in trace:
        print(event.loc, event["time"])
"""


def test_a_plugin_of_all_hooks_is_typed(installed, tmp_path):
    assert len(HOOKS) > 45
    plugin = tmp_path / "everything.py"
    plugin.write_text(all_hooks())
    status, output = installed(plugin)
    assert status == 0, output
    # It is one: all of it is loaded and called.
    result = waitstate.analyze(SOURCE / "traces" / "p2p", plugins=[plugin])
    assert {"everything", "more", "used"} <= {m.id for m in result.metrics}


def test_the_examples_are_typed(installed):
    files = sorted((SOURCE / "python/examples").glob("*.py"))
    assert len(files) > 9
    status, output = installed(*files)
    assert status == 0, output


def test_mistakes_in_plugins_are_found(installed, tmp_path):
    plugin = tmp_path / "wrong.py"
    plugin.write_text(all_hooks().replace("recv.sendptr is None", "recv.sendpt is None").replace("self.threshold:", "self.thres:"))
    status, output = installed(plugin)
    assert status == 1
    assert '"Event" has no attribute "sendpt"; maybe "sendptr"' in output
    assert '"Used" has no attribute "thres"' in output


@pytest.mark.parametrize("name", [n for n in waitstate.__all__ if inspect.isclass(getattr(waitstate, n))])
def test_everything_public_is_documented(name):
    public = getattr(waitstate, name)
    assert inspect.getdoc(public), name
    assert public.__module__.startswith("waitstate")
    for member, value in vars(public).items():
        if not member.startswith("_") and (callable(value) or isinstance(value, property)):
            assert inspect.getdoc(value), f"{name}.{member}"


def test_stubs_and_module_say_the_same():
    stub = " ".join((PACKAGE / "_core.pyi").read_text().split())  # wherever lines end
    for name in ("EventTrace", "Event"):
        for paragraph in inspect.getdoc(getattr(_core, name)).split("\n\n"):
            assert " ".join(paragraph.split()) in stub


def test_classes_that_are_not_made_by_users_have_no_empty_objects():
    classes = [c for c in map(functools.partial(getattr, _core), dir(_core)) if type(c) is type(waitstate.EventTrace)]
    classes = [c for c in classes if c not in (waitstate.EventTrace, _core._Registry)]
    assert len(classes) > 50
    for cls in classes:
        for make in (cls, lambda: cls.__new__(cls), lambda: object.__new__(cls), type("Derived", (cls,), {})):
            with pytest.raises(TypeError):
                make()
