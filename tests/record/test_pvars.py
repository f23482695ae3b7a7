"""`record --pvar`: performance variables of MPI become counters of the call paths in which they changed.

Their values are those of tests/fake_mpit, which counts barriers; the queues of Open MPI are its own.
"""
import os
import re

import pytest
from conftest import PROGRAM, SOURCE, Recorded, record, run

FAKE = SOURCE / "tests" / "fake_mpit" / "fake_mpit.c"


class Fake:
    """Runs of record_pvars.c with the fake before the MPI."""

    def __init__(self, mpi, folder):
        self.mpi, self.folder = mpi, folder
        self.program = mpi.compile("record_pvars.c")
        self.library = mpi.compile(FAKE, "-shared", "-fPIC", name="libfake_mpit.so")

    def record(self, pvars, *arguments, options=(), program=None, **settings):
        told = self.folder / "told"
        environment = {**os.environ, "LD_PRELOAD": str(self.library), "FAKE_MPIT_REPORT": str(told), **settings}
        trace = record(self.folder / "trace", self.mpi.run(2, program or self.program, *arguments), "--pvar", pvars,
                       *options, env=environment)
        trace.told = told.read_text().splitlines()
        return trace


@pytest.fixture
def fake(mpi, tmp_path):
    return Fake(mpi, tmp_path)


def members_of(trace):
    """{name: (mode, type)} of the metrics in the archive; mode 0: accumulated since the start."""
    found = {}
    for line in trace.definitions():
        if match := re.match(r'metric_member (\d+) name=("[^"]*"|\S+) (.*)', line):
            mode = re.search(r"\bmode=(\d+)", match[3])
            found[match[2].strip('"')] = (int(mode[1]) if mode else 0, re.search(r"\bvalue=(\w+)", match[3])[1])
    return found


def values_of(trace, name, location="0"):
    """All values of a metric that a location has written."""
    number = next(re.match(r"metric_member (\d+)", line)[1] for line in trace.definitions()
                  if re.match(rf'metric_member \d+ name="?{re.escape(name)}[" ]', line))
    return [event[-1].split(":")[1].rstrip(")") for event in trace.events("metric")
            if event[0] == location and event[3] == f"metric={number}"]


def test_classes_become_modes(fake):
    """COUNTER, AGGREGATE, TIMER grow; STATE, LEVEL, SIZE, PERCENTAGE, GENERIC hold at a point; watermarks hold up to it."""
    trace = fake.record("fake_*")
    assert trace.complete(), trace.text
    grows, point, last = 0, 17, 33
    assert {name: of for name, of in members_of(trace).items() if "[" not in name} == {
        "fake_state": (point, "int64"), "fake_level": (point, "uint64"), "fake_size": (point, "uint64"),
        "fake_percentage": (point, "double"), "fake_highwatermark": (last, "uint64"), "fake_lowwatermark": (last, "uint64"),
        "fake_counter": (grows, "uint64"), "fake_aggregate": (grows, "double"), "fake_timer": (grows, "double"),
        "fake_generic": (point, "int64")}
    assert values_of(trace, "fake_state") == ["0", "10", "20", "0", "10", "20", "0", "10"]
    # A watermark holds up to the call in which it moves, and to the end.
    marks = [str(1000 - n) for n in range(8)]
    assert values_of(trace, "fake_lowwatermark") == [m for pair in zip(marks, marks) for m in pair]


def test_values_are_in_the_call_paths_where_they_changed(fake):
    trace = fake.record("fake_counter,fake_timer")
    assert trace.complete(), trace.text
    for processes_in, count in (("outer", 3), ("inner", 2), ("windowed", 1), ("queued", 1)):
        assert trace.severity("fake_counter", processes_in, "MPI_Barrier") == 2 * count
        assert trace.severity("fake_timer", processes_in, "MPI_Barrier") == pytest.approx(2 * count * 0.25)
    assert trace.severity("fake_counter") == 2 * 7


def test_they_follow_communicators_and_windows(fake):
    trace = fake.record("fake_of_*,fake_queue_length")
    assert set(members_of(trace)) == {
        "fake_of_comm [MPI_COMM_WORLD]", "fake_of_comm [MPI_COMM_SELF]", "fake_of_comm [halo]",
        "fake_queue_length [MPI_COMM_WORLD]", "fake_queue_length [MPI_COMM_SELF]", "fake_queue_length [halo]",
        "fake_of_win [MPI_Win_allocate W.w0]"}
    assert values_of(trace, "fake_of_comm [halo]")[-1] == "2"
    assert values_of(trace, "fake_of_comm [MPI_COMM_WORLD]")[-1] == "5"
    assert values_of(trace, "fake_queue_length [halo]") == ["0", "2", "4"]  # two peers each
    assert trace.severity("fake_of_comm_[halo]", "inner", "MPI_Barrier") == 4
    assert trace.severity("fake_of_comm_[halo]") == 4


def test_a_session_of_its_own_and_no_handle_left(fake):
    trace = fake.record("all")
    assert trace.told == ["inits 1 finals 0 sessions 1 open 0 handles 22 open 0 wrong 0"] * 2


def test_a_program_with_sessions_of_its_own(fake):
    """It starts, stops and reads the same variable; what it sees is the same with the recorder and without."""
    program = fake.mpi.compile("own_variables.c")
    alone = run(fake.mpi.run(2, program, "fake_counter"), env={**os.environ, "LD_PRELOAD": str(fake.library)})
    trace = fake.record("fake_counter", "fake_counter", program=program)
    assert alone.stdout == trace.ran.stdout == "1 2 3\n1 2 3\n"
    assert trace.severity("fake_counter") == 2 * 8
    assert trace.told == ["inits 2 finals 1 sessions 3 open 0 handles 3 open 0 wrong 0"] * 2


def test_software_counters(fake):
    """Open MPI calls them sizes: those that count do so here too, and the others are levels and watermarks."""
    trace = fake.record("runtime_spc_*")
    assert {name.removeprefix("runtime_spc_OMPI_"): of for name, of in members_of(trace).items()} == {
        "BARRIER": (0, "uint64"), "SPC_SEND": (0, "uint64"), "SPC_BYTES_SENT_USER": (0, "uint64"),
        "SPC_UNEXPECTED_IN_QUEUE": (17, "uint64"), "SPC_MAX_UNEXPECTED_IN_QUEUE": (33, "uint64")}
    assert trace.severity("runtime_spc_OMPI_SPC_SEND", "queued", "MPI_Send") == 3
    assert trace.severity("runtime_spc_OMPI_SPC_BYTES_SENT_USER") == 3 * 4 == trace.severity("bytes_sent")
    assert trace.severity("runtime_spc_OMPI_BARRIER", "outer", "MPI_Barrier") == 2 * 3
    told = run([PROGRAM, "explain", "runtime_spc_OMPI_SPC_BYTES_SENT_USER", "--in", trace.folder]).stdout
    assert "bytes sent in the program's messages between two processes" in told
    assert re.search(r"^unit +bytes$", told, re.MULTILINE)


def test_beside_the_program(fake):
    """A thread reads all of them every millisecond, into a location that is about the process."""
    trace = fake.record("fake_counter,fake_level,fake_of_comm", options=("--pvar-at", "1"))
    locations = [line for line in trace.definitions() if line.startswith("location ") and "MPI_T" in line]
    assert len(locations) == 2 and all("type=metric" in line for line in locations)
    samples = trace.events("metric")
    assert {event[0] for event in samples} == {line.split()[1] for line in locations}
    times = sorted({int(event[1]) for event in samples if event[0] == samples[0][0]})
    assert len(times) >= 2 and all(a < b for a, b in zip(times, times[1:]))
    assert trace.severity("fake_counter") == 2 * 7
    assert trace.severity("fake_of_comm_[halo]") == 2 * 2
    assert "Missing from" not in trace.text
    assert trace.told == ["inits 1 finals 0 sessions 1 open 0 handles 5 open 0 wrong 0"] * 2


def test_beside_the_program_where_the_library_has_no_threads(fake):
    trace = fake.record("fake_counter", options=("--pvar-at", "1"), FAKE_MPIT_SINGLE="1")
    assert ("waitstate record: this MPI allows calls from one thread at a time only (no MPI_THREAD_MULTIPLE): no variables are read; use --pvar-at call\n") in trace.ran.stderr
    assert not members_of(trace)


def test_beside_the_program_where_no_thread_can_be_started(fake):
    """All are read at the begin and the end, and it is said."""
    trace = fake.record("fake_counter,fake_of_comm", options=("--pvar-at", "1"), FAKE_MPIT_NO_THREAD="1")
    assert ("waitstate record: the thread that reads variables cannot be started (Resource temporarily unavailable): they are read only at the start and the end of the run\n") in trace.ran.stderr
    assert trace.severity("fake_counter") == 2 * 7
    assert trace.severity("fake_of_comm_[halo]") == 2 * 2
    assert "Missing from" not in trace.text
    assert trace.told == ["inits 1 finals 0 sessions 1 open 0 handles 4 open 0 wrong 0"] * 2


def test_when_without_what(tmp_path):
    ran = run([PROGRAM, "record", "-o", tmp_path / "trace", "--pvar-at", "5", "--", "true"])
    assert ran.returncode == 2
    assert ran.stderr == "waitstate: error: --pvar-at needs --pvar, which names the variables to read\n"
    assert not (tmp_path / "trace").exists()


@pytest.mark.parametrize("when", ["0", "often", "-3", "1.5", "4000000"])
def test_when_they_are_not_read(when, tmp_path):
    ran = run([PROGRAM, "record", "-o", tmp_path / "trace", "--pvar", "x", f"--pvar-at={when}", "--", "true"])
    assert ran.returncode == 2
    assert f"--pvar-at: '{when}' is neither 'call' nor a number of milliseconds from 1 to 3600000" in ran.stderr


def test_many_communicators(fake):
    """With a metric each up to 64; those behind share one, which only grows."""
    trace = fake.record("fake_of_comm", "100")
    assert len(members_of(trace)) == 65
    values = [int(v) for v in values_of(trace, "fake_of_comm [further communicators]")]
    assert values == sorted(values) and values[-1] == 2 * (100 + 2 - 64)
    assert trace.told[0].endswith("handles 102 open 0 wrong 0")


def test_what_is_not_there(fake):
    trace = fake.record("fake_nothing,fake_of_op,fake_counter")
    assert "waitstate record: this MPI has no performance variable 'fake_nothing': 'waitstate mpit pvars' lists" in trace.ran.stderr
    assert "variable fake_of_op belongs to objects that are not followed" in trace.ran.stderr
    assert set(members_of(trace)) == {"fake_counter"}


def test_a_command_in_each_process(fake, tmp_path):
    ran = run([*fake.mpi.run(2, PROGRAM, "record", "-o", tmp_path / "each", "--pvar", "fake_counter", fake.program)],
              env={**os.environ, "LD_PRELOAD": str(fake.library)})
    assert ran.returncode == 0, ran.stderr
    assert Recorded(tmp_path / "each").severity("fake_counter") == 2 * 7


def test_without_mpi(tmp_path):
    ran = run([PROGRAM, "record", "-o", tmp_path / "trace", "--mpi", "none", "--pvar", "x", "--", "true"])
    assert ran.returncode == 2
    assert ran.stderr == "waitstate: error: --pvar reads variables of MPI, and --mpi none records none\n"


def test_without(mpi, tmp_path):
    """Nothing is asked for: nothing is there."""
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("record_pvars.c")))
    assert not members_of(trace) and not trace.events("metric")


def test_open_mpis_queue_of_unexpected_messages(mpi, tmp_path):
    """Three messages of the program and those of a barrier are in it, and leave it one by one."""
    if mpi.name != "openmpi":
        pytest.skip("Debian's MPICH has no performance variables")
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("record_pvars.c")), "--pvar", "pml_ob1_*",
                   env={**os.environ, "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,tcp"})
    queue = "pml_ob1_unexpected_msgq_length [MPI_COMM_WORLD]"
    assert queue in members_of(trace)
    assert max(int(v) for v in values_of(trace, queue)) >= 3
    assert values_of(trace, queue)[-1] == "0"
    about = next(line for line in trace.definitions() if queue in line)
    assert "the sum of its elements; messages of MPI's own collective operations are in it" in about
    values = [int(v) for v in values_of(trace, queue)]
    assert values[values.index(max(values)):] == sorted(values[values.index(max(values)):], reverse=True)


def test_the_queue_of_each_peer(mpi, tmp_path):
    """Three messages and a barrier: four from that peer, one from another; the trace has their sum. The program reads them
    in a session of its own."""
    if mpi.name != "openmpi":
        pytest.skip("Debian's MPICH has no performance variables")
    name = "pml_ob1_unexpected_msgq_length"
    trace = record(tmp_path / "trace", mpi.run(3, mpi.compile("own_variables.c"), name, "queue"), "--pvar", name,
                   env={**os.environ, "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,tcp",
                        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1", "OMPI_MCA_coll_tuned_barrier_algorithm": "1"})
    assert trace.ran.stdout == "0 4 1\n"
    assert max(int(v) for v in values_of(trace, f"{name} [MPI_COMM_WORLD]")) == 5


def test_open_mpis_monitoring(mpi, tmp_path):
    """Numbers of messages and bytes that its monitoring keeps, by what they were for; those of pml_monitoring it does not
    give out."""
    if mpi.name != "openmpi":
        pytest.skip("it is one of Open MPI's")
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("record_pvars.c")), "--pvar",
                   "*_monitoring_*,pml_monitoring_messages_count", env={**os.environ, "OMPI_MCA_pml_monitoring_enable": "2"})
    found = members_of(trace)
    count, size = (f"coll_monitoring_messages_{what} [MPI_COMM_WORLD]" for what in ("count", "size"))
    assert found[count] == found[size] == (0, "uint64")
    assert int(values_of(trace, count)[-1]) > int(values_of(trace, count)[0]) > 0
    assert f'name="{size}"' in str(trace.definitions()) and 'unit=bytes' in next(
        line for line in trace.definitions() if f'name="{size}"' in line).replace('"bytes"', "bytes")
    assert "this MPI has no performance variable 'pml_monitoring_messages_count'" in trace.ran.stderr
