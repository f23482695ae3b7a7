"""The model against the events that OTF2's own Python module reads from the same archives.

Nothing of this package decides what is expected: types, times and attributes are OTF2's, stacks and messages are worked
out here from its records, each location by itself.
"""
import collections
import re

import otf2
import pytest
import waitstate

ARCHIVES = ["p2p/traces.otf2", "coll/traces.otf2", "hybrid/traces.otf2", "hybrid_tasks/traces.otf2", "rma/traces.otf2",
            "shmem/traces.otf2", "lammps/traces.otf2"]
RENAMED = {"Leave": "exit", "MpiCollectiveBegin": "collective_begin", "MpiCollectiveEnd": "collective_end",
           "MpiIrecvRequest": "irecv_request", "MpiIsendComplete": "isend_complete"}
RENAMED_ATTRIBUTES = {"communicator": "com", "msg_tag": "tag", "msg_length": "len", "request_id": "request",
                      "exit_status": "status", "number_of_requested_threads": "requested", "lock_id": "lock",
                      "acquisition_order": "order", "bytes": "bytes", "matching_id": "match", "win": "win",
                      "region": "region", "size_sent": "sent", "size_received": "received", "bytes_sent": "sent",
                      "bytes_received": "received", "thread_team": "team"}


def type_name(event):
    name = type(event).__name__
    return RENAMED.get(name) or re.sub(r"(?<!^)(?=[A-Z])", "_", re.sub("^Mpi", "", name)).lower().replace(
        "non_blocking", "nonblocking")


class Recorded:
    """One record of the archive, with the links that follow from what its location recorded before it."""

    def __init__(self, event, location):
        self.event, self.type, self.time, self.location = event, type_name(event), event.time, location
        self.enter = self.send = None


def read(path):
    """The records of an archive by location, linked."""
    by_location = collections.defaultdict(list)
    with otf2.reader.open(str(path)) as archive:
        for location, event in archive.events:
            by_location[location._ref].append(Recorded(event, location))
        channels = collections.defaultdict(lambda: ([], []))
        for records in by_location.values():
            stack = own = []
            tasks = collections.defaultdict(list)  # regions open in each: tied tasks, which stay on their thread
            for record in records:
                if record.type == "thread_task_switch":  # generation 0: outside of explicit tasks
                    event = record.event
                    task = event.thread_team, event.creating_thread, event.generation_number
                    stack = tasks[task] if event.generation_number else own
                elif record.type == "thread_task_complete":
                    stack = own
                record.enter = stack[-1] if stack else None
                if record.type in ("enter", "program_begin"):
                    stack.append(record)
                elif record.type in ("exit", "program_end") and stack:
                    stack.pop()
                event = record.event
                me = record.location.group
                if record.type in ("send", "isend"):
                    to = event.communicator.group.members[event.receiver].group
                    channels[event.communicator, me, to, event.msg_tag][0].append(record)
                elif record.type in ("recv", "irecv"):
                    source = event.communicator.group.members[event.sender].group
                    channels[event.communicator, source, me, event.msg_tag][1].append(record)
        for sends, receives in channels.values():
            for send, receive in zip(sends, receives):
                receive.send = send
        rank = {"send": "receiver", "isend": "receiver", "recv": "sender", "irecv": "sender"}
        for records in by_location.values():
            for record in records:
                if record.type in rank:
                    event = record.event
                    record.peer = event.communicator.group.members[getattr(event, rank[record.type])]._ref
    return by_location


@pytest.mark.parametrize("archive", ARCHIVES)
def test_events_are_those_of_the_archive(traces, archive):
    trace = waitstate.EventTrace(traces / archive)
    expected = read(traces / archive)
    assert len(trace) == sum(map(len, expected.values())) > 300
    number_of, checked = {}, collections.Counter()
    found = collections.defaultdict(list)
    for event in trace:
        record = expected[event.loc.ref][len(found[event.loc.ref])]
        found[event.loc.ref].append(event)
        number_of[record] = event.pos
        assert (event.type, event.time) == (record.type, record.time), event
        for name, value in vars(record.event).items():
            ours = RENAMED_ATTRIBUTES.get(name)
            if ours is None or name == "attributes" or value is None:
                continue
            if isinstance(value, int):
                assert event[ours] == value, (name, event)
            elif ours == "region":
                assert event.region == value.name, event
            else:
                assert event[ours].ref == value._ref, (name, event)
            checked[ours] += 1
        if hasattr(record, "peer"):
            assert event["dest" if "send" in record.type else "src"].ref == record.peer, event
    assert checked["region"] > 100
    for records in expected.values():
        for record in records:
            event = trace.event(number_of[record])
            assert event.enterptr == (number_of[record.enter] if record.enter else None), event
            if record.type in ("recv", "irecv"):
                assert event.sendptr == (number_of[record.send] if record.send else None), event
                assert record.send is None or event.sendptr < event.pos


@pytest.mark.parametrize("archive", ARCHIVES)
def test_definitions_are_those_of_the_archive(traces, archive):
    trace = waitstate.EventTrace(traces / archive)
    with otf2.reader.open(str(traces / archive)) as recorded:
        definitions = recorded.definitions
        assert trace.clock.resolution == definitions.clock_properties.timer_resolution
        assert {location.ref: location.name for location in trace.locations} == {
            location._ref: location.name for location in definitions.locations}
        assert {region.name for region in trace.regions} == {region.name for region in definitions.regions}
        ours = {comm.ref: comm for comm in trace.communicators}
        for comm in definitions.comms:
            members = [getattr(member, "_ref", None) for member in comm.group.members]
            if comm.group.group_type == otf2.GroupType.COMM_GROUP:
                assert [location.ref for location in ours[comm._ref].members] == members, comm.name
