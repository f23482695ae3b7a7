"""One runner for the case files: the built-in patterns, and their twins in Python, give what the files say; and twins
give on recorded traces what the built-in patterns give."""

import pytest

import case_files
import twins
import twins_rma
import waitstate
from conftest import SOURCE

CASES = [case_files.read_case(path) for path in sorted((SOURCE / "tests" / "cases").rglob("*.case"))]
TWINS = (*twins.TWINS, *twins_rma.TWINS)
TRACES = sorted(path for path in (SOURCE / "traces").iterdir() if path.is_dir())


def metrics_of(twin):
    return [twin.id] + [m["id"] for m in twin.metrics]


def test_cases_were_found():
    assert len(CASES) > 300


def test_built_in_patterns_give_what_the_cases_say(tmp_path):
    failures = {str(case.path): found for case in CASES
                if (found := case_files.differences(case, case_files.run(case, tmp_path)))}
    assert failures == {}


@pytest.mark.parametrize("twin", TWINS, ids=lambda t: t.__name__)
def test_twins_give_what_the_cases_say(twin, tmp_path):
    failures, rows = {}, 0
    for case in CASES:
        if not case.wants(metrics_of(twin)):
            continue
        found = case_files.differences(case, case_files.run(case, tmp_path, replace=twin), metrics_of(twin))
        if found:
            failures[str(case.path)] = found
        rows += sum(row.split(",")[0] == twin.id for row in case.tables["severities"])
    assert failures == {}
    assert rows > 2  # else the cases would prove nothing


@pytest.mark.parametrize("twin", TWINS, ids=lambda t: t.__name__)
@pytest.mark.parametrize("trace", TRACES, ids=lambda t: t.name)
def test_twins_give_what_the_built_in_patterns_give(twin, trace):
    if trace.name == "halo" and not twin.__name__.endswith("Batch"):
        pytest.skip("a million events one by one take long, and are of the kinds that lammps has")
    patterns = [twin.id, "mpi_latesender"]
    expected = waitstate.analyze(trace, patterns=patterns)
    found = waitstate.analyze(trace, patterns=patterns, replace=twin)
    metrics = metrics_of(twin)
    assert case_files.severity_rows(found, metrics) == case_files.severity_rows(expected, metrics)
    assert case_files.wait_rows(found, metrics) == case_files.wait_rows(expected, metrics)
    assert case_files.instance_rows(found, metrics) == case_files.instance_rows(expected, metrics)


def test_a_difference_is_seen(tmp_path):
    class Wrong(twins.LateSender):
        def completed_receives_callback(self, receives):
            for m in receives.messages:
                self.add_wait(m.recv, 1, m.send)

    case = next(c for c in CASES if c.path.name == "any_source.case")
    result = case_files.run(case, tmp_path, replace=Wrong)
    assert sorted(case_files.differences(case, result, ["mpi_latesender"])) == [
        "missing: mpi_latesender 0 1 1 30",
        "missing: mpi_latesender 2 1 1 50",
        "missing: mpi_latesender,main/MPI_Recv,1,80",
        "unexpected: mpi_latesender 0 1 1 1",
        "unexpected: mpi_latesender 2 1 1 1",
        "unexpected: mpi_latesender,main/MPI_Recv,1,2",
    ]
