"""The timeline of `waitstate serve` shows what is in the trace: compared with the events that `waitstate print` lists, and with the waits
of the report."""
import json
import time

import pytest
from client import PROGRAM, TRACES, Server, run



@pytest.fixture(scope="module")
def drawn(server):
    return server.timeline("?width=1000&rows=8")


def test_the_whole_run(server, drawn):
    facts, h = server.get("trace").json(), drawn.header
    assert h["total_rows"] == 4 and [r["locations"] for r in h["rows"]] == [[n, n + 1] for n in range(4)]
    assert [r["name"] for r in h["rows"]] == [f"MPI Rank {n}, Master thread" for n in range(4)]
    assert 0 <= h["to"] - (facts["end"] - facts["begin"]) < h["resolution"] * 2
    assert len(h["classes"]) == 8 and h["left_out"]["intervals"] == 0 and h["exact"]


def test_calls_are_those_of_the_trace(server, drawn):
    """Each enter and exit that `print` lists, and no other."""
    begin = server.get("trace").json()["begin"]
    enters = [line for line in run("print", TRACES / "p2p", "--type", "enter").stdout.splitlines() if " enter" in line]
    assert len(drawn.calls) in (len(enters), len(enters) + 4)  # the program itself may be a call of each
    assert all(0 <= enter < exit_ <= drawn.header["to"] for enter, exit_, *_ in drawn.calls)
    names = drawn.header["regions"]
    assert {names[str(region)] for *_, region, _, _ in drawn.calls} >= {"MPI_Recv", "master_worker"}
    assert begin > 0


def test_shares_are_the_times_of_the_report(server, drawn):
    """Sums over bins equal the time of each class, to the rounding of a byte."""
    report = json.loads(run("analyze", TRACES / "p2p", "--format", "json").stdout)
    facts, h = server.get("trace").json(), drawn.header
    ticks_of_bin = (h["to"] - h["from"]) / h["bins"]
    seconds = [sum(bin_[c] for row in drawn.shares for bin_ in row) / 255 * ticks_of_bin / facts["ticks_per_second"] for c in range(8)]
    whole = sum(x["last_time"] - x["first_time"] for x in report["locations"]) / facts["ticks_per_second"] if "last_time" in report.get("locations", [{}])[0] else None
    if whole:
        assert sum(seconds) == pytest.approx(whole, rel=0.02)
    # The calls themselves give the same, each without the calls inside of it.
    own = [0.0] * 8
    for row in range(4):
        calls = sorted((c for c in drawn.calls if c[2] == row), key=lambda c: (c[0], c[5]))
        stack = []
        for enter, exit_, _, _, kind, depth in calls:
            del stack[depth:]
            if stack:
                own[stack[-1]] -= exit_ - enter
            own[kind] += exit_ - enter
            stack.append(kind)
    for c in range(8):
        assert seconds[c] == pytest.approx(own[c] / facts["ticks_per_second"], abs=0.005 * sum(own) / facts["ticks_per_second"])


def test_a_part_has_the_calls_of_the_whole_cut_at_its_ends(server, drawn):
    begin, end = (int(drawn.header["to"] * x) for x in (0.4, 0.43))
    part = server.timeline(f"?from={begin}&to={end}&first=1&rows=2&width=300")
    assert part.header["first"] == 1 and len(part.header["rows"]) == 2
    to = min(part.header["to"], int(drawn.header["to"]))
    expected = sorted((max(a, begin), min(b, end), row - 1, region, kind, depth) for a, b, row, region, kind, depth in drawn.calls if row in (1, 2) and a < end and b > begin)
    assert sorted(part.calls) == expected and to >= end


def test_rows_are_folded(server, drawn):
    by_node = server.timeline("?level=node&width=200")
    assert by_node.header["rows"][0]["locations"] == [0, 4] and by_node.header["rows"][0]["folded"]
    means = [sum(sum(row[b][c] for b in range(len(row))) for row in drawn.shares) / 4 / len(drawn.shares[0]) for c in range(8)]
    folded = [sum(b[c] for b in by_node.shares[0]) / len(by_node.shares[0]) for c in range(8)]
    assert folded == pytest.approx(means, abs=2.5)


def test_waits_and_their_messages_are_those_of_the_run(server):
    run_id = server.done()
    report = server.get(f"runs/{run_id}/report.json").json()
    shown = server.timeline(f"?run={run_id}&width=500")
    metrics = shown.header["metrics"]
    count, ticks = {}, {}
    for begin, end, _, metric in shown.waits:
        count[metrics[metric]] = count.get(metrics[metric], 0) + 1
        ticks[metrics[metric]] = ticks.get(metrics[metric], 0) + end - begin
    assert shown.header["left_out"]["waits"] == 0 and count
    for metric, wait in report["waits"].items():
        assert count.pop(metric) == wait["statistics"]["count"]
        assert ticks[metric] == wait["statistics"]["sum"]
    assert not count
    assert 0 < len(shown.messages) <= 148
    for sent, received, sender, receiver, _, kind in shown.messages:
        assert sent < received and sender != receiver and kind == 0
    waiting = sum(b[8] for row in shown.shares for b in row)
    assert waiting > 0 and all(b[8] == 0 for row in server.timeline().shares for b in row)
    for wrong, status in (("run=99", 404), ("run=x", 400), ("run=", 404)):
        assert server.ask("/api/timeline?" + wrong).status == status


def with_messages(server, query=""):
    """An answer that was given after all messages had been matched."""
    end = time.monotonic() + 60
    while (answer := server.timeline(query)).header["messages_wait_for"]:
        assert time.monotonic() < end
        time.sleep(0.02)
    return answer


def printed(trace, kind):
    """Times of the events of a type, as `print` lists them, by location."""
    lines = [line.split() for line in run("print", TRACES / trace, "--type", kind).stdout.splitlines() if not line.startswith("#")]
    return sorted((int(words[0]), int(words[1])) for words in lines if words[2] == kind)


def test_all_messages_are_there_without_a_run(server):
    """Each send and each receive that `print` lists is an end of one message, with its run and without."""
    begin = server.get("trace").json()["begin"]
    sends = sorted(printed("p2p", "send") + printed("p2p", "isend"))
    receives = sorted(printed("p2p", "recv") + printed("p2p", "irecv"))
    assert len(sends) == 148
    for query in ("", f"?run={server.done()}"):
        drawn = with_messages(server, query)
        assert drawn.header["left_out"]["messages"] == 0 and drawn.header["messages_note"] == ""
        assert sorted((sender, int(sent) + begin) for sent, _, sender, _, _, _ in drawn.messages) == sends
        assert sorted((receiver, int(received) + begin) for _, received, _, receiver, _, _ in drawn.messages) == receives
    some = with_messages(server, "?first=1&rows=2")
    inside = [m for m in drawn.messages if {m[2], m[3]} <= {1, 2}]
    assert 0 < len(some.messages) == len(inside) < 148
    assert some.header["left_out"]["messages"] == sum(1 for location, _ in sends if location in (1, 2)) - len(inside)


def test_one_sided_transfers_are_there():
    with Server(TRACES / "rma_waits") as s:
        drawn = with_messages(s)
        kinds = [kind for *_, kind in drawn.messages]
        assert drawn.header["left_out"]["messages"] == 0
        assert [kinds.count(kind) for kind in (1, 2, 3)] == [len(printed("rma_waits", f"rma_{name}")) for name in ("put", "get", "atomic")]
        assert all(begin <= end for begin, end, *_ in drawn.messages)


def test_too_many_messages_are_counted():
    with Server(TRACES / "halo") as s:
        to = int(s.timeline().header["to"])
        narrow = with_messages(s, f"?from={to // 2}&to={to // 2 + to // 400}")
        assert 0 < len(narrow.messages) <= 2000 and narrow.header["left_out"]["messages"] == 0
        wide = s.timeline(f"?from={to // 2}&to={to // 2 + to // 10}")
        assert wide.messages == [] and wide.header["left_out"]["messages"] > 2000 and wide.header["messages_wait_for"] == ""


COUNTERS = """\
clock resolution=1000
metric_member 0 name=CYCLES unit="#" mode=0 value=uint64
metric_member 1 name=memory unit=bytes mode=17 value=int64
metric_member 2 name=power unit=W mode=0 value=uint64
metric 0 members=(0,1)
metric 1 members=(2)
0 0 enter main
0 0 metric metric=0 values=(uint64:100, int64:7)
0 1000 metric metric=0 values=(uint64:600, int64:9)
0 3000 metric metric=0 values=(uint64:800, int64:-1)
0 4000 exit
1 0 enter main
1 0 metric metric=1 values=(uint64:50)
1 1000 metric metric=1 values=(uint64:40)
1 2000 metric metric=1 values=(uint64:60)
1 4000 exit
"""


def test_counters(tmp_path):
    """Growth is shown as a rate, a state keeps its value until the next record, and a counter that falls is a state."""
    trace = tmp_path / "counters.trace"
    trace.write_text(COUNTERS)
    with Server(trace) as s:
        assert s.get("trace").json()["has"]["counters"] == ["CYCLES", "memory", "power"]
        assert s.timeline().header["counter"] is None and s.timeline().counter == []
        cycles, memory, power = (s.timeline(f"?width=4&counter={name}") for name in ("CYCLES", "memory", "power"))
        assert [c.header["counter"]["unit"] for c in (cycles, memory, power)] == ["1/s", "bytes", "W"]
        # 500 in the first second, then 200 in two; 7 bytes, then 9 for two seconds, then -1
        assert cycles.counter == [[(500, 500, 500), (100, 100, 100), (100, 100, 100), None], [None] * 4]
        assert memory.counter == [[(7, 7, 7), (9, 9, 9), (9, 9, 9), (-1, -1, -1)], [None] * 4]
        assert power.counter == [[None] * 4, [(50, 50, 50), (40, 40, 40), (60, 60, 60), (60, 60, 60)]]
        together = s.timeline("?width=1&rows=1&counter=CYCLES")
        assert together.counter == [[(100, 500, pytest.approx(700 / 3))]]
        part = s.timeline("?from=500&to=2500&width=2&counter=memory")
        assert part.counter[0] == [(7, 9, 8), (9, 9, 9)]
        wrong = s.ask("/api/timeline?counter=memry")
        assert wrong.status == 400 and "the trace has no counter 'memry'" in wrong.error()


@pytest.mark.parametrize("query", ["rows=0", "rows=513", "width=0", "width=5000", "from=5&to=4", "from=99999999999999", "first=4", "level=thread", "from=-1", "from=x", "from=nan", "from=1e300", "width=", "what=1"])
def test_questions_that_make_no_sense_are_refused(server, query):
    server.timeline()
    answer = server.ask("/api/timeline?" + query)
    assert answer.status == 400 and answer.error()


@pytest.mark.parametrize("name", ["hybrid_tasks", "cuda_waits", "rma_waits", "shmem_waits"])
def test_other_traces(name):
    with Server(TRACES / name) as s:
        whole = s.timeline()
        assert len(whole.shares) == min(64, whole.header["total_rows"]) and any(any(b[:8]) for row in whole.shares for b in row)
        run_id = s.done()
        assert s.timeline(f"?run={run_id}").waits


def test_a_large_trace_is_counted_where_it_is_not_shown():
    with Server(TRACES / "halo") as s:
        whole = s.timeline("?width=64")
        assert whole.calls == [] and whole.header["left_out"]["intervals"] > 400_000 and whole.header["left_out"]["messages"] > 80_000
        middle, length = int(whole.header["to"] * 0.5), int(whole.header["to"] / 400)
        part = s.timeline(f"?from={middle}&to={middle + length}")
        assert part.calls and part.header["left_out"]["messages"] > 0
    assert PROGRAM.exists()


def test_time_stamps_of_64_bits_overflow_nothing(tmp_path):
    trace = tmp_path / "late.trace"
    trace.write_text("0 0 enter main\n0 400 exit\n1 0 enter main\n1 9223372036854775807 enter late\n1 18446744073709551614 exit\n")
    with Server(trace) as s:
        assert s.timeline().header["total_rows"] == 2
        assert len(s.timeline("?from=0&to=1000").calls) == 2
        assert s.wait(s.start())[-1]["state"] == "done"
