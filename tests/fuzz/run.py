#!/usr/bin/env python3
"""Runs the fuzzers, one after the other, and says what they found.

usage: run.py [--minutes N] [--corpus FOLDER] BUILD [TARGET…]

BUILD is the build folder of the preset `fuzz` (cmake --preset fuzz && cmake --build --preset fuzz). Each target starts
from seeds that are made from the case files, and goes on from what it learned where the corpus is kept. A finding is a
crash, an error of a sanitizer, a difference that must not be, or an input of at most 16 KiB that takes longer than ten
seconds or more than a GiB of memory (what stands for one second and 512 MiB without the sanitizers). The input is kept
in CORPUS/TARGET.findings; run BUILD/fuzz_TARGET with it to see it again. A target stops at its first finding.
"""
import argparse
import pathlib
import re
import subprocess
import sys

TARGETS = ["notation", "analysis", "json", "cubex", "cubex_members", "events"]
LONGEST = 16 << 10  # bytes
WORDS = ["enter", "exit", "send", "recv", "isend", "request=", "com=", "root=", "location 0 ", "members=(",
         "paradigm=openmp", "thread_fork", "thread_team_begin", "collective_begin", "collective_end",
         "18446744073709551615", "4294967294",
         '\\"call_tree\\"', '\\"severities\\"', "null", "<metric id=\\\"9\\\">",
         "<cnode id=\\\"9\\\" calleeId=\\\"0\\\">", "INCLUSIVE", "UINT64", "MAXDOUBLE", "ZCUBEX.DATA", "CUBEX.DATA",
         "CUBEX.INDEX", "\\x0A=== 1.index\\x0A", "=== \\x03\\x42", "=== \\x03\\x23"]


def run(build, target, corpus, seconds):
    kept, findings = corpus / target, corpus / f"{target}.findings"
    findings.mkdir(exist_ok=True)
    words = corpus / "words"
    words.write_text("".join(f'"{word}"\n' for word in WORDS))
    log = corpus / f"{target}.log"
    # libFuzzer's schedule by entropy would take half of the time: an analysis touches thousands of counters.
    with log.open("wb") as out:
        code = subprocess.run([build / f"fuzz_{target}", f"-max_total_time={seconds}", f"-max_len={LONGEST}",
                               "-timeout=10", "-entropic=0", "-rss_limit_mb=1024", "-malloc_limit_mb=512",
                               f"-dict={words}", "-print_final_stats=1", f"-artifact_prefix={findings}/", kept],
                              stdout=out, stderr=subprocess.STDOUT).returncode
    text = log.read_text(errors="replace")
    executed = re.search(r"number_of_executed_units: (\d+)", text)
    print(f"{target}: {executed.group(1) if executed else '?'} inputs, "
          f"{'no finding' if code == 0 else f'a finding, see {log} and {findings}'}", flush=True)
    return code == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--corpus", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("targets", nargs="*", metavar="target", help=", ".join(TARGETS))
    arguments = parser.parse_args()
    unknown = set(arguments.targets) - set(TARGETS)
    if unknown:
        parser.error(f"no target {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    build = arguments.build.resolve()
    corpus = (arguments.corpus or build / "corpus").resolve()
    subprocess.run([build / "write_seeds", corpus], check=True)
    results = [run(build, target, corpus, int(arguments.minutes * 60)) for target in arguments.targets or TARGETS]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
