"""`waitstate mpit`: what each MPI offers tools, as text and JSON, and what is missing and why."""
import json
import os
import re

from conftest import PROGRAM, run


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
    assert "--verbosity: a number from 1 to 9" in mpit("--verbosity", "10", returncode=2)
    assert "--match: '(' is no regular expression" in mpit("--match", "(", returncode=2)
    assert "unknown MPI 'lam'" in mpit("--mpi", "lam", returncode=2)
