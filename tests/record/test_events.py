"""`record --event`: what the MPI library tells of itself becomes metrics and regions in streams of its sources.

No library at hand offers any: they are those of tests/fake_mpit, which fires them in MPI_Barrier.
"""
import os
import re

import pytest
from conftest import PROGRAM, SOURCE, record, run

FAKE = SOURCE / "tests" / "fake_mpit" / "fake_mpit.c"


def recorded(mpi, folder, *options, **settings):
    told = folder / "told"
    library = mpi.compile(FAKE, "-shared", "-fPIC", name="libfake_mpit.so")
    trace = record(folder / "trace", mpi.run(2, mpi.compile("record_pvars.c")), *options,
                   env={**os.environ, "LD_PRELOAD": str(library), "FAKE_MPIT_REPORT": str(told), **settings})
    trace.told = told.read_text().splitlines()
    return trace


def names(trace, what):
    """{number: name} of definitions."""
    lines = (re.match(rf'{what} (\d+) .*?name=("[^"]*"|\S+)', line) for line in trace.definitions())
    return {line[1]: line[2].strip('"') for line in lines if line}


def table(columns_and_rows):
    return [dict(zip(columns_and_rows["columns"], row)) for row in columns_and_rows["rows"]]


def test_events(mpi, tmp_path):
    trace = recorded(mpi, tmp_path, "--event", "fake_*", FAKE_MPIT_DROP="1", FAKE_MPIT_THREAD="1")
    assert "Missing from" not in trace.text and "anomal" not in trace.text.replace("no anomalies", ""), trace.text
    # Each rank has seven barriers: five in the world, two in halo; the third and the sixth message are dropped.
    assert trace.severity("fake_message_arrived_[MPI_COMM_WORLD]") == 2 * 3
    assert trace.severity("fake_message_arrived_[halo]") == 2 * 2
    assert trace.severity("fake_message_arrived_dropped") == 2 * 2
    assert trace.severity("fake_packet") == 2 * 3 * 7
    assert trace.severity("visits", "fake_search") == 2 * 7
    # The events happen in the barriers, and have their times.
    assert 0 < trace.severity("fake_search_time") < trace.severity("time", "MPI_Barrier") + 1e-4
    assert trace.severity("time", "fake_search") == 0
    assert "; dropped by the MPI library: 4 events" in trace.ran.stderr
    assert trace.told == ["inits 1 finals 0 sessions 0 open 0 handles 0 open 0 wrong 0 registrations 10 open 0"] * 2

    # Each source is a location of metrics, and each pair a stream; the program's own times are as they were.
    locations = names(trace, "location")
    streams = {number: name for number, name in locations.items() if name.startswith("MPI_T ")}
    assert sorted(streams.values()) == sorted(
        ["MPI_T fake_host", "MPI_T fake_card", "MPI_T fake_search (fake_host)"] * 2)
    # With their own clocks, these lie in the barriers in which they were: the card's ticks are of 4 microseconds.
    regions = names(trace, "region")
    barriers, entered = [], {}
    for location, time, kind, *rest in trace.events():
        if location in streams or kind not in ("enter", "exit"):
            continue
        stack = entered.setdefault(location, [])
        if kind == "enter":
            stack.append((regions.get(rest[0].removeprefix("#"), rest[0]), int(time)))
            continue
        name, begun = stack.pop()
        if name == "MPI_Barrier":
            barriers.append((begun - 20000, int(time) + 20000))
    packets = [int(e[1]) for e in trace.events("metric") if streams[e[0]] == "MPI_T fake_card"]
    searches = [int(e[1]) for e in trace.events()
                if e[2] != "metric" and streams.get(e[0]) == "MPI_T fake_search (fake_host)"]
    assert len(barriers) == 14 and len(packets) == 2 * (3 * 7 + 1) and len(searches) == 2 * 2 * 7
    for time in packets + searches:
        assert any(begin <= time <= end for begin, end in barriers), time
    for location in streams:
        times = [int(e[1]) for e in trace.events() if e[0] == location]
        assert times == sorted(times)


def test_what_they_say(mpi, tmp_path):
    """The n-th barrier has a message with the tag -n and 2^40 + n bytes, and a search that begins and ends at n. The library
    names the elements of a message, not those of a search."""
    trace = recorded(mpi, tmp_path, "--event", "fake_*")
    assert "Missing from" not in trace.text
    size = 1 << 40
    path_of = {}
    for name, of_world, of_halo in (("message_arrived_tag", [-7, -6, -3, -2, -1], [-5, -4]),
                                    ("message_arrived_size", [size + n for n in (1, 2, 3, 6, 7)], [size + 4, size + 5]),
                                    ("search_begin_element_0", [1, 2, 3, 6, 7], [4, 5]),
                                    ("search_end_element_0", [1, 2, 3, 6, 7], [4, 5])):
        for comm, values in (("MPI_COMM_WORLD", of_world), ("halo", of_halo)):
            rows = table(trace.report["counters"][f"fake_{name}_[{comm}]"]["values"])
            assert [(r["samples"], r["least"], r["greatest"]) for r in rows] == [(len(values), min(values), max(values))] * 2
            assert [r["mean"] for r in rows] == pytest.approx([sum(values) / len(values)] * 2)
            path_of[name] = rows[0]["callpath"]
    # Events of a region are in it.
    assert path_of["search_begin_element_0"] == path_of["search_end_element_0"] != path_of["message_arrived_tag"]


def test_what_comes_too_late(mpi, tmp_path):
    """Behind 9,000 packets one that was earlier, and an end without a begin: said in text, JSON and by the recorder."""
    trace = recorded(mpi, tmp_path, "--event", "fake_*", FAKE_MPIT_LATE="1")
    assert trace.severity("fake_packet") == 2 * (9001 + 3 * 7)
    said = {p["name"].removeprefix("WAITSTATE::"): p["value"] for p in trace.report["processes"][1]["properties"]}
    late = int(said.pop("EVENTS_OUT_OF_ORDER::fake_card"))
    assert said == {"EVENTS_UNMATCHED::fake_host": "1"} and late >= 1
    text = re.sub(r"\s+", " ", trace.text)
    assert re.search(r"MPI events [\d,]+ arrived too late to be put in order, and have the time of the previous one \(fake_card\); "
                     r"2 end something that has not begun, and are left out \(fake_host\)", text), text
    assert "; reported by it too late to be put in order: " in trace.ran.stderr
    assert "MPI events" in run([PROGRAM, "info", trace.folder]).stdout


def test_an_event_with_many_elements(mpi, tmp_path):
    """Elements behind the sixteenth are not recorded: that is printed once, and is in the metric."""
    trace = recorded(mpi, tmp_path, "--event", "fake_packet", FAKE_MPIT_LONG="1")
    assert trace.ran.stderr.count("the event fake_packet: the first 16 of its 20 elements are recorded") == 1
    counters = trace.report["counters"]
    elements = {name: table(of["values"])[0] for name, of in counters.items() if "element" in name}
    assert {name: row["mean"] for name, row in elements.items()} == {
        f"fake_packet_element_{n}": 100 + n for n in range(16)}
    about = next(line for line in trace.definitions() if 'name=fake_packet ' in line)
    assert "the first 16 of its 20 elements are recorded" in about


def test_dropped_ones_of_a_library_without_sources(mpi, tmp_path):
    trace = recorded(mpi, tmp_path, "--event", "fake_message_arrived", FAKE_MPIT_DROP="1", FAKE_MPIT_NO_SOURCE="1")
    assert "; dropped by the MPI library: 4 events" in trace.ran.stderr
    text = re.sub(r"\s+", " ", trace.text)
    assert "MPI events 4 were dropped by the MPI library (fake_message_arrived)" in text


def test_half_of_a_pair_is_a_count(mpi, tmp_path):
    trace = recorded(mpi, tmp_path, "--event", "fake_search_begin,fake_nothing")
    assert trace.severity("fake_search_begin_[halo]") == 2 * 2
    assert "fake_search" not in names(trace, "region").values()
    assert "waitstate record: this MPI has no event 'fake_nothing': 'waitstate mpit events' lists those" in trace.ran.stderr


def test_a_library_without_events(mpi, tmp_path):
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("record_pvars.c")), "--event", "any")
    assert "waitstate record: this MPI has no events for tools: --event has no effect\n" in trace.ran.stderr
    assert trace.complete(), trace.text


def test_without_mpi(tmp_path):
    ran = run([PROGRAM, "record", "-o", tmp_path / "trace", "--mpi", "none", "--event", "x", "--", "true"])
    assert ran.returncode == 2
    assert ran.stderr == "waitstate: error: --event records events of MPI, and --mpi none records none\n"
    assert not (tmp_path / "trace").exists()
