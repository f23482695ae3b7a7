"""The stubs are true, the package is typed, and whatever is public is documented."""
import functools
import inspect
import os
import pathlib
import subprocess
import sys

import pytest
import waitstate
from waitstate import _core, renamed

SOURCE = pathlib.Path(os.environ.get("WAITSTATE_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
PACKAGE = pathlib.Path(waitstate.__file__).parent
# What stubtest cannot know of classes made by pybind11: their metaclass, and an __init__ that only says that there is
# none. Classes with an underscore are for this package alone.
ALLOWED = r"""
waitstate\._core\._[A-Z].*
waitstate\._core\.[A-Z]\w*
waitstate\._core\..*\.__init__
waitstate\._core\..*\.__new__
"""


def run(tmp_path, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent), "MYPYPATH": str(PACKAGE.parent)}
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_package_is_typed(tmp_path):
    status, output = run(tmp_path, "mypy", "--strict", "--cache-dir", str(tmp_path), "-p", "waitstate")
    assert status == 0, output


def test_the_stubs_are_generated(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    done = subprocess.run([sys.executable, "-B", str(SOURCE / "python/bind/generate_stubs.py"), "--check"], cwd=tmp_path,
                          env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_stubs_are_what_there_is(tmp_path):
    allowed = tmp_path / "allowed"
    old = "".join(rf"waitstate\._core\.{cls.__name__}\.{name}" + "\n"
                  for cls, names in renamed.OLD_NAMES.items() for name in names)
    allowed.write_text(ALLOWED + old + r"waitstate\._core\.EventTrace\.queue")
    status, output = run(tmp_path, "mypy.stubtest", "waitstate._core", "--allowlist", str(allowed),
                         "--ignore-unused-allowlist")
    assert status == 0, output


def test_users_see_types(tmp_path):
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
    status, output = run(tmp_path, "mypy", "--cache-dir", str(tmp_path), str(program))
    assert status == 1
    for expected in ('"waitstate._core.Event"', '"waitstate.events.EventRange"', 'Union[builtins.int, None]',
                     '"EventTrace" has no attribute "stak"'):
        assert expected in output, output


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
    for name in ("EventTrace", "Event", "Columns"):
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
