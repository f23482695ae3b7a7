"""Requests of every kind: what was begun is ended, once, and numbers are unique in a location."""
import re

import pytest
from conftest import record


def of(events, location, kind):
    return [e for e in events if e[0] in location and e[2] == kind]


def number(event):
    return next(r for r in event if r.startswith("request="))


def test_begun_and_ended(mpi, tmp_path):
    program = mpi.compile("requests.c", "-pthread")
    trace = record(tmp_path / "trace", mpi.run(2, program))
    assert trace.complete(), trace.text
    events = trace.events()
    locations = {}  # by process
    for line in trace.definitions():
        if line.startswith("location "):
            process = re.search(r"process=(\d+)", line).group(1)
            locations.setdefault(process, set()).add(line.split()[1])
    told = re.findall(r"rank (\d) sent (\d+) received (\d+)", trace.ran.stdout)
    assert len(told) == 2
    for rank, sent, received in told:
        mine = locations[rank]
        begun = of(events, mine, "isend")
        assert len(begun) == int(sent)
        assert sorted(map(number, begun)) == sorted(map(number, of(events, mine, "isend_complete")))
        asked = of(events, mine, "irecv_request")
        assert len(asked) == int(received)
        ended = of(events, mine, "irecv") + of(events, mine, "request_cancelled")
        assert sorted(map(number, asked)) == sorted(map(number, ended))
        assert len(of(events, mine, "request_cancelled")) == 1
        assert len({(e[0], number(e)) for e in begun + asked}) == len(begun + asked)
        assert of(events, mine, "request_test")
        assert len(of(events, mine, "nonblocking_collective_complete")) == len(of(events, mine, "nonblocking_collective_request")) == 4
    # 4 threads of each process had locations of their own, if MPI let them.
    assert len(locations["0"]) == len(locations["1"]) in (1, 5)


def test_without_vain_tests(mpi, tmp_path):
    """--without test: calls that find nothing are not there, those that find something are, and all requests end."""
    program = mpi.compile("requests.c", "-pthread")
    trace = record(tmp_path / "trace", mpi.run(2, program), "--without", "test")
    assert trace.complete(), trace.text
    events = trace.events()
    assert not [e for e in events if e[2] == "request_test"]
    entered = [e for e in events if e[2] == "enter" and e[3] == "MPI_Test"]
    assert not entered  # the only one was in vain
    assert [e for e in events if e[2] == "enter" and e[3] == "MPI_Testall"]
    assert len([e for e in events if e[2] == "isend"]) == len([e for e in events if e[2] == "isend_complete"])


def test_the_otf2_library_reads_it(mpi, tmp_path):
    """As many records as we read, in archives of all kinds of requests: by OTF2's own reader, which skips what is newer."""
    otf2 = pytest.importorskip("otf2")
    trace = record(tmp_path / "trace", mpi.run(2, mpi.compile("requests.c", "-pthread")))
    with otf2.reader.open(str(trace.folder / "traces.otf2")) as archive:
        assert archive.definitions.locations
        read = sum(1 for _ in archive.events)
        announced = sum(location.number_of_events for location in archive.definitions.locations)
    events = trace.events()
    probes = sum(event[2] == "probe" for event in events)  # OTF2 3.0 knows neither these nor what receives their messages
    assert read == len(events) or len(events) - 2 * probes < read < len(events) - probes
    assert len(events) == announced
