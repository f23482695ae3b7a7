"""Mutations of definition records: gone, in another order, without what they refer to, huge, their own ancestors."""
from . import otf2_files as otf2
from .archive import HUGE, NOWHERE, Mutant
from .otf2_files import Definition, compressed


def definitions_dropped(trace, rng, turn):
    file = trace.file(trace.definitions)
    mended = rng.random() < 0.5
    way, share = rng.choice(["share", "one", "kind"]), rng.choice([0.01, 0.03, 0.05])
    records = file.records()
    victim, kind = rng.randrange(len(records)), rng.choice(sorted({r.type for r in records}))
    kept = [r for i, r in enumerate(records)
            if not {"share": rng.random() < share, "one": i == victim, "kind": r.type == kind}[way]]
    file.chunks[0].records, dropped = kept, len(records) - len(kept)
    files = {trace.definitions: otf2.unparse(file)}
    if mended:
        files[trace.anchor] = trace.sizes.with_definitions(trace.bytes[trace.anchor], len(kept))
    what = f"{dropped} definitions dropped ({way})"
    return Mutant(files, what + (", announced so" if mended else ""), dropped != 0 and not mended)


def definitions_reordered(trace, rng, turn):
    file = trace.file(trace.definitions)
    rng.shuffle(file.chunks[0].records)
    return Mutant({trace.definitions: otf2.unparse(file)}, "the definitions in another order")


def definitions_to_nowhere(trace, rng, turn):
    file = trace.file(trace.definitions)
    count, done, tell = rng.choice([1, 1, 5, 50]), 0, False
    records = file.records()
    for record in rng.sample(records, len(records)):
        able = [f for f in otf2.fields(record, file.big_endian) if f[0] in "rp=" and record.type != otf2.STRING]
        if not able or done == count:
            continue
        kind, at, length = rng.choice(able)  # with its own number changed, others refer to it in vain
        tell |= kind != "="
        record.body = record.body[:at] + compressed(NOWHERE, file.big_endian) + record.body[at + length:]
        done += 1
    return Mutant({trace.definitions: otf2.unparse(file)}, f"{done} definitions refer to nothing", tell)


def definition_sizes(trace, rng, turn):
    """A number, a count or the length of a definition is huge."""
    name = rng.choice([trace.definitions, trace.definitions, rng.choice(trace.local)])
    file = trace.file(name)
    records = file.records()
    if not records:
        return Mutant({}, "no definitions there")
    record, huge = rng.choice(records), rng.choice(HUGE)
    if rng.random() < 0.2:
        record.length = max(huge, len(file.records()) * 1000 + 0xFFFF)
        return Mutant({name: otf2.unparse(file)}, f"a definition of {record.length} bytes in {name}", True)
    if rng.random() < 0.1:
        file.chunks[0].records.append(Definition(otf2.STRING, compressed(NOWHERE) + b"x" * 150000 + b"\0"))
        return Mutant({name: otf2.unparse(file)}, f"a text of 150000 bytes in {name}")
    able = otf2.fields(record, file.big_endian)
    behind = able[-1][1] + able[-1][2] if able else rng.randrange(2)  # number of members of a group
    places = [at for kind, at, _ in able if kind != "b"] + [behind, behind]
    at = rng.choice([p for p in places if p < len(record.body)] or [0])
    record.body = record.body[:at] + compressed(huge, file.big_endian) + \
        record.body[otf2.number(record.body, at, file.big_endian)[1]:]
    return Mutant({name: otf2.unparse(file)}, f"{huge} in a definition of type {record.type} in {name}")


def parents_in_a_circle(trace, rng, turn):
    """Definitions with parents, alone, in pairs or in a long chain; closed to a circle or not."""
    file = trace.file(trace.definitions)
    length, closed = rng.choice([1, 2, 3, 5000]), rng.random() < 0.8
    kind = rng.choice([otf2.SYSTEM_NODE, otf2.PROCESS, otf2.CALL_PATH, otf2.COMM, otf2.CALLING_CONTEXT,
                       otf2.METRIC_INSTANCE, otf2.IO_HANDLE])
    first = 0x00400000

    def one(own, parent):
        own, parent = compressed(own), compressed(parent) if parent is not None else otf2.UNDEFINED
        return {otf2.SYSTEM_NODE: own + b"\0\0" + parent, otf2.PROCESS: own + b"\0\1\0" + parent,
                otf2.CALL_PATH: own + parent + b"\0", otf2.COMM: own + b"\0\0" + parent + b"\0",
                otf2.CALLING_CONTEXT: own + b"\0" + otf2.UNDEFINED + parent,
                otf2.METRIC_INSTANCE: own + parent + b"\0\1\0",
                otf2.IO_HANDLE: own + b"\0" + otf2.UNDEFINED + b"\0\0" + otf2.UNDEFINED + parent}[kind]

    records = [Definition(kind, one(first + i, first + (i + 1) % length if closed or i + 1 < length else None))
               for i in range(length)]
    existing = [r for r in file.records()
                if r.type == kind and any(f[0] == "p" for f in otf2.fields(r, file.big_endian))]
    if existing and rng.random() < 0.5:  # used definitions hang below it
        for record in existing:
            _, at, size = next(f for f in otf2.fields(record, file.big_endian) if f[0] == "p")
            record.body = record.body[:at] + compressed(first) + record.body[at + size:]
    file.chunks[0].records += records
    what = f"{length} definitions of type {kind} {'in a circle' if closed else 'in a chain'}"
    tell = closed and kind not in (otf2.PROCESS, otf2.METRIC_INSTANCE)  # creators, classes: nobody's ancestors
    return Mutant({trace.definitions: otf2.unparse(file)}, what, tell)


def clocks(trace, rng, turn):
    """Timer resolutions and clock offsets at the limits."""
    extreme = [0, 1, 1 << 31, 1 << 62, 1 << 63, (1 << 64) - 1]
    files = {}
    if rng.random() < 0.5:
        file = trace.file(trace.definitions)
        for record in file.records():
            if record.type == 5:
                record.body = b"".join(compressed(rng.choice(extreme)) for _ in range(4))
        files[trace.definitions] = otf2.unparse(file)
    else:
        for name in rng.sample(trace.local, rng.randrange(1, len(trace.local) + 1)):
            file = trace.file(name)
            for record in file.records():
                if record.type == 6 and rng.random() < 0.7:
                    time, offset = rng.choice(extreme), rng.choice(extreme)
                    record.body = time.to_bytes(8, "little") + compressed(offset) + bytes(8)
            files[name] = otf2.unparse(file)
    return Mutant(files, f"extreme clocks in {', '.join(files)}")
