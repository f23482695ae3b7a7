#!/usr/bin/env python3
"""Removes the events of each location of recorded traces in turn, and expects that nobody is charged with more than in the
whole trace, and that no chain of waits comes to another cause.

usage: incomplete_causes.py [--few N] PROGRAM TRACE [TRACE…]

Rows are those of the critical path, of delays, and of waits on an ideal machine, with all_waits and without: each must be
at most as large as in the whole trace. A chain of waits that ends with work must end with work that the whole trace names
for the same wait: known by its location, the enter of its call, its length and the location that it was for. In the whole trace, the path with all_waits and the waits in a call path of a location take no more
than the time there: the path lies on no wait that is known. TRACE is an archive, or a folder of archives; --few takes the
first N archives only.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

LARGE = 2 << 20  # bytes of events; larger traces take long once for each location
ROUNDING = 1  # tick: rows are rounded each by itself
PATTERNS = "all,critical_path,delay,mpi_ideal_wait"
ACCOUNTS = ("mpi_wait", "mpi_transfer", "mpi_local", "mpi_unknown_partner", "mpi_unknown_member", "mpi_unknown_start",
            "mpi_unknown_probe", "mpi_unknown_record")
SPLIT = ("mpi_wait_direct_", "mpi_wait_indirect_", "mpi_wait_propagating_", "mpi_wait_terminal_")


class Report:
    def __init__(self, program, trace, all_waits):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "report.json")
            run = subprocess.run(
                [program, "analyze", trace, "--pattern", PATTERNS, "--set", f"critical_path.all_waits={int(all_waits)}",
                 "--no-contexts", "-o", path], capture_output=True, text=True, check=False)
            if run.returncode != 0:
                raise RuntimeError(f"analyze {trace}: exit code {run.returncode}\n{run.stderr}")
            self.json = json.loads(path.read_text())
        self.paths = []
        for c in self.json["call_tree"]:
            above = () if c["parent"] is None else self.paths[c["parent"]]
            self.paths.append((*above, "" if c["region"] is None else self.json["regions"][c["region"]]["name"]))

    def rows(self, metric):
        found = self.json["severities"].get(metric, {"rows": []})["rows"]
        return {(self.paths[c], location): value for c, location, value in found}

    def causes(self):
        """For each wait that has a chain, the work where it ends, and all work that it names."""
        found = {}
        for metric, waits in self.json["waits"].items():
            for i in waits["instances"]:
                chain, wait = i.get("chain"), i["longest"]
                if not chain:
                    continue
                named = {(self.paths[c["callpath"]], c["location"]) for c in chain.get("causes", [])}
                end = (self.paths[chain["root"]], chain["steps"][-1]["culprit"]) if chain["end"] == "work" else None
                found[metric, wait["location"], wait["enter"], wait["ticks"], wait["culprit"]] = end, named | ({end} if end else set())
        return found


def is_cause(metric):
    return metric in ("critical_path", "mpi_ideal_wait") or metric.startswith(("delay_", *SPLIT))


def is_place(cut, whole):
    """A thread whose creator is missing, or a member of its team, has the end of the call path that it has in the whole trace."""
    (path, location), (of_whole, location_of_whole) = cut, whole
    return location == location_of_whole and of_whole[-len(path):] == path


def larger(whole, cut):
    for metric in cut.json["severities"]:
        if is_cause(metric):
            of_whole = whole.rows(metric)
            for key, value in cut.rows(metric).items():
                most = of_whole[key] if key in of_whole else sum(v for k, v in of_whole.items() if is_place(key, k))
                if value > most + ROUNDING:
                    yield f"{metric} {'/'.join(key[0])} of location {key[1]}: {value} instead of {most}"


def other_causes(whole, cut):
    known = whole.causes()
    for wait, (end, _) in cut.causes().items():
        if end and wait in known and not any(is_place(end, work) for work in known[wait][1]):
            yield f"{wait[0]} of location {wait[1]} at {wait[2]}: caused by {end}, not by {known[wait][0]}"


def on_waits(whole):
    calls, waits = {}, {}
    for metric in ACCOUNTS:
        for key, value in whole.rows(metric).items():
            calls[key] = calls.get(key, 0) + value
    ids = [m["id"] for m in whole.json["metrics"] if m["kind"] == "wait" and m["id"] not in ACCOUNTS]
    for metric in ids:
        for key, value in whole.rows(metric).items():
            waits[key] = max(waits.get(key, 0), value)  # several waits of a call may lie at the same time
    for key, value in whole.rows("critical_path").items():
        if key in calls and value + waits.get(key, 0) > calls[key] + ROUNDING:
            yield (f"critical_path {'/'.join(key[0])} of location {key[1]}: {value}, but {waits.get(key, 0)} of "
                   f"{calls[key]} are waits")


def without_each(archive):
    """Copies of the archive without the events of one location."""
    for events in sorted(archive.rglob("*.evt")):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder, "trace")
            shutil.copytree(archive, copy)
            (copy / events.relative_to(archive)).unlink()
            yield events.name, copy


def archives(arguments):
    for argument in map(pathlib.Path, arguments):
        if argument.is_dir():
            for folder in sorted({anchor.parent for anchor in argument.rglob("*.otf2")}):
                if len(list(folder.glob("*.otf2"))) == 1 and sum(e.stat().st_size for e in folder.rglob("*.evt")) < LARGE:
                    yield folder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--few", type=int)
    parser.add_argument("program")
    parser.add_argument("traces", nargs="+")
    arguments = parser.parse_args()
    wrong, looked_at = [], 0
    for archive in list(archives(arguments.traces))[: arguments.few]:
        for all_waits in (False, True):
            whole = Report(arguments.program, archive, all_waits)
            if all_waits:
                wrong += [f"{archive}: {line}" for line in on_waits(whole)]
            for events, copy in without_each(archive):
                cut = Report(arguments.program, copy, all_waits)
                looked_at += 1
                name = f"{archive} without {events}, all_waits={int(all_waits)}"
                wrong += [f"{name}: {line}" for line in (*larger(whole, cut), *other_causes(whole, cut))]
    print(*wrong[:100], sep="\n")
    print(f"{looked_at} traces without a location, {len(wrong)} rows or causes that the whole trace does not have")
    return 1 if wrong or looked_at == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
