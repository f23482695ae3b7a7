#!/usr/bin/env python3
"""Checks that JSON reports, comparisons and verdicts are what their schemas say, and that the schemas say something.

usage: json_schema.py PROGRAM TRACE [TRACE…]

Validates `PROGRAM analyze TRACE --format json` against src/report/report.schema.json, and `PROGRAM diff` of the first trace and
each one, with a gate and phases, against src/report/diff.schema.json, and the file of `PROGRAM check --verdicts` against
src/report/verdicts.schema.json. Then changes every field of the
document, one of each kind of all traces at a time - leaves it out, gives it another type, adds one beside it - and expects each change
to be noticed: a field that the schema does not describe would pass. Prints every problem, exits 1 if there is one.
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

SCHEMAS = pathlib.Path(__file__).parents[2] / "src" / "report"
ROWS = 3  # elements of an array that are looked at, and that are kept in documents to change
# Objects by names of our own: a member may be missing, another one may be there.
OPEN = {("severities",), ("waits",), ("counters",), ("events_by_type",),
        ("series", "metrics"), ("phases", "phases", "*", "waits"), ("phases", "phases", "*", "places")}
# Parts that a comparison has only if they are known, or were asked for.
OPTIONAL = {("efficiency",), ("phases",), ("what_if",), ("series",), ("communication",),
            *(("communication", name) for name in ("processes_per_block", "pairs", "pairs_left_out")),
            *(("efficiency", name) for name in ("serialisation_efficiency", "transfer_efficiency", "mpi_communication_efficiency",
                                                "mpi_load_balance", "mpi_parallel_efficiency", "openmp_efficiency"))}


def is_open(path):
    return tuple("*" if isinstance(p, int) else p for p in path) in OPEN


def shortened(value):
    """The document with short arrays of objects and rows; the rows themselves are whole, and the ten parts of a series."""
    if isinstance(value, dict):
        return {key: member if key == "parts" else shortened(member) for key, member in value.items()}
    if isinstance(value, list) and any(isinstance(e, (dict, list)) for e in value):
        return [shortened(element) for element in value[:ROWS]]
    return value


def places(value, path=()):
    """(path, kind of place) of everything in the document; places of one kind differ in indices and metric ids only."""
    if path:
        kind = tuple("*" if isinstance(p, int) or is_open(path[:i]) else p for i, p in enumerate(path))
        yield path, kind
    if isinstance(value, dict):
        for key, member in value.items():
            yield from places(member, path + (key,))
    elif isinstance(value, list) and path[-1] != "columns":
        for i, element in enumerate(value):
            yield from places(element, path + (i,))


def changed(value, path, change):
    """A copy in which `change(parent, last step of the path)` was done; what is beside the path is shared with the original."""
    value = copy.copy(value)
    if len(path) == 1:
        change(value, path[0])
    else:
        value[path[0]] = changed(value[path[0]], path[1:], change)
    return value


def leave_out(parent, step):
    del parent[step]


def retype(parent, step):
    parent[step] = [[parent[step]]] if not isinstance(parent[step], list) else {"of another type": True}


def add_beside(parent, step):
    if isinstance(parent, dict):
        parent["unheard_of"] = parent[step]
    else:
        parent.append([["unheard of"]])


def only_new_kinds(value, path=(), seen=None):
    """The document without those members of open objects and elements of arrays of objects that have only places of kinds
    before them: a change of them would not be tried, and validating them again at each change takes most of the time."""
    seen = set() if seen is None else seen
    if isinstance(value, list) and not any(isinstance(e, dict) for e in value):
        return value
    if not isinstance(value, (dict, list)):
        return value
    may_lack = isinstance(value, list) or is_open(path)
    kept = {}
    for step, member in value.items() if isinstance(value, dict) else enumerate(value):
        kinds = {kind for _, kind in places(member, path + (step,))}
        if not may_lack or not kept or not kinds <= seen:
            kept[step] = only_new_kinds(member, path + (step,), seen)
        seen |= kinds
    return kept if isinstance(value, dict) else list(kept.values())


def unnoticed(validator, document, seen, optional=frozenset()):
    """Changes that the schema does not notice, a sentence each, and the number of changes tried; not of kinds seen before.
    Members in `optional` are not left out, nor is any member if it is None."""
    found, tried = [], 0
    for path, kind in places(document):
        if kind in seen:
            continue
        seen.add(kind)
        parent_is_open = is_open(path[:-1])
        # An array of rows may be shorter; a row itself may not.
        in_list = isinstance(path[-1], int)
        row = in_list and len(path) >= 3 and path[-3] == "rows"
        for change in (leave_out, retype, add_beside):
            may_be_missing = optional is None or kind in optional
            if change is leave_out and (parent_is_open or (may_be_missing and not in_list) or (in_list and not row)):
                continue
            if change is add_beside and parent_is_open:
                continue
            tried += 1
            if validator.is_valid(changed(document, path, change)):
                found.append(f"{change.__name__} {'.'.join(map(str, kind))} passes")
    return found, tried


def check(name, schema, documents, optional=None):
    """Problems of documents of one schema: (name, document) each. Members in `optional` may be missing; None: the schema, which
    is generated, says which may."""
    schema = json.loads((SCHEMAS / schema).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    problems, seen = [], set()
    for of, text in documents:
        document = json.loads(text.decode("utf-8"))
        short = shortened(document)
        errors = [f"{error.json_path}: {error.message[:200]}" for d in (document, short) for error in validator.iter_errors(d)][:5]
        tried = 0
        if not errors:
            errors, tried = unnoticed(validator, only_new_kinds(short), seen, optional)
        print(f"{name} {of}: {len(text)} bytes, {tried} changes tried, {len(errors)} problems")
        problems += errors
    return problems + [f"{name}: no document has {member[0]}" for member in optional or () if member not in seen]


def verdicts(program, trace, folder):
    file = pathlib.Path(folder) / "verdicts.json"
    gates = ["visits>1 and time>0s", "mpi_latesender<5%", "xyzzy>1", "time>1000000s"]
    done = subprocess.run([program, "check", trace, *(word for gate in gates for word in ("--fail-on", gate)),
                           "--verdicts", file], capture_output=True)
    if done.returncode != 2:  # a gate has no metric
        sys.exit(done.stderr.decode())
    return file.read_bytes()


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, *traces = sys.argv[1:]

    def output(*arguments):
        done = subprocess.run([program, *arguments, "--format", "json"], capture_output=True)
        if done.returncode not in (0, 1):  # 1: a gate failed
            sys.exit(done.stderr.decode())
        return done.stdout

    problems = check("report of", "report.schema.json", ((t, output("analyze", t)) for t in traces))
    problems += check("comparison with", "diff.schema.json", (
        (t, output("diff", traces[0], t, "--phase", "time:4", "--pattern", "all,mpi_ideal_wait", "--fail-on",
                    "visits>1")) for t in reversed(traces)), OPTIONAL)
    with tempfile.TemporaryDirectory() as folder:
        problems += check("verdicts on", "verdicts.schema.json", ((t, verdicts(program, t, folder)) for t in traces), ())
    print("\n".join(problems), end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
