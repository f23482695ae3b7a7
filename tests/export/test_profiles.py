"""`waitstate export` to speedscope and folded stacks: the values are those of the report."""
import csv
import io
import json

import pytest
from conftest import recorded, waitstate


def callpaths(trace, metric):
    """Exclusive values by call path, as `show` prints them."""
    rows = csv.DictReader(io.StringIO(waitstate("show", trace, "--metric", metric, "--by", "callpath", "--format", "csv")))
    return {r["callpath"]: float(r["exclusive"]) for r in rows if float(r["exclusive"]) > 0}


@pytest.mark.parametrize("metric", ["time", "mpi_latesender", "visits"])
def test_folded_stacks(metric, tmp_path):
    file = tmp_path / "run.folded"
    waitstate("export", recorded("p2p"), "-o", file, "--metric", metric)
    found = {}
    for line in file.read_text().splitlines():
        stack, value = line.rsplit(" ", 1)
        found[stack.replace(";", "/")] = int(value)
    expected = callpaths(recorded("p2p"), metric)
    unit = 1 if metric == "visits" else 1e9
    assert found.keys() == expected.keys()
    for path, value in expected.items():
        assert found[path] == pytest.approx(value * unit, abs=1, rel=1e-6)


def test_a_separator_in_a_name(tmp_path):
    trace = tmp_path / "made.trace"
    trace.write_text('0 0 enter "a;b c"\n0 10 exit\n')
    assert waitstate("export", trace, "--format", "folded") == "a:b c 10\n"


@pytest.mark.parametrize("metric", ["time", "mpi_latesender", "bytes_sent"])
def test_speedscope(metric, tmp_path):
    file = tmp_path / "run.speedscope.json"
    waitstate("export", recorded("p2p"), "-o", file, "--metric", metric)
    document = json.loads(file.read_text())
    assert document["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = [f["name"] for f in document["shared"]["frames"]]
    everything, *each = document["profiles"]
    for profile in document["profiles"]:
        assert profile["type"] == "sampled" and profile["startValue"] == 0
        assert profile["unit"] == ("bytes" if metric == "bytes_sent" else "nanoseconds")
        assert len(profile["samples"]) == len(profile["weights"]) and sum(profile["weights"]) == profile["endValue"]
    assert sum(p["endValue"] for p in each) == everything["endValue"]
    assert [p["name"] for p in each] == sorted(p["name"] for p in each)
    found = {"/".join(frames[f] for f in stack): w for stack, w in zip(everything["samples"], everything["weights"])}
    expected = callpaths(recorded("p2p"), metric)
    unit = 1 if metric == "bytes_sent" else 1e9
    assert found.keys() == expected.keys()
    for path, value in expected.items():
        assert found[path] == pytest.approx(value * unit, abs=len(each), rel=1e-6)


def test_a_report_is_no_trace_but_has_a_profile(tmp_path):
    report = tmp_path / "run.json"
    waitstate("analyze", recorded("p2p"), "-o", report)
    assert waitstate("export", report, "--format", "folded") == waitstate("export", recorded("p2p"), "--format", "folded")
