#!/usr/bin/env python3
"""Writes what follows from the declared fields: the schemas of reports, comparisons and verdicts, and the types of the page.
And the colours of colours.json, which the page and the Python module have in common.

    src/report/fields/generate.py build/dev/describe_report            writes the files
    src/report/fields/generate.py build/dev/describe_report --check    says whether they are up to date

The fields are declared in the headers of this folder, and in comparison.hpp and verdict_fields.hpp of src/report/compare; the
program describe_report prints them. The Python classes of a report follow from them too, without this script: python/bind/results binds them, and python/bind/generate_stubs.py writes their types.
"""
import argparse
import difflib
import json
import pathlib
import subprocess
import sys

REPORT = pathlib.Path(__file__).resolve().parents[1]
PAGE = REPORT / "page" / "src"
TYPES = PAGE / "report_types.ts"
COMPARISON_TYPES = PAGE / "comparison" / "comparison_types.ts"
COLOURS = pathlib.Path(__file__).with_name("colours.json")
PAGE_COLOURS = PAGE / "charts" / "colour_table.ts"
PYTHON_COLOURS = REPORT.parents[1] / "python" / "waitstate" / "colours.py"
SCHEMAS = (("report", "report.schema.json", "waitstate report"), ("comparison", "diff.schema.json", "waitstate diff"),
           ("verdicts", "verdicts.schema.json", "waitstate verdicts"))
WIDTH = 120
MOST_NAMES = 20  # an enumeration of more is a text of a known form: a later waitstate may have more

NULL = {"type": "null"}
COMMON = {
    "index": {"type": "integer", "minimum": 0, "maximum": 4294967294, "description": "Place in the array of its kind, from 0."},
    "count": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
    "time": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615,
             "description": "A time stamp, in ticks of the trace's clock."},
    "ticks": {"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807,
              "description": "A length of time in ticks of the trace's clock, or a value in the unit of its metric."},
    "real": {"oneOf": [{"type": "number"}, NULL]},
    "enumerator": {"oneOf": [{"type": "string", "pattern": "^[a-z0-9_]+$"}, {"type": "integer", "minimum": 0, "maximum": 255}],
                   "description": "A name; a number where a later OTF2 knows more of them than this waitstate."},
}


# ---- the schema ----

def reference(name):
    return {"$ref": f"#/$defs/{name}"}


def number(measure, signed):
    if measure == "time":
        return reference("time")
    return reference("ticks" if signed else "count")


class Schema:
    def __init__(self, title, objects):
        self.title = title
        self.objects = {o["name"]: o for o in objects}
        self.whole = objects[0]

    def type(self, kind, measure):
        what = kind["is"]
        if what == "or_null":
            inner = self.type(kind["of"], measure)
            return inner if inner == reference("real") else {"oneOf": [inner, NULL]}
        if what == "list":
            array = {"type": "array", "items": self.type(kind["of"], measure)}
            limits = {"minItems": kind.get("least", 0), "maxItems": kind.get("most", 0)}
            return {**array, **{name: limit for name, limit in limits.items() if limit}}
        if what == "tuple":
            return self.row([self.type(element, measure) for element in kind["of"]])
        if what == "map":
            return {"type": "object", "additionalProperties": self.type(kind["of"], measure)}
        if what == "table":
            return self.table(kind)
        if what == "enumerator":
            return self.enumerator(kind)
        if what == "text":
            return {"type": "string", **({"pattern": kind["pattern"]} if "pattern" in kind else {})}
        return {
            "integer": lambda: number(measure, kind["signed"]),
            "real": lambda: reference("real"),
            "number": lambda: {"type": "number"},
            "truth": lambda: {"type": "boolean"},
            "index": lambda: reference("index"),
            "constant": lambda: {"const": kind["value"]},
            "object": lambda: reference(kind["name"]),
        }[what]()

    @staticmethod
    def enumerator(kind):
        if kind["open"]:
            return reference("enumerator")
        if len(kind["names"]) == 1:
            return {"const": kind["names"][0]}
        if len(kind["names"]) > MOST_NAMES:
            return {"type": "string", "pattern": "^[a-z0-9_]+$"}
        return {"enum": kind["names"]}

    @staticmethod
    def row(cells):
        return {"type": "array", "prefixItems": cells, "items": False, "minItems": len(cells)}

    def member(self, field):
        return {**self.type(field["type"], field["measure"]), "description": field["sentence"]}

    def table(self, kind):
        element = self.objects[kind["of"]]
        rows = {"description": element["sentence"], "type": "array",
                "items": self.row([self.member(f) for f in element["fields"]])}
        if kind["most"]:
            rows["maxItems"] = kind["most"]
        properties = {"columns": {"const": [f["name"] for f in element["fields"]]}, "rows": rows}
        if kind["rest"]:
            properties["left_out"] = {**reference("count"), "description": "The number of further ones."}
        return {"type": "object", "additionalProperties": False, "required": list(properties), "properties": properties}

    def object(self, what):
        return {"description": what["sentence"], "type": "object", "additionalProperties": False,
                "required": [f["name"] for f in what["fields"] if not f["may_be_missing"]],
                "properties": {f["name"]: self.member(f) for f in what["fields"]}}

    def document(self):
        rows = {kind["of"] for o in self.objects.values() for f in o["fields"] for kind in tables(f["type"])}
        others = {name: self.object(o) for name, o in self.objects.items() if o is not self.whole and name not in rows}
        whole = self.object(self.whole)
        used = json.dumps([whole, others])
        common = {name: what for name, what in COMMON.items() if json.dumps(reference(name)["$ref"]) in used}
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": self.title, **whole,
                "$defs": {**common, **others}}


def tables(kind):
    """All tables in a type."""
    if kind["is"] == "table":
        yield kind
    elif isinstance(kind.get("of"), dict):
        yield from tables(kind["of"])


def text_of(value, indent=""):
    """JSON, of which what fits into a line is one."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) < WIDTH or not isinstance(value, (dict, list)) or not value:
        return line
    inner = indent + "  "
    if isinstance(value, dict):
        members = [f"{inner}{json.dumps(key)}: {text_of(member, inner)}" for key, member in value.items()]
        return "{\n" + ",\n".join(members) + f"\n{indent}}}"
    return "[\n" + ",\n".join(inner + text_of(element, inner) for element in value) + f"\n{indent}]"


# ---- the types of the page ----

TYPES_HEAD = """\
// The JSON report as the page reads it. src/report/fields/generate.py makes it of the fields that are declared there.

/** A number that refers to an element of an array; null: unknown or none. */
export type Index = number | null;
/** Rows of a table. records() makes objects of them, with the members of the interface that its comment names. */
export interface Table {
  columns: string[];
  rows: (number | string | null)[][];
}
"""


def page_type(kind):
    what = kind["is"]
    if what == "or_null":
        return "Index" if kind["of"]["is"] in ("index", "integer") else page_type(kind["of"]) + " | null"
    if what == "list":
        element = page_type(kind["of"])
        return f"({element})[]" if " | " in element else f"{element}[]"
    if what == "tuple":
        return f"[{', '.join(page_type(element) for element in kind['of'])}]"
    if what == "map":
        return f"Record<string, {page_type(kind['of'])}>"
    if what == "enumerator":
        if kind["open"]:
            return "string | number"
        return "string" if len(kind["names"]) > MOST_NAMES else " | ".join(json.dumps(name) for name in kind["names"])
    if what == "table":
        return "Table & { left_out: number }" if kind["rest"] else "Table"
    return {"integer": "number", "number": "number", "real": "number", "truth": "boolean", "text": "string", "index": "number",
            "constant": "number", "object": kind.get("name")}[what]


def comment(text, indent):
    words, lines = text.split(), [""]
    for word in words:
        if len(indent) + len(lines[-1]) + len(word) + 8 > WIDTH:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    return f"{indent}/**\n" + "".join(f"{indent} * {line}\n" for line in lines) + f"{indent} */\n"


COMPARISON_HEAD = """\
// The comparison of two runs as the page reads it. src/report/fields/generate.py makes it of the fields that
// src/report/compare declares. Times are in seconds.
"""


def page_types(objects, head):
    text = head
    for what in objects:
        text += "\n" + comment(what["sentence"], "") + f"export interface {what['name']} {{\n"
        for field in what["fields"]:
            rows = "".join(f" Rows: {kind['of']}." for kind in tables(field["type"]))
            text += comment(field["sentence"] + rows, "  ")
            text += declaration(field["name"] + ("?" if field["may_be_missing"] else ""), page_type(field["type"]))
        text += "}\n"
    return text


def declaration(name, kind):
    """As the page's formatter has it."""
    line = f"  {name}: {kind};\n"
    if len(line) <= WIDTH + 1:
        return line
    return f"  {name}:\n" + "".join(f"    | {part}\n" for part in kind.split(" | "))[:-1] + ";\n"


# ---- files ----

# ---- colours ----

def page_colours(table):
    lists = "\n".join(f"export const {NAMES[name]} = {page_value(table[name])};" for name in NAMES)
    return f"""// Colours by what they mean. src/report/fields/generate.py writes this file: colours.json has the colours, which the
// Python module draws with, too.

/** A class of regions: the first one whose expression matches the region's class has it. */
export interface DrawnClass {{
  name: string;
  colour: string;
  regions: RegExp;
}}
export const drawnClasses: DrawnClass[] = [
{page_classes(table["classes"])}
];
{lists}
"""


NAMES = {"severity": "severityColours", "less": "lessColour", "more": "moreColour", "run_a": "runAColour", "run_b": "runBColour",
         "largest_computation": "largestComputationColour", "beside_each_other": "palette"}


def page_classes(classes):
    return "\n".join(f'  {{ name: "{c["name"]}", colour: "{c["colour"]}", regions: /{c["regions"] or "(?:)"}/ }},' for c in classes)


def page_value(value):
    if isinstance(value, str):
        return f'"{value}"'
    in_line = f"[{', '.join(map(page_value, value))}]"
    return in_line if len(in_line) < 95 else "[\n" + "".join(f"  {page_value(v)},\n" for v in value) + "]"


def python_colours(table):
    classes = "\n".join(f'    ("{c["name"]}", "{c["colour"]}", "{c["regions"]}"),' for c in table["classes"])
    others = "\n".join(f"{name.upper()} = {python_value(table[name])}" for name in NAMES)
    return f'''"""Colours by what they mean. src/report/fields/generate.py writes this file: colours.json has the colours, which the page of
HTML reports draws with, too."""

#: Classes of regions: name, colour, and an expression; the first one that matches a region's class has it.
CLASSES = (
{classes}
)
{others}
'''


def python_value(value):
    if isinstance(value, str):
        return f'"{value}"'
    return f"({', '.join(map(python_value, value))})"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("program", help="describe_report, as built")
    options.add_argument("--check", action="store_true", help="write nothing; fail if a file would be another one")
    chosen = options.parse_args()
    described = subprocess.run([chosen.program], stdout=subprocess.PIPE, check=True, text=True).stdout
    documents = json.loads(described)
    texts = {REPORT / file: text_of(Schema(title, documents[what]).document()) + "\n" for what, file, title in SCHEMAS}
    texts |= {TYPES: page_types(documents["report"], TYPES_HEAD),
              COMPARISON_TYPES: page_types(documents["comparison"], COMPARISON_HEAD)}
    colours = json.loads(COLOURS.read_text(encoding="utf-8"))
    texts |= {PAGE_COLOURS: page_colours(colours), PYTHON_COLOURS: python_colours(colours)}
    stale = False
    for file, text in texts.items():
        if not chosen.check:
            file.write_text(text, encoding="utf-8")
        elif (written := file.read_text(encoding="utf-8") if file.exists() else "") != text:
            stale = True
            print(f"{file.name} is not what the fields say; run src/report/fields/generate.py:", file=sys.stderr)
            sys.stderr.writelines(difflib.unified_diff(written.splitlines(True), text.splitlines(True), "committed",
                                                       "generated"))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
