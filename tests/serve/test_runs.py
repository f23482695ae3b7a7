"""Runs of `waitstate serve` are those of the command line: its words, its reports; they can be cancelled, and nothing that happens in one
happens to the server."""
import gzip
import io
import json
import os
import shlex
import shutil
import subprocess
import tarfile
import threading
import time

import pytest
from client import BUILD, PROGRAM, SOURCE, TRACES, Server, run

CHOICES = [
    {},
    {"patterns": ["mpi_latesender"]},
    {"patterns": ["all", "critical_path"], "without": ["slow_slaves"]},
    {"region": "master_worker", "counters": False},
    {"from": 0.1, "to": 0.2, "locations": "0-1,3", "rma_model": "basic"},
    {"patterns": ["all", "big_messages"], "set": {"big_messages.threshold": "1000"}, "series": False, "contexts": False},
    {"phase": "time:4", "threads": 1},
]


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_reports_are_those_of_the_command_line(server, choice, tmp_path):
    run_id = server.done(**choice)
    (of_list,) = (r for r in server.get("runs").json() if r["id"] == run_id)
    assert server.ask("/api/command", "POST", choice).json()["command"] == of_list["command"]
    words = shlex.split(of_list["command"])
    assert words[:3] == ["waitstate", "analyze", str(TRACES / "p2p")]
    for kind in ("html", "json", "csv", "txt", "cubex"):
        file = tmp_path / f"run.{kind}"
        if kind == "csv" and "phase" in choice:
            continue  # the command line's table lists phases
        done = run(*words[1:], "-o", file)
        assert done.returncode == 0, done.stderr
        assert server.get(f"runs/{run_id}/report.{kind}").body == file.read_bytes(), kind
    assert server.get(f"runs/{run_id}/page").body == (tmp_path / "run.html").read_bytes()


def test_exports_are_those_of_the_command_line(server, tmp_path):
    choice = {"without": ["slow_slaves"], "from": 0.05, "phase": "time:3"}
    run_id = server.done(**choice)
    options = ["--without", "slow_slaves", "--time", "0.05", "inf"]
    run("export", TRACES / "p2p", *options, "-o", tmp_path / "run.pftrace")
    assert server.get(f"runs/{run_id}/report.pftrace").body == (tmp_path / "run.pftrace").read_bytes()
    assert gzip.decompress(server.get(f"runs/{run_id}/report.pftrace.gz").body) == (tmp_path / "run.pftrace").read_bytes()
    report = tmp_path / "run.json"
    report.write_bytes(server.get(f"runs/{run_id}/report.json").body)
    for metric in ("", "mpi_latesender"):
        for kind in ("folded", "speedscope.json"):
            file = tmp_path / f"run{metric}.{kind}"
            assert run("export", report, *(["--metric", metric] if metric else []), "-o", file).returncode == 0
            asked = f"runs/{run_id}/report.{kind}" + (f"?metric={metric}" if metric else "")
            assert server.get(asked).body == file.read_bytes()
    with tarfile.open(fileobj=io.BytesIO(server.get(f"runs/{run_id}/report.otf2.tar").body)) as archive:
        archive.extractall(tmp_path / "cut")
    (folder,) = (tmp_path / "cut").iterdir()
    assert run("info", folder).returncode == 0
    wrong = server.ask(f"/api/runs/{run_id}/report.folded?metric=mpi_latesendr")
    assert wrong.status == 400 and "did you mean 'mpi_latesender'?" in wrong.error()


def test_two_runs_are_compared_as_diff_does(server, tmp_path):
    ids = [server.done(**c) for c in ({}, {"locations": "0-1"})]
    files = []
    for run_id in ids:
        files.append(tmp_path / f"{run_id}.json")
        files[-1].write_bytes(server.get(f"runs/{run_id}/report.json").body)
    query = f"a={ids[0]}&b={ids[1]}"
    assert server.get(f"compare?{query}").body == run("diff", *files, "--format", "json").stdout.encode()
    assert server.get(f"compare/page?{query}").body.decode() == run("diff", *files, "--format", "html").stdout
    for wrong, status in (("", 400), ("a=1", 400), ("a=1&b=x", 400), ("a=1&b=999", 404)):
        assert server.ask(f"/api/compare?{wrong}").status == status


WRONG = [
    ({"patterns": ["mpi_latesendr"]}, ["--pattern", "mpi_latesendr"]),
    ({"set": {"big_messages.threshold": "1"}, "patterns": ["mpi_latesender"]}, ["--set", "big_messages.threshold=1", "--pattern", "mpi_latesender"]),
    ({"set": {"big_messages.threshold": "many"}, "patterns": ["big_messages"]}, ["--set", "big_messages.threshold=many", "--pattern", "big_messages"]),
    ({"set": {"big_messages.threshold": "-1"}, "patterns": ["big_messages"]}, ["--set", "big_messages.threshold=-1", "--pattern", "big_messages"]),
    ({"set": {"critical_path.plain": "2"}, "patterns": ["critical_path"]}, ["--set", "critical_path.plain=2", "--pattern", "critical_path"]),
    ({"set": {"big_messages.treshold": "1"}}, ["--set", "big_messages.treshold=1"]),
    ({"without": ["nothing"]}, ["--without", "nothing"]),
    ({"from": 2, "to": 1}, ["--time", "2", "1"]),
    ({"locations": "0-x"}, ["--location", "0-x"]),
    ({"locations": "3-1"}, ["--location", "3-1"]),
    ({"rma_model": "basi"}, ["--rma-model", "basi"]),
    ({"phase": "time:0"}, ["--phase", "time:0"]),
    ({"region": ""}, ["--region="]),
    ({"threads": -1}, ["--threads=-1"]),
]


@pytest.mark.parametrize(("choice", "options"), WRONG, ids=lambda x: str(x)[:40])
def test_wrong_parameters_have_the_words_of_the_command_line(server, choice, options):
    said = run("analyze", TRACES / "p2p", *options)
    assert said.returncode == 2
    before = len(server.get("runs").json())
    for route in ("command", "runs"):
        answer = server.ask(f"/api/{route}", "POST", choice)
        assert answer.status == 400
        assert f"waitstate: error: {answer.error()}\n" == said.stderr
    assert len(server.get("runs").json()) == before


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"7", b'{"patern": []}', b'{"patterns": "x"}', b'{"patterns": [1]}', b'{"set": []}', b'{"from": "0"}', b'{"region": "a\\u0000b"}', b'{"counters": 1}', b'{"a":' * 5000, b"\xff\xfe"])
def test_bodies_that_are_no_parameters_are_refused(server, body):
    answer = server.ask("/api/runs", "POST", body)
    if body == b"":  # all parameters are optional
        assert answer.status == 202
        server.wait(answer.json()["id"])
    else:
        assert answer.status == 400 and answer.error()


NOT_IN_THE_TRACE = [
    ({"region": "mastr_worker"}, ["--region", "mastr_worker"]),
    ({"locations": "0,4"}, ["--location", "0,4"]),
    ({"phase": "mastr_worker"}, ["--phase", "mastr_worker"]),
    ({"from": 5}, ["--time", "5", "inf"]),
    ({"to": -1, "from": -2}, ["--time", "-2", "-1"]),
    ({"set": {"slow_slaves.master": "4"}}, ["--set", "slow_slaves.master=4"]),
]


@pytest.mark.parametrize(("choice", "options"), NOT_IN_THE_TRACE, ids=lambda x: str(x)[:40])
def test_what_the_trace_does_not_have_is_refused_before_a_run(server, choice, options):
    server.timeline()  # its end is known
    said = run("analyze", TRACES / "p2p", *options)
    assert said.returncode in (1, 2)
    before = len(server.get("runs").json())
    for route in ("command", "runs"):
        answer = server.ask(f"/api/{route}", "POST", choice)
        assert answer.status == 400
        assert f"waitstate: error: {answer.error()}\n" == said.stderr
    assert len(server.get("runs").json()) == before


def test_a_run_that_fails(tmp_path):
    """A trace that cannot be read any more fails the run, and the server stays."""
    trace = tmp_path / "small.trace"
    trace.write_text("0 0 enter main\n0 9 exit\n")
    with Server(trace) as s:
        trace.unlink()
        run_id = s.start()
        last = s.wait(run_id)[-1]
        assert last["state"] == "failed" and str(trace) in last["error"]
        answer = s.ask(f"/api/runs/{run_id}/report.json")
        assert answer.status == 409 and "failed" in answer.error()
        assert s.ask("/api/runs/99/report.json").status == 404
        assert s.ask("/api/runs/99/progress").status == 404


def test_a_window_as_a_file_for_perfetto(server, tmp_path):
    file = tmp_path / "run.pftrace"
    run("export", TRACES / "p2p", "--time", "0.1", "0.2", "-o", file)
    assert server.get("export.pftrace?from=0.1&to=0.2").body == file.read_bytes()
    for wrong in ("from=x", "from=", "to=nan", "from=2&to=1", "from=7"):
        answer = server.ask("/api/export.pftrace?" + wrong)
        assert answer.status == 400 and answer.error(), wrong
    assert server.ask(f"/api/runs/{server.done()}/report.nothing").status == 404


def test_patterns_and_regions_are_those_of_the_program(server):
    said = server.get("patterns").json()
    listed = run("patterns").stdout
    assert all(f"{p['id']} " in listed or p["id"] in listed.split() for p in said["patterns"])
    by_id = {p["id"]: p for p in said["patterns"]}
    assert by_id["critical_path"]["on_by_default"] is False and by_id["mpi_latesender"]["on_by_default"] is True
    assert "mpi_latesender" in by_id["mpi_latesender_wo"]["needs"]
    assert by_id["mpi_latesender"]["confidence"] == 1 and by_id["mpi_latemembers"]["confidence"] == 0.5
    (threshold,) = by_id["big_messages"]["parameters"]
    assert threshold["name"] == "threshold" and threshold["type"] == "integer" and threshold["unit"] == "bytes"
    assert threshold["minimum"] == 0 and "maximum" not in threshold
    assert [(p["minimum"], p["maximum"]) for p in by_id["critical_path"]["parameters"]] == [(0, 1), (0, 1)]
    seen = {None}
    for m in said["metrics"]:
        assert m["parent"] in seen and (m["pattern"] is None or m["pattern"] in by_id)
        seen.add(m["id"])
    assert not any(p["plugin"] for p in said["patterns"])
    names = server.get("regions?q=MASTER").json()
    assert names == ["master_worker"]
    assert len(server.get("regions").json()) == 50


def test_facts_about_the_trace(server):
    facts = server.get("trace").json()
    report = json.loads(run("analyze", TRACES / "p2p", "--format", "json").stdout)
    assert facts["events"] == report["trace"]["events"] if "events" in report["trace"] else facts["events"] == 1904
    assert [p["name"] for p in facts["processes"]] == [f"MPI Rank {n}" for n in range(4)]
    assert [(x["id"], x["process"], x["kind"]) for x in facts["locations"]] == [(n, n, "cpu_thread") for n in range(4)]
    assert facts["has"]["mpi"] and not facts["has"]["shmem"] and facts["notices"] == [] and facts["version"] == 1
    assert server.get("trace/version").json() == {"version": 1} and facts["offline"] is False
    server.timeline()
    assert server.get("trace").json()["programs"] == report["programs"]


def slow(server):
    """A run that takes a while."""
    return server.start(patterns=["all", "critical_path", "delay"], threads=1)


def test_a_run_is_cancelled_within_half_a_second():
    with Server(TRACES / "halo") as s:
        run_id = slow(s)
        time.sleep(0.3)
        busy = s.ask("/api/runs", "POST", {})
        assert busy.status == 409 and busy.error()
        begin = time.monotonic()
        answer = s.ask(f"/api/runs/{run_id}", "DELETE")
        assert answer.status == 200 and answer.json()["state"] == "cancelled"
        while subprocess.run(["pgrep", "-P", str(s.process.pid), "-f", "analyze"], capture_output=True, check=False).returncode == 0:
            assert time.monotonic() - begin < 0.5
        assert s.wait(run_id)[-1]["state"] == "cancelled"
        assert s.ask(f"/api/runs/{run_id}/report.json").status == 409
        assert s.done(patterns=["mpi_latesender"]) == run_id + 1  # the next one can run at once


def test_progress_counts_up_and_comes_often():
    with Server(TRACES / "halo") as s:
        run_id, times = slow(s), []
        request = s.head("GET", f"/api/runs/{run_id}/progress") + "\r\n"
        received = b""
        with s.connect() as c:
            c.sendall(request.encode())
            while piece := c.recv(65536):
                received += piece
                times.append(time.monotonic())
        lines = s.wait(run_id)
        assert lines[-1]["state"] == "done" and len(lines) == 1
        told = [json.loads(x) for x in received.decode().split("\r\n") if x.startswith("{")]
        events = [t["events"] for t in told]
        assert events == sorted(events) and events[-1] == told[-1]["of"] and len(events) >= 3
        assert told[-1]["state"] == "done" and all(t["state"] == "running" for t in told[:-1])


def test_twenty_clients_at_once(server):
    run_id = server.done()
    expected = server.get(f"runs/{run_id}/report.json").body
    wrong = []

    def visit(n):
        for _ in range(5):
            for path in ("trace", "patterns", f"runs/{run_id}/report.json"):
                answer = server.ask("/api/" + path)
                if answer.status != 200 or (path.endswith("json") and answer.body != expected):
                    wrong.append((n, path, answer.status))

    threads = [threading.Thread(target=visit, args=(n,)) for n in range(20)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_clients_that_go_away_change_nothing():
    with Server(TRACES / "halo") as s:
        run_id = slow(s)
        for _ in range(5):  # they were listening to the run
            with s.connect() as c:
                c.sendall((s.head("GET", f"/api/runs/{run_id}/progress") + "\r\n").encode())
                c.recv(10)
        assert s.wait(run_id)[-1]["state"] == "done"
        for _ in range(5):  # they were downloading
            with s.connect() as c:
                c.sendall((s.head("GET", f"/api/runs/{run_id}/report.html") + "\r\n").encode())
                c.recv(10)
        with s.connect() as c:  # nobody waits for this timeline any more
            c.sendall((s.head("GET", f"/api/runs/{run_id}/report.pftrace") + "\r\n").encode())
            time.sleep(0.2)
        end = time.monotonic() + 5
        while subprocess.run(["pgrep", "-P", str(s.process.pid), "-f", "export"], capture_output=True, check=False).returncode == 0:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert s.get("trace").json()["version"] == 1


def children(process, *of):
    return subprocess.run(["pgrep", "-P", str(process), *of], capture_output=True, text=True, check=True).stdout.split()


def analysing(server):
    """The process that analyses: the child of the command, which guards it."""
    return int(children(children(server.process.pid, "-f", "analyze")[0])[0])


def test_a_killed_run_fails_and_the_server_stays():
    with Server(TRACES / "halo") as s:
        run_id = slow(s)
        time.sleep(0.3)
        os.kill(analysing(s), 11)  # as a damaged trace may do
        last = s.wait(run_id)[-1]
        assert last["state"] == "failed" and "signal 11, segmentation fault" in last["error"]
        run_id = slow(s)
        time.sleep(0.3)
        os.kill(analysing(s), 9)  # as a system without memory does
        last = s.wait(run_id)[-1]
        assert last["state"] == "failed" and "ran out of memory" in last["error"]
        assert s.done(patterns=["mpi_latesender"])


def test_a_timeline_that_crashes_costs_only_the_timeline():
    with Server(TRACES / "p2p") as s:
        s.timeline()
        for helper in subprocess.run(["pgrep", "-P", str(s.process.pid)], capture_output=True, text=True, check=True).stdout.split():
            os.kill(int(helper), 11)
        end = time.monotonic() + 5
        while (answer := s.ask("/api/timeline")).status == 200:
            assert time.monotonic() < end
        assert answer.status == 503 and "has ended" in answer.error()
        assert answer.error() in s.get("trace").json()["notices"]
        assert s.done(patterns=["mpi_latesender"])


def test_a_damaged_trace_is_served_as_far_as_it_can_be_read(tmp_path):
    shutil.copytree(TRACES / "p2p", tmp_path / "p2p")
    events = sorted((tmp_path / "p2p" / "traces").glob("*.evt"))
    events[0].write_bytes(events[0].read_bytes()[:1000])
    events[1].write_bytes(b"\0" * 100)
    with Server(tmp_path / "p2p") as s:
        run_id = s.done()
        report = s.get(f"runs/{run_id}/report.json").body
        assert report == run("analyze", tmp_path / "p2p", "--format", "json").stdout.encode()
        assert s.timeline().header["total_rows"] == 4


def test_a_trace_that_cannot_be_read_is_an_error(tmp_path):
    (tmp_path / "traces.otf2").write_bytes(b"nothing")
    done, analysed = run("serve", tmp_path / "traces.otf2"), run("analyze", tmp_path / "traces.otf2")
    assert done.returncode == 3 and done.stderr == analysed.stderr and done.stdout == ""


def test_a_trace_that_is_replaced_is_noticed(tmp_path):
    shutil.copytree(TRACES / "p2p", tmp_path / "run")
    with Server(tmp_path / "run") as s:
        assert s.get("trace").json()["version"] == 1
        before = s.done()
        s.timeline()
        shutil.rmtree(tmp_path / "run")
        shutil.copytree(TRACES / "coll", tmp_path / "run")
        time.sleep(1.1)
        end = time.monotonic() + 10
        while (facts := s.ask("/api/trace").json()).get("version") != 2:
            assert time.monotonic() < end
            time.sleep(0.05)
        s.timeline()
        facts = s.get("trace").json()
        with Server(TRACES / "coll") as other:
            other.timeline()
            expected = other.get("trace").json()
        assert {**facts, "file": "", "version": 1} == {**expected, "file": ""}
        after = s.done()
        assert s.get(f"runs/{before}/report.json").body != s.get(f"runs/{after}/report.json").body
        shutil.rmtree(tmp_path / "run")
        assert s.wait(s.start())[-1]["state"] == "failed"


PLUGIN = SOURCE / "python/examples/late_sender.py"
LIBRARY = BUILD / "tests/plugins/libtiny_messages.so"


@pytest.mark.parametrize("plugin", [PLUGIN, LIBRARY], ids=["python", "library"])
def test_plugins_are_listed_chosen_and_configured(plugin, tmp_path):
    if not plugin.exists():
        pytest.skip(f"{plugin} is not built")
    with Server(TRACES / "p2p", "--plugin", plugin) as s:
        (own,) = (p for p in s.get("patterns").json()["patterns"] if p["plugin"])
        run_id = s.done(patterns=["all", own["id"]])
        done = run("analyze", TRACES / "p2p", "--plugin", plugin, "--pattern", f"all,{own['id']}", "-o", tmp_path / "r.json")
        assert done.returncode == 0, done.stderr
        assert s.get(f"runs/{run_id}/report.json").body == (tmp_path / "r.json").read_bytes()
        for parameter in own["parameters"]:
            choice = {"set": {f"{own['id']}.{parameter['name']}": "no number"}}
            said = run("analyze", TRACES / "p2p", "--plugin", plugin, "--set", f"{own['id']}.{parameter['name']}=no number").stderr
            assert s.ask("/api/command", "POST", choice).error() in said


def test_a_plugin_that_ends_the_process_is_named(tmp_path):
    plugin = tmp_path / "ends.py"
    plugin.write_text("import os\nos._exit(3)\n")
    done = run("serve", TRACES / "p2p", "--plugin", plugin)
    assert done.returncode == 2 and done.stdout == "" and f"plug-in '{plugin}'" in done.stderr
    plugin.write_text("import nothing_of_that_name\n")
    done, listed = run("serve", TRACES / "p2p", "--plugin", plugin), run("patterns", "--plugin", plugin)
    assert done.returncode == 2 and done.stderr == listed.stderr


def test_an_idle_server_ends(tmp_path):
    # A minute is the least; here only that the option is taken and the server answers.
    with Server(TRACES / "p2p", "--idle", "1") as s:
        assert s.get("trace").json()["version"] == 1


def test_the_program_is_found_wherever_the_server_was_started(tmp_path):
    done = subprocess.Popen([PROGRAM, "serve", str(TRACES / "p2p")], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert done.stdout.readline().startswith("http://127.0.0.1:")
    finally:
        done.terminate()
        done.wait(20)
        done.stdout.close()
        done.stderr.close()
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_left_in_the_temporary_folder(tmp_path):
    with Server(TRACES / "p2p", environment={"TMPDIR": str(tmp_path)}) as s:
        run_id = s.done()
        s.get(f"runs/{run_id}/report.pftrace.gz")
        s.get(f"runs/{run_id}/report.otf2.tar")
        left = tmp_path / "waitstate-serve-999999999-abcdef"
        left.mkdir()
        assert [f for f in tmp_path.iterdir() if f != left] == []
    with Server(TRACES / "p2p", environment={"TMPDIR": str(tmp_path)}):
        assert not left.exists()  # it belonged to a server that was killed


def test_files_that_were_made_are_kept_up_to_a_limit(server):
    """More than a server keeps: the first one is made again."""
    run_id = server.done()
    ids = [m["id"] for m in server.get("patterns").json()["metrics"]][:70]
    first = server.get(f"runs/{run_id}/report.folded?metric={ids[0]}").body
    for metric in ids:
        server.ask(f"/api/runs/{run_id}/report.folded?metric={metric}")
    open_files = len(os.listdir(f"/proc/{server.process.pid}/fd"))
    assert open_files < 64 + 10 * len(server.get("runs").json()) + 30
    assert server.get(f"runs/{run_id}/report.folded?metric={ids[0]}").body == first
