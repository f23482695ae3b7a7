"""`record --cvars`: MPI's settings are properties of the trace, or of processes where they differ."""
import json
import os

import pytest
from conftest import PROGRAM, SOURCE, record, run

FAKE = SOURCE / "tests" / "fake_mpit" / "fake_mpit.c"
PREFIX = "WAITSTATE::CVAR::"
#: Something that a user sets: how, and what it is then called in the trace.
SETTING = {"openmpi": ("OMPI_MCA_btl_tcp_eager_limit", "BTL_TCP_EAGER_LIMIT", "btl_tcp_eager_limit"),
           "mpich": ("MPICH_BCAST_MIN_PROCS", "MPIR_CVAR_BCAST_MIN_PROCS", "MPIR_CVAR_BCAST_MIN_PROCS")}


#: What conftest.py gives to Open MPI's launcher.
OF_LAUNCHER = {"ORTE_BASE_HELP_AGGREGATE", "RMAPS_BASE_OVERSUBSCRIBE"}


def settings_of(trace):
    """{name: value} of those that are the same everywhere, and not the launcher's."""
    found = trace.report["trace"]["properties"]
    names = {p["name"].removeprefix(PREFIX): p["value"] for p in found if p["name"].startswith(PREFIX)}
    return {name: value for name, value in names.items() if name not in OF_LAUNCHER}


def test_what_is_set(mpi, tmp_path):
    variable, name, shown = SETTING[mpi.name]
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("record_pvars.c")), env={**os.environ, variable: "12345"})
    found = settings_of(trace)
    assert found[name] == "12345"
    assert not [n for n in found if n.startswith(("ORTE_APP", "ORTE_HNP", "ESS", "PMIX"))]  # variables that the launcher sets
    assert len(found) < 40
    assert f"  {shown} = 12345\n" in run([PROGRAM, "analyze", "--full", trace.folder]).stdout
    assert f"  {shown} = 12345\n" in run([PROGRAM, "info", trace.folder]).stdout
    assert f'{PREFIX}{name}="12345"' in run([PROGRAM, "print", trace.folder]).stdout
    assert trace.complete(), trace.text


@pytest.mark.parametrize("which", ["all", "none"])
def test_all_and_none(mpi, tmp_path, which):
    """A library that does not survive the read of one of them."""
    library = mpi.compile(FAKE, "-shared", "-fPIC", name="libfake_mpit.so")
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("record_pvars.c")), "--cvars", which,
                   env={**os.environ, "LD_PRELOAD": str(library), "FAKE_MPIT_CRASH": "1"})
    assert trace.complete(), trace.text
    full = run([PROGRAM, "analyze", "--full", trace.folder]).stdout
    if which == "none":
        assert not settings_of(trace) and "settings of MPI" not in full
        return
    scopes = dict.fromkeys(["CONSTANT", "READONLY", "GROUP", "GROUP_EQ", "ALL", "ALL_EQ", "OF_COMM"], "7")
    assert {n.removeprefix("FAKE_CVAR_"): v for n, v in settings_of(trace).items()} == {
        **scopes, "TEXT": "shm,tcp", "THREE": "7,8,-9", "REAL": "0.25", "PHASE": "10"}
    assert "\n  fake_cvar_rank = 0 (rank 0), 1 (rank 1)\n  fake_cvar_readonly = 7\n" in full
    # A report shows them as well.
    (tmp_path / "report.json").write_text(json.dumps(trace.report))
    assert [p["properties"] for p in trace.report["processes"]] == [[{"name": PREFIX + "fake_cvar_rank", "value": v}] for v in "01"]
    assert "\n  fake_cvar_rank = 0 (rank 0), 1 (rank 1)\n" in run([PROGRAM, "show", "--full", tmp_path / "report.json"]).stdout


def test_no_process_can_be_started(mpi, tmp_path):
    """There are none then; the program goes on, and each process says so."""
    library = mpi.compile(FAKE, "-shared", "-fPIC", name="libfake_mpit.so")
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("record_pvars.c")), "--cvars", "all",
                   env={**os.environ, "LD_PRELOAD": str(library), "FAKE_MPIT_NO_PROCESS": "1"})
    assert trace.ran.stderr.count("not all settings of the MPI library are recorded: no process can be started: Resource "
                                  "temporarily unavailable") == 2
    assert not settings_of(trace)
    assert trace.complete(), trace.text


def test_what_the_launcher_is_given(mpi, tmp_path):
    """Variables of the launcher itself, which it hands on among many that it sets."""
    if mpi.name != "openmpi":
        pytest.skip("MPICH's launcher has options of its own, and no variables")
    command = mpi.run(2, mpi.compile("record_pvars.c"))
    trace = record(tmp_path / "trace", [command[0], "--mca", "rmaps_base_verbose", "0", *command[1:]],
                   env={**os.environ, "OMPI_MCA_plm_base_verbose": "0"})
    found = settings_of(trace)
    assert found["RMAPS_BASE_VERBOSE"] == found["PLM_BASE_VERBOSE"] == "0"
    assert not [n for n in found if n.startswith(("ORTE_LOCAL", "ESS_BASE"))]
    assert "  rmaps_base_verbose = 0\n" in run([PROGRAM, "info", trace.folder]).stdout
