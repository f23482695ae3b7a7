#!/usr/bin/env python3
"""Makes the recorder's wrappers of OpenSHMEM from the library's shmem.h.

usage: generate.py OUTPUT.CPP COMPILER [FLAG ...]        writes wrappers
       generate.py --list COMPILER [FLAG ...]            prints "NAME KIND" of every function; exits 1 if one has no kind

Names follow one scheme - shmem_[ctx_][type_]operation[bits][_nbi] - so a row of KINDS stands for many functions; what a call
moves follows from its kind, the positions of its arguments and the type that they point to. A function that no row fits fails
a test by name.
"""
import re
import subprocess
import sys
from pathlib import Path

PROTOTYPE = re.compile(r"\b(?P<result>(?:signed |unsigned |const |long |double )*\w+[\s*]+(?:_Complex[\s]+)?)(?P<name>shmemx?_\w+|start_pes)\s*"
                       r"\((?P<arguments>[^;{}()]*)\)\s*;", re.DOTALL)
T = r"(?:\w+_)?"
# kind: names behind "shmem_" or "shmem_ctx_"
KINDS = [
    ("own", r"init|init_thread|finalize"),
    ("none", r"pcontrol|n_pes|my_pe|_my_pe|_n_pes|query_thread|info_\w+|pe_accessible|addr_accessible|ptr|create|destroy|\w*cache\w*|"
             r"\w*udcflush\w*|ctx_get_team|global_exit|shmalloc|team_\w+|alltoall_nb\w*|public_heap\w*"),
    ("plain", r"malloc|calloc|align|realloc|free|malloc_with_hints|fence"),
    ("quiet", r"quiet"),
    ("wait", rf"{T}wait|{T}wait_until\w*|{T}test|{T}test_(?:all|any|some)\w*"),
    ("set_lock", r"set_lock"), ("clear_lock", r"clear_lock"), ("test_lock", r"test_lock"),
    ("barrier_all", r"barrier_all|sync_all"), ("barrier", r"barrier|sync"),
    ("broadcast", r"broadcast(?:32|64)?"), ("collect", r"f?collect(?:32|64)"), ("alltoall", r"alltoall(?:32|64)"),
    ("alltoalls", r"alltoalls(?:32|64)"), ("reduce", r"\w+_to_all"),
    ("strided_put", rf"{T}iput(?:\d+)?"), ("strided_get", rf"{T}iget(?:\d+)?"),
    ("put_one", rf"{T}p"), ("get_one", rf"{T}g"),
    ("put", rf"{T}put(?:\d+|mem)?(?:_nbi|_nb)?"), ("get", rf"{T}get(?:\d+|mem)?(?:_nbi|_nb)?"),
    ("atomic", rf"{T}(?:atomic_\w+|swap|set|cswap|fadd|fetch|finc|add|inc|mswap|fand|and|for|or|fxor|xor)(?:32|64)?"),
]


def functions(compiler):
    """{name: (result, [declared arguments])}"""
    text = subprocess.run([*compiler, "-x", "c++", "-E", "-P", "-"], input="#include <shmem.h>\n", capture_output=True, text=True,
                          check=True).stdout
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
    found = {}
    for match in PROTOTYPE.finditer(text):
        arguments = [" ".join(a.split()) for a in match["arguments"].split(",")]
        result = " ".join(match["result"].split())
        if not result.startswith(("return", "typedef")):
            found[match["name"]] = (result, [] if arguments in ([""], ["void"]) else arguments)
    return found


def kind_of(name):
    if name == "start_pes":
        return "own"
    plain = re.sub(r"^shmemx?_(?:ctx_)?", "", name)
    return next((kind for kind, names in KINDS if re.fullmatch(names, plain)), None)


def bytes_of(name, place):
    """The size of an element that argument `place` points to."""
    bits = re.search(r"(8|16|32|64|128)(?:_nbi|_nb)?$", name)
    if re.search(r"(put|get)mem", name):
        return "1"
    return str(int(bits[1]) // 8) if bits and not re.search(r"_u?int(8|16|32|64)_", name) else f"sizeof(*a{place})"


def hooks(name, kind, arguments):
    """(before, after) of a call."""
    ctx = 1 if name.startswith(("shmem_ctx_", "shmemx_ctx_")) else 0
    a = [f"a{i + 1 + ctx}" for i in range(len(arguments) - ctx)]
    pe, size, pending = a[-1] if a else "", bytes_of(name, 1 + ctx), "true" if re.search(r"_nbi?$", name) else "false"
    if kind in ("put", "get"):
        return f"{kind}(c, {size} * {a[2]}, {pe})", f"moved(c, {pending})"
    if kind in ("strided_put", "strided_get"):
        return f"{kind[8:]}(c, {size} * {a[4]}, {pe})", "moved(c, false)"
    if kind in ("put_one", "get_one"):
        return f"{kind[:3]}(c, sizeof(*{a[0]}), {pe})", "moved(c, false)"
    if kind == "atomic":
        if re.search(r"_nbi$", name):  # the result's place comes first
            return f"atomic(c, sizeof(*{a[1]}), true, {pe})", "moved(c, true)"
        returns = "false" if re.search(r"_(set|add|inc|and|or|xor)$", name) else "true"
        return f"atomic(c, sizeof(*{a[0]}), {returns}, {pe})", "moved(c, false)"
    rest = {
        "plain": ("", ""), "quiet": ("", "quiet(c)"), "wait": ("", "waited(c)"),
        "set_lock": (f"asks_for_lock(c, {pe})", f"has_lock(c, {pe})"), "clear_lock": (f"releases_lock(c, {pe})", ""),
        "test_lock": ("", f"tried_lock(c, {pe}, result == 0)"),
        "barrier_all": ("begins_collective(c)", "ended_collective(c, OTF2_COLLECTIVE_OP_BARRIER, 0, 0)"),
    }
    if kind in rest:
        return rest[kind]
    bits = re.search(r"(32|64)$", name)
    element = str(int(bits[1]) // 8) if bits else "8" if kind == "broadcast" else size
    where = {"barrier": 0, "broadcast": 4, "collect": 3, "alltoall": 3, "alltoalls": 5, "reduce": 3}[kind]
    active = ", ".join(a[where:where + 3])
    before = f"begins_collective(c, {active})"
    n = a[4 if kind == "alltoalls" else 2] if kind != "barrier" else "0"
    if kind == "barrier":
        return before, "ended_collective(c, OTF2_COLLECTIVE_OP_BARRIER, 0, 0)"
    if kind == "broadcast":
        return before, f"ended_broadcast(c, {element} * static_cast<std::uint64_t>({n}), {a[3]})"
    op = {"collect": "ALLGATHER", "alltoall": "ALLTOALL", "alltoalls": "ALLTOALL", "reduce": "ALLREDUCE"}[kind]
    of_others = "" if kind == "reduce" else " * others(c)"
    moved = f"{element} * static_cast<std::uint64_t>({n}){of_others}"
    return before, f"ended_collective(c, OTF2_COLLECTIVE_OP_{op}, {moved}, {moved})"


def declaration(text, number):
    text = re.sub(r"\s*\b(?!int\b|long\b|char\b|short\b|double\b|float\b|void\b|unsigned\b|size_t\b|\w+_t\b)\w+\s*(\[\])?$", r"\1", text)
    array = text.endswith("[]")
    return f"{text.removesuffix('[]')} a{number}{'[]' if array else ''}"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    listing = sys.argv[1] == "--list"
    found = functions(sys.argv[2:])
    kinds = {name: kind_of(name) for name in found}
    if listing:
        for name, kind in sorted(kinds.items()):
            print(name, kind or "UNKNOWN")
        sys.exit(1 if None in kinds.values() else 0)
    out = ["// Made by generate.py.", '#include "record/shmem/hooks.hpp"', "", "namespace {",
           "using namespace waitstate::record;", "using namespace waitstate::record::shmem;",
           f"std::uint32_t regions[{len(found)}] = {{}};", f"void* nexts[{len(found)}] = {{}};", "}  // namespace", 'extern "C" {']
    for index, (name, (result, arguments)) in enumerate(sorted(found.items())):
        kind = kinds[name]
        if kind in (None, "own", "none") or "..." in arguments:
            continue
        declared = ", ".join(declaration(a, i) for i, a in enumerate(arguments, 1))
        types = ", ".join(re.sub(r" a\d+", "", declaration(a, i)) for i, a in enumerate(arguments, 1))
        names = ", ".join(f"a{i}" for i in range(1, len(arguments) + 1))
        before, after = hooks(name, kind, arguments)
        role = "BARRIER" if "barrier" in kind else "RMA" if kind in ("put", "get", "atomic") else "FUNCTION"
        void = result == "void"
        out += [f"RECORD_EXPORT {result} {name}({declared}) {{",
                f"  const auto next = next_of<{result} (*)({types})>(nexts[{index}], \"{name}\");",
                "  Thread* const t = records() ? current() : nullptr;",
                f"  if (t == nullptr || t->depth != 0) return next({names});",
                f"  ShmemCall c(*t, region(regions[{index}], \"{name}\", OTF2_REGION_ROLE_{role}));"]
        out += [f"  if (c.live()) {before};"] if before else []
        out += ["  c.pause();", f"  {'' if void else 'const auto result = '}next({names});", "  c.resume();"]
        out += [f"  if (c.live()) {after};"] if after else []
        out += ["  c.leave();"] + ([] if void else ["  return result;"]) + ["}"]
    Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
    Path(sys.argv[1]).write_text("\n".join([*out, "}", ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
