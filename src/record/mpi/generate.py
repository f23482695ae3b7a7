#!/usr/bin/env python3
"""Makes the recorder's wrappers of an MPI from functions.def and the MPI's mpi.h.

usage: generate.py FUNCTIONS.DEF OUTPUT.CPP COMPILER [FLAG ...]     writes wrappers, and beside them real.hpp, later.cpp
                                                                     and later_names.inc
       generate.py --list FUNCTIONS.DEF COMPILER [FLAG ...]         prints what is in one of the two alone, exits 1

A wrapper passes the call on to the next library that has the function, under the name by which it was called (MPI_X or
PMPI_X): Fortran libraries call either. Prototypes are read from the preprocessed header, which has one form in all MPIs:
`int MPI_X(type name, type name[], ...);`. A function that mpi.h has and the list has not is left alone, with its calls
unseen; the list may have more than this MPI. Functions of later versions of MPI, by the prototypes of later.def, get
wrappers in a file of their own: they must not be there with a library that lacks them, where a program may ask for them.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

PROTOTYPE = re.compile(r"\b(?P<result>[A-Za-z_][\w ]*?[\s*]+)(?P<name>P?MPI_[A-Z]\w*)\s*\((?P<arguments>[^;{}]*?)\)[^;{}()]*"
                       r"(?:\(\([^;{}]*\)\)[^;{}()]*)*;", re.DOTALL)
# With a request behind the others' arguments: a collective operation that is started, or prepared.
STARTS, PREPARES = re.compile(r"^I(?!ntercomm|nit|nfo)"), re.compile(r"_init$")


def prototypes(compiler):
    """{name: (result, [types])} of the functions of mpi.h, types with a place for a name."""
    text = subprocess.run([*compiler, "-x", "c++", "-E", "-P", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", "-"],
                          input="#include <mpi.h>\n", capture_output=True, text=True, check=True).stdout
    return parsed(text)


def later(path):
    """Functions of later.def, in the same form."""
    return parsed(re.sub(r"^#.*$", "", Path(path).read_text(encoding="utf-8"), flags=re.MULTILINE))


def parsed(text):
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
    found = {}
    for match in PROTOTYPE.finditer(text):
        result = match["result"].replace("extern", "").strip()
        if result.startswith(("typedef", "return")) or "(" in match["arguments"]:
            continue
        arguments = [a.strip() for a in match["arguments"].split(",")]
        found[match["name"]] = (result, [] if arguments in ([""], ["void"]) else arguments)
    return found


def argument(text, number):
    """A parameter's declaration with the name aN."""
    if text == "...":
        return text
    array = ""
    while text.endswith("]"):
        begin = text.rindex("[")
        array = "[" + text[begin + 1:-1].strip() + "]" + array
        text = text[:begin].rstrip()
    name = re.search(r"(\w+)$", text)
    kinds = {"int", "char", "void", "const", "long", "unsigned"}
    words = text.replace("*", " * ").split()
    if name and len(words) > 1 and words[-1] not in kinds and not (len(words) == 2 and words[0] == "const"):
        text = text[:name.start()].rstrip()
    return f"{text} a{number}{array}"


def read_list(path):
    """[(name, group, role, before, after)]"""
    rows = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = [c.strip() for c in line.split("|")]
        if len(cells) != 5:
            sys.exit(f"{path}:{number}: {len(cells)} cells, not 5")
        rows += [(name, *cells[1:]) for name in cells[0].split()]
    names = [r[0] for r in rows]
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        sys.exit(f"{path}: more than once: {' '.join(twice)}")
    return rows


def row_of(rows, function):
    """The row of a function "MPI_X" or "MPI_X_c"."""
    name = function.removeprefix("MPI_")
    return rows.get(name) or (rows.get(name.removesuffix("_c")) if name.endswith("_c") else None)


def wrapper(function, result, arguments, row, index):
    _, group, role, before, after = row
    declared = ", ".join(argument(a, i) for i, a in enumerate(arguments, 1))
    names = ", ".join(f"a{i}" for i in range(1, len(arguments) + 1))
    types = ", ".join(re.sub(r" ?\ba\d+", "", argument(a, i), count=1) for i, a in enumerate(arguments, 1))
    late = "false"
    if role == "test":
        role, late = "point2point" if group == "p2p" else "function", "!records(group::test)"
    if role.startswith("collective"):
        role = role.split()[1]
        name = function.removeprefix("MPI_")
        last = f"a{len(arguments)}"
        if PREPARES.search(name.removesuffix("_c")):
            after = f"prepared_collective(c, {last})"
        elif STARTS.search(name):
            before, after = before + "; starts_collective(c)", f"started(c, {last})"
        else:
            before, after = before + "; begins_collective(c)", "ended_collective(c)"
    lines = [f"{result} wrap_{function}({result} (*next)({types}){', ' if declared else ''}{declared}) {{",
             f"  Thread* const t = records(group::{group}) ? current() : leave_out(group::{group});",
             *(["  const UnrecordedCall unrecorded(t);"] if group == "io" else []),
             f"  if (t == nullptr || t->depth != 0) return next({names});",
             f"  MpiCall c(*t, region({index}, \"{function}\", OTF2_REGION_ROLE_{role.upper()}), {late});"]
    statements = "; ".join(re.split(r"\), (?=[a-z_]+\()", before)) if before else ""
    if before:
        lines.append(f"  if (c.live()) {{ {before}; }}")
    lines += ["  c.pause();", f"  const {result} result = next({names});", "  c.end_with(result);"]
    if after:
        split = re.sub(r"\), (?=[a-z_]+\()", "); ", after)
        lines.append(f"  if (c.live() && c.has_outcome) {{ {split}; }}")
    del statements
    lines += ["  c.leave();", "  return result;", "}"]
    return "\n".join(lines)


def entry(function, result, arguments, index, prefix, call):
    declared = ", ".join(argument(a, i) for i, a in enumerate(arguments, 1))
    names = ", ".join(f"a{i}" for i in range(1, len(arguments) + 1))
    types = ", ".join(re.sub(r" ?\ba\d+", "", argument(a, i), count=1) for i, a in enumerate(arguments, 1))
    next_function = f"next<{result} (*)({types})>({index}, \"{prefix}{function}\")"
    return (f"RECORD_EXPORT {result} {prefix}{function}({declared}) {{\n"
            f"  return {call}_{function}({next_function}{', ' if names else ''}{names});\n}}")


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    listing = sys.argv[1] == "--list"
    path, output, compiler = (sys.argv[2], None, sys.argv[3:]) if listing else (sys.argv[1], sys.argv[2], sys.argv[3:])
    rows = {r[0]: r for r in read_list(path)}
    functions = {n: p for n, p in prototypes(compiler).items() if n.startswith("MPI_")}
    unknown = sorted(n for n in functions if row_of(rows, n) is None)
    if listing:
        for name in unknown:
            print(f"{name} is in mpi.h and not in functions.def")
        print(f"{len(functions)} functions in mpi.h, {len(unknown)} of them unknown")
        sys.exit(1 if unknown else 0)
    write(Path(output), rows, functions, prototypes(compiler), Path(path).with_name("later.def"))


HEAD = "// Made by generate.py.\n"
FILE = (HEAD + """#include "record/mpi/hooks.hpp"
#include "record/mpi/init.hpp"
#include "record/mpi/known/functions.hpp"
#include "record/mpi/sessions.hpp"

namespace waitstate::record::mpi {{
{tables}
namespace {{

{wrappers}

}}  // namespace
}}  // namespace

using namespace waitstate::record::mpi;
extern "C" {{

{entries}

}}
""")


def table(name, names):
    """A list of names in C++ that ends with a null pointer."""
    return f"const char* const {name}[] = {{{', '.join(json.dumps(n) for n in names)}{', ' if names else ''}nullptr}};"


def write(output, rows, functions, header, later_list):
    """`header`: everything that mpi.h has, also PMPI_X."""
    added = {n: p for n, p in later(later_list).items() if n not in header}
    real, index = [], 0
    files = {False: ([], []), True: ([], [])}  # by whether it is of a later version: wrappers and entries
    for function, (result, arguments) in sorted({**functions, **added}.items()):
        row, is_later = row_of(rows, function), function in added
        if row is None or "..." in arguments:
            continue
        wrappers, entries = files[is_later]
        declared = ", ".join(argument(a, i) for i, a in enumerate(arguments, 1))
        names = ", ".join(f"a{i}" for i in range(1, len(arguments) + 1))
        types = ", ".join(re.sub(r" ?\ba\d+", "", argument(a, i), count=1) for i, a in enumerate(arguments, 1))
        if "P" + function in header:
            real.append(f"inline {result} {function.removeprefix('MPI_')}({declared}) {{\n"
                        f"  return next<{result} (*)({types})>({index + 1}, \"P{function}\")({names});\n}}")
        if row[1] != "none":
            if row[1] != "own":
                wrappers.append(wrapper(function, result, arguments, row, index))
            call = "own" if row[1] == "own" else "wrap"
            entries.append(entry(function, result, arguments, index, "", call))
            if is_later or "P" + function in header:
                entries.append(entry(function, result, arguments, index + 1, "P", call))
        index += 2
    output.parent.mkdir(parents=True, exist_ok=True)
    tables = {False: "void* next_functions[next_count] = {};\n" + table("known_functions", sorted(rows)) + "\n" +
                     table("later_functions", sorted(added)),
              True: "const bool wraps_later_functions = true;"}
    for is_later, path in ((False, output), (True, output.with_name("later.cpp"))):
        wrappers, entries = files[is_later]
        path.write_text(FILE.format(tables=tables[is_later], wrappers="\n".join(wrappers), entries="\n".join(entries)),
                        encoding="utf-8")
    output.with_name("later_names.inc").write_text("".join(f"{json.dumps(n)},\n" for n in sorted(added)), encoding="utf-8")
    output.with_name("real.hpp").write_text(
        f"{HEAD}#pragma once\n\nnamespace waitstate::record::mpi {{\ninline constexpr unsigned next_count = {index};\n"
        "inline std::uint32_t regions[next_count] = {};\n"
        "namespace real {\n" + "\n".join(real) + "\n}  // namespace real\n}  // namespace\n", encoding="utf-8")


if __name__ == "__main__":
    main()
