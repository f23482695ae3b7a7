"""Mutations of whole files and of bytes anywhere."""
from .archive import NO_FILES, Mutant, location_of


def truncated(trace, rng, turn):
    name = trace.names[turn % len(trace.names)]
    size = rng.choice([0, 1, rng.randrange(20), rng.randrange(len(trace.bytes[name])), len(trace.bytes[name]) - 1,
                       trace.end(name)])
    return Mutant({name: trace.bytes[name][:size]}, f"{name} cut to {size} bytes", size <= trace.end(name))


def emptied(trace, rng, turn):
    name = trace.names[turn % len(trace.names)]
    return Mutant({name: b""}, f"{name} is empty", True)


def missing(trace, rng, turn):
    name = trace.names[turn % len(trace.names)]
    return Mutant({name: None}, f"{name} is gone", True)


def no_file(trace, rng, turn):
    name = trace.names[turn % len(trace.names)]
    what = rng.choice(NO_FILES)
    return Mutant({name: what}, f"{name} is a {what}", True)


def swapped(trace, rng, turn):
    first = trace.names[turn % len(trace.names)]
    second = rng.choice([n for n in trace.names if n != first])
    one, other = trace.bytes[first], trace.bytes[second]
    tell = trace.kind(first) != trace.kind(second)
    if trace.kind(first) == ".evt" == trace.kind(second):
        counts = [len(trace.file(n).records()) for n in (first, second)]
        announced = trace.announced()
        right = [announced[location_of(n)][1] == count for n, count in zip((first, second), counts)]
        tell = counts[0] != counts[1] and any(right)
    return Mutant({first: other, second: one}, f"{first} and {second} swapped", tell)


def some_file(trace, rng):
    return rng.choice(trace.events if rng.random() < 0.5 else trace.names)


def flipped(trace, rng, turn):
    name, count = some_file(trace, rng), rng.choice([1, 1, 2, 8, 64])
    data = bytearray(trace.bytes[name])
    for _ in range(count):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return Mutant({name: bytes(data)}, f"{count} bits flipped in {name}")


def overwritten(trace, rng, turn):
    name = some_file(trace, rng)
    data = bytearray(trace.bytes[name])
    at, length = rng.randrange(len(data)), rng.choice([1, 8, 64, 512, 4096])
    length = min(length, len(data) - at)
    what = rng.choice(["zeros", "ones", "noise", "another place"])
    source = rng.randrange(len(data) - length + 1)
    data[at:at + length] = {"zeros": bytes(length), "ones": b"\xff" * length, "noise": rng.randbytes(length),
                            "another place": bytes(data[source:source + length])}[what]
    return Mutant({name: bytes(data)}, f"{length} bytes at {at} of {name} overwritten with {what}")


def shifted(trace, rng, turn):
    name = some_file(trace, rng)
    data = bytearray(trace.bytes[name])
    at, length = rng.randrange(len(data)), rng.choice([1, 1, 2, 9, 33])
    if rng.random() < 0.5:
        data[at:at] = rng.randbytes(length)
        return Mutant({name: bytes(data)}, f"{length} bytes put in at {at} of {name}")
    del data[at:at + length]
    return Mutant({name: bytes(data)}, f"{length} bytes taken out at {at} of {name}")


def anchor_numbers(trace, rng, turn):
    data, order = trace.bytes[trace.anchor], "big" if trace.sizes.big_endian else "little"
    at = rng.choice([12, 20, 30, 38])  # chunk sizes, numbers of locations and definitions
    value = rng.choice([0, 1, 1 << 18, 1 << 20, (1 << 24), (1 << 24) + 1, 1 << 40, 1 << 63, (1 << 64) - 1])
    changed = data[:at] + value.to_bytes(8, order) + data[at + 8:]
    tell = at == 38 and value != trace.sizes.definitions(data)
    return Mutant({trace.anchor: changed}, f"{value} at {at} of the anchor", tell)
