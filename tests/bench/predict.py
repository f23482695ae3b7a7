"""Predicts time and memory for traces beyond this machine from constants measured here, and checks the predictions.

Time is  start + per_location · L + E · (per_event + per_event_doubling · log2(L / 64))  for E events on L locations:
the last term is the additional cost of an event if the locations' states together do not fit into the processor's caches. Memory is
start + per_location · L + per_event_ahead · A  for A events that are read ahead of other locations: with more than 128
locations each by a chunk, as far as it has events; with fewer it is part of the start. It does not depend on E beyond
that, nor on how many files are open: an open file is a descriptor. Beyond that come severities, by call path and
location, and open messages, both measured on traces of their own. Constants are fitted to relative errors, on traces of
at most 10 million events and 10,000 locations; the checks are larger. Nothing is assumed but the two formulas.
"""
import math
import os
import re

from measure import describe

MILLION = 1_000_000


def least_squares(features, targets):
    """Coefficients c for which features · c comes closest to targets, relative to these."""
    rows = [[f / t for f in row] for row, t in zip(features, targets)]
    n = len(rows[0])
    size = [max(abs(r[i]) for r in rows) for i in range(n)]  # for the condition of the matrix
    rows = [[x / s for x, s in zip(r, size)] for r in rows]
    matrix = [[sum(r[i] * r[j] for r in rows) for j in range(n)] + [sum(r[i] for r in rows)] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(matrix[k][i]))
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        for k in range(n):
            if k != i:
                factor = matrix[k][i] / matrix[i][i]
                matrix[k] = [a - factor * b for a, b in zip(matrix[k], matrix[i])]
    return [matrix[i][n] / matrix[i][i] / size[i] for i in range(n)]


def time_features(events, locations):
    return [1, locations, events, events * math.log2(locations / 64)]


def read_ahead(events, locations):
    """Events that are, by the lengths of chunks (src/pass/pass.cpp)."""
    return min(events, (1536 if locations > 4096 else 512) * locations) if locations > 128 else 0


def memory_features(events, locations):
    return [1, locations, read_ahead(events, locations)]


def apply(features, constants):
    return sum(f * c for f, c in zip(features, constants))


def event_bytes(trace):
    folder = os.path.join(os.path.dirname(trace), "traces")
    return sum(f.stat().st_size for f in os.scandir(folder) if f.name.endswith(".evt"))


def call_paths(trace):
    """Pairs of call path and location with visits, as the generator counted them."""
    with open(os.path.join(os.path.dirname(trace), "expected.csv"), encoding="utf-8") as file:
        return sum(line.startswith("visits,") for line in file)


def events_in(report):
    """Number of events of the trace that a report is of; the head of the file has it."""
    with open(report, encoding="utf-8") as file:
        return int(re.search(r'"events":(\d+)', file.read(1 << 16)).group(1))


def constants(bench):
    """Fits on small traces, and two figures of their own; returns what prediction needs."""
    shapes = [(64, 1), (64, 10), (1024, 1), (1024, 10), (10_000, 1), (10_000, 10)]
    traces = {s: bench.traces.generated("mixed", s[0], s[1] * MILLION) for s in shapes}
    s = bench.rounds({f"{n} locations, {e} million": bench.analyze(traces[n, e]) for n, e in shapes})
    samples = list(s.values())
    events = [bench.rounds({"count": bench.raw(t)}, 1)["count"].figures("events") for t in traces.values()]
    c = {"time": least_squares([time_features(e, n) for e, (n, _) in zip(events, shapes)],
                               [x.median() for x in samples]),
         "memory": least_squares([memory_features(e, n) for e, (n, _) in zip(events, shapes)],
                                 [x.peak_mib() for x in samples]),
         "bytes_an_event": event_bytes(traces[64, 10]) / events[1],
         "call_paths_a_location": call_paths(traces[1024, 10]) / 1024,
         "report_bytes_a_call_path": None}

    # More call paths and as many events; more messages in flight and as many messages.
    flat, deep = (bench.traces.generated("mixed", 1024, 2 * MILLION, messages=0.01, depth=d) for d in (4, 100))
    few, many = (bench.traces.generated("inflight", 9, 6 * MILLION, order="random", in_flight=bench.traces.scaled(n))
                 for n in (10_000, MILLION))
    report = {name: os.path.join(bench.scratch, name + ".json") for name in ("flat", "deep")}
    t = bench.rounds({"flat": bench.analyze(flat, report="flat.json"), "deep": bench.analyze(deep, report="deep.json"),
                      "few": bench.analyze(few), "many": bench.analyze(many)}, 3)
    pairs = call_paths(deep) - call_paths(flat)
    c["bytes_a_call_path"] = (t["deep"].peak_mib() - t["flat"].peak_mib()) * 2**20 / pairs
    c["report_bytes_a_call_path"] = (os.path.getsize(report["deep"]) - os.path.getsize(report["flat"])) / pairs
    c["bytes_an_open_message"] = ((t["many"].peak_mib() - t["few"].peak_mib()) * 2**20 /
                                  bench.traces.scaled(MILLION - 10_000))
    return c, describe(s | t)


def check(bench, c):
    """Predictions of larger traces beside what they take."""
    rows = []
    for locations, millions in ((64, 100), (10_000, 20), (100_000, 10)):
        trace = bench.traces.generated("mixed", locations, millions * MILLION)
        s = bench.rounds({"check": bench.analyze(trace, report="check.json")}, 3)["check"]
        events = events_in(os.path.join(bench.scratch, "check.json"))
        rows.append({"locations": locations, "events": events,
                     "predicted_seconds": apply(time_features(events, locations), c["time"]), "seconds": s.median(),
                     "predicted_mib": apply(memory_features(events, locations), c["memory"]),
                     "mib": s.peak_mib()})
    return rows


def beyond(c):
    """The traces that nobody can hold here."""
    rows = []
    for events, locations in ((1e9, 1_024), (1e9, 100_000), (1e12, 1_024), (1e12, 100_000)):
        rows.append({"events": events, "locations": locations, "trace_gib": events * c["bytes_an_event"] / 2**30,
                     "seconds": apply(time_features(events, locations), c["time"]),
                     "mib": apply(memory_features(events, locations), c["memory"]),
                     "severities_mib_a_thousand_call_paths": 1000 * locations * c["bytes_a_call_path"] / 2**20})
    return rows


def predict(bench):
    c, samples = constants(bench)
    return {"constants": c, "checks": check(bench, c), "beyond": beyond(c), "samples": samples}
