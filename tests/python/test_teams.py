"""Thread teams in Python: idle threads, and tasks inside barriers."""

import numpy as np
import pytest

import case_files
import waitstate
from conftest import SOURCE

CASE = SOURCE / "tests" / "cases" / "omp_task_creation_bottleneck" / "one_creator.case"


@pytest.fixture
def kept(tmp_path):
    """A barrier from 20 to 98 in which thread 1 executes tasks 31..40, 51..60 and 71..80, that thread 0
    creates at 30, 50 and 70; thread 0 comes at 95."""
    found = {}

    class Keeper(waitstate.Pattern):
        def task_idle_callback(self, idle):
            found["idle"] = idle

        def team_barrier_callback(self, barrier):
            found["barrier"] = barrier

    case_files.run(case_files.read_case(CASE), tmp_path, patterns=[Keeper])
    return found


def test_idle_threads_say_when_and_why(kept):
    idle = kept["idle"]
    assert (idle.call.location, idle.call.enter, idle.call.exit) == (1, 20, 98)
    assert [(p.begin, p.end, p.idle_since, p.created, p.culprit, p.culprit_time) for p in idle.parts] == [
        (20, 30, 20, True, 0, 30), (40, 50, 40, True, 0, 50), (60, 70, 60, True, 0, 70)]
    assert {p.culprit_callpath for p in idle.parts} == {idle.parts[0].wait.culprit_callpath} != {None}
    assert [(p.wait.location, p.wait.callpath, p.wait.enter, p.wait.exit, p.wait.begin, p.wait.ticks, p.wait.culprit)
            for p in idle.parts] == [(1, idle.call.callpath.id, 20, 98, begin, 10, 0) for begin in (20, 40, 60)]


def test_barriers_know_the_tasks_inside(kept):
    barrier = kept["barrier"]
    assert [[(span.begin, span.end) for span in own] for own in barrier.tasks] == [[], [(31, 40), (51, 60), (71, 80)]]
    assert [barrier.in_tasks(1, *span) for span in ((0, 100), (20, 35), (35, 52), (40, 51))] == [27, 4, 6, 0]
    assert barrier.in_tasks(0, 0, 100) == 0
    with pytest.raises(IndexError, match="the barrier has no such member"):
        barrier.in_tasks(2, 0, 100)


def workers_of(trace):
    """By number of the first thread of a process: the numbers of its other ones."""
    threads = {}
    for location in trace.locations:
        if location.type == "cpu_thread":
            threads.setdefault(location.process, []).append(location.id)
    return {first: rest for first, *rest in threads.values()}


@pytest.mark.parametrize("name", ["sizes_that_change", "fewer_threads", "hybrid"])
def test_idle_threads_in_batches_are_those_of_the_built_in_pattern(tmp_path, name):
    """With all waits of an interval as one instance."""

    class Idle(waitstate.Pattern):
        metrics = [{"id": "limited"}, {"id": "apart"}]

        def unused_threads_batch(self, intervals, members):
            taking_part = set(zip(members["number"].tolist(), members["location"].tolist()))
            workers = workers_of(self.trace)
            idle = [(row, worker) for row, interval in enumerate(intervals) if interval["callpath"] >= 0
                    for worker in workers.get(int(interval["master"]), ())
                    if (int(interval["number"]), worker) not in taking_part]
            rows, locations = np.array(idle, int).reshape(-1, 2).T
            waits = self.waits_of(intervals[rows], locations)
            number, parallel = intervals["number"][rows], intervals["parallel"][rows]
            self.add_instances(waits, operations=number, where=~parallel)
            self.add_instances(waits, 1, operations=number, where=np.flatnonzero(parallel))
            self.add_instances(waits, 2)

    if name == "hybrid":
        result = waitstate.analyze(SOURCE / "traces" / name, patterns=["omp_idle_threads", Idle])
    else:
        case = case_files.read_case(SOURCE / "tests" / "cases" / "omp_limited_parallelism" / f"{name}.case")
        result = case_files.run(case, tmp_path, patterns=["omp_idle_threads", Idle])
    assert result.waits["idle"].pairs == result.waits["omp_idle_threads"].pairs != []
    for own, theirs in (("idle", "omp_idle_threads"), ("limited", "omp_limited_parallelism")):
        assert (own in result.waits) == (theirs in result.waits)
        if own in result.waits:
            assert result.waits[own].pairs == result.waits[theirs].pairs
            assert result.waits[own].statistics == result.waits[theirs].statistics
            assert result.waits[own].instances == result.waits[theirs].instances
    alone = result.waits["apart"].statistics
    assert alone.count == sum(pair.count for own in ("idle", "limited") if own in result.waits
                              for pair in result.waits[own].pairs)
    assert max(instance.waiters for instance in result.waits["idle"].instances) > 1
    assert {instance.waiters for instance in result.waits["apart"].instances} == {1}
    assert result.total("idle") == 0, "an instance alone adds no time"


def test_waits_of_intervals_are_those_of_the_callback(tmp_path):
    """Locations one by one, and one for all intervals."""
    single, many = [], []

    class Both(waitstate.Pattern):
        def unused_threads_callback(self, unused):
            wait = unused.wait_of(3)
            single.append((wait.location, wait.callpath, wait.enter, wait.exit, wait.begin, wait.ticks, wait.culprit,
                           wait.culprit_callpath))

        def unused_threads_batch(self, intervals, members):
            many.extend(wait.item() for wait in self.waits_of(intervals, 3))
            assert np.array_equal(self.waits_of(intervals[:1], [1, 2])["location"], [1, 2])
            with pytest.raises(ValueError, match="shape"):
                self.waits_of(intervals[:2], [1, 2, 3])

    case = SOURCE / "tests" / "cases" / "omp_limited_parallelism" / "sizes_that_change.case"
    case_files.run(case_files.read_case(case), tmp_path, patterns=[Both])
    assert single == many and len(many) == 8


def test_unused_threads_say_when_and_whose_team(tmp_path):
    """Teams of 4, 2, 3 and 1 of four threads; see the case."""
    found, waits = [], []

    class Keeper(waitstate.Pattern):
        def unused_threads_callback(self, unused):
            found.append((unused.begin, unused.end, unused.parallel, sorted(unused.team)))
            assert unused.master == 0 and unused.callpath is not None
            wait = unused.wait_of(3)
            waits.append((wait.location, wait.begin, wait.ticks, wait.culprit))
            self.add_instance(wait)

    case = SOURCE / "tests" / "cases" / "omp_limited_parallelism" / "sizes_that_change.case"
    result = case_files.run(case_files.read_case(case), tmp_path, patterns=[Keeper])
    assert sorted(found) == [(0, 10, False, []), (20, 30, False, []), (30, 50, True, [0, 1]), (50, 60, False, []),
                             (60, 90, True, [0, 1, 2]), (90, 100, False, []), (100, 140, True, [0]),
                             (140, 150, False, [])]
    assert sorted(waits) == [(3, begin, end - begin, 0) for begin, end, _, _ in sorted(found)]
    assert result.total("keeper") == 0, "an instance alone adds no time"
