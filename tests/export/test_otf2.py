"""`waitstate export -o cut.otf2`: the archive is read back by our own analysis, by python3-otf2 and by otf2-print."""
import os
import re
import shutil
import signal
import subprocess
from collections import Counter

import pytest
from conftest import PROGRAM, SOURCE, recorded, report_of, run, waitstate

otf2 = pytest.importorskip("otf2")
waitstate_module = pytest.importorskip("waitstate")


def cut(trace, folder, *options, name="cut.otf2"):
    target = folder / name
    waitstate("export", trace, "-o", target, *options)
    return target


def events_of(archive):
    """(location's name, event) of all, as the OTF2 library reads them."""
    with otf2.reader.open(str(archive / "traces.otf2")) as trace:
        return [(location.group.name + " " + location.name, event) for location, event in trace.events]


def test_a_whole_trace_stays_the_same(trace, tmp_path):
    archive = cut(trace, tmp_path)
    assert waitstate("analyze", archive, "--format", "csv") == waitstate("analyze", trace, "--format", "csv")


@pytest.mark.skipif(shutil.which("otf2-print") is None, reason="needs otf2-print, from the package otf2-tools")
def test_otf2_print_reads_it(trace, tmp_path):
    archive = cut(trace, tmp_path)
    done = subprocess.run(["otf2-print", str(archive / "traces.otf2")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "INVALID" not in done.stdout


def test_the_library_reads_the_same_events(tmp_path):
    archive = cut(recorded("p2p"), tmp_path)
    whole = Counter((name, type(event).__name__, event.time) for name, event in events_of(recorded("p2p")))
    assert Counter((name, type(event).__name__, event.time) for name, event in events_of(archive)) == whole


def test_every_type_of_event_is_written(tmp_path):
    """An archive with one record of everything, made by tests/support/write_all_events."""
    program = PROGRAM.parent / "write_all_events"
    if not program.exists():
        pytest.skip("write_all_events is not built")
    subprocess.run([program, tmp_path / "all"], check=True, capture_output=True)
    archive = cut(tmp_path / "all", tmp_path)

    def events(trace):
        return waitstate("print", "--attributes", "--no-definitions", trace)

    assert len(events(archive).splitlines()) > 200
    assert events(archive) == events(tmp_path / "all")


def test_the_date_of_a_part_is_its_own(tmp_path):
    """The part begins at tick 120: 2 s later than the trace, by its clock of 10 ticks a second."""
    trace = tmp_path / "made.trace"
    trace.write_text("clock resolution=10 offset=100 length=50 realtime=5000000000\n0 100 enter main\n0 110 enter f\n0 130 exit\n"
                     "0 149 exit\n")
    printed = waitstate("print", cut(trace, tmp_path, "--time", "2", "4"))
    assert "clock resolution=10 offset=120 length=21 realtime=7000000000" in printed
    assert [line.split()[1:3] for line in printed.splitlines() if line.startswith("0 ")] == [
        ["120", "enter"], ["120", "enter"], ["130", "exit"], ["140", "exit"]]


def test_waits_are_markers(tmp_path):
    archive = cut(recorded("p2p"), tmp_path)
    waits = report_of(recorded("p2p"))["waits"]
    info = waitstate("print", archive)
    kinds = [line for line in info.splitlines() if line.startswith(("def marker ", "marker "))]
    occurrences = [line for line in info.splitlines() if "marker_occurrence" in line]
    assert len(kinds) == len(waits)
    assert len(occurrences) == sum(w["statistics"]["count"] for w in waits.values())
    assert any("mpi_latesender" in k for k in kinds)
    assert any("Late Sender in p2p/main/late_sender_wait/MPI_Wait for rank" in o for o in occurrences)


def test_a_marker_says_that_the_culprit_waited_itself(tmp_path):
    """Rank 0 waits 90 ticks for rank 1, which itself waits 70 of them for rank 2; that waits for nobody."""
    case = (SOURCE / "tests/cases/mpi_latesender/culprit_waits_for_a_third.case").read_text()
    trace = tmp_path / "made.trace"
    trace.write_text(case[:case.index("metrics:")])
    texts = [line for line in waitstate("print", cut(trace, tmp_path)).splitlines() if "marker_occurrence" in line]
    texts = [re.search(r"Late Sender in .*", line)[0].split('"')[0] for line in texts if "Late Sender in" in line]
    assert len(texts) == 2
    assert "for rank 1 in main/MPI_Recv; rank 1 itself waited 77.8 % of it for rank 2 in main/MPI_Recv" in texts[0]
    assert "for rank 2 in main/work" in texts[1] and "itself" not in texts[1]


def test_a_part_of_the_time(tmp_path):
    """0.4 s to 0.5 s: what is open at its begin is entered there, what is open at its end left there, and no receive takes the
    message of another one."""
    archive = cut(recorded("p2p"), tmp_path, "--time", "0.4", "0.5")
    whole, part = events_of(recorded("p2p")), events_of(archive)
    second = report_of(recorded("p2p"))["trace"]["clock"]["ticks_per_second"]
    first = min(event.time for _, event in whole)
    begin, end = first + round(0.4 * second), first + round(0.5 * second)
    assert all(begin - 1 <= event.time <= end + 1 for _, event in part)
    depth = Counter()
    for name, event in part:
        depth[name] += isinstance(event, otf2.events.Enter) - isinstance(event, otf2.events.Leave)
        assert depth[name] >= 0
    assert set(depth) == {name for name, _ in whole} and not any(depth.values())

    def messages(trace):
        found = waitstate_module.EventTrace(str(trace)).messages()
        return set(zip(found.src.tolist(), found.dest.tolist(), found.send_time.tolist(), found.recv_time.tolist()))

    inside = {m for m in messages(recorded("p2p")) if begin <= m[2] and m[3] <= end}
    assert messages(archive) == inside
    report, chosen = report_of(archive), report_of(recorded("p2p"), "--time", "0.4", "0.5")
    diagnostics = {d["id"]: d["count"] for d in report["diagnostics"]}
    assert diagnostics["recv_unmatched"] == diagnostics["clock_violation"] == diagnostics["exit_without_enter"] == 0
    assert diagnostics["region_never_left"] == diagnostics["undefined_reference"] == diagnostics["collective_mismatch"] == 0
    # Whatever an analysis of the part finds is a wait of the whole trace, as that has it in its markers.
    rows = [line for line in waitstate("print", cut(recorded("p2p"), tmp_path, name="whole.otf2")).splitlines() if "marker_occurrence" in line]
    fields = [dict(re.findall(r"(\w+)=(\S+)", row)) for row in rows]
    waits = {(int(f.get("scope_ref", 0)), int(f["time"]), int(f["duration"])) for f in fields}
    for metric in ("mpi_barrier_wait", "mpi_latesender", "slow_slaves"):
        for instance in report["waits"][metric]["instances"]:
            wait = instance["longest"]
            assert wait["begin"] == begin or (wait["location"], wait["begin"], wait["ticks"]) in waits
    assert chosen["waits"].keys() >= report["waits"].keys() - {"wrong_order"}


def test_some_locations(tmp_path):
    archive = cut(recorded("p2p"), tmp_path, "--location", "1-2")
    names = {name for name, _ in events_of(archive)}
    assert len(names) == 2
    sends = Counter(type(event).__name__ for _, event in events_of(archive))
    assert sends["MpiSend"] and sends["MpiRecv"]
    report = report_of(archive)
    assert {d["id"]: d["count"] for d in report["diagnostics"]}["recv_unmatched"] == 0
    assert len(report["locations"]) == 4


def test_operations_that_somebody_began_before_are_left_out(tmp_path):
    """Rank 0 begins the first barrier before the part, at 5; its second one must not meet the first one of rank 1."""
    def barrier(rank, enter, exit_, end=None):
        return (f"{rank} {enter} enter MPI_Barrier\n{rank} {enter} collective_begin\n"
                f"{rank} {exit_} collective_end op=barrier com=0 root=none sent=0 received=0\n{rank} {end or exit_} exit\n")

    trace = tmp_path / "made.trace"
    trace.write_text("".join(f"{r} 0 enter main\n" for r in (0, 1)) + barrier(0, 5, 31) + barrier(1, 30, 31) +
                     barrier(0, 40, 61) + barrier(1, 60, 61) + "0 100 exit\n1 100 exit\n")
    archive = cut(trace, tmp_path, "--time", "10e-9", "100e-9")
    report = report_of(archive)
    [wait] = report["waits"]["mpi_barrier_wait"]["instances"]
    assert (wait["longest"]["begin"], wait["longest"]["ticks"]) == (40, 20)
    assert {d["id"]: d["count"] for d in report["diagnostics"]}["collective_incomplete"] == 0


def test_an_archive_is_not_written_over(tmp_path):
    archive = cut(recorded("p2p"), tmp_path)
    before = {f.name: f.stat().st_mtime_ns for f in archive.rglob("*")}
    done = run("export", recorded("p2p"), "-o", archive)
    assert done.returncode == 2
    assert done.stderr == f"waitstate: error: cannot write {archive}: it exists already; remove it, or give another name\n"
    assert {f.name: f.stat().st_mtime_ns for f in archive.rglob("*")} == before


def stopped_while_it_writes(folder):
    """An export that has been stopped, and its unfinished folder. It may have ended before: then another one is tried."""
    for _ in range(50):
        running = subprocess.Popen([PROGRAM, "export", recorded("halo"), "-o", folder], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        while running.poll() is None and not list(folder.parent.glob(f"{folder.name}.waitstate-*.tmp/traces/*.evt")):
            pass
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGSTOP)
        left = list(folder.parent.glob(f"{folder.name}.waitstate-*.tmp"))
        if running.poll() is None and left:
            return running, left[0]
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()
        shutil.rmtree(folder, ignore_errors=True)
    raise AssertionError("each export has ended before it was stopped")


def test_what_a_killed_export_has_left_is_cleared_by_the_next_one(tmp_path):
    folder = tmp_path / "cut.otf2"
    running, left = stopped_while_it_writes(folder)
    os.utime(left, (0, 0))  # looks old, but is locked
    cut(recorded("p2p"), tmp_path)
    assert left.exists()
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    assert left.exists()
    shutil.rmtree(folder)
    strange = tmp_path / "cut.otf2.waitstate-1.tmp.mine"
    strange.mkdir()
    cut(recorded("p2p"), tmp_path)
    assert sorted(tmp_path.iterdir()) == [folder, strange]


def test_a_full_disk_leaves_nothing(tmp_path):
    script = f"ulimit -f 8; exec {PROGRAM} export {recorded('lammps')} -o {tmp_path}/cut.otf2"
    environment = {**os.environ, "TMPDIR": "/dev/shm"}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 2
    assert done.stderr.startswith("waitstate: error: cannot write ") and done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("options", "message"), [
    (["-o", "x/cut.otf2"], "cannot write x/cut.otf2: No such file or directory; make its folder first"),
    (["--format", "otf2"], "an archive is a folder: give its name with -o, e.g. -o cut.otf2"),
    (["-o", "cut.otf2.gz"], "-o cut.otf2.gz: an archive is a folder, which cannot be compressed"),
    (["-o", "cut.otf2", "--region", "main"], "--region has no meaning for an archive, which is cut by --time and --location: leave it out"),
    (["-o", "cut.otf2", "--time", "7", "8"], "the chosen time, from 7 s to 8 s after the first event, lies outside of the run"),
])
def test_wrong_use(options, message, tmp_path):
    done = run("export", recorded("p2p"), *options, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"waitstate: error: {message}") and done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())
