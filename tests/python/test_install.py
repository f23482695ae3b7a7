"""The package works from an installation and from a wheel: nothing of it points back into the build tree."""
import fcntl
import importlib.util
import os
import pathlib
import pty
import re
import site
import subprocess
import sys
import termios

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


in_build_tree = pytest.mark.skipif(BUILD is None, reason="WAITSTATE_BUILD names no build tree")


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)


def install(prefix, *components):
    for component in components:
        done = run("cmake", "--install", BUILD, "--prefix", prefix, "--component", component, "--strip")
        assert done.returncode == 0, done.stderr


def package_in(prefix):
    """The folder of packages below an installation's prefix."""
    file, = prefix.glob("lib*/**/waitstate/__init__.py")
    return file.parents[1]


def with_package(folder):
    return {**os.environ, "PYTHONPATH": str(folder)}


def same_as_the_program(program, environment, traces, folder):
    """`python -m waitstate` is the program: its output, its complaints, its exit codes."""
    codes = []
    for arguments in (["--version"], ["info", traces / "p2p"], ["analyze", traces / "p2p", "--fail-on", "time>0s"], [],
                      ["info", "nowhere"], ["analyze", traces / "p2p", "--format", "csv", "--pattern", "mpi_latesender"]):
        expected = run(program, *arguments, cwd=folder)
        done = run(sys.executable, "-B", "-m", "waitstate", *arguments, cwd=folder, env=environment)
        assert (done.returncode, done.stdout, done.stderr) == (expected.returncode, expected.stdout, expected.stderr)
        codes.append(done.returncode)
    assert codes == [0, 0, 1, 2, 3, 0]


def finds_its_parts(program, environment, traces, folder):
    """Plug-ins in Python, and the recorder, belong to the program and come with it."""
    done = run(program, "analyze", traces / "p2p", "--plugin", SOURCE / "python" / "examples" / "late_sender.py", cwd=folder,
               env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    if (pathlib.Path(BUILD) / "lib" / "waitstate" / "libwaitstate-record-threads.so").exists():
        done = run(program, "record", "--mpi", "none", "true", cwd=folder, env=environment)
        assert done.returncode == 0 and "nothing was recorded: no process of the command used" in done.stderr


def has_documents(share):
    for name in ("doc/waitstate/LICENSE", "doc/waitstate/examples/python/late_sender.py",
                 "doc/waitstate/examples/plugin/tiny_messages.cpp", "doc/waitstate/examples/plugin/run.trace",
                 "man/man1/waitstate.1", "man/man1/waitstate-analyze.1", "bash-completion/completions/waitstate",
                 "zsh/site-functions/_waitstate", "waitstate/report.schema.json", "waitstate/diff.schema.json",
                 "waitstate/verdicts.schema.json"):
        assert (share / name).is_file(), name


@in_build_tree
def test_installed_package(tmp_path, traces):
    install(tmp_path, "python", "program")
    folder = package_in(tmp_path)
    assert not any(path.is_symlink() for path in (folder / "waitstate").iterdir())
    environment = with_package(folder)
    done = run(sys.executable, "-B", "-c", PROGRAM, tmp_path, traces / "p2p", cwd=tmp_path, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "1904"
    program = tmp_path / "bin" / "waitstate"
    same_as_the_program(program, environment, traces, tmp_path)
    finds_its_parts(program, os.environ, traces, tmp_path)
    has_documents(tmp_path / "share")
    example = tmp_path / "share" / "doc" / "waitstate" / "examples" / "python" / "late_sender.py"
    done = run(sys.executable, "-B", example, traces / "p2p", cwd=tmp_path, env=environment)
    assert done.returncode == 0 and done.stdout.endswith(" s\n"), done.stderr
    # Below the prefix that the build was configured for, Python finds it by itself.
    prefix = cached("CMAKE_INSTALL_PREFIX")
    if prefix in ("/usr/local", sys.prefix) and not cached("WAITSTATE_INSTALL_PYTHONDIR"):
        assert str(pathlib.Path(prefix) / folder.relative_to(tmp_path)) in site.getsitepackages()


def cached(name):
    lines = (pathlib.Path(BUILD) / "CMakeCache.txt").read_text().splitlines()
    value, = (line.partition("=")[2] for line in lines if line.startswith(name + ":"))
    return value


@in_build_tree
def test_package_without_program(tmp_path):
    install(tmp_path, "python")
    done = run(sys.executable, "-B", "-m", "waitstate", "--version", cwd=tmp_path, env=with_package(package_in(tmp_path)))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (f"waitstate: error: the program does not belong to the package {package_in(tmp_path)}/waitstate: "
                           "install both together, with pip or with cmake --install\n")


@in_build_tree
def test_program_of_the_build_tree(tmp_path, traces):
    same_as_the_program(pathlib.Path(BUILD).resolve() / "waitstate", os.environ, traces, tmp_path)


def test_the_install_folder_is_one_that_python_searches(tmp_path):
    script = SOURCE / "python" / "install_folder.py"

    def folder(python, prefix):
        done = run(python, script, prefix)
        assert done.returncode == 0, done.stderr
        return pathlib.Path(prefix) / done.stdout.strip()

    for prefix in {pathlib.Path(p).parents[2] for p in site.getsitepackages()}:  # Debian: /usr/local and /usr
        assert str(folder(sys.executable, prefix)) in site.getsitepackages()
    # Of a virtual environment, and of the user.
    environment = tmp_path / "venv"
    assert run(sys.executable, "-m", "venv", "--without-pip", environment).returncode == 0
    python = environment / "bin" / "python"
    searched = run(python, "-c", "import sys; print(*sys.path, sep='\\n')").stdout.split("\n")
    assert str(folder(python, environment)) in searched
    assert folder(sys.executable, site.getuserbase()) == pathlib.Path(site.getusersitepackages())


# A cmake that notes what it was asked for, and does nothing.
CMAKE = """#!/bin/sh
echo "cmake $*"
"""


def build_with(tmp_path, script, **environment):
    """The output of setup.py, whose cmake is that script; and what a terminal shows meanwhile."""
    folder = tmp_path / "bin"
    folder.mkdir(exist_ok=True)
    (folder / "cmake").unlink(missing_ok=True)
    if script:
        (folder / "cmake").write_text(script)
        (folder / "cmake").chmod(0o755)
    path = str(folder) if script is None else f"{folder}:{os.environ['PATH']}"
    terminal, other_end = pty.openpty()
    unset = {"WAITSTATE_BUILD", "JOBS", "CMAKE_BUILD_PARALLEL_LEVEL", "CMAKE_GENERATOR"}
    inherited = {name: value for name, value in os.environ.items() if name not in unset}

    def own_terminal():
        os.setsid()
        fcntl.ioctl(other_end, termios.TIOCSCTTY, 0)

    done = run(sys.executable, "-B", "setup.py", "build_ext", "--build-lib", tmp_path / "lib", "--build-temp", tmp_path / "tmp",
               cwd=SOURCE / "python", env=inherited | environment | {"PATH": path}, preexec_fn=own_terminal)
    os.set_blocking(terminal, False)
    try:
        shown = os.read(terminal, 10000).decode()
    except OSError:
        shown = ""
    os.close(terminal)
    os.close(other_end)
    return done, shown


@pytest.mark.skipif(importlib.util.find_spec("setuptools") is None, reason="no setuptools")
def test_wheel_says_that_it_compiles_and_uses_all_cores(tmp_path):
    cores = len(os.sched_getaffinity(0))
    done, shown = build_with(tmp_path, CMAKE)
    at_a_time = int(re.search(r"^cmake --build \S+ --parallel (\d+)$", done.stdout, re.MULTILINE).group(1))
    assert 1 <= at_a_time <= cores
    with open("/proc/meminfo", encoding="ascii") as file:
        if int(re.search("MemAvailable: *([0-9]+)", file.read()).group(1)) > 2_000_000 * cores:
            assert at_a_time == cores
    said = (f"waitstate: compiling C++ with {at_a_time} {'job' if at_a_time == 1 else 'jobs'}, which takes some minutes the "
            "first time; pip -v shows how far it is\n")
    assert said in done.stdout and said.strip() in shown
    for variable in ("CMAKE_BUILD_PARALLEL_LEVEL", "JOBS"):
        done, _ = build_with(tmp_path, CMAKE, **{variable: "7"})
        assert "compiling C++ with 7 jobs" in done.stdout and " --parallel 7\n" in done.stdout
    done, _ = build_with(tmp_path, "#!/bin/sh\necho no compiler; exit 1\n")
    assert done.returncode == 1 and "no compiler\n" in done.stdout
    assert re.search("^setup.py: cmake -S .* failed, as it says above$", done.stderr, re.MULTILINE)
    done, _ = build_with(tmp_path, None)
    assert done.returncode == 1
    assert "setup.py: cmake is missing: install it, or let setup.sh of the project install all that the build takes" in done.stderr


# Arguments with which pip builds a wheel here, without a network.
MISSING = [name for name in ("pip", "setuptools", "wheel") if importlib.util.find_spec(name) is None]


@in_build_tree
@pytest.mark.skipif(bool(MISSING), reason=f"pip can build no wheel: {', '.join(MISSING)} of {sys.executable} missing")
def test_wheel(tmp_path, traces):
    """Built by pip, of the build tree at hand, installed by pip into an empty folder; the program and an example run with it."""
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
    program = folder / "bin" / "waitstate"
    assert run(program, "--version", cwd=tmp_path, env=environment).stdout == f"waitstate {wheel.name.split('-')[1]}\n"
    same_as_the_program(pathlib.Path(BUILD).resolve() / "waitstate", environment, traces, tmp_path)
    finds_its_parts(program, environment, traces, tmp_path)
    has_documents(folder / "share")
