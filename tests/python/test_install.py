"""The package works from an installation: nothing of it points back into the build tree."""
import os
import pathlib
import subprocess
import sys
import sysconfig

import pytest

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
