"""The measurements, part by part, each compared with its target.

A part is a function of a Bench that returns rows (`Row`) and the samples behind them. Every analysis runs with all
built-in patterns and writes a complete report to a file.
"""
import os
import re
import subprocess
from dataclasses import asdict, dataclass, field

import page
from measure import ROOT, describe, ratio

MILLION = 1_000_000


@dataclass
class Row:
    what: str
    unit: str
    limit: float
    value: float
    at_least: bool = False  # the limit is a lower one
    note: str = ""
    detail: dict = field(default_factory=dict)

    @property
    def met(self):
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def as_dict(self):
        return asdict(self) | {"met": self.met}


def versus(what, limit, above, below, unit="×", **more):
    """A row for above ÷ below; what counts is the median of the ratios of each round."""
    of_medians, of_rounds = ratio(above, below)
    of_processors = ratio(above, below, "cpu")[1]
    return Row(what, unit, limit, of_rounds,
               note=f"{above.median():.3f} s against {below.median():.3f} s; processor time {of_processors:.2f} ×",
               detail={"ratio_of_medians": of_medians, "ratio_of_processor_time": of_processors}, **more)


def growth(what, samples, counts, each, constant=False):
    """A row for what one thing costs: where there are most of them, against where there are fewest; with `constant`,
    where it costs most against where it costs least."""
    wall, cpu = ({n: s.median(kind) / counts[n] * 1e9 for n, s in samples.items()} for kind in ("wall", "cpu"))
    few, many = min(samples), max(samples)
    at = ", ".join(f"{wall[n]:.0f} ns at {n:,}" for n in samples)
    note = f"{each}: {at}; processor time {cpu[many] / cpu[few]:.2f} ×"
    grown = max(wall.values()) / min(wall.values()) if constant else wall[many] / wall[few]
    return Row(what, "×", 1.15, grown, note=note,
               detail={"nanoseconds": wall, "processor_nanoseconds": cpu})


def against_decoders(bench):
    """Raw OTF2 decoding, otf2-print, and one thread against two."""
    shapes = {"halo × 8, 8 locations": bench.traces.halo(),
              "64 locations": bench.traces.generated("mixed", 64, 10 * MILLION),
              "1,024 locations": bench.traces.generated("mixed", 1024, 10 * MILLION)}
    rows, samples = [], {}
    for name, trace in shapes.items():
        s = bench.rounds({"raw, 1 thread": bench.raw(trace, 1), "raw, 2 threads": bench.raw(trace, 2),
                          "OTF2 global reader": bench.raw(trace, 1, "--global"),
                          "otf2-print --silent": [bench.programs["otf2-print"], "--silent", trace],
                          "analyze, 1 thread": bench.analyze(trace, 1), "analyze, 2 threads": bench.analyze(trace, 2)})
        one, two = s["analyze, 1 thread"], s["analyze, 2 threads"]
        events = s["raw, 1 thread"].figures("events")
        rows.append(versus(f"`analyze` ÷ raw decode, both 2 threads: {name}", 2.0, two, s["raw, 2 threads"]))
        rows[-1].note += f", {events / two.median() / 1e6:.1f} million events/s"
        rows.append(versus(f"`analyze` ÷ raw decode, both 1 thread: {name}", 2.0, one, s["raw, 1 thread"]))
        rows.append(versus(f"`analyze` ÷ `otf2-print --silent`: {name}", 1.0, two, s["otf2-print --silent"]))
        rows.append(versus(f"`analyze`, speed-up by a second thread: {name}", 1.7, one, two, at_least=True))
        samples[name] = {"trace": trace, "events": events} | describe(s)
    return rows, samples


def memory(bench):
    """Peak of ten and of a hundred million events."""
    locations = 64
    ten, hundred = (bench.traces.generated("mixed", locations, n * MILLION) for n in (10, 100))
    s = bench.rounds({"10 million": bench.analyze(ten), "100 million": bench.analyze(hundred)}, 3)
    small, large = s["10 million"].peak_mib(), s["100 million"].peak_mib()
    lost = {n: bench.traces.repeated("eztrace_lammps", n) for n in (40, 160)}
    s |= bench.rounds({f"no receives, {n} times": bench.analyze(trace) for n, trace in lost.items()}, 3)
    few, many = (s[f"no receives, {n} times"].peak_mib() for n in lost)
    return [Row("peak memory, 100 ÷ 10 million events, 64 locations", "×", 1.10, large / small,
                note=f"{large:.0f} against {small:.0f} MiB"),
            Row("peak memory, 64 locations, 64 MiB + 64 KiB a location", "MiB", 64 + 64 * locations / 1024,
                max(small, large), note="none of OTF2's chunk buffers are held"),
            Row("peak memory, `traces/eztrace_lammps` 160 ÷ 40 times, in which no message is received", "×", 1.10,
                many / few, note=f"{many:.0f} against {few:.0f} MiB; 1.04 million messages")], describe(s)


def ten_thousand(bench):
    """Many locations with few file descriptors, against the same events on few locations."""
    many, few = (bench.traces.generated("mixed", n, 10 * MILLION) for n in (10_000, 64))
    limited = ["sh", "-c", 'ulimit -n 1024; exec "$@"', "sh"]
    s = bench.rounds({"raw, 10,000 locations": limited + bench.raw(many),
                      "10,000 locations": limited + bench.analyze(many), "64 locations": limited + bench.analyze(few)})
    files = sum(1 for _ in os.scandir(os.path.join(os.path.dirname(many), "traces")))
    return [versus("10,000 locations ÷ 64, 10 million events, `ulimit -n 1024`", 3.0, s["10,000 locations"],
                   s["64 locations"]),
            Row("… its memory", "MiB", 2048, s["10,000 locations"].peak_mib(), note=f"{files:,} files")], describe(s)


def causes(bench):
    """Cost of critical path and delays on top of all other patterns; memory as events and locations grow."""
    asked = ("--pattern", "all,critical_path,delay")
    shapes = {"halo × 8, 8 locations": bench.traces.halo(),
              "64 locations": bench.traces.generated("mixed", 64, 10 * MILLION),
              "64 locations, random partners": bench.traces.generated("random", 64, 10 * MILLION),
              "1,000 locations, random partners": bench.traces.generated("random", 1000, 10 * MILLION)}
    rows, samples = [], {}
    for name, trace in shapes.items():
        s = bench.rounds({"without": bench.analyze(trace), "with causes": bench.analyze(trace, 2, *asked)})
        rows.append(versus(f"`analyze` with causes ÷ without, 2 threads: {name}", 1.6, s["with causes"], s["without"]))
        samples[name] = describe(s)
    s = bench.rounds({f"{n} million": bench.analyze(bench.traces.generated("mixed", 64, n * MILLION), 2, *asked)
                      for n in (10, 100)}, 1)
    small, large = s["10 million"].peak_mib(), s["100 million"].peak_mib()
    rows.append(Row("causes, peak memory, 100 ÷ 10 million events, 64 locations", "×", 1.10, large / small,
                    note=f"{large:.0f} against {small:.0f} MiB"))
    many = bench.rounds({"10,000": bench.analyze(bench.traces.generated("mixed", 10_000, 10 * MILLION), 2, *asked)}, 1)
    rows.append(Row("causes, peak memory, 10,000 locations, 10 million events", "MiB", 2048, many["10,000"].peak_mib()))
    return rows, samples | {"memory": describe(s | many)}


def ideal_machine(bench):
    """Cost of the replay on an ideal machine on top of all other patterns; memory as the trace grows."""
    asked = ("--pattern", "all,mpi_ideal_wait")
    collective = {n: bench.traces.generated("collective", 64, n * MILLION, messages=0.5) for n in (8, 64)}
    rows, samples = [], {}
    for name, trace in {"64 locations": bench.traces.generated("mixed", 64, 10 * MILLION),
                        "collective operations on 64 locations": collective[8]}.items():
        s = bench.rounds({"without": bench.analyze(trace), "with it": bench.analyze(trace, 2, *asked)})
        rows.append(versus(f"`analyze` with the ideal machine ÷ without, 2 threads: {name}", 2.0, s["with it"], s["without"]))
        samples[name] = describe(s)
    s = bench.rounds({f"{n} million": bench.analyze(trace, 2, *asked) for n, trace in collective.items()}, 1)
    small, large = s["8 million"].peak_mib(), s["64 million"].peak_mib()
    rows.append(Row("ideal machine, peak memory, 64 ÷ 8 million events of collective operations, 64 locations", "×", 1.10,
                    large / small, note=f"{large:.0f} against {small:.0f} MiB"))
    return rows, samples | {"memory": describe(s)}


def html_page(bench):
    """Pages of HTML reports (page.py), one round."""
    rows = []
    for what, unit, limit, value in page.measured(bench.programs["waitstate"]):
        if limit is not None:
            rows.append(Row("page, " + what, unit, limit, value))
    return rows, {}


def exports(bench):
    """Timelines for Perfetto, of which a viewer takes 15 million packets in 400 MB; and a whole trace as an archive."""
    def export(trace, name, *more):
        out = os.path.join(bench.scratch, name)
        return ["sh", "-c", 'rm -rf "$1"; shift; exec "$@"', "sh", out, bench.programs["waitstate"], "export", trace, "-o", out, *more]

    halo, p2p = bench.traces.repeated("halo", 1), os.path.join(ROOT, "traces", "p2p")
    rows, sizes = [], {}
    for name, trace in {"`traces/halo`": halo, "p2p": p2p}.items():
        done = subprocess.run(export(trace, "sized.pftrace"), capture_output=True, text=True, check=True)
        [(written, uncompressed)] = re.findall(r"in ([0-9,]+) packets, ([0-9,]+) bytes", done.stderr)
        packets, size = int(written.replace(",", "")), int(uncompressed.replace(",", ""))
        subprocess.run(export(trace, "sized.pftrace.gz"), capture_output=True, check=True)
        compressed = os.path.getsize(os.path.join(bench.scratch, "sized.pftrace.gz"))
        sizes[name] = {"packets": packets, "bytes": size, "compressed": compressed}
        rows.append(Row(f"export, Perfetto, {name}: size", "bytes a packet", 26.7, size / packets,
                        note=f"{packets:,} packets, {size / 1e6:.3g} MB"))
        rows.append(Row("… compressed", "bytes a packet", 5.1, compressed / packets, note=f"{compressed / 1e6:.3g} MB"))
    many = bench.traces.halo()
    s = bench.rounds({"analyze with causes": bench.analyze(many, 2, "--pattern", "all,critical_path"),
                      "Perfetto": export(many, "run.pftrace", "--max-size", "2000"),
                      "Perfetto, compressed": export(many, "run.pftrace.gz", "--max-size", "2000"),
                      "OTF2": export(many, "cut.otf2")}, 3)
    for name in ("Perfetto", "Perfetto, compressed", "OTF2"):
        rows.append(versus(f"export, {name} ÷ `analyze` with the critical path: halo × 8", 5.0, s[name], s["analyze with causes"]))
    own = s["analyze with causes"].peak_mib()
    for name in ("Perfetto", "OTF2"):
        peak = s[name].peak_mib()
        rows.append(Row(f"… peak memory, {name}", "×", 1.10, peak / own, note=f"{peak:.0f} against {own:.0f} MiB"))
    return rows, describe(s) | {"sizes": sizes}


def scale(bench):
    """Cost per event as events grow."""
    sizes = (1, 10, 100)
    traces = {n: bench.traces.generated("mixed", 64, n * MILLION) for n in sizes}
    s = bench.rounds({f"{n} million": bench.analyze(trace) for n, trace in traces.items()}, 3)
    events = {n: bench.rounds({"count": bench.raw(t)}, 1)["count"].figures("events") for n, t in traces.items()}
    wall = {n: s[f"{n} million"].median() for n in sizes}
    further = [(wall[b] - wall[a]) / (events[b] - events[a]) * 1e9 for a, b in zip(sizes, sizes[1:])]
    return [growth("cost per event of 1, 10 and 100 million events, largest ÷ smallest",
                   {n: s[f"{n} million"] for n in sizes}, events, "an event, at millions", constant=True),
            Row("… of each further event, from 1 to 10 and from 10 to 100 million", "×", 1.15, max(further) / min(further),
                note="{:.1f} and {:.1f} ns: without what it takes to start".format(*further))], describe(s)


def queue(bench):
    """A million messages to one receiver, of which more and more are on their way at once."""
    rows, samples, messages = [], {}, MILLION
    sizes = (10_000, 100_000, 1_000_000)
    for order in ("fifo", "reverse", "random"):
        traces = {n: bench.traces.generated("inflight", 9, 6 * messages, order=order, in_flight=bench.traces.scaled(n))
                  for n in sizes}
        s = bench.rounds({f"{n:,} in flight": bench.analyze(t) for n, t in traces.items()})
        grown = (s[f"{sizes[-1]:,} in flight"].peak_mib() - s[f"{sizes[0]:,} in flight"].peak_mib()) * 2**20
        rows.append(growth(f"message queue, 1,000,000 ÷ 10,000 in flight, received {order}",
                           {n: s[f"{n:,} in flight"] for n in sizes},
                           dict.fromkeys(sizes, bench.traces.scaled(messages)), "a message"))
        rows[-1].note += f"; {grown / bench.traces.scaled(sizes[-1] - sizes[0]):.0f} bytes each in flight"
        samples[order] = describe(s)
    return rows, samples


def collectives(bench):
    """The same number of participations, in operations with more and more members."""
    sizes = (64, 512, 4096)
    traces = {n: bench.traces.generated("collective", n, 8 * MILLION, messages=0.5) for n in sizes}
    commands = {f"{n} ranks": bench.analyze(t) for n, t in traces.items()}
    commands |= {f"raw, {n} ranks": bench.raw(t) for n, t in traces.items()}
    s = bench.rounds(commands)
    members = {n: s[f"raw, {n} ranks"].figures("events") / 4 for n in sizes}
    row = growth("collective operations, time per member, 4,096 ÷ 64 ranks", {n: s[f"{n} ranks"] for n in sizes},
                 members, "a member, at ranks")
    raw = ", ".join(f"{s[f'raw, {n} ranks'].median() / members[n] * 1e9:.0f}" for n in sizes)
    row.note += f"; of these raw decoding {raw} ns"
    return [row], describe(s)


def one_sided(bench):
    """Traces of which half of the events are records of windows, and a recorded one: cost, and memory as events grow."""
    rows, samples = [], {}
    for name, trace in {"64 locations, half of the events": bench.traces.generated("rma", 64, 10 * MILLION, messages=0.5),
                        "64 locations, a quarter": bench.traces.generated("rma", 64, 10 * MILLION),
                        "`traces/rma` 1,000 times, 4 locations": bench.traces.repeated("rma", 1000)}.items():
        s = bench.rounds({"raw, 1 thread": bench.raw(trace, 1), "raw, 2 threads": bench.raw(trace, 2),
                          "analyze, 1 thread": bench.analyze(trace, 1), "analyze, 2 threads": bench.analyze(trace, 2)})
        for words in ("2 threads", "1 thread"):
            rows.append(versus(f"one-sided, `analyze` ÷ raw decode, both {words}: {name}", 2.0,
                               s["analyze, " + words], s["raw, " + words]))
        samples[name] = describe(s)
    s = bench.rounds({f"{n} million": bench.analyze(bench.traces.generated("rma", 64, n * MILLION, messages=0.5))
                      for n in (1, 10)})
    small, large = s["1 million"].peak_mib(), s["10 million"].peak_mib()
    rows.append(Row("one-sided, peak memory, 10 ÷ 1 million events, 64 locations", "×", 1.10, large / small,
                    note=f"{large:.1f} against {small:.1f} MiB"))
    return rows, samples | {"memory": describe(s)}


def event_trace(bench):
    rows, samples = [], {}
    for name, trace in {"halo × 8, 8 locations": bench.traces.halo(),
                        "64 locations": bench.traces.generated("mixed", 64, 10 * MILLION),
                        "1,024 locations": bench.traces.generated("mixed", 1024, 10 * MILLION)}.items():
        program = bench.programs["event_trace"]
        s = bench.rounds({"raw, 2 threads": bench.raw(trace), "load": [program, "--load", trace, 2]})
        calls = bench.rounds({"calls": [program, trace, 2]}, 3)["calls"]
        rows += [Row(f"`EventTrace`, {name}: memory", "bytes an event", 32, s["load"].figures("bytes_an_event")),
                 versus(f"`EventTrace`, {name}: load ÷ raw decode", 4.0, s["load"], s["raw, 2 threads"])]
        for call, limit in (("event", 200), ("stack", 20_000), ("queue", 20_000)):
            rows.append(Row(f"`EventTrace`, {name}: `{call}`, median of random positions", "ns", limit,
                            calls.figures(call + "_median_ns"),
                            note=f"99 % within {calls.figures(call + '_p99_ns'):.0f} ns"))
        samples[name] = describe(s | {"calls": calls})
    return rows, samples


def start(bench):
    """Start to end of the program on a small trace; the warm page cache is what a user sees the second time."""
    trace = os.path.join(ROOT, "traces", "p2p")
    s = bench.rounds({"p2p": bench.analyze(trace), "p2p, default threads, to the terminal":
                      [bench.programs["waitstate"], "analyze", trace]}, 21)
    return [Row("start to end, `analyze traces/p2p`, report written", "ms", 30, s["p2p"].median() * 1e3),
            Row("start to end, `analyze traces/p2p`, summary printed", "ms", 30,
                s["p2p, default threads, to the terminal"].median() * 1e3)], describe(s)


def stages(bench):
    """Where one thread's time goes; no targets, so no rows."""
    samples = {}
    for name, trace in {"halo × 8, 8 locations": bench.traces.halo(),
                        "64 locations": bench.traces.generated("mixed", 64, 10 * MILLION),
                        "1,024 locations": bench.traces.generated("mixed", 1024, 10 * MILLION)}.items():
        s = bench.rounds({"raw, 1 thread": bench.raw(trace, 1),
                          "stages": [bench.programs["stages"], "--repeat", bench.repeat, trace]}, 1)
        samples[name] = {"raw_otf2": s["raw, 1 thread"].median()} | {
            stage: s["stages"].figures("stage " + stage)
            for stage in ("definitions", "decode", "replay_and_link", "patterns", "report")}
    return [], samples


def instructions(bench):
    """Instructions with one thread: beside caches, times depend on them, and they hardly depend on the machine."""
    rows, samples = [], {}

    def grown(what, traces, counts, each):
        """Like growth(), for the trace with the highest cost and the one with the lowest."""
        found = {n: bench.instructions(bench.analyze(t, 1)) / counts[n] for n, t in traces.items()}
        at = ", ".join(f"{cost:,.0f} at {n:,}" for n, cost in found.items())
        rows.append(Row(f"instructions, {what}", "×", 1.15, max(found.values()) / min(found.values()),
                        note=f"{each}: {at}"))
        samples[what] = found

    def raw_events(trace):
        return bench.rounds({"count": bench.raw(trace)}, 1)["count"].figures("events")

    traces = {n: bench.traces.generated("mixed", 64, n * MILLION) for n in (1, 10, 100)}
    grown("cost per event of 1, 10 and 100 million events", traces, {n: raw_events(t) for n, t in traces.items()},
          "an event, at millions")
    for order in ("fifo", "reverse", "random"):
        sizes = (10_000, 100_000, MILLION)
        traces = {n: bench.traces.generated("inflight", 9, 6 * MILLION, order=order, in_flight=bench.traces.scaled(n))
                  for n in sizes}
        grown(f"message queue, 10,000 to 1,000,000 in flight, received {order}", traces,
              dict.fromkeys(sizes, bench.traces.scaled(MILLION)), "a message")
    traces = {n: bench.traces.generated("collective", n, 8 * MILLION, messages=0.5) for n in (64, 512, 4096)}
    grown("collective operations, 64 to 4,096 ranks", traces, {n: raw_events(t) / 4 for n, t in traces.items()},
          "a member, at ranks")
    for name, trace in {"halo × 8, 8 locations": bench.traces.halo(),
                        "64 locations": bench.traces.generated("mixed", 64, 10 * MILLION),
                        "1,024 locations": bench.traces.generated("mixed", 1024, 10 * MILLION)}.items():
        events = raw_events(trace)
        ours, raw = (bench.instructions(c) / events for c in (bench.analyze(trace, 1), bench.raw(trace, 1)))
        rows.append(Row(f"instructions, `analyze` ÷ raw decode: {name}", "×", 2.0, ours / raw,
                        note=f"{ours:.0f} against {raw:.0f} an event"))
        samples[name] = {"analyze": ours, "raw": raw}
    return rows, samples


PARTS = {"raw": against_decoders, "stages": stages, "memory": memory, "locations": ten_thousand, "causes": causes,
         "ideal": ideal_machine, "page": html_page, "export": exports, "scale": scale, "queue": queue, "collectives": collectives, "rma": one_sided,
         "event-trace": event_trace, "start": start, "instructions": instructions}
