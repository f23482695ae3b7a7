"""`waitstate mpit`: what each MPI offers tools, as text and JSON, and what is missing and why."""
import json
import os
import re

import pytest
from conftest import PROGRAM, SOURCE, run


def mpit(*arguments, returncode=0, **settings):
    ran = run([PROGRAM, "mpit", *arguments], **settings)
    assert ran.returncode == returncode, ran.stderr
    return ran.stdout if returncode == 0 else ran.stderr


def listing(*arguments, **settings):
    return json.loads(mpit("--json", *arguments, **settings))


def test_what_the_libraries_offer(mpi):
    """At least what Debian's have; other versions have more."""
    told = listing("--mpi", mpi.name)
    assert told["mpi"] == mpi.name
    names = {v["name"] for v in told["cvars"]}
    pvars = {v["name"]: v for v in told["pvars"]}
    missing = "; ".join(told["missing"])
    if mpi.name == "openmpi":
        assert told["library"].startswith("Open MPI")
        assert len(told["cvars"]) >= 900 and len(told["categories"]) >= 200
        queue = pvars["pml_ob1_unexpected_msgq_length"]
        assert (queue["class"], queue["type"], queue["binding"]) == ("size", "MPI_UNSIGNED", "comm")
        assert queue["readonly"] and queue["continuous"] and not queue["atomic"]
        assert queue["categories"] == ["ompi_pml_ob1"]
        assert pvars["osc_rdma_put_retry_count"]["binding"] == "win"
        assert pvars["osc_rdma_put_retry_count"]["class"] == "counter"
        assert "software counters: this Open MPI was built without --enable-spc" in missing
        assert "performance variables: MPI_T_ERR_INVALID" in missing
        assert "mca_base_param_files" in names
        truth = next(v for v in told["cvars"] if v["name"] == "mca_base_suppress_override_warning")
        assert truth["enumeration"]["items"] == [{"value": 0, "name": "false"}, {"value": 1, "name": "true"}]
        assert truth["value"] in (0, 1)
    else:
        assert told["library"].startswith("MPICH") and told["standard"].startswith("4.")
        assert len(told["cvars"]) >= 300 and len(told["categories"]) >= 15
        assert all(v["categories"] for v in told["cvars"])
        assert "--enable-mpit-pvars" in missing or told["pvars"]
        assert "offers none" in missing or told["events"]
    assert sum(v["no_value"] is None for v in told["cvars"]) > 300


def test_variables_of_several_processes(mpi):
    """Open MPI drops the variables of shared memory in a process that is alone."""
    if mpi.name != "openmpi":
        pytest.skip("MPICH has the same variables in any case")
    names = {v["name"] for v in listing("cvars", "--mpi", mpi.name)["cvars"]}
    assert names & {"btl_vader_eager_limit", "btl_sm_eager_limit"}


def test_the_settings_of_this_run(mpi):
    """A value is that which a program would have now."""
    variable, name, value = {
        "openmpi": ("OMPI_MCA_btl_tcp_eager_limit", "btl_tcp_eager_limit", 12345),
        "mpich": ("MPIR_CVAR_BCAST_MIN_PROCS", "MPIR_CVAR_BCAST_MIN_PROCS", 123)}[mpi.name]
    told = listing("cvars", "--mpi", mpi.name, "--match", f"^{name}$", env={**os.environ, variable: str(value)})
    assert [v["value"] for v in told["cvars"]] == [value]
    assert set(told) == {"mpi", "library", "standard", "cvars", "missing"}


def test_text(mpi):
    text = mpit("--mpi", mpi.name)
    assert re.search(r"^(Open MPI|MPICH).* \(MPI [34]\.\d\): [\d,]+ control variables, \d+ performance variables?, 0 events, "
                     r"\d+ categories$", text, re.MULTILINE)
    assert text.splitlines()[-1].startswith("Missing: ")
    assert len(re.findall(r"^  cvar \S+", text, re.MULTILINE)) >= 300
    fewer = mpit("cvars", "--mpi", mpi.name, "--verbosity", "1")
    assert 0 < len(re.findall("^  cvar ", fewer, re.MULTILINE)) < len(re.findall("^  cvar ", text, re.MULTILINE))
    assert set(re.findall(r"verbosity (\d)", fewer)) == {"1"}


def test_what_is_asked_for():
    assert "there is no list 'cvarss': did you mean 'cvars'?" in mpit("cvarss", returncode=2)
    assert "--verbosity: expected a number from 1 to 9" in mpit("--verbosity", "10", returncode=2)
    assert "--match: '(' is not a regular expression" in mpit("--match", "(", returncode=2)
    assert "unknown MPI 'lam'" in mpit("--mpi", "lam", returncode=2)


# --- a library that offers everything ---------------------------------------------------------------------------------------

FAKE = SOURCE / "tests" / "fake_mpit" / "fake_mpit.c"


def faked(mpi, **more):
    """The environment in which the fake stands before the MPI."""
    return {**os.environ, "LD_PRELOAD": str(mpi.compile(FAKE, "-shared", "-fPIC", name="libfake_mpit.so")), **more}


def test_a_library_that_has_everything(mpi):
    told = listing("--mpi", mpi.name, env=faked(mpi))
    cvars = {v["name"].removeprefix("fake_cvar_"): v for v in told["cvars"]}
    assert {n: v["scope"] for n, v in cvars.items() if n == v["scope"]}.keys() == {
        "constant", "readonly", "local", "group", "group_eq", "all", "all_eq"}
    assert {n: v["value"] for n, v in cvars.items()} == {
        **dict.fromkeys(("constant", "readonly", "local", "group", "group_eq", "all", "all_eq", "of_comm"), 7),
        "text": "shm,tcp", "three": [7, 8, -9], "real": 0.25, "phase": 10, "of_win": None, "rank": 0}
    assert cvars["of_win"]["no_value"] == "they belong to an object, a win"
    assert cvars["phase"]["enumeration"] == {"name": "fake_phase", "items": [
        {"value": 0, "name": "idle"}, {"value": 10, "name": "busy"}, {"value": 20, "name": "done"}]}
    assert [cvars[n]["verbosity"] for n in ("local", "of_comm", "phase", "real", "text", "three")] == [1, 2, 3, 4, 6, 9]
    pvars = {v["name"].removeprefix("fake_"): v for v in told["pvars"]}
    classes = {"state", "level", "size", "percentage", "highwatermark", "lowwatermark", "counter", "aggregate", "timer", "generic"}
    assert {n for n, v in pvars.items() if v["class"] == n} == classes
    bindings = {"comm", "datatype", "errhandler", "file", "group", "op", "request", "win", "message", "info"}
    assert {v["binding"] for n, v in pvars.items() if n == "of_" + v["binding"]} == bindings
    assert [pvars["counter"][p] for p in ("readonly", "continuous", "atomic")] == [True, False, False]
    assert [pvars["of_comm"][p] for p in ("readonly", "continuous", "atomic")] == [False, True, True]
    events = {e["name"]: e for e in told["events"]}
    assert events["fake_message_arrived"]["elements"] == [
        {"name": "tag", "type": "MPI_INT", "displacement": 0}, {"name": "size", "type": "MPI_COUNT", "displacement": 8}]
    assert events["fake_search_begin"]["elements"] == [{"name": None, "type": "MPI_INT", "displacement": 0}]
    assert events["fake_packet"]["elements"] == [] and events["fake_packet"]["categories"] == ["fake_counts"]
    assert [(s["name"], s["order"], s["ticks_per_second"]) for s in told["sources"]] == [
        ("fake_host", "ordered", 1000000000), ("fake_card", "unordered", 250000)]
    assert [c["categories"] for c in told["categories"]] == [["fake_settings", "fake_counts"], [], []]
    assert cvars["rank"]["categories"] == []
    assert told["missing"] == ["values of 1 control variables: they belong to an object, a win",
                               "1 of 15 control variables: MPI_T_ERR_INVALID_INDEX, of parts of the library that are not in use",
                               "1 of 27 performance variables: MPI_T_ERR_INVALID_INDEX, of parts of the library that are not in use"]


def test_its_text(mpi):
    text = mpit("--mpi", mpi.name, env=faked(mpi))
    assert "  cvar fake_cvar_phase = 10 (busy)\n       MPI_INT, bound to no object, scope local, verbosity 3 (user, all)\n" in text
    assert "       values of fake_phase: 0 idle, 10 busy, 20 done\n" in text
    assert "  pvar fake_of_win\n       class counter, MPI_UNSIGNED_LONG, bound to a win, continuous, atomic, verbosity 1" in text
    assert "elements tag MPI_INT at 0, size MPI_COUNT at 8" in text
    assert "Source of events fake_card: unordered, 250000 ticks a second" in text
    assert text.index("In no category") < text.index("fake_cvar_rank") < text.index("Source of events")
    assert "fake_settings: " not in mpit("pvars", "--mpi", mpi.name, env=faked(mpi))


def test_a_library_that_crashes_where_a_value_is_read(mpi):
    """The values behind it are told all the same; so are those of one that hangs."""
    for how in ("FAKE_MPIT_CRASH", "FAKE_MPIT_HANG"):
        told = listing("cvars", "--mpi", mpi.name, env=faked(mpi, **{how: "1"}))
        without = [v["name"] for v in told["cvars"] if v["no_value"] == "the library crashes where they are read"]
        assert without == ["fake_cvar_local"]
        assert sum(v["value"] is not None for v in told["cvars"]) == 12


def test_no_process_can_be_started(mpi):
    told = listing("cvars", "--mpi", mpi.name, env=faked(mpi, FAKE_MPIT_NO_PROCESS="1"))
    assert {(v["value"], v["no_value"]) for v in told["cvars"]} == {
        (None, "no process can be started: Resource temporarily unavailable")}


def test_a_hostile_library(mpi):
    """Names that control a terminal or pretend to be lines, numbers out of any range."""
    environment = faked(mpi, FAKE_MPIT_HOSTILE="1")
    text = mpit("--mpi", mpi.name, env=environment)
    assert "\033" not in text and "fake?[31m_red mpit end ?" in text
    told = listing("--mpi", mpi.name, env=environment)
    assert len(told["cvars"]) == 14 and {v["verbosity"] for v in told["cvars"]} == {None}
    assert {v["class"] for v in told["pvars"]} == {"unknown"} and {v["type"] for v in told["pvars"]} == {"unknown"}
    assert any("an impossible number of elements" in m for m in told["missing"])
    assert any(m.startswith("974 of 1000 performance variables") for m in told["missing"])
