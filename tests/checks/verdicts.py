#!/usr/bin/env python3
"""Reads the verdicts on gates as a CI system does, and checks that each command and each format says the same.

usage: verdicts.py PROGRAM TRACE OTHER

`check`, `analyze` and `diff` judge TRACE (`diff` also the change from TRACE to OTHER) by gates that pass, fail and cannot be
judged, and write their verdicts as JSON and as JUnit XML. Both files are read with Python's own readers. Expected are the exit
code, the verdicts and the numbers that follow from the JSON report, which this script computes itself, and XML whose elements
and attributes are those that the JUnit schemas of Jenkins and Surefire allow. Prints every problem, exits 1 if there is one.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

# Attributes by element: those that one of the schemas requires, and those that all of them allow.
Names = dict[str, set[str]]
REQUIRED: Names = {"testsuites": set(), "testsuite": {"name", "tests", "failures", "errors", "skipped"}, "testcase": {"name", "time"},
                   "failure": set(), "error": {"type"}}
ALLOWED: Names = {"testsuites": {"name", "time", "tests", "failures", "errors"},
                  "testsuite": {"name", "time", "tests", "failures", "errors", "skipped"}, "testcase": {"name", "classname", "time"},
                  "failure": {"message", "type"}, "error": {"message", "type"}}
CHILDREN: Names = {"testsuites": {"testsuite"}, "testsuite": {"testcase"}, "testcase": {"failure", "error"}, "failure": set(),
                   "error": set()}
CODES = {"passed": 0, "failed": 1, "undecided": 2}


class Check:
    def __init__(self, program, folder):
        self.program, self.folder, self.wrong, self.judged = program, folder, [], 0

    def expect(self, what, found, expected):
        self.judged += 1
        if found != expected:
            self.wrong.append(f"{what}: {found!r}, expected {expected!r}")

    def verdicts(self, command, gates):
        """The JSON form, after a comparison with JUnit and the exit code."""
        files = [self.folder / f"verdicts.{ending}" for ending in ("json", "xml")]
        words = [word for gate in gates for word in ("--fail-on", gate)]
        codes = {subprocess.run([self.program, *command, *words, "--verdicts", file], capture_output=True).returncode for file in files}
        found = json.loads(files[0].read_text(encoding="utf-8"))
        what = " ".join(command)
        self.expect(f"{what}: exit code", codes, {CODES[found["verdict"]]})
        self.junit(what, xml.etree.ElementTree.parse(files[1]).getroot(), found)
        return found

    def junit(self, what, root, expected):
        self.expect(f"{what}: root", root.tag, "testsuites")
        self.element(what, root)
        self.expect(f"{what}: suites", len(root), 1)
        verdicts = [gate["verdict"] for gate in expected["gates"]]
        numbers = [str(n) for n in (len(verdicts), verdicts.count("failed"), verdicts.count("undecided"))]
        for counted in (root, root[0]):
            self.expect(f"{what}: numbers of {counted.tag}", [counted.get(n) for n in ("tests", "failures", "errors")], numbers)
        self.expect(f"{what}: runs", root[0].get("name"), " to ".join(expected["runs"]))
        outcomes = {(): "passed", ("failure",): "failed", ("error",): "undecided"}
        for case, gate in zip(root[0], expected["gates"]):
            self.expect(f"{what}: gate", case.get("name"), re.sub("[\x00-\x1f]", "?", gate["gate"]))
            self.expect(f"{what}: {case.get('name')}", outcomes.get(tuple(child.tag for child in case)), gate["verdict"])
            for child in case:
                self.expect(f"{what}: reason", [child.get("message"), child.text], [re.sub("[\x00-\x1f]", "?", gate["reason"])] * 2)

    def element(self, what, element):
        names = set(element.attrib)
        if not REQUIRED[element.tag] <= names <= ALLOWED[element.tag]:
            self.wrong.append(f"{what}: {element.tag} has {sorted(names)}")
        for child in element:
            if child.tag not in CHILDREN[element.tag]:
                self.wrong.append(f"{what}: {child.tag} in {element.tag}")
            else:
                self.element(what, child)

    def total(self, trace, metric):
        """Seconds or number of a metric in the whole run, from the JSON report."""
        done = subprocess.run([self.program, "analyze", trace, "--format", "json"], capture_output=True, check=True)
        report = json.loads(done.stdout)
        found = next(m for m in report["metrics"] if m["id"] == metric)
        return found["total"] / (report["trace"]["clock"]["ticks_per_second"] if found["unit"] == "ticks" else 1)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, trace, other = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        check = Check(program, pathlib.Path(folder))
        wait = "mpi_barrier_wait"
        seconds, visits = check.total(trace, wait), check.total(trace, "visits")
        gates = {f"{wait}>{0.9 * seconds:.9f}s": "failed", f"{wait}>{1.1 * seconds:.9f}s": "passed",
                 f"visits>={visits} and {wait}<1000s": "failed", f"visits>{visits} and {wait}<1000s": "passed",
                 "xyzzy>1": "undecided", "a\x1b[31m\"&'>1": "undecided", "mpi_ideal_wait>5%": "undecided"}
        forms = [check.verdicts(command, gates) for command in (["check", trace], ["analyze", trace], ["diff", other, trace])]
        for found in forms:
            check.expect("verdicts", [gate["verdict"] for gate in found["gates"]], list(gates.values()))
            check.expect("the same in all commands", found["gates"], forms[0]["gates"])
        close = forms[0]["gates"][0]["conditions"][0]
        check.expect("measured", [round(close["value"], 9), close["unit"], close["base"]], [round(seconds, 9), "sec", "whole"])
        check.expect("how to analyse", "--pattern mpi_ideal_wait" in forms[0]["gates"][6]["reason"], True)
        check.expect("all pass", check.verdicts(["check", trace], ["visits>0 and time<0s"])["verdict"], "passed")
        check.expect("one fails", check.verdicts(["check", trace], ["visits>0", "time<0s"])["verdict"], "failed")
        grown = check.total(other, "visits") - visits
        found = check.verdicts(["diff", trace, other], [f"visits>={grown:+}", "visits>+1000000%"])["gates"]
        check.expect("growth", [(c["value"], c["growth"]) for c in found[0]["conditions"]], [(grown, "absolute")])
        check.expect("relative", round(found[1]["conditions"][0]["value"], 9), round(grown / visits, 9))
        check.expect("verdicts on growth", [gate["verdict"] for gate in found], ["failed", "passed"])
    print("\n".join(check.wrong), end="\n" if check.wrong else "")
    print(f"{check.judged} comparisons, {len(check.wrong)} problems")
    return 1 if check.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
