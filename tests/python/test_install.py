"""The package works from an installation and from a wheel: nothing of it points back into the build tree."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import sysconfig

import pytest

from conftest import SOURCE

BUILD = os.environ.get("WAITSTATE_BUILD")
PROGRAM = """
import pathlib, sys, waitstate
from waitstate import _core
assert pathlib.Path(waitstate.__file__).is_relative_to(sys.argv[1]), waitstate.__file__
assert pathlib.Path(_core.__file__).is_relative_to(sys.argv[1]), _core.__file__
assert pathlib.Path(waitstate.__file__).with_name("_core.pyi").is_file()
assert pathlib.Path(waitstate.__file__).with_name("py.typed").is_file()
print(len(waitstate.EventTrace(sys.argv[2])), waitstate.__version__)
"""


@pytest.mark.skipif(BUILD is None, reason="WAITSTATE_BUILD names no build tree")
def test_installed_package(tmp_path, traces):
    subprocess.run(["cmake", "--install", BUILD, "--prefix", str(tmp_path), "--component", "python"], check=True,
                   stdout=subprocess.DEVNULL)
    version = "python{}.{}".format(*sys.version_info)
    folder = tmp_path / "lib" / version / "site-packages"
    installed = folder / "waitstate"
    assert not any(path.is_symlink() for path in installed.iterdir())
    done = subprocess.run([sys.executable, "-B", "-c", PROGRAM, str(tmp_path), str(traces / "p2p")], cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(folder)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "1904"
    # In the place where a virtual environment at that prefix has its packages.
    scheme = sysconfig.get_path("purelib", "venv", {"base": str(tmp_path)})
    assert pathlib.Path(scheme) == folder


# What pip takes to build a wheel here, without a network.
MISSING = [name for name in ("pip", "setuptools", "wheel") if importlib.util.find_spec(name) is None]


@pytest.mark.skipif(BUILD is None, reason="WAITSTATE_BUILD names no build tree")
@pytest.mark.skipif(bool(MISSING), reason=f"pip can build no wheel: {', '.join(MISSING)} of {sys.executable} missing")
def test_wheel(tmp_path, traces):
    """Built by pip, of the build tree at hand, installed by pip into an empty folder; an example runs with it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_ROOT_USER_ACTION": "ignore"}
    pip = [sys.executable, "-m", "pip"]
    wheels = tmp_path / "wheels"
    done = subprocess.run([*pip, "wheel", "--no-index", "--no-build-isolation", "--no-deps", "-w", wheels, SOURCE / "python"],
                          env=environment | {"WAITSTATE_BUILD": os.path.abspath(BUILD)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    wheel, = wheels.iterdir()
    assert wheel.name.startswith("waitstate-") and f"cp{sys.version_info[0]}{sys.version_info[1]}" in wheel.name
    folder = tmp_path / "packages"
    done = subprocess.run([*pip, "install", "--no-index", "--no-deps", "--target", folder, wheel], env=environment,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    environment["PYTHONPATH"] = str(folder)
    done = subprocess.run([sys.executable, "-B", "-c", PROGRAM, str(folder), str(traces / "p2p")], cwd=tmp_path,
                          env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1904", wheel.name.split("-")[1]]
    done = subprocess.run([sys.executable, "-B", SOURCE / "python" / "examples" / "late_sender.py", traces / "p2p"],
                          cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(" s\n") and int(done.stdout.split()[0]) > 0
