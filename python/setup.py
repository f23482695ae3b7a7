"""Builds the compiled module with CMake, for a wheel. Version and sources are those of the project around this folder.

Objects go to build/wheel of the project, so that a second wheel takes seconds. CMAKE_ARGS gives CMake further options,
JOBS the number of compilers at a time. WAITSTATE_BUILD names a build tree of the same Python that is there already: the
module is then taken from it as it is, and nothing is compiled.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

PROJECT = pathlib.Path(__file__).resolve().parent.parent
BUILD = PROJECT / "build" / "wheel"


def version():
    lists = PROJECT / "CMakeLists.txt"
    if not lists.is_file():
        sys.exit(f"setup.py: {lists} is missing: build the wheel inside of the project's source tree")
    return re.search(r"project\(waitstate VERSION ([0-9.]+)", lists.read_text()).group(1)


class CMakeBuild(build_ext):
    """Configures and builds the one target, straight to where setuptools expects the module."""

    def build_extension(self, extension):
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        tree = pathlib.Path(os.environ.get("WAITSTATE_BUILD", BUILD / "cmake"))
        if "WAITSTATE_BUILD" not in os.environ:
            subprocess.run(["cmake", "-S", PROJECT, "-B", tree, "-DCMAKE_BUILD_TYPE=Release", "-DWAITSTATE_TESTS=OFF",
                            "-DWAITSTATE_PYTHON=ON", "-DCMAKE_UNITY_BUILD=ON", f"-DPython3_EXECUTABLE={sys.executable}",
                            *shlex.split(os.environ.get("CMAKE_ARGS", ""))], check=True)
            subprocess.run(["cmake", "--build", tree, "--target", "waitstate_python", "--parallel",
                            os.environ.get("JOBS", str(os.cpu_count()))], check=True)
        built = tree / "python" / "waitstate" / target.name
        if not built.is_file():
            sys.exit(f"setup.py: {tree} has no {target.name}: it is not built, or for another Python than {sys.executable}")
        target.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(built), str(target))
        if sys.platform.startswith("linux"):
            subprocess.run(["strip", "--strip-debug", str(target)], check=False)


(BUILD / "info").mkdir(parents=True, exist_ok=True)
setup(
    version=version(),
    packages=["waitstate"],
    package_data={"waitstate": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("waitstate._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    options={"build": {"build_base": str(BUILD / "setuptools")}, "egg_info": {"egg_base": str(BUILD / "info")}},
)
