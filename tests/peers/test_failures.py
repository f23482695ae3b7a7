"""Whatever fails in one of several processes, all of them end: with one sentence from one of them, and its exit code."""
import os
import signal
import subprocess
import time

import pytest
from conftest import BUILD, PROGRAM, SOURCE, TRACES, alone

PATTERN = """
import os, waitstate


class {name}(waitstate.Pattern):
    metrics = [waitstate.Metric("test_receives", "Receives", "receives that the class has seen", unit="occurrences")]
    in_parts = {in_parts}

    def init(self):
        self.seen = 0

    def completed_receives(self, r):
        {body}
        self.seen += 1

    def merge(self, other):
        self.seen += other.seen

    def headline(self):
        return f"test: {{self.seen}} calls received"
"""


def plugin(folder, body="pass", in_parts=True):
    file = folder / "of_test.py"
    file.write_text(PATTERN.format(name="OfTest", body=body, in_parts=in_parts))
    return file


def processes_of(command):
    """Numbers of processes whose command line has the word."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if command.encode() in words and words[0].decode().endswith("waitstate"):
            found.append(int(pid))
    return found


def is_over(command):
    """True when nothing of it is left, which takes a moment."""
    for _ in range(100):
        if not processes_of(command):
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("words", [
    ("analyze", "/nonexistent"),
    ("analyze", TRACES / "p2p", "--pattern", "nonsense"),
    ("analyze", TRACES / "p2p", "--region", "nonsense"),
    ("analyze", TRACES / "p2p", "--threads", "many"),
    ("analyze", TRACES / "p2p", "-o", "/nonexistent/report.json"),
])
def test_one_sentence(mpi, words):
    one, three = alone(*words), mpi.run(3, *words)
    assert one.returncode != 0 and three.returncode == one.returncode
    assert mpi.said(three) == [line for line in one.stderr.splitlines() if line.startswith("waitstate:")]
    assert "waitstate:" not in three.stdout


def test_help_once(mpi):
    assert mpi.run(3, "analyze", "--help").stdout.replace("\r", "").count("Usage:") == 1


def test_gate(mpi):
    run = mpi.run(3, "analyze", TRACES / "p2p", "--fail-on", "time>1%")
    assert run.returncode == 1


def test_pattern_of_python(mpi, tmp_path):
    """What the parts have kept comes together, wherever they were."""
    words = ("analyze", TRACES / "p2p", "--plugin", plugin(tmp_path))
    one, three = alone(*words), mpi.run(3, *words, "-o", tmp_path / "three.txt")
    assert three.returncode == 0, three.stderr
    told = [line for line in one.stdout.splitlines() if line.startswith("test")]
    assert told and "0 calls" not in told[0]
    assert told[0] in (tmp_path / "three.txt").read_text()


def test_pattern_that_fails(mpi, tmp_path):
    """A pattern that raises where the last location is: in another process than the first."""
    body = "if r.receiver.id > 0: raise RuntimeError('not here')"
    file = plugin(tmp_path, body.replace("r.receiver.id", "r.location.id"))
    run = mpi.run(2, "analyze", TRACES / "p2p", "--plugin", file)
    assert run.returncode == 1
    said = mpi.said(run)
    assert len(said) == 1 and "test_receives" in said[0], run.stderr


def test_pattern_in_one_place(mpi, tmp_path):
    run = mpi.run(2, "analyze", TRACES / "p2p", "--plugin", plugin(tmp_path, in_parts=False))
    assert run.returncode == 2
    said = mpi.said(run)
    assert len(said) == 1 and "'test_receives'" in said[0] and "in_parts" in said[0]


def generated(folder, events=3_000_000):
    trace = folder / "generated"
    subprocess.run([BUILD / "tests" / "generate_trace", "--locations", "16", "--events", str(events), trace], check=True,
                   capture_output=True)
    return trace


@pytest.mark.parametrize("who", ["first", "last"])
def test_killed(mpi, tmp_path, who):
    """A process is killed: the launcher ends the others."""
    trace = str(generated(tmp_path))
    run = subprocess.Popen(mpi.command(3, "analyze", trace, "--threads", "1"), stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    for _ in range(200):
        if len(processes_of(trace)) >= 6:  # each with the one that guards it
            break
        time.sleep(0.02)
    children = processes_of(trace)
    assert len(children) >= 6
    os.kill(min(children) if who == "first" else max(children), signal.SIGKILL)
    out, err = run.communicate(timeout=60)
    assert run.returncode != 0, out
    assert is_over(trace)


def test_interrupted(mpi, tmp_path):
    trace = str(generated(tmp_path))
    run = subprocess.Popen(mpi.command(2, "analyze", trace), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while len(processes_of(trace)) < 4 and run.poll() is None:
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    run.communicate(timeout=60)
    assert run.returncode != 0
    assert is_over(trace)


def test_without_memory(mpi, tmp_path):
    """One process may not have much memory; what it lacks is told by the first one."""
    trace = generated(tmp_path)
    little = ["sh", "-c", f"ulimit -v 120000; exec {PROGRAM} analyze {trace} --threads 1"]
    command = mpi.command(1, "analyze", trace, "--threads", "1") + [":", "-n", "1", *little]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert run.returncode != 0
    assert is_over(str(trace))


def test_full_scratch_folder(mpi, tmp_path):
    """There is no room for what does not fit into memory: it stays there, as with one process."""
    words = ("analyze", TRACES / "p2p", "--pattern", "all,critical_path,delay", "--format", "csv")
    nowhere = dict(os.environ, TMPDIR="/nonexistent")
    assert mpi.run(2, *words, env=nowhere).stdout.replace("\r", "") == alone(*words).stdout


def test_library_is_missing(tmp_path):
    """Processes of an MPI without a transport say so, instead of doing the same work each."""
    env = dict(os.environ, PMI_RANK="0", PMI_SIZE="4", WAITSTATE_MPI="unknown")
    run = alone("analyze", TRACES / "p2p", env=env)
    assert run.returncode == 2
    assert "libwaitstate-peers-unknown.so" in run.stderr and "one process" in run.stderr


def test_one_process_of_a_launcher(mpi, tmp_path):
    for name, run in (("one", alone), ("launched", lambda *words: mpi.run(1, *words))):
        assert run("analyze", TRACES / "coll", "-o", tmp_path / f"{name}.json").returncode == 0
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "launched.json").read_bytes()


def test_other_commands_know_nothing_of_it(mpi):
    run = mpi.run(2, "info", TRACES / "p2p")
    assert run.returncode == 0
    assert SOURCE and run.stdout.count("processes") >= 2
