"""The examples of patterns and studies: each runs as its first lines say, and gives what it must."""

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest

import case_files
import waitstate
from conftest import SOURCE

EXAMPLES = SOURCE / "python" / "examples"


def module(name):
    spec = importlib.util.spec_from_file_location("example_" + name, EXAMPLES / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def output(name, *arguments):
    return subprocess.run([sys.executable, EXAMPLES / f"{name}.py", *map(str, arguments)], capture_output=True, text=True,
                          check=True, env=os.environ).stdout


def blocking_late_sender(trace):
    """The built-in pattern's definition, of messages from MPI_Send to MPI_Recv only, without clamping to the exit; from
    the links of the event trace."""
    events, total = waitstate.EventTrace(trace), 0
    for recv in events:
        if recv.type == "recv" and recv.sendptr is not None:
            wait = events.event(events.event(recv.sendptr).enterptr)
            own = events.event(recv.enterptr)
            if wait.region == "MPI_Send" and own.region == "MPI_Recv":
                total += max(0, wait.time - own.time)
    return total


class BuiltInRestricted(waitstate.Pattern):
    """The result of mpi_latesender in blocking sends and receives."""

    needs = "mpi_latesender"

    def init(self):
        self.cut = 0  # where clocks disagree, the built-in pattern ends a wait with the call that waits

    def published_callback(self, published):
        message = published.data.message
        if message.send.region == "MPI_Send" and message.recv.region == "MPI_Recv":
            self.add_wait(published.data.wait)
            self.cut += max(0, message.send.enter - message.recv.exit)


@pytest.mark.parametrize("trace", ["p2p", "halo", "hybrid", "lammps"])
def test_late_sender_of_the_paper_is_the_built_in_one_restricted_to_blocking_calls(trace):
    path = SOURCE / "traces" / trace
    pattern, built_in = module("late_sender").BlockingLateSender(), BuiltInRestricted()
    result = waitstate.analyze(path, patterns=[pattern, built_in])
    assert pattern.severity() == result.total("blocking_late_sender") == blocking_late_sender(path)
    assert pattern.severity() == result.total("built_in_restricted") + built_in.cut
    clocks_disagree = any(d.id == "clock_violation" for d in result.diagnostics)
    assert clocks_disagree or built_in.cut == 0
    if trace == "p2p":
        assert pattern.severity() > 0 and not clocks_disagree


CASES = SOURCE / "tests" / "cases"


@pytest.mark.parametrize("case, ticks", [
    ("recv_unmatched/in_the_middle", (100 - 50) + (180 - 140)),  # a receive between the two has no send
    ("recv_unmatched/everybody_receives_nothing", 0),
    ("send_unmatched/in_the_middle", (100 - 50) + (200 - 150)),  # a send between the two has no receive
])
def test_late_sender_of_the_paper_where_messages_lack_an_end(case, ticks, tmp_path):
    pattern, built_in = module("late_sender").BlockingLateSender(), BuiltInRestricted()
    result = case_files.run(case_files.read_case(CASES / f"{case}.case"), tmp_path, patterns=[pattern, built_in])
    assert pattern.severity() == result.total("built_in_restricted") == ticks


def test_late_sender_of_the_paper_takes_whatever_a_trace_lacks(tmp_path):
    folders = {"recv_unmatched", "send_unmatched", "record_outside_call", "exit_without_enter", "region_never_left"}
    cases = [path for path in sorted(CASES.rglob("*.case")) if path.parent.name in folders]
    assert len(cases) > 10
    for path in cases:
        case = case_files.read_case(path)
        case.parameters = {}
        case_files.run(case, tmp_path, patterns=[module("late_sender").BlockingLateSender])


def test_late_sender_as_a_program():
    ticks = module("late_sender").BlockingLateSender()
    waitstate.analyze(SOURCE / "traces" / "p2p", patterns=[ticks])
    assert output("late_sender", SOURCE / "traces" / "p2p").startswith(f"{ticks.severity()} ticks, ")


@pytest.mark.parametrize("master", [0, 1])
def test_slow_slaves_is_the_built_in_one(master):
    example = module("slow_slaves").SlavesLate()
    result = waitstate.analyze(SOURCE / "traces" / "p2p", patterns=["slow_slaves", example],
                               parameters={"slow_slaves.master": master, "slaves_late.master": master})
    assert np.array_equal(result.array("slaves_late"), result.array("slow_slaves"))
    assert result.waits["slaves_late"].pairs == result.waits["slow_slaves"].pairs
    assert sum(example.by_worker.values()) == result.total("slow_slaves") > 0
    assert f"location {master} waited" in output("slow_slaves", SOURCE / "traces" / "p2p", master)


def test_slow_slaves_refuses_a_master_that_is_not_there():
    with pytest.raises(waitstate.PatternError, match="parameter master is 4, but there are 4 locations"):
        waitstate.analyze(SOURCE / "traces" / "p2p", patterns=[module("slow_slaves").SlavesLate],
                          parameters={"slaves_late.master": 4})


def by_place(result, metric, paths=lambda region: True):
    """Values of a metric by call path and location, of the regions wanted."""
    return {(row.callpath.path, row.location.id): row.value for row in result.rows(metric)
            if paths(row.callpath.path.split("/")[-1])}


def receives_one(region):
    """mpi_latesender takes only the longest wait of several receives; in tests it sees none."""
    return region not in ("MPI_Waitall", "MPI_Waitsome") and not region.startswith("MPI_Test")


def assert_like_the_built_in_ones(result):
    assert by_place(result, "messages_in_wrong_order") == by_place(result, "wrong_order")
    assert by_place(result, "messages_in_wrong_order_wait", receives_one) == \
        by_place(result, "mpi_latesender_wo", receives_one)


@pytest.mark.parametrize("trace", ["p2p", "halo", "hybrid_waits", "lammps", "eztrace_late", "eztrace_lammps"])
def test_wrong_order_of_the_paper_is_the_built_in_one(trace):
    result = waitstate.analyze(SOURCE / "traces" / trace, plugins=[EXAMPLES / "wrong_order.py"])
    assert_like_the_built_in_ones(result)
    assert trace not in ("p2p", "halo", "lammps") or result.total("messages_in_wrong_order") > 0
    assert trace != "p2p" or result.total("messages_in_wrong_order_wait") == result.total("mpi_latesender_wo") > 0


# Their cases run these patterns alone.
ON_REQUEST = ("critical_path", "delay", "mpi_ideal_wait", "mpi_posted_count", "mpi_unexpected_count")

# Messages that are queued and never received, or received by another thread, stay unknown to the built-in patterns.
ONLY_QUEUED = {"mpi_latesender_wo/never_received": 70, "mpi_latesender_wo/other_thread": 150, "send_unmatched/in_the_middle": 50}


@pytest.mark.parametrize("case", [f"{path.parent.name}/{path.stem}" for path in sorted(CASES.rglob("*.case"))
                                  if any(word in path.read_text() for word in ("send ", "isend "))
                                  and path.parent.name not in ON_REQUEST])
def test_wrong_order_of_the_paper_in_cases(case, tmp_path):
    read = case_files.read_case(CASES / f"{case}.case")
    result = case_files.run(read, tmp_path, plugins=[module("wrong_order").MessagesInWrongOrder])
    if case in ONLY_QUEUED:
        assert result.total("messages_in_wrong_order_wait") == ONLY_QUEUED[case]
        assert result.total("mpi_latesender_wo") == result.total("wrong_order") == 0
    else:
        assert_like_the_built_in_ones(result)


def test_wrong_order_of_the_paper_as_a_program():
    result = waitstate.analyze(SOURCE / "traces" / "p2p")
    assert output("wrong_order", SOURCE / "traces" / "p2p").splitlines() == [
        f"messages_in_wrong_order        {result.seconds(result.total('wrong_order')):.6f} s",
        f"messages_in_wrong_order_wait   {result.seconds(result.total('mpi_latesender_wo')):.6f} s"]


def test_idle_time_counts_every_wait_once():
    idle_time = module("idle_time")
    result = waitstate.analyze(SOURCE / "traces" / "p2p")
    idle = idle_time.idle_times(result)
    assert {"mpi_latesender", "mpi_latereceiver", "mpi_barrier_wait"} <= set(idle)
    assert "mpi_latesender_wo" not in idle and "slow_slaves" not in idle  # shares of mpi_latesender
    for metric, ticks in idle.items():
        assert ticks.sum() == result.total(metric)
    text = output("idle_time", SOURCE / "traces" / "p2p").splitlines()
    assert len(text) == 1 + len(result.definitions.processes)
    total = sum(float(line.split()[1]) for line in text[1:])
    assert total == pytest.approx(result.seconds(sum(t.sum() for t in idle.values())), abs=1e-5)


def test_idle_time_takes_no_wait_state_that_groups_the_waits_of_others():
    """omp_task_starvation has the waits in barriers, too."""
    idle = module("idle_time").idle_times(waitstate.analyze(SOURCE / "traces" / "omp_waits"))
    assert "omp_ibarrier_wait" in idle and "omp_task_starvation" not in idle


def waits_by_path(trace):
    """The output of waits_and_counters.py: path to (seconds, share of them that was waited)."""
    result = waitstate.analyze(SOURCE / "traces" / trace)
    return result, {path: (seconds, share) for path, seconds, share, _ in module("waits_and_counters").waits_and_rates(result)}


def test_waits_and_counters_counts_every_wait_once():
    result, found = waits_by_path("p2p")
    # These wait states of the trace lie in no other one.
    outer = [m for m in result.waits if m not in ("mpi_lswo_different", "mpi_lswo_same", "slow_slaves")]
    assert len(outer) == len(result.waits) - 3
    expected = sum(result.by_callpath(metric) for metric in outer)
    for path in result.call_paths:
        seconds, share = found.get(path.path, (0, 0))
        assert seconds * share == pytest.approx(result.seconds(int(expected[path.id])))
    assert found["p2p/main/wrong_order_same/MPI_Recv"][1] == pytest.approx(
        result.by_callpath("mpi_latesender")[next(p.id for p in result.call_paths if p.path.endswith("same/MPI_Recv"))] /
        result.by_callpath("time")[next(p.id for p in result.call_paths if p.path.endswith("same/MPI_Recv"))])


@pytest.mark.parametrize("trace", ["p2p", "coll", "hybrid_waits", "omp_waits", "rma_waits", "pthread_waits", "cuda_waits", "halo"])
def test_nothing_waits_longer_than_it_takes(trace):
    _, found = waits_by_path(trace)
    assert found and all(0 < share <= 1 for _, share in found.values())


def late_sender_of(run):
    """Late Sender of a computed run by hand: from its own lines, message by message."""
    sends, total, open_calls = {}, 0, {}
    for lines in run.lines:
        for line in lines:
            where, time, what, *rest = line.split()
            if what == "enter":
                open_calls[where] = int(time)
            elif what == "send":
                sends.setdefault((where, rest[0].split("=")[1]), []).append(open_calls[where])
    for lines in run.lines:
        for line in lines:
            where, time, what, *rest = line.split()
            if what == "enter":
                open_calls[where] = int(time)
            elif what == "recv":
                sent = sends[rest[0].split("=")[1], where].pop(0)
                total += max(0, min(sent, int(time)) - open_calls[where])
    return total


def test_topology_study(tmp_path):
    study = module("topology_study")
    results = study.study(tmp_path)
    assert list(results) == list(study.CONFIGURATIONS)
    for shape, result in results.items():
        run = study.Run(*shape)
        assert result.total("mpi_latesender") == late_sender_of(run), shape
        assert result.total("time") == sum(run.clock)  # all of it is spent in velo
        assert 0 < study.share(result, "mpi_latesender") < study.share(result, "mpi_communication") < 1
    # More processes have relatively more to communicate.
    by_processes = {n: np.mean([study.share(r, "mpi_communication") for (x, y), r in results.items() if x * y == n])
                    for n in (8, 16, 32)}
    assert by_processes[8] < by_processes[16] < by_processes[32]
    # 68 cells are not divisible by 8: the last process has 5 columns where the others have 9, and waits for them.
    idle = results[8, 1].by_location("mpi_latesender")
    assert idle.argmax() == 7 and idle[7] > 0.3 * idle.sum()
    text = output("topology_study", tmp_path)
    assert "        8          8 x 1" in text and "Distribution of idle times in the configuration 8 x 1" in text
