"""An archive that mutations are made of, and a mutant: the files in which it differs."""
import os
from dataclasses import dataclass

from . import otf2_files as otf2
from .otf2_files import compressed

NO_FILES = ["folder", "pipe", "link to nothing", "link to itself", "link to /dev/zero"]
NOWHERE = 0x00FFFFF1  # a number that no definition has
HUGE = [0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFE, 0x7FFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFE]


@dataclass
class Mutant:
    files: dict  # name of the file in the trace's folder -> its bytes; None if it is gone; a word of NO_FILES
    what: str
    must_tell: bool = False


class Trace:
    """The files of an archive, by name relative to its folder, and the records in them."""

    def __init__(self, folder):
        self.folder = folder
        self.anchor = next(folder.glob("*.otf2")).name
        base = self.anchor.rsplit(".", 1)[0]
        inside = sorted(p for p in (folder / base).iterdir() if p.suffix in (".evt", ".def"))
        paths = [folder / self.anchor, folder / f"{base}.def", *inside]
        self.bytes = {str(p.relative_to(folder)): p.read_bytes() for p in paths}
        self.names = list(self.bytes)
        self.definitions = f"{base}.def"
        self.events = [n for n in self.names if n.endswith(".evt")]
        self.local = [n for n in self.names if n.endswith(".def") and n != self.definitions]
        self.sizes = otf2.Anchor.read(self.bytes[self.anchor])
        self.parsed = {}

    def file(self, name):
        """The records of that file, to be changed."""
        if name not in self.parsed:
            events = name.endswith(".evt")
            size = self.sizes.event_chunk_size if events else self.sizes.definition_chunk_size
            self.parsed[name] = otf2.parse(self.bytes[name], size, events)
        return self.parsed[name].copy()

    def end(self, name):
        """The offset behind which a cut takes nothing away."""
        if name == self.anchor:
            return len(self.bytes[name]) - 3
        self.file(name)
        return self.parsed[name].end

    def kind(self, name):
        return ("anchor" if name == self.anchor else "definitions" if name == self.definitions else name[-4:])

    def announced(self):
        """Number of a location -> (its definition's index, how many events it is said to have)."""
        file, found = self.file(self.definitions), {}
        for i, record in enumerate(file.records()):
            if record.type == otf2.LOCATION:
                at = otf2.fields(record, file.big_endian)
                value = [otf2.number(record.body, offset, file.big_endian)[0] for kind, offset, _ in at if kind in "=n"]
                found[value[0]] = (i, value[1])
        return found

    def with_announced(self, counts):
        """The definitions with other numbers of events of locations."""
        file, announced = self.file(self.definitions), self.announced()
        records = file.records()
        for location, count in counts.items():
            record = records[announced[location][0]]
            _, offset, length = next(f for f in otf2.fields(record, file.big_endian) if f[0] == "n")
            record.body = record.body[:offset] + compressed(count, file.big_endian) + record.body[offset + length:]
        return otf2.unparse(file)


def write(path, content):
    """A file of a mutant."""
    if content == "folder":
        path.mkdir()
    elif content == "pipe":
        os.mkfifo(path)
    elif isinstance(content, str):
        path.symlink_to({"link to nothing": "nothing", "link to itself": path.name}.get(content, "/dev/zero"))
    elif content is not None:
        path.write_bytes(content)


def location_of(name):
    return int(name.rsplit("/", 1)[1][:-4])
