"""Reads Perfetto's wire format as far as a timeline of ours has it, without a protobuf library, and checks its rules: each
track is defined before it is used and lies below the root, names are interned before they are used, every slice ends and
nests on its track, each flow has one start and one end and does not go back in time. A field that is not known is an error.

The format's definition is named in src/export/perfetto/track_events.hpp; nothing here comes from there.
"""
import gc
import gzip
import struct
from dataclasses import dataclass, field

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


class FormatError(Exception):
    pass


def fields(data):
    """Yields (number, wire type, value) of a message."""
    at, end = 0, len(data)

    def varint():
        nonlocal at
        if at < end and data[at] < 0x80:  # nearly all
            at += 1
            return data[at - 1]
        value = shift = 0
        while True:
            if at >= end or shift > 63:
                raise FormatError("a number ends behind its message")
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < end:
        key = varint()
        number, wire = key >> 3, key & 7
        if wire == VARINT:
            yield number, wire, varint()
        elif wire == BYTES:
            size = varint()
            if at + size > end:
                raise FormatError("a field ends behind its message")
            yield number, wire, data[at : at + size]
            at += size
        elif wire == FIXED64:
            if at + 8 > end:
                raise FormatError("a field ends behind its message")
            yield number, wire, data[at : at + 8]
            at += 8
        else:
            raise FormatError(f"wire type {wire} of field {number}")


def signed(value):
    return value - (1 << 64) if value >> 63 else value


# The fields of each message: number -> (name, how it is read); a name with * may come several times.
def text(value):
    return value.decode("utf-8")


def fixed(value):
    return struct.unpack("<Q", value)[0]


def real(value):
    return struct.unpack("<d", value)[0]


COUNTER = {3: ("unit", VARINT, int), 6: ("unit_name", BYTES, text)}
TRACK = {1: ("uuid", VARINT, int), 2: ("name", BYTES, text), 5: ("parent", VARINT, int), 8: ("counter", BYTES, bytes),
         11: ("child_ordering", VARINT, int), 12: ("order", VARINT, signed), 14: ("description", BYTES, text),
         15: ("merge", VARINT, int)}
ANNOTATION = {1: ("name_iid", VARINT, int), 3: ("value", VARINT, int), 4: ("value", VARINT, signed), 5: ("value", FIXED64, real),
              6: ("value", BYTES, text)}
EVENT = {3: ("*categories", VARINT, int), 4: ("*annotations", BYTES, bytes), 9: ("type", VARINT, int), 10: ("name_iid", VARINT, int),
         11: ("track", VARINT, int), 30: ("value", VARINT, signed), 44: ("value", FIXED64, real), 47: ("*flows", FIXED64, fixed),
         48: ("*ends_flows", FIXED64, fixed), 52: ("correlation", VARINT, int)}
INTERNED = {1: ("*categories", BYTES, bytes), 2: ("*names", BYTES, bytes), 3: ("*keys", BYTES, bytes)}
INTERNED_NAME = {1: ("iid", VARINT, int), 2: ("name", BYTES, text)}
PACKET = {8: ("time", VARINT, int), 10: ("sequence", VARINT, int), 11: ("event", BYTES, bytes), 12: ("interned", BYTES, bytes),
          13: ("flags", VARINT, int), 60: ("track", BYTES, bytes)}
CLEARED, NEEDS = 1, 2
BEGIN, END, INSTANT, COUNT = 1, 2, 3, 4


def message(data, known):
    found = {name[1:]: [] for name, _, _ in known.values() if name[0] == "*"}
    for number, wire, value in fields(data):
        if number not in known:
            raise FormatError(f"unknown field {number}")
        name, expected, read = known[number]
        if wire != expected:
            raise FormatError(f"field {number} ({name}) has wire type {wire}")
        if name[0] == "*":
            found[name[1:]].append(read(value))
        elif name in found:
            raise FormatError(f"field {number} ({name}) comes twice")
        else:
            found[name] = read(value)
    return found


@dataclass
class Track:
    uuid: int
    name: str
    parent: "Track"
    order: int
    description: str
    is_counter: bool
    unit: str

    def path(self):
        return (self.parent.path() if self.parent else ()) + (self.name,)


class Messages:
    """Decodes messages of one kind, most of which are equal to an earlier one: a million packets have some thousand events."""

    def __init__(self, known):
        self._known, self._seen = known, {}

    def __call__(self, data):
        found = self._seen.get(data)
        if found is None:
            found = self._seen[data] = message(data, self._known)
        return found


@dataclass(slots=True)
class Item:
    """A slice, an instant or the value of a counter."""
    track: Track
    time: int
    name: str = ""
    categories: tuple = ()
    annotations: dict = field(default_factory=dict)
    end: int = None
    depth: int = 0
    flows: tuple = ()
    ends_flows: tuple = ()
    correlation: int = None
    value: float = None

    @property
    def duration(self):
        return self.end - self.time


class Timeline:
    def __init__(self, path):
        gc.disable()  # millions of objects that all stay: looking for garbage among them takes a third of the time
        try:
            self._read(path)
        finally:
            gc.enable()

    def _read(self, path):
        data = path.read_bytes()
        self.compressed = data[:2] == b"\x1f\x8b"
        self.data = gzip.decompress(data) if self.compressed else data
        self.tracks, self.packets = {}, 0
        self._event_of, self._annotation_of = Messages(EVENT), Messages(ANNOTATION)
        events = []
        sequences = {}
        for number, wire, packet in fields(self.data):
            if (number, wire) != (1, BYTES):
                raise FormatError(f"field {number} of the trace")
            self.packets += 1
            p = message(packet, PACKET)
            if "track" in p:
                self._add_track(message(p["track"], TRACK))
            if "event" in p:
                events.append(self._event(p, sequences))
        events.sort(key=lambda e: e[0].time)  # sort() keeps the order of the file at one time
        self._nest(events)
        self._check_flows()

    def _add_track(self, t):
        if t["uuid"] in self.tracks or t["uuid"] == 0:
            raise FormatError(f"track {t['uuid']} is defined twice")
        if t.get("parent", 0) and t["parent"] not in self.tracks:
            raise FormatError(f"track {t['uuid']} is defined before its parent")
        if not t.get("parent") and self.tracks:
            raise FormatError("there are two roots")
        if t["child_ordering"] != 3 or t["merge"] != 2:
            raise FormatError("a track has no explicit order, or is merged with others")
        counter = message(t["counter"], COUNTER) if "counter" in t else {}
        self.tracks[t["uuid"]] = Track(t["uuid"], t["name"], self.tracks.get(t.get("parent")), t["order"],
                                       t.get("description", ""), "counter" in t, counter.get("unit_name", ""))

    def _event(self, p, sequences):
        names = sequences.setdefault(p["sequence"], None)
        if p["flags"] & CLEARED:
            names = sequences[p["sequence"]] = {"categories": {}, "names": {}, "keys": {}}
        if names is None or not p["flags"] & NEEDS:
            raise FormatError(f"sequence {p['sequence']} does not say that it begins")
        if "interned" in p:
            for kind, entries in message(p["interned"], INTERNED).items():
                for entry in entries:
                    e = message(entry, INTERNED_NAME)
                    if e["iid"] == 0 or e["iid"] in names[kind]:
                        raise FormatError(f"number {e['iid']} is interned twice")
                    names[kind][e["iid"]] = e["name"]
        e = self._event_of(p["event"])
        if e["track"] not in self.tracks:
            raise FormatError(f"track {e['track']} is used before it is defined")

        def interned(kind, iid):
            if iid not in names[kind]:
                raise FormatError(f"number {iid} of {kind} is used before it is interned")
            return names[kind][iid]

        annotations = {}
        for data in e["annotations"]:
            a = self._annotation_of(data)
            key = interned("keys", a["name_iid"])
            if key in annotations:
                raise FormatError(f"annotation '{key}' comes twice")
            annotations[key] = a["value"]
        item = Item(self.tracks[e["track"]], p["time"], interned("names", e["name_iid"]) if "name_iid" in e else "",
                    tuple(interned("categories", c) for c in e["categories"]), annotations, flows=tuple(e["flows"]),
                    ends_flows=tuple(e["ends_flows"]), correlation=e.get("correlation"), value=e.get("value"))
        return item, e["type"]

    def _nest(self, events):
        self.slices, self.instants, self.counters = [], [], []
        open_slices = {}
        for item, kind in events:
            if (kind == COUNT) != item.track.is_counter:
                raise FormatError(f"an event of type {kind} is on track '{item.track.name}'")
            if kind == BEGIN:
                stack = open_slices.setdefault(item.track.uuid, [])
                item.depth = len(stack)
                stack.append(item)
                self.slices.append(item)
            elif kind == END:
                if not open_slices.get(item.track.uuid):
                    raise FormatError(f"an end without a begin on track '{item.track.name}'")
                begin = open_slices[item.track.uuid].pop()
                begin.end = item.time
                begin.annotations.update(item.annotations)
            elif kind == INSTANT:
                self.instants.append(item)
            elif kind == COUNT:
                self.counters.append(item)
            else:
                raise FormatError(f"an event of type {kind}")
        for stack in open_slices.values():
            if stack:
                raise FormatError(f"'{stack[-1].name}' does not end")

    def _check_flows(self):
        self.flows = {}
        for item in self.slices + self.instants:
            for flow in item.flows:
                if flow in self.flows and self.flows[flow][0]:
                    raise FormatError(f"flow {flow} begins twice")
                self.flows.setdefault(flow, [None, None])[0] = item
            for flow in item.ends_flows:
                if flow in self.flows and self.flows[flow][1]:
                    raise FormatError(f"flow {flow} ends twice")
                self.flows.setdefault(flow, [None, None])[1] = item
            if len(item.flows) + len(item.ends_flows) > 1:
                raise FormatError(f"'{item.name}' has several flows")
        for flow, (start, end) in self.flows.items():
            if start is None or end is None:
                raise FormatError(f"flow {flow} has no start or no end")
            if end.time < start.time:
                raise FormatError(f"flow {flow} goes back in time")

    def of(self, category):
        """Slices and instants of a category."""
        return [i for i in self.slices + self.instants if category in i.categories]

    def regions(self):
        """The slices of region instances."""
        return [s for s in self.slices if not {"wait", "critical path"} & set(s.categories)]
