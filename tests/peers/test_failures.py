"""Whatever fails in one of several processes, all of them end: with one sentence from one of them, and its exit code."""
import os
import signal
import subprocess
import time

import pytest
from conftest import BUILD, EVERYTHING, PROGRAM, TRACES, alone

PATTERN = """
import waitstate


class OfTest(waitstate.Pattern):
    \"\"\"Receives of the test

    Calls in which messages were received.
    \"\"\"

    unit = "occ"
    in_parts = {in_parts}

    def init(self):
        self.seen = 0

    def completed_receives_callback(self, receives):
        {body}
        self.seen += 1

    def merge(self, other):
        self.seen += other.seen

    def headline(self, facts):
        return f"of test: {{self.seen}} calls received"
"""


def plugin(folder, body="pass", in_parts=True):
    file = folder / "of_test.py"
    file.write_text(PATTERN.format(body=body, in_parts=in_parts))
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
    ("analyze", "NOWHERE"),
    ("analyze", TRACES / "p2p", "--pattern", "nonsense"),
    ("analyze", TRACES / "p2p", "--region", "nonsense"),
    ("analyze", TRACES / "p2p", "--threads", "many"),
    ("analyze", TRACES / "p2p", "-o", "NOWHERE/report.json"),
])
def test_one_sentence(mpi, tmp_path, words):
    words = [str(word).replace("NOWHERE", str(tmp_path / "nowhere")) for word in words]
    one, three = alone(*words), mpi.run(3, *words)
    assert one.returncode != 0 and three.returncode == one.returncode
    assert mpi.said(three) == [line for line in one.stderr.splitlines() if line.startswith("waitstate:")]
    assert "waitstate:" not in three.stdout


def test_words_that_another_finds_wrong(mpi):
    """The first one, whose words are right, says it."""
    words = mpi.command(1, "analyze", TRACES / "p2p")
    run = subprocess.run([*words, ":", "-n", "2", words[3], "analyze", str(TRACES / "p2p"), "--pattern", "nonsense"],
                         capture_output=True, text=True, timeout=120)
    assert run.returncode == 2
    said = mpi.said(run)
    assert len(said) == 1 and "'nonsense'" in said[0], run.stderr


def test_help_once(mpi):
    assert mpi.run(3, "analyze", "--help").stdout.replace("\r", "").count("Usage:") == 1


def test_gate(mpi):
    run = mpi.run(3, "analyze", TRACES / "p2p", "--fail-on", "time>1%")
    assert run.returncode == 1


def test_pattern_of_python(mpi, tmp_path):
    """All that parts have kept comes together, wherever they were."""
    words = ("analyze", TRACES / "p2p", "--plugin", plugin(tmp_path))
    one, three = alone(*words), mpi.run(3, *words, "-o", tmp_path / "three.txt")
    assert three.returncode == 0, three.stderr
    told = [line for line in one.stdout.splitlines() if line.startswith("of test")]
    assert told and " 0 calls" not in told[0]
    assert told[0] in (tmp_path / "three.txt").read_text()


def test_pattern_that_fails(mpi, tmp_path):
    """A pattern that raises where the last location is: in another process than the first."""
    file = plugin(tmp_path, "if receives.call.location.id > 2: raise RuntimeError('not here')")
    run = mpi.run(2, "analyze", TRACES / "p2p", "--plugin", file)
    assert run.returncode == 1
    said = mpi.said(run)
    assert len(said) == 1 and "of_test" in said[0], run.stderr


def test_pattern_in_one_place(mpi, tmp_path):
    run = mpi.run(2, "analyze", TRACES / "p2p", "--plugin", plugin(tmp_path, in_parts=False))
    assert run.returncode == 2
    said = mpi.said(run)
    assert len(said) == 1 and "'of_test'" in said[0] and "in_parts" in said[0]


HERE = """import os, time
        rank = os.environ.get("PMI_RANK", os.environ.get("PMIX_RANK"))
        with open(f"{folder}/writing.{{rank}}", "w") as file:
            file.write(str(os.getpid()))
        os.rename(file.name, f"{folder}/here.{{rank}}")
        time.sleep(0.1)"""


def say_here(folder):
    """The body of a pattern that leaves a file with the number of the process, and takes some time in each call."""
    return HERE.format(folder=folder)


def pids_of(folder, peers):
    """The numbers of all processes, when all are there."""
    marks = [folder / f"here.{rank}" for rank in range(peers)]
    for _ in range(1200):
        if all(mark.exists() for mark in marks):
            break
        time.sleep(0.05)
    return [int(mark.read_text()) for mark in marks]


class Started:
    """An analysis by several processes, each of which has called the pattern, and is busy for some seconds."""

    def __init__(self, mpi, folder, peers):
        self.plugin = str(plugin(folder, say_here(folder)))
        self.run = subprocess.Popen(mpi.command(peers, "analyze", TRACES / "p2p", "--threads", "1", "--plugin", self.plugin),
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.pids = pids_of(folder, peers)

    def is_over(self):
        """Waits for the launcher; true if nothing of it is left then."""
        self.report, _ = self.run.communicate(timeout=60)
        return is_over(self.plugin)


@pytest.mark.parametrize("rank", [0, 2])
def test_killed(mpi, tmp_path, rank):
    """A process is killed: the launcher ends the others."""
    started = Started(mpi, tmp_path, 3)
    os.kill(started.pids[rank], signal.SIGKILL)
    assert started.is_over()
    assert started.run.returncode != 0


def test_interrupted(mpi, tmp_path):
    """Nothing is left, and nothing is reported. The exit code is the launcher's own: one interrupt in seven of a mere `sleep`
    has code 0 under MPICH 4.0."""
    started = Started(mpi, tmp_path, 2)
    started.run.send_signal(signal.SIGINT)
    assert started.is_over()
    assert "of test" not in started.report and "total time" not in started.report


def different(mpi, *of_each):
    """Runs a command in each process, by one launcher."""
    words = [f"mpirun.{mpi.name}"]
    for command in of_each:
        words += [*([":"] if len(words) > 1 else []), "-n", "1", *map(str, command)]
    return subprocess.run(words, capture_output=True, text=True, timeout=60, errors="replace")


@pytest.mark.parametrize("rank, limits", [(0, (125,)), (1, (190, 160, 125, 95))])
def test_out_of_memory(mpi, tmp_path, rank, limits):
    """From what is enough down to what MPI cannot start with: an analysis that is right, or a sentence, and nobody is left."""
    made = tmp_path / "made"
    subprocess.run([BUILD / "generate_trace", "--locations", "1024", "--events", "200000", made], check=True, capture_output=True)
    trace, report = made / "traces.otf2", tmp_path / "report.csv"
    words = [PROGRAM, "analyze", trace, "--threads", "1", "-o", report]
    assert alone(*words[1:]).returncode == 0
    right = report.read_bytes()
    report.unlink()
    said = []
    for mebibytes in limits:
        limited = ["prlimit", f"--as={mebibytes << 20}", *words]
        run = different(mpi, *([limited, words] if rank == 0 else [words, limited]))
        assert is_over(str(trace)), mebibytes
        if run.returncode == 0:
            assert report.read_bytes() == right
            report.unlink()
            continue
        # MPI_Init of MPICH has the launcher end all processes at once, and what anybody says may be lost.
        assert mpi.said(run) or mpi.name == "mpich" and run.returncode == 15, (mebibytes, run.stderr)
        assert not list(tmp_path.glob("report*")), mebibytes
        said += mpi.said(run)
    assert not any("plug-in" in line or "damaged" in line for line in said)
    told = [line for line in said if f"out of memory in rank {rank} of 2 on node " in line]
    if rank == 1 and not told:
        pytest.skip("memory runs out in MPI with each of the limits")


def test_scratch_disk_is_full(mpi, tmp_path):
    """Memory holds what has no place there; the report is the same."""
    made = tmp_path / "made"
    subprocess.run([BUILD / "generate_trace", "--pattern", "inflight", "--in-flight", "150000", "--order", "random", "--events",
                    "800000", made], check=True, capture_output=True)
    words = [PROGRAM, "analyze", made / "traces.otf2", "--threads", "1", *EVERYTHING, "-o"]
    assert alone(*words[1:], tmp_path / "one.json").returncode == 0
    full = ["env", f"TMPDIR={tmp_path / 'nowhere'}", *words, tmp_path / "two.json"]
    for commands in ((full, full), ([*words, tmp_path / "two.json"], full)):
        run = different(mpi, *commands)
        assert run.returncode == 0, run.stderr
        assert (tmp_path / "two.json").read_bytes() == (tmp_path / "one.json").read_bytes()


def test_one_that_cannot_start(mpi, tmp_path):
    """On its node, the transport is missing: it says so, and the others do not wait for it."""
    words = ["analyze", TRACES / "p2p"]
    missing = ["env", "WAITSTATE_MPI=unknown", PROGRAM, *words]
    run = different(mpi, [PROGRAM, *words], missing)
    assert run.returncode != 0
    said = mpi.said(run)
    assert len(said) == 1 and "rank 1 of 2 on node " in said[0] and "libwaitstate-peers-unknown.so" in said[0], run.stderr
    assert "total time" not in run.stdout


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
    assert run.stdout.count("recorder") == 2
