"""Builds the program and the compiled module with CMake, for a wheel. Version and sources are those of the project around
this folder.

Objects go to build/wheel of the project, so that a second wheel takes seconds. CMAKE_ARGS gives CMake further options,
JOBS or CMAKE_BUILD_PARALLEL_LEVEL the number of compilers at a time. WAITSTATE_BUILD names a build tree of the same Python
that is there already: all is then taken from it as it is, and nothing is compiled.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

PROJECT = pathlib.Path(__file__).resolve().parent.parent
BUILD = PROJECT / "build" / "wheel"
HOST = "python_host.so"  # starts Python in the program, for plug-ins


def version():
    lists = PROJECT / "CMakeLists.txt"
    if not lists.is_file():
        sys.exit(f"setup.py: {lists} is missing: build the wheel inside of the project's source tree")
    return re.search(r"project\(waitstate VERSION ([0-9.]+)", lists.read_text()).group(1)


def tell(sentence):
    """Tells pip, which shows it with -v, and past pip the terminal."""
    print(sentence, flush=True)
    try:
        with open("/dev/tty", "w", encoding="utf-8") as terminal:
            terminal.write(f"\r{sentence}\n")
    except OSError:
        pass  # nobody does


def jobs():
    """How many compilers at a time: one a core, if memory allows."""
    for name in ("JOBS", "CMAKE_BUILD_PARALLEL_LEVEL"):
        if os.environ.get(name):
            return int(os.environ[name])
    available = re.search(r"MemAvailable: *([0-9]+)", pathlib.Path("/proc/meminfo").read_text())
    return min(len(os.sched_getaffinity(0)), int(available.group(1)) // 1_500_000 + 1)


def options():
    yield from ["-DCMAKE_BUILD_TYPE=Release", "-DWAITSTATE_TESTS=OFF", "-DWAITSTATE_PYTHON=ON", "-DCMAKE_UNITY_BUILD=ON",
                "-DBUILD_SHARED_LIBS=OFF", f"-DPython3_EXECUTABLE={sys.executable}"]
    try:
        import pybind11
        yield f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"
    except ImportError:
        pass  # CMake looks for the system's
    if not (BUILD / "cmake" / "CMakeCache.txt").is_file() and "CMAKE_GENERATOR" not in os.environ and shutil.which("ninja"):
        yield "-GNinja"
    yield from shlex.split(os.environ.get("CMAKE_ARGS", ""))


def compile_all(tree):
    count = jobs()
    tell(f"waitstate: compiling C++ with {count} {'job' if count == 1 else 'jobs'}, which takes some minutes the first time; "
         "pip -v shows how far it is")
    try:
        subprocess.run(["cmake", "-S", PROJECT, "-B", tree, *options()], check=True)
        subprocess.run(["cmake", "--build", tree, "--parallel", str(count)], check=True)
    except FileNotFoundError:
        sys.exit("setup.py: cmake is missing: install it, or let setup.sh of the project install all that the build takes")
    except subprocess.CalledProcessError as error:
        sys.exit(f"setup.py: {shlex.join(map(str, error.cmd))} failed, as it says above")


def strip(file):
    if sys.platform.startswith("linux"):
        subprocess.run(["strip", "--strip-debug", str(file)], check=False)


class CMakeBuild(build_ext):
    """Builds the module, and the program with its recorders, which lie in the package as in an installation's prefix."""

    def build_extension(self, extension):
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        package = target.parent
        tree = pathlib.Path(os.environ.get("WAITSTATE_BUILD", BUILD / "cmake"))
        if "WAITSTATE_BUILD" not in os.environ:
            compile_all(tree)
        built = tree / "python" / "waitstate"
        if not (built / target.name).is_file():
            sys.exit(f"setup.py: {tree} has no {target.name}: it is not built, or for another Python than {sys.executable}")
        package.mkdir(parents=True, exist_ok=True)
        for name in (target.name, HOST):
            if (built / name).is_file():  # there may be no Python library that the program could load
                self.copy_file(str(built / name), str(package / name))
                strip(package / name)
        self.add_program(tree, package)

    def add_program(self, tree, package):
        prefix = BUILD / "prefix"
        shutil.rmtree(prefix, ignore_errors=True)
        subprocess.run(["cmake", "--install", tree, "--prefix", prefix, "--component", "program", "--strip"], check=True)
        for folder in prefix.iterdir():
            if folder.name == "share":  # man pages, completions, examples: below the prefix of Python
                self.distribution.data_files = [
                    (str(path.relative_to(prefix)), [os.path.relpath(f) for f in path.iterdir() if f.is_file()])
                    for path in folder.rglob("*") if path.is_dir()]
            else:
                shutil.rmtree(package / folder.name, ignore_errors=True)
                shutil.copytree(folder, package / folder.name)


(BUILD / "info").mkdir(parents=True, exist_ok=True)
setup(
    version=version(),
    packages=["waitstate"],
    package_data={"waitstate": ["*.pyi", "py.typed"]},
    data_files=[("share", [])],  # filled once there is something
    ext_modules=[Extension("waitstate._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    options={"build": {"build_base": str(BUILD / "setuptools")}, "egg_info": {"egg_base": str(BUILD / "info")}},
)
