"""Mutations of event records: gone, in another order, at impossible times, of impossible sizes, without a region."""
from . import otf2_files as otf2
from .archive import HUGE, NOWHERE, Mutant, location_of
from .otf2_files import Event, compressed


def balance(file):
    """The sum that a mutation must keep: enters less exits."""
    records = file.records()
    return sum((r.type == otf2.ENTER) - (r.type == otf2.LEAVE) for r in records)


def messages(file):
    records = file.records()
    return sum((r.type in otf2.SENDS) - (r.type in otf2.RECEIVES) for r in records)


def events_dropped(trace, rng, turn):
    names = trace.events if rng.random() < 0.4 else [rng.choice(trace.events)]
    share = rng.choice([0.01, 0.03, 0.05])
    way = rng.choice(["share", "share", "one", "kind"])
    mended = rng.random() < 0.5  # the definitions announce as many as are left
    files, counts, tell, surplus, dropped = {}, {}, False, 0, 0
    announced = trace.announced()
    only = rng.choice(sorted({r.type for r in trace.file(names[0]).records()} or {0}))
    for name in names:
        file = trace.file(name)
        before, entered, queued = len(file.records()), balance(file), messages(file)
        victim = rng.randrange(max(before, 1))
        at = 0
        for chunk in file.chunks:
            kept = []
            for record in chunk.records:
                drop = {"share": rng.random() < share, "one": at == victim, "kind": record.type == only}[way]
                at += 1
                if not drop:
                    kept.append(record)
            chunk.records = kept
        left = len(file.records())
        if left == before:
            continue
        dropped += before - left
        files[name] = otf2.unparse(file, stale_numbers=rng.random() < 0.2)
        counts[location_of(name)] = left
        tell |= balance(file) != entered
        surplus += messages(file) - queued
        tell |= not mended and announced[location_of(name)][1] == before
    if mended and files:
        files[trace.definitions] = trace.with_announced(counts)
    what = f"{dropped} events dropped ({way}) of {', '.join(n for n in files if n in names)}"
    return Mutant(files, what + (", announced so" if mended else ""), tell or surplus != 0)


def events_reordered(trace, rng, turn):
    name = rng.choice(trace.events)
    file = trace.file(name)
    keep_times = rng.random() < 0.3
    chunk = rng.choice([c for c in file.chunks if c.records] or file.chunks)
    records = chunk.records
    if not records:
        return Mutant({}, "nothing to reorder")
    at = rng.randrange(len(records))
    piece = records[at:at + rng.choice([2, 3, 10, 100, len(records)])]
    times = [r.time for r in piece]
    rng.shuffle(piece)
    if keep_times:
        for record, time in zip(piece, times):
            record.time = time
    records[at:at + len(piece)] = piece
    after = [r.time for r in records]
    # A difference of a few ticks may vanish where clocks are corrected.
    tell = any(b + 100 < a for a, b in zip(after, after[1:]))
    how = "contents" if keep_times else "events"
    return Mutant({name: otf2.unparse(file)}, f"{len(piece)} {how} from {at} of {name} in another order", tell)


def event_times(trace, rng, turn):
    files = {}
    for name in trace.events if rng.random() < 0.3 else [rng.choice(trace.events)]:
        file = trace.file(name)
        records = file.records()
        for record in rng.sample(records, min(len(records), rng.choice([1, 2, 10]))):
            record.time = rng.choice([0, 1, 1 << 62, 1 << 63, (1 << 64) - 1, record.time ^ (1 << rng.randrange(64))])
        files[name] = otf2.unparse(file)
    return Mutant(files, f"extreme times in {', '.join(files)}")


def last_times(trace, rng, turn):
    """A flipped bit puts the last event of a location hours to centuries behind the end of the run."""
    name = trace.events[turn % len(trace.events)]
    file, bit = trace.file(name), 44 + rng.randrange(20)
    records = file.records()
    if not records:
        return Mutant({}, "no event")
    later = not records[-1].time >> bit & 1
    records[-1].time ^= 1 << bit
    return Mutant({name: otf2.unparse(file)}, f"bit {bit} of the last time in {name}", later)


def events_to_nowhere(trace, rng, turn):
    name = rng.choice(trace.events)
    file = trace.file(name)
    able = [r for r in file.records() if r.type in otf2.REFERENCE_IN_EVENT]
    changed = rng.sample(able, min(len(able), rng.choice([1, 1, 5, 50])))
    for record in changed:
        at = 0
        for kind in otf2.REFERENCE_IN_EVENT[record.type]:
            at = at + 1 if kind == "b" else otf2.number(record.body, at, file.big_endian)[1]
        behind = otf2.number(record.body, at, file.big_endian)[1]
        record.body = record.body[:at] + compressed(NOWHERE, file.big_endian) + record.body[behind:]
    return Mutant({name: otf2.unparse(file)}, f"{len(changed)} events of {name} refer to nothing", bool(changed))


def event_sizes(trace, rng, turn):
    """A record's length, or a number in it, is huge."""
    name = rng.choice(trace.events)
    file = trace.file(name)
    records = [r for r in file.records() if r.type not in otf2.ONE_NUMBER and r.body]
    if not records:
        return Mutant({}, "no event with a length")
    record, huge = rng.choice(records), rng.choice(HUGE)
    if rng.random() < 0.4:  # an attribute list that is longer than everything, or has more attributes than bytes
        body = compressed(huge, file.big_endian) + b"\1\1\6\2"
        length = rng.choice([len(body), 255, huge])
        record.lists = bytes([otf2.ATTRIBUTES]) + otf2.length_bytes(length, file.big_endian) + body
        return Mutant({name: otf2.unparse(file)}, f"an attribute list of {huge} in {name}", True)
    at = 0
    for _ in range(rng.randrange(4)):
        behind = otf2.number(record.body, at, file.big_endian)[1]
        if behind < len(record.body) and record.body[behind] in (*range(9), 255):
            at = behind
    behind = otf2.number(record.body, at, file.big_endian)[1]
    record.body = record.body[:at] + compressed(huge, file.big_endian) + record.body[behind:]
    return Mutant({name: otf2.unparse(file)}, f"{huge} in an event of type {record.type} in {name}")


def deep_calls(trace, rng, turn):
    """A region enters itself thousands of times."""
    name, depth = rng.choice(trace.events), rng.choice([1000, 20000])
    file = trace.file(name)
    places = [(c, i) for c in file.chunks for i, r in enumerate(c.records) if r.type == otf2.ENTER]
    if not places:
        return Mutant({}, "nothing is ever entered")
    chunk, at = rng.choice(places)
    model, left = chunk.records[at], rng.random() < 0.5
    more = [Event(model.time, b"", otf2.ENTER, model.body) for _ in range(depth)]
    if left:
        more += [Event(model.time, b"", otf2.LEAVE, model.body) for _ in range(depth)]
    chunk.records[at:at] = more
    what = f"{depth} calls in each other in {name}" + (", left" if left else "")
    return Mutant({name: otf2.unparse(file)}, what, True)
