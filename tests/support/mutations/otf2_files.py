"""The files of an OTF2 archive as records that can be dropped, reordered and rewritten, and put together again.

The OTF2 library refuses to write what a fault campaign needs (parents in a circle, references to nothing, times that go
backwards), and it must not be trusted to read it. So this reads and writes the bytes: a file is a sequence of chunks of
one size; a chunk opens with a header (3, byte order, numbers of its first and last event) and ends with an end mark; a
record is a type, a length (255: the next 8 bytes) and that many bytes. A time stamp stands before an event only where
the time changes, so an event is kept here with its own time, and the stamps are made anew on writing.

Invariant, tested on all recorded traces: reading and writing gives the same bytes.
"""
import struct
from dataclasses import dataclass, field, replace

END_OF_CHUNK, END_OF_FILE, CHUNK, TIMESTAMP, ATTRIBUTES = 0, 2, 3, 5, 6
HEADER = 18
UNDEFINED = b"\xff"

# Event records of one number: without a length, the number's own byte count stands in its place.
ONE_NUMBER = {12, 13, 16, 17, 20, 21, 24, 28, 29, 30}
ENTER, LEAVE, COLLECTIVE_END = 12, 13, 23
SENDS, RECEIVES = {14, 15}, {18, 19}
# Of some event records, the bytes and numbers before the first reference to a definition: n a number, b a byte.
REFERENCE_IN_EVENT = {ENTER: "", LEAVE: "", 14: "n", 15: "n", 18: "n", 19: "n", COLLECTIVE_END: "b", 35: "", 36: "",
                      46: "", 47: "", 49: "", 50: "", 55: "", 56: "", 87: "", 88: ""}

# Fields of definition records: = own number, r reference to another definition, p parent of the same kind, n number,
# b byte, * the rest. Local files have the same records from 10 on.
DEFINITIONS = {
    10: "=*", 11: "=rbr*", 12: "=rrp", 13: "=rbr|r*", 14: "=rbnr", 15: "=rrbrnn|r*", 16: "=rnrr", 17: "=pr", 18: "=rb*",
    19: "=rr*", 20: "=*", 21: "=rr*", 22: "=rrp|n", 23: "=rb", 24: "=rr|n", 26: "rr*", 27: "rb", 28: "rr*", 29: "rr*",
    30: "=r*", 31: "=rr*", 33: "=rn", 34: "=rrp", 35: "rr*", 38: "=rr", 39: "=rr", 40: "=rrb*"}
STRING, SYSTEM_NODE, PROCESS, LOCATION, CALL_PATH, METRIC_INSTANCE, COMM = 10, 12, 13, 14, 17, 21, 22
CALLING_CONTEXT, IO_HANDLE = 34, 40


class Damaged(Exception):
    """The bytes are no file of records."""


@dataclass
class Event:
    time: int
    lists: bytes  # attribute list records before it, whole
    type: int
    body: bytes  # without type and length; for ONE_NUMBER with the byte count


@dataclass
class Definition:
    type: int
    body: bytes
    length: int | None = None  # the length to write if it is not the true one


@dataclass
class Chunk:
    records: list = field(default_factory=list)
    tail: bytes = b""  # from the end mark on: everything for the last chunk, else only the mark


@dataclass
class File:
    big_endian: bool
    chunk_size: int
    events: bool
    chunks: list
    end: int  # offset of the end mark of the file: bytes behind it mean nothing

    def copy(self):
        return replace(self, chunks=[Chunk([replace(r) for r in c.records], c.tail) for c in self.chunks])

    def records(self):
        return [record for chunk in self.chunks for record in chunk.records]


def number(data, at, big_endian):
    """The compressed number there and the place behind it."""
    size = data[at]
    if size == 255:
        return None, at + 1
    return int.from_bytes(data[at + 1:at + 1 + size], "big" if big_endian else "little"), at + 1 + size


def compressed(value, big_endian=False):
    size = (value.bit_length() + 7) // 8
    return bytes([size]) + value.to_bytes(size, "big" if big_endian else "little")


def length_bytes(length, big_endian):
    return bytes([length]) if length < 255 else b"\xff" + struct.pack(">Q" if big_endian else "<Q", length)


def fields(record, big_endian):
    """(kind, offset, length) of each field of a definition that the table above knows."""
    found, at = [], 0
    for kind in DEFINITIONS.get(record.type, ""):
        if kind == "*" or (kind == "|" and at == len(record.body)):
            break
        if kind == "|":
            continue
        behind = at + 1 if kind == "b" else number(record.body, at, big_endian)[1]
        found.append((kind, at, behind - at))
        at = behind
    return found


def parse(data, chunk_size, events):
    chunks, big_endian, end = [], data[1:2] == b"\x23", None
    for begin in range(0, len(data), chunk_size):
        chunk, at = Chunk(), begin + HEADER
        if data[begin:begin + 1] != bytes([CHUNK]):
            raise Damaged("a chunk without a header")
        time, lists = 0, b""
        while data[at] not in (END_OF_CHUNK, END_OF_FILE):
            kind = data[at]
            if kind == TIMESTAMP and events:
                time = int.from_bytes(data[at + 1:at + 9], "big" if big_endian else "little")
                at += 9
                continue
            if events and kind in ONE_NUMBER:
                behind = number(data, at + 1, big_endian)[1]
                chunk.records.append(Event(time, lists, kind, data[at + 1:behind]))
                at, lists = behind, b""
                continue
            length, body = data[at + 1], at + 2
            if length == 255:
                length, body = int.from_bytes(data[body:body + 8], "big" if big_endian else "little"), body + 8
            if events and kind == ATTRIBUTES:
                lists += data[at:body + length]
            elif events:
                chunk.records.append(Event(time, lists, kind, data[body:body + length]))
                lists = b""
            else:
                chunk.records.append(Definition(kind, data[body:body + length]))
            at = body + length
        chunks.append(chunk)
        if data[at] == END_OF_FILE:
            chunk.tail, end = data[at:], at
            break
        chunk.tail = data[at:at + 1]
    if end is None:
        raise Damaged("no end mark")
    return File(big_endian, chunk_size, events, chunks, end)


def unparse(file, stale_numbers=False):
    """The bytes of a file. Chunks that have become longer than a chunk may be lose their last records."""
    order, out, first = ">Q" if file.big_endian else "<Q", b"", 1
    for i, chunk in enumerate(file.chunks):
        body, time, count = bytearray(), None, 0
        room = file.chunk_size - HEADER - len(chunk.tail)
        for record in chunk.records:
            piece = b""
            if file.events:
                if record.time != time:
                    piece += bytes([TIMESTAMP]) + struct.pack(order, record.time)
                piece += record.lists + bytes([record.type])
                if record.type not in ONE_NUMBER:
                    piece += length_bytes(len(record.body), file.big_endian)
            else:
                length = len(record.body) if record.length is None else record.length
                piece += bytes([record.type]) + length_bytes(length, file.big_endian)
            if len(body) + len(piece) + len(record.body) > room:
                break
            body += piece + record.body
            count += 1
            time = getattr(record, "time", None)
        numbers = (first, first + count - 1) if file.events and not stale_numbers else (1, 0)
        piece = bytes([CHUNK, 0x23 if file.big_endian else 0x42]) + struct.pack(order, numbers[0]) + \
            struct.pack(order, numbers[1]) + bytes(body) + chunk.tail
        out += piece.ljust(file.chunk_size, b"\0") if i + 1 < len(file.chunks) else piece
        first += count
    return out


@dataclass
class Anchor:
    """The places in an anchor file that matter: chunk sizes, and the numbers of locations and definitions."""
    event_chunk_size: int
    definition_chunk_size: int
    big_endian: bool
    sizes_at: int = 12
    counts_at: int = 30

    @classmethod
    def read(cls, data):
        big_endian = data[1] == 0x23
        event_chunk_size, definition_chunk_size = struct.unpack_from(">QQ" if big_endian else "<QQ", data, 12)
        return cls(event_chunk_size, definition_chunk_size, big_endian)

    def definitions(self, data):
        return struct.unpack_from(">Q" if self.big_endian else "<Q", data, self.counts_at + 8)[0]

    def with_definitions(self, data, count):
        packed = struct.pack(">Q" if self.big_endian else "<Q", count)
        return data[:self.counts_at + 8] + packed + data[self.counts_at + 16:]
