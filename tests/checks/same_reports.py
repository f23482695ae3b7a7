#!/usr/bin/env python3
"""Compares what two builds of the program say of many traces, byte by byte.

usage: same_reports.py [--any-order-of-undetermined] [--other-words] [--only COMMAND[,COMMAND...]] OLD NEW [FOLDER...]

For changes that must not change a result: runs both programs on every archive below the folders (default: traces/ of this
project and ../shared/traces beside it, where that exists) and on the trace of every case in tests/cases. Of each trace:
`analyze` as text, with --full, as JSON, CSV and CUBE, with 1, 2 and 5 threads, and with the patterns on request (causes,
with and without all waits and plain rules, in several parts); `info`; and `print` with --links and, where there is one-sided
communication, --epochs; `show` of metrics, of the worst wait and as a page; `graph` of waits, of chains and of dependencies
in each format; `check` with gates; and `diff` with the archive before it in each format. Of a case: text, JSON,
`print --links`, the graph of chains and the patterns on request, with one thread. Standard output, standard error, exit
codes and files are compared; of a page its data. Prints what differs, with its first differing line, and how much was
compared; exits 1 if something differs. --only runs some of the commands. With --any-order-of-undetermined the answers about
what a trace cannot tell may stand in another order, in text (where equal sentences share a paragraph), JSON and CUBE. With
--other-words sentences may be written anew: of JSON all is compared but texts of more than three words, of the other forms
the numbers and identifiers, in any order.
"""
import argparse
import base64
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CAUSES = ["--pattern", "all,critical_path,delay,mpi_ideal_wait,mpi_posted_count"]
WITH_CAUSES = [[*CAUSES, "--format", "json"], [*CAUSES, "--full", "--set", "critical_path.all_waits=1"],
               [*CAUSES, "--format", "json", "--set", "critical_path.all_waits=1", "--set", "critical_path.plain=1",
                "--set", "delay.parts=3"]]
REPORTS: list[list[str]] = [[], ["--full"], ["--format", "json"], ["--format", "csv"], ["-o", "run.cubex"]]


GRAPHS: list[list[str]] = [[], ["--chains"], ["--dependencies"]]
COMPARISONS: list[list[str]] = [[], ["--format", "json"], ["--format", "csv"], ["-o", "diff.html"],
                                ["--metric", "time", "--phase", "time:5"], ["--fail-on", "mpi_latesender>+10%"]]
GATES = ["mpi_latesender>5%", "mpi_barrier_wait@whole>=1%", "time>=0.001s", "visits<1000000", "load_balance<80%"]


def commands(trace, is_case):
    """Arguments of every run on a trace."""
    if is_case:
        return [["analyze", trace], ["analyze", trace, "--format", "json"], ["print", trace, "--links"],
                ["graph", trace, "--chains", "--set", "critical_path.all_waits=1"],
                *(["analyze", trace, *causes, "--threads", "1"] for causes in WITH_CAUSES)]
    runs = [["analyze", trace, *report, "--threads", threads] for report in REPORTS for threads in ("1", "2", "5")]
    runs += [["analyze", trace, *causes, "--threads", "2"] for causes in WITH_CAUSES]
    runs += [["info", trace], ["print", trace, "--links"],
             ["print", trace, "--epochs", "--location", "0", "--time", "0", "1000"]]
    runs += [["show", trace, "--metric", metric, "--by", by, "--format", form] for metric in ("time", "mpi_latesender")
             for by in ("callpath", "location", "region") for form in ("text", "csv")]
    runs += [["show", trace, "-o", "run.html"], ["show", trace, "--full", "--phase", "time:10"],
             ["show", trace, "--phase", "time:10", "--format", "csv"],
             ["show", trace, "--why", "mpi_latesender", "--format", "text"],
             ["show", trace, "--why", "mpi_latesender", "--format", "json"]]
    runs += [["graph", trace, *graph, "--format", form] for graph in GRAPHS for form in ("text", "dot", "graphml")]
    return [*runs, ["check", trace, *(word for gate in GATES for word in ("--fail-on", gate))]]


def comparisons(before, after):
    """Arguments of every run on two traces."""
    return [["diff", before, after, *form] for form in COMPARISONS]


def without_order(text):
    """The bytes of a report with the answers about what the trace cannot tell in an order of their own."""
    text = re.sub(rb'(?<="unanswered": \[\n)(.*?)(?=\n\])',
                  lambda m: b"\n".join(sorted(line.rstrip(b",") for line in m[0].split(b"\n"))), text, flags=re.S)
    answers = rb'(?:<attr key="waitstate unanswered \d+" value="[^"]*" ?/>\s*)+'
    text = re.sub(answers, lambda m: b"\n".join(sorted(re.findall(rb'value="[^"]*"', m[0]))), text)
    return re.sub(rb"(?<=Unknown in this trace\n)(?:  .*\n)+",
                  lambda m: b" ".join(sorted(word.strip(b",:") for word in m[0].split())), text)


def data_of_page(page):
    """The data, title and summary of an HTML page, without its script and styles, which change with the page's sources."""
    parts = re.findall(rb'<title>.*?</title>|<pre id="static">.*?</pre>|<script type="application/octet-stream".*?</script>',
                       page, re.S)
    return b"\n".join(re.sub(rb"(?<=>)[A-Za-z0-9+/=]+(?=</script>)", lambda m: zlib.decompress(base64.b64decode(m[0])), part)
                      for part in parts)


FACT = re.compile(rb"[^\s\"'<>,;:()=/]*[0-9_%][^\s\"'<>,;:()=/]*")


def facts(content):
    """The numbers and identifiers of a text, in the order of the alphabet; a JSON document without its sentences."""
    def reduced(value):
        if isinstance(value, dict):
            return {key: reduced(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [reduced(inner) for inner in value]
        return "" if isinstance(value, str) and value.count(" ") > 2 else value

    if content.startswith(b"{"):
        return json.dumps(reduced(json.loads(content)), indent=0).encode()
    return b"\n".join(sorted(word.strip(b".") for word in FACT.findall(content)))


def without_version(report):
    """The bytes of a report without the version of the program that wrote it."""
    return re.sub(rb'(?<="waitstate_version": )"[^"]*"', b'""', report)


def outcome(program, arguments, normal):
    """Everything that a run leaves: {name: bytes}."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=600, env={**os.environ, "NO_COLOR": "1"})
        left = {"exit code": str(done.returncode).encode(), "stdout": done.stdout, "stderr": done.stderr}
        for file in sorted(p for p in Path(folder).rglob("*") if p.is_file()):
            left[file.name] = data_of_page(file.read_bytes()) if file.suffix == ".html" else file.read_bytes()
        return {name: normal(without_version(content)) for name, content in left.items()}


def difference(old, new, arguments, normal):
    """The difference between the programs' outcomes in a line, empty if there is none; and the number of bytes compared."""
    a, b = outcome(old, arguments, normal), outcome(new, arguments, normal)
    for name in sorted({*a, *b}):
        before, after = a.get(name), b.get(name)
        if before == after:
            continue
        if before is None or after is None:
            return f"{name} is written by one program only", 0
        lines = zip(before.split(b"\n") + [b"(end)"], after.split(b"\n") + [b"(end)"])
        first = next((pair for pair in lines if pair[0] != pair[1]), (b"", b""))
        return f"{name}: {first[0][:160]!r} became {first[1][:160]!r}", 0
    return "", sum(map(len, a.values()))


def case_traces(folder):
    """Writes the trace of every case into the folder, without what follows it, and yields the files."""
    for case in sorted((ROOT / "tests/cases").glob("*/*.case")):
        lines = case.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
        end = next((i for i, line in enumerate(lines) if line.startswith("---")), len(lines))
        file = Path(folder) / f"{case.parent.name}.{case.stem}.trace"
        kept = [line for line in lines[:end] if not re.match(r"(metrics|patterns|plugins|set|options)\b.*:", line)]
        file.write_text("\n".join(kept) + "\n", encoding="utf-8", errors="surrogateescape")
        yield file


def main():
    parser = argparse.ArgumentParser(add_help=False, usage=__doc__.split("\n")[2].removeprefix("usage: "))
    parser.add_argument("--any-order-of-undetermined", action="store_true")
    parser.add_argument("--other-words", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("folders", nargs="*", type=Path)
    given = parser.parse_args()
    chosen = [f for f, asked in ((without_order, given.any_order_of_undetermined), (facts, given.other_words)) if asked]

    def normal(content):
        for change in chosen:
            content = change(content)
        return content

    old, new = (str(Path(p).resolve()) for p in (given.old, given.new))
    folders = given.folders or [ROOT / "traces", ROOT.parent / "shared/traces"]
    anchors = sorted({p.resolve() for f in folders if f.is_dir() for p in f.rglob("*.otf2")})
    with tempfile.TemporaryDirectory() as scratch:
        runs = [c for a in anchors for c in commands(str(a), False)]
        runs += [c for t in case_traces(scratch) for c in commands(str(t), True)]
        runs += [c for before, after in zip(anchors, anchors[1:]) for c in comparisons(str(before), str(after))]
        runs = [c for c in runs if not given.only or c[0] in given.only.split(",")]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda arguments: difference(old, new, arguments, normal), runs))
    for arguments, (text, _) in zip(runs, results):
        if text:
            print(" ".join(arguments), "\n    " + text)
    differ = sum(bool(text) for text, _ in results)
    print(f"{len(anchors)} archives, {len(runs)} runs of each program, {sum(n for _, n in results)} equal bytes: "
          f"{differ} runs differ")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
