#!/usr/bin/env python3
"""Checks that #include follows the flow of the stages, from file bytes to reports.

usage: include_direction.py PROJECT

A stage under src/ includes itself and the stages that MAY names, some of them only in part ("report/format"); so does
python/bind, which stands beside the program. A public header belongs to the stage that implements it: that whose source of
the same name includes it first, or that IMPLEMENTED names; one that nobody implements has only types, which everybody may
include, as they may what src/model implements. Inside of src/report ROOMS says which folder sees which: facts have no
words, and the forms of a report do not see each other; only files at its top, which put forms together, see all.

A pattern includes public headers and headers of its folder, a public header public headers only; neither asks for more
than the standard library (a pattern: also fmt; a public header: also Boost, for the wait graph). src/causes shares
patterns/rules with the patterns: who waits for whom is said once. The OTF2 library's headers are seen by src/otf2,
src/record and src/export/otf2 alone. Files - a header and its implementation are one - do not include each other in a circle. Prints every
include that breaks a rule as path:line, exits 1 if there is one.
"""
import re
import sys
from pathlib import Path

EVENTS = ["util", "model", "replay", "link", "merge"]
MAY: dict[str, list[str]] = {
    "util": [],
    "model": ["util"],
    "otf2": ["util", "model"],
    "notation": ["util", "model"],
    "replay": ["util", "model"],
    "peers": ["util"],
    "link": ["util", "model", "replay", "peers"],
    "merge": ["util", "model", "replay", "link"],
    "pass": EVENTS + ["otf2", "notation", "peers"],
    "causes": EVENTS + ["peers"],
    "access": EVENTS + ["notation", "pass", "causes/kinds.hpp"],
    "analysis": EVENTS + ["pass", "causes", "peers"],
    "report": ["util", "model", "analysis"],
    "export": ["util", "model", "replay", "merge", "access", "analysis", "report/facts", "report/format",
               "report/words/waits/culprit.hpp"],
    "serve": ["util", "model", "replay", "pass", "access", "analysis", "report"],
    "record": [],  # runs in other programs: nothing of the analysis
    "cli": ["util", "notation", "pass", "access", "analysis", "report", "export", "serve", "record", "peers"],
    "bind": ["util", "notation", "access", "analysis", "report", "export"],
}
# The folders of src/report that each of its folders sees; files at its top, beside fields, see all.
SHARED = ["facts", "fields", "format", "words"]
ROOMS: dict[str, list[str]] = {
    "facts": [],
    "fields": ["facts", "format", "words"],
    "format": [],
    "words": ["facts", "format"],
    **dict.fromkeys(("compare", "csv", "cube", "graph", "html", "json", "text"), SHARED),
}
# Public headers with functions whose source has another name, or that several sources of a stage implement.
IMPLEMENTED = {
    "waitstate/analysis.hpp": "analysis",
    "waitstate/pattern/pattern.hpp": "analysis",
    "waitstate/pattern/plugin.hpp": "analysis",
    "waitstate/pattern/undetermined.hpp": "analysis",
    "waitstate/result/report.hpp": "report",
    "waitstate/trace/notation.hpp": "notation",
}
# Types of a later stage that an earlier one is given, looks at, and does not make.
GIVEN = {"causes": ["waitstate/result/metrics.hpp", "waitstate/result/severities.hpp"]}
FOLDER_OF = {"bind": Path("python/bind")}  # others: src/STAGE
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = {".hpp", ".cpp", ".h", ".ipp", ".inc"}


def implementers(root):
    """{public header: stage that implements it}."""
    stages = dict(IMPLEMENTED)
    for source in sorted((root / "src").rglob("*.cpp")):
        first = next(filter(None, map(INCLUDE.match, source.read_text(encoding="utf-8").splitlines())), None)
        if first and first[2].startswith("waitstate/") and Path(first[2]).stem == source.stem:
            stages[first[2]] = source.relative_to(root).parts[1]
    return stages


def is_allowed(stage, target):
    """Whether a stage may include a file of src/."""
    return any(target == part or target.startswith(part + "/") for part in [stage, *MAY[stage]])


def room_of(path):
    """Folder of src/report that a file is in, also of fields.hpp; "" of others at its top."""
    room = path.parts[1].removesuffix(".hpp").removesuffix(".cpp")
    return room if len(path.parts) > 2 or room in ROOMS else ""


def reason_between_rooms(path, target):
    """Why a file of src/report may not include another one; both are relative to src/."""
    own, other = room_of(path), room_of(target)
    if own and own not in ROOMS:
        return f"not a folder of the report: these are {', '.join(sorted(ROOMS))}"
    if own in ("", other) or other in ROOMS[own]:
        return None
    allowed = ", ".join(f"report/{room}" for room in [own, *ROOMS[own]])
    return f"report/{own} may include of the report {allowed}"


def reason_against(path, bracket, target, stages):
    """Why the file at `path` (relative, as parts) may not include `target`; None if it may. `stages`: implementers()."""
    top, folder = path.parts[0], path.parts[1]
    first = target.split("/")[0]
    if bracket == "<":
        if first == "waitstate":
            return 'write public headers in quotes: "waitstate/..."'
        if first == "otf2" and path.parts[:2] not in (("src", "otf2"), ("src", "record")) and path.parts[:3] != (
                "src", "export", "otf2"):
            return "only src/otf2, src/record and src/export/otf2 see the OTF2 library"
        if top in ("include", "patterns") and "/" in target and (top, first) not in (("patterns", "fmt"), ("include", "boost")):
            return "here only the standard library may be included"
        return None
    if first == "waitstate":
        owner = stages.get(target, "model")
        if folder not in MAY or owner == "model" or is_allowed(folder, owner) or target in GIVEN.get(folder, []):
            return None
        return f"{folder} may not include a header that {owner} implements"
    if top == "include":
        return "a public header includes public headers only"
    if top == "patterns":
        beside = "/" not in target or first == "rules" and len(path.parts) == 2
        return None if beside else "a pattern includes public headers and headers of its folder only"
    if folder == "causes" and target.startswith("patterns/rules/"):
        return None
    if first not in MAY:
        return 'write the path from src/: "stage/file.hpp"'
    if not is_allowed(folder, target):
        allowed = ", ".join([folder, *MAY[folder]])
        return f"{folder} may include waitstate/ and {allowed}"
    if folder == first == "report":
        return reason_between_rooms(Path(*path.parts[1:]), Path(target))
    return None


def includes(root):
    """Yields path, line number, text, bracket and target of every include; with no target, a file that is in no stage."""
    folders = [root / "include", root / "src", root / "patterns", *(root / f for f in FOLDER_OF.values())]
    for file in sorted(f for folder in folders for f in folder.rglob("*") if f.suffix in SOURCES):
        path = file.relative_to(root)
        if path.parts[0] == "src" and path.parts[1] not in MAY:
            yield path, 1, "", "", ""
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                yield path, number, line.strip(), *match.groups()


def circles(edges):
    """Includes that close a circle: `edges` gives for each unit (a path without extension) {unit it includes: include}."""
    state = {}  # 1: being visited, 2: done

    def visit(unit, trail):
        state[unit] = 1
        for target, (path, number, line) in sorted(edges.get(unit, {}).items()):
            if state.get(target) == 1:
                ring = [*trail[trail.index(target):], target]
                yield path, number, line, "a circle: " + " -> ".join(str(u) for u in ring)
            elif target not in state:
                yield from visit(target, [*trail, target])
        state[unit] = 2

    for unit in sorted(edges):
        if unit not in state:
            yield from visit(unit, [unit])


def violations(root):
    """Yields path, line number, text and reason of every include that breaks a rule."""
    edges, stages = {}, implementers(root)
    for path, number, line, bracket, target in includes(root):
        if not target:
            yield path, 1, "", f"not a stage: the folders of src/ are {', '.join(s for s in MAY if s not in FOLDER_OF)}"
            continue
        reason = reason_against(path, bracket, target, stages)
        if reason:
            yield path, number, line, reason
            continue
        unit, stage = path.with_suffix(""), target.split("/")[0]
        if bracket == '"' and stage in MAY and path.parts[0] in ("src", "python"):
            to = (FOLDER_OF.get(stage, Path("src") / stage).parent / target).with_suffix("")
            if to != unit:
                edges.setdefault(unit, {}).setdefault(to, (path, number, line))
    yield from circles(edges)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = Path(sys.argv[1])
    if not (root / "src").is_dir():
        sys.exit(f"{root}: no src/ here, expected the project's top level")
    found = list(violations(root))
    for path, number, line, reason in found:
        print(f"{path}:{number}: {line}\n    {reason}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
