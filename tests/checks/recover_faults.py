#!/usr/bin/env python3
"""Damages what a recorded run left in thousands of ways and looks how `waitstate recover` takes it.

usage: recover_faults.py PROGRAM TRACE [--mutations 1000] [--seed 1] [--timeout 20] [--memory 1024] [--only NUMBER]

The folder FOLDER/parts may come from anybody: lines of text about each process, and event files. Here they are made of
the event files of TRACE, with lines that a recorder would have written, and damaged: bytes flipped, lines cut, doubled,
swapped and lost, fields exchanged, numbers made huge, files cut, emptied, lost, exchanged, and replaced by links and
folders. Right is
 - exit 0 with a sentence, and an archive that `analyze` takes (exit 0) or refuses (exit 3) with one message;
 - exit 3 with one line on standard error that is no internal error;
within the time, the memory and 64 MiB on disk; files beside the folder, to which links lead, stay as they are. The same
seed gives the same mutants, whatever their number.
"""
import argparse
import pathlib
import random
import resource
import shutil
import sys
import tempfile

import faults

HUGE = ["18446744073709551615", "9223372036854775808", "4294967295", "2147483648", "1048576", "65536", "-1", "", "x"]
OUTSIDE = {"0.def": b"of somebody else", "traces/0.evt": b"his events", "traces/1.evt": b"more of them"}
MOST_ON_DISK = 64 << 20


def lines_of(rank, size):
    """The lines of a recorder about one process: some of each kind."""
    half = ",".join(str(r) for r in range(rank % 2, size, 2))
    return ["waitstate-record\t1",
            f"process\t{rank}\t{size}\thost\tboot/0\tapp\t{4711 + rank}\tmpi\t1048576",
            "location\t0\tMaster thread", "location\t1\tThread 1", "string\t0\tapp",
            f"clock\t7680809465180\t{-120 * rank}\t35",
            *(f"region\t{n}\tf{n}\t{4 if n % 2 else 1}\t{n % 40}" for n in range(60)),
            f"comm\t0\tW\tMPI_COMM_WORLD\t\t{size}\t{rank}\t{','.join(map(str, range(size)))}",
            f"comm\t1\tS{rank}\tMPI_COMM_SELF\t\t1\t0\t{rank}",
            f"comm\t2\tW.0/{rank % 2}\thalf\t0\t{size // 2}\t{rank // 2}\t{half if rank < 2 else ''}",
            "inter\t3\tI7.0/0-1\tboth\t0\t0,2\t1,3", "team\t4\t3\t0,1", "team\t5\t7\t0", "group\t0\t1,2",
            "win\t0\tW.w0\tMPI_Win_allocate\t0", f"cart\t0\t2,2\t1,0\t{rank // 2},{rank % 2}\t{rank}",
            f"sources\t2\t{rank // 2}", "name\tcomm\t2\thalo", "property\tOPENMP_RUNTIME\tlibomp",
            f"events\t0\t{400 + rank}\t7680809465180\t7681329791441",
            f"waits\t0\t7681329791441\tMPI_Recv\treceive\t0\t{(rank + 1) % size}\t-1", "end"]


class Run:
    """A folder of a run in memory: its files, and links by where they lead."""

    def __init__(self, trace):
        events = sorted((trace / "traces").glob("*.evt"), key=lambda f: int(f.stem))
        self.files = {}
        for rank, file in enumerate(events):
            self.files[f"{rank}.def"] = ("\n".join(lines_of(rank, len(events))) + "\n").encode()
            self.files[f"{rank}/traces/0.evt"] = file.read_bytes()
        self.links, self.beside = {}, {}

    def write(self, folder, outside):
        parts = folder / "parts"
        for name, data in {**{f"parts/{n}": d for n, d in self.files.items()}, **self.beside}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        parts.mkdir(parents=True, exist_ok=True)
        for name, target in self.links.items():
            place = folder / name
            if place.is_dir():
                shutil.rmtree(place)
            place.unlink(missing_ok=True)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(outside / target)


def some_part(run, rng):
    return rng.choice([n for n in run.files if n.endswith(".def")])


def lines(function):
    """A mutation of the lines of one process."""
    def mutate(run, rng):
        name = some_part(run, rng)
        changed = function(run.files[name].decode("utf-8", "replace").split("\n")[:-1], rng)
        run.files[name] = ("\n".join(changed) + "\n").encode("utf-8", "surrogateescape")
    mutate.__name__ = function.__name__
    return mutate


def flipped_bytes(run, rng):
    name = some_part(run, rng)
    data = bytearray(run.files[name])
    for _ in range(rng.choice([1, 1, 3, 50])):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    run.files[name] = bytes(data)


@lines
def lost_lines(all_lines, rng):
    for _ in range(rng.choice([1, 2, 20])):
        del all_lines[rng.randrange(len(all_lines))]
    return all_lines


@lines
def doubled_lines(all_lines, rng):
    for _ in range(rng.choice([1, 3])):
        all_lines.insert(rng.randrange(len(all_lines)), rng.choice(all_lines))
    return all_lines


@lines
def swapped_lines(all_lines, rng):
    if rng.random() < 0.3:
        rng.shuffle(all_lines)
    i, j = rng.randrange(len(all_lines)), rng.randrange(len(all_lines))
    all_lines[i], all_lines[j] = all_lines[j], all_lines[i]
    return all_lines


@lines
def cut_lines(all_lines, rng):
    i = rng.randrange(len(all_lines))
    all_lines[i] = all_lines[i][:rng.randrange(len(all_lines[i]) + 1)]
    return all_lines


@lines
def huge_numbers(all_lines, rng):
    for _ in range(rng.choice([1, 1, 4])):
        i = rng.choice([n for n, line in enumerate(all_lines) if not line.startswith("region")] + [1, 1, 1])
        fields = all_lines[i].split("\t")
        fields[rng.randrange(len(fields))] = rng.choice(HUGE)
        all_lines[i] = "\t".join(fields)
    return all_lines


@lines
def huge_lists(all_lines, rng):
    i = rng.choice([n for n, line in enumerate(all_lines) if "," in line])
    fields = all_lines[i].split("\t")
    of_lists = [n for n, field in enumerate(fields) if "," in field]
    fields[rng.choice(of_lists)] = ",".join([rng.choice(["0", "1", *HUGE[:4]])] * rng.choice([0, 1, 300, 40000]))
    all_lines[i] = "\t".join(fields)
    return all_lines


@lines
def other_fields(all_lines, rng):
    i, j = rng.randrange(len(all_lines)), rng.randrange(len(all_lines))
    a, b = all_lines[i].split("\t"), all_lines[j].split("\t")
    a[rng.randrange(len(a))] = rng.choice(b)
    all_lines[i] = "\t".join(a)
    return all_lines


@lines
def many_lines(all_lines, rng):
    line = rng.choice(["location\t{}\tx", "team\t{}\t7\t0", "comm\t{0}\tW.{0}/9\tx\t0\t4\t1\t", "\t\t\t{}", "region\t{}\tx\t4\t1",
                       "cart\t0\t\t\t\t0", "group\t{}\t", "{}", "clock\t{}\t0\t0", "comm\t{0}\tQ{0}\tx\t0\t1000\t1\t"])
    return all_lines + [line.format(n) for n in range(rng.choice([10, 500, 1500]))]


@lines
def long_lines(all_lines, rng):
    all_lines.insert(rng.randrange(len(all_lines)), rng.choice(["name\tcomm\t0\t", "string\t0\t", "region\t0\t", "\t", "comm\t0\t"]) +
                     rng.choice(["x", "\\", "\t", "\0", "\udcff"]) * rng.choice([1000, 1 << 20, 3 << 20]))
    return all_lines


def other_world(run, rng):
    """All processes say they are one of many more, or fewer."""
    size = rng.choice(["1", "2", "5", "70", "1500", "100000", "1048576", "1048577"])
    for name in [n for n in run.files if n.endswith(".def")]:
        run.files[name] = run.files[name].replace(b"\t4\thost", b"\t" + size.encode() + b"\thost")


def other_chunks(run, rng):
    for name in [n for n in run.files if n.endswith(".def")]:
        if rng.random() < 0.7:
            run.files[name] = run.files[name].replace(b"mpi\t1048576", b"mpi\t" + rng.choice(HUGE + ["0", "1", "262144"]).encode())


def cut_files(run, rng):
    name = rng.choice(list(run.files))
    run.files[name] = run.files[name][:rng.choice([0, rng.randrange(len(run.files[name]))])]


def lost_files(run, rng):
    for name in rng.sample(list(run.files), rng.choice([1, 1, 3, len(run.files)])):
        del run.files[name]


def exchanged_files(run, rng):
    a, b = rng.sample(list(run.files), 2)
    run.files[a], run.files[b] = run.files[b], run.files[a]


def more_files(run, rng):
    name = rng.choice(["parts/9.def", "parts/.def", "parts/x.def", "parts/archive", "parts/archive/traces", "parts/0/traces/1.evt",
                       "traces.def", "traces.otf2", "traces/0.evt", "traces/0.def", "traces", "traces/0.evt/x", "traces.def/x"])
    run.beside[name] = rng.choice(list(run.files.values()))


def links(run, rng):
    place, target = rng.choice([
        ("parts/0.def", "0.def"), ("parts/0", "."), ("parts/0/traces", "traces"), ("parts/0/traces/0.evt", "traces/0.evt"),
        ("parts", "."), ("traces", "traces"), ("traces", "nothing"), ("traces/0.evt", "made.evt"), ("traces/4294967296.evt", "made"),
        ("traces/1.evt", "traces/1.evt"), ("traces.def", "0.def"), ("traces.otf2", "made.otf2"), ("parts/archive", "."),
        ("parts/archive", "nothing"), ("parts/1/traces", "nothing")])
    run.links[place] = target


KINDS = [flipped_bytes, lost_lines, doubled_lines, swapped_lines, cut_lines, huge_numbers, huge_lists, other_fields, many_lines,
         long_lines, other_world, other_chunks, cut_files, lost_files, exchanged_files, more_files, links]


def refused(ran):
    """The error of a refusal; empty if there is none."""
    text = ran.err.decode("utf-8", "replace")
    if text.count("\n") != 1 or not text.startswith("waitstate: error: "):
        return "exit 3 without exactly one message"
    return "exit 3 for a failure of the program" if "internal error" in text else ""


def failure(ran, options):
    if ran.code == "late":
        return f"still running after {options.timeout} s"
    if ran.mebibytes > options.memory:
        return f"{ran.mebibytes:.0f} MiB"
    if ran.code == 3:
        return refused(ran)
    if ran.code != 0:
        return f"exit code {ran.code}"
    return "exit 0 with a message" if ran.err else "" if ran.out else "exit 0 without a word"


def content(folder):
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def judge(options, number):
    """The kind of a mutant, the exit code of `recover`, and what is wrong."""
    rng = random.Random(f"{options.seed}:{number}")
    run, kind = Run(options.trace), KINDS[number % len(KINDS)]
    kind(run, rng)
    if rng.random() < 0.2:
        rng.choice(KINDS[:9])(run, rng) if any(n.endswith(".def") and d for n, d in run.files.items()) else None
    with tempfile.TemporaryDirectory(prefix="waitstate-recover-") as place:
        folder, outside, scratch = (pathlib.Path(place) / name for name in ("run.trace", "outside", "scratch"))
        for name, data in OUTSIDE.items():
            (outside / name).parent.mkdir(parents=True, exist_ok=True)
            (outside / name).write_bytes(data)
        scratch.mkdir()
        run.write(folder, outside)
        ran = faults.run([options.program, "recover", folder], scratch, options.timeout, options.memory)
        wrong = failure(ran, options)
        if not wrong and content(outside) != dict(OUTSIDE):
            wrong = "a file outside of the folder was touched"
        size = sum(f.lstat().st_blocks * 512 for f in folder.rglob("*"))
        if not wrong and size > MOST_ON_DISK:
            wrong = f"{size >> 20} MiB on disk"
        if not wrong and ran.code == 0:
            wrong = failure(faults.run([options.program, "analyze", folder], scratch, options.timeout, options.memory), options)
            wrong = f"analyze: {wrong}" if wrong else ""
    return kind.__name__, ran.code, wrong, ran.err.decode("utf-8", "replace")[:300]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("trace", type=pathlib.Path)
    parser.add_argument("--mutations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=20, help="seconds")
    parser.add_argument("--memory", type=int, default=1024, help="MiB")
    parser.add_argument("--only", type=int, help="the number of one mutant")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    counts, failures = {}, 0
    for number in range(options.mutations) if options.only is None else [options.only]:
        kind, code, wrong, err = judge(options, number)
        row = counts.setdefault(kind, {"exit 0": 0, "exit 3": 0, "failures": 0})
        row["failures" if wrong else f"exit {code}"] += 1
        if wrong:
            failures += 1
            print(f"FAILED {number} ({kind}): {wrong}\n  recover_faults.py {options.program} {options.trace} "
                  f"--seed {options.seed} --only {number}\n  | {err}", flush=True)
    print(f"{'kind':20}" + "".join(f"{c:>10}" for c in ("exit 0", "exit 3", "failures")))
    for kind, row in counts.items():
        print(f"{kind:20}" + "".join(f"{n:10}" for n in row.values()))
    print(f"{sum(sum(row.values()) for row in counts.values())} mutants, {failures} failures")
    return 1 if failures or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
