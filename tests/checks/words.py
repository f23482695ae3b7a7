#!/usr/bin/env python3
"""Checks that comments and sentences can be read alone: each has a subject and a verb, or is a plain noun phrase.

usage: words.py PROJECT [--count]

Comments of C++, Python, TypeScript and case files, docstrings, READMEs, and string literals of C++ that are sentences are
compared with patterns that a script can recognise: a beginning that needs the line before ("Of the first one.", "The same,
but ...", "What it took."), a doubled word, a relative clause without its noun ("longer than who waited for it"). It is
meant to be precise: it misses much, so read what you write. Prints path:line, reason and text of what it finds, exits 1 if
that is anything. --count prints numbers by folder instead.
"""
import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path
from typing import NamedTuple

# Files made by a program, or copied from elsewhere.
GENERATED = {"python/waitstate/_core.pyi", "src/report/html/page.js"}

CODE, PYTHON, SCRIPT, PAGE = {".cpp", ".hpp", ".h", ".c"}, {".py", ".pyi"}, {".ts", ".tsx"}, {".md"}


class Text(NamedTuple):
    """A text to check: its first line, its words in one line, and where they stand."""

    line: int
    text: str
    kind: str  # comment, trailing (a comment behind code), string, or further (it may refer to the text before)


# Beginnings that refer to the line before. A comment behind code often begins in lower case, any other with a capital.
BEGINNINGS = [
    (r"(?:what|whom|whose)\b(?!.*\?)", "begins with a relative pronoun: name the thing"),
    (r"who\b(?! (?:\w+ ){1,4}whom\b)(?!.*\?)", "begins with a relative pronoun: name the thing"),
    (r"of (?!which\b)[^,]*(?:\.(?!\d)|:|;|$)", "begins with \"of\": say what it is of"),
    (r"of which\b", "begins with \"of which\": say what it is of"),
    (r"the same(?:[.,;:]| (?:with|of|for|in|but|as|where|if|when|to|from|on|at|alone|again|by|and|without|also)\b|$)",
     "\"the same\" needs the line before: say the same as what"),
    (r"those\b", "\"those\" needs the line before: name the things"),
    (r"(?:and|or|nor)\b", "begins with a conjunction"),
    (r"as (?:before|above|[a-z_:]+\(\))(?:[.,;:]|$)", "write \"like\", and name the thing"),
    (r"(?:…|\.\.\.) ?[a-z]", "begins in the middle of a sentence"),
]
# Beginnings of comments behind code, in lower case.
TRAILING = [
    (r"(?:that|which|who|in which|from which|to which|by which|for which|with which|at which|on which) (?!is why\b)",
     "begins with a relative clause: name the thing"),
    (r"of \w", "begins with \"of\": say what it is of"),
]
DOUBLED = r"(?<![-\w])(is|are|was|were|the|a|an|of|to|in|for|that|which|who|and|or|it|with|by|on|has|have|be)\s+\1(?![-\w]|\.\w)"
# Anywhere in a sentence.
ANYWHERE = [
    (DOUBLED, "a doubled word"),
    (r"\b(?:than|like|from|by|after|before|between|against|for|over) who (?!(?:\w+ ){1,3}(?:for |to |from )?whom\b)",
     "\"who\" without a noun: \"the process that\""),
    (r"\b(?:run|time|much|long) who\b", "\"who\" without a noun: \"the process that\""),
    (r"\bfor those (?:who|whom)\b", "\"those who\": name them"),
    (r"\b(?:what|all that|as|that) (?:is|was|are|were) told\b(?! to\b)", "\"told\" of a fact: known, said, recorded"),
    (r"\bwhat (?:there )?is of\b", "\"what is of\": name the thing"),
    (r"\b(?:how long|how much) was waited\b", "nobody is the subject: \"the waiting time\""),
    (r"\bwhat (?:it|they) (?:is|are) of\b", "\"what it is of\": name the thing"),
    (r"\bthe begin(?: of\b|[.,;:]|$)", "\"begin\" is not a noun: start, or the begin record"),
    (r"[:;] (?:what|who|whom|whether|how (?:long|much|many)|why|which) [^:;.]{1,60}\b(?:is|are) not known\b",
     "write \"it is not known what ...\""),
    (r"(?<![Tt]here )\b(?:is|are) no (?:time|unit|JSON|UTF-8|number|share|thread|text|member|regular|report|value|problem|sum|wait|"
     r"metric|error|noun)s?\b(?! of\b)", "\"is no\": write \"is not a\""),
]
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def reasons(text, kind):
    """Why the text cannot stand; empty if nothing is found."""
    found = []
    plain = re.sub(r"`[^`]*`", "`x`", text)  # quoted code is not English
    if kind != "string":
        plain = re.sub(r'"[^"]*"', '"x"', plain)
    start = plain if kind in ("trailing", "comment") or (kind == "string" and plain[:1].isupper()) else ""
    for pattern, reason in BEGINNINGS:
        if start and re.match(pattern, start, re.IGNORECASE):
            found.append(reason)
    if kind == "trailing":
        found += [reason for pattern, reason in TRAILING if re.match(pattern, plain)]
    found += [reason for pattern, reason in ANYWHERE if re.search(pattern, plain)]
    return list(dict.fromkeys(found))


def split_code(line):
    """The code of a line, and its comment with its marker (None without one); strings are skipped."""
    i, quote = 0, ""
    while i < len(line):
        c = line[i]
        if quote:
            if c == "\\":
                i += 1
            elif c == quote:
                quote = ""
        elif c in "\"`" or (c == "'" and not (i and line[i - 1].isalnum())):
            quote = c
        elif line.startswith("//", i):
            return line[:i], line[i:]
        i += 1
    return line, None


def of_code(source):
    """Comments and sentences of C, C++ or TypeScript."""
    comments, raw = [], ""
    for number, line in enumerate(source.splitlines(), 1):
        if raw:
            raw = "" if raw in line else raw
            continue
        opened = re.search(r'R"(\w*)\(', line)
        if opened and f"){opened[1]}\"" not in line:
            raw = f"){opened[1]}\""
            continue
        code, comment = split_code(line)
        if comment is not None:
            words = re.sub(r"^///?<?\s?", "", comment).strip()
            comments.append((number, len(code), bool(code.strip()), words))
    yield from paragraphs(comments)


def paragraphs(comments):
    """The comments of a file as texts; only the first paragraph of a comment is checked for its beginning."""
    group, fresh = [], True
    ended = None  # line and column of the comment line before
    for number, column, behind, words in [*comments, (-9, 0, False, "")]:
        joined = ended == (number - 1, column) and not behind
        if group and not (joined and words):
            yield Text(group[0][0], " ".join(g[2] for g in group), group[0][1])
            group = []
        if words and (group or joined):
            fresh = False
        elif words:
            fresh = True
        if words:
            kind = "trailing" if behind else "comment" if fresh else "further"
            group.append((number, kind if not group else group[0][1], words))
        ended = (number, column)


def of_strings(source):
    """String literals of C++, those side by side joined, that have at least four words."""
    raw = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"')
    source = raw.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), source)
    source = "\n".join(split_code(line)[0] for line in source.split("\n"))
    for found in re.finditer(LITERAL.pattern + r"(?:\s*" + LITERAL.pattern + ")*", source):
        text = "".join(part[1:-1] for part in LITERAL.findall(found[0])).replace("\\n", " ").replace('\\"', '"')
        if len(text.split()) >= 4:
            yield Text(source.count("\n", 0, found.start()) + 1, " ".join(text.split()), "string")


def of_python(source):
    """Comments and docstrings of Python."""
    comments = []
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith("#!"):
            number, column = token.start
            comments.append((number, column, bool(lines[number - 1][:column].strip()), token.string.lstrip("#").strip()))
    yield from paragraphs(comments)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            text = ast.get_docstring(node)
            if text:
                for n, part in enumerate(re.split(r"\n\s*\n", text)):
                    yield Text(node.body[0].lineno, " ".join(part.split()), "comment" if n == 0 else "further")


def of_case(source):
    """Comments of traces in the text notation."""
    comments = []
    for number, line in enumerate(source.splitlines(), 1):
        found = re.match(r"()#\s?(.*)", line) or re.match(r"(.*?\s)#\s(.*)", line)
        if found:
            comments.append((number, len(found[1]), bool(found[1].strip()), found[2].strip()))
    yield from paragraphs(comments)


def of_document(source):
    """Paragraphs and items of a README, without code, tables and headings."""
    source = re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), source, flags=re.MULTILINE | re.DOTALL)
    group, begin = [], 0
    for number, line in enumerate([*source.splitlines(), ""], 1):
        item = re.match(r"\s*(?:[-*]|\d+\.) ", line)
        if group and (not line.strip() or item or line.startswith(("#", "|"))):
            yield Text(begin, " ".join(group), "string")
            group = []
        if line.startswith("|"):
            yield Text(number, line, "further")
        elif line.strip() and not line.startswith("#"):
            begin = begin if group else number
            group.append(re.sub(r"^\s*(?:[-*]|\d+\.) ", "", line).strip())


def texts(path, source):
    """All texts of a file that are checked."""
    if path.suffix in CODE:
        yield from of_code(source)
        if path.suffix in (".cpp", ".hpp") and path.parts[0] != "tests":
            yield from of_strings(source)
    elif path.suffix in PYTHON:
        yield from of_python(source)
    elif path.suffix in SCRIPT:
        yield from of_code(source)
    elif path.suffix in PAGE:
        yield from of_document(source)
    elif path.suffix == ".case":
        yield from of_case(source)


def files(root):
    """The files of the project that have texts, relative to `root`."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True,
                            check=True).stdout.split("\n")
    for name in sorted(set(listed)):
        path = Path(name)
        if name and name not in GENERATED and path.suffix in CODE | PYTHON | SCRIPT | PAGE | {".case"} and (root / path).is_file():
            yield path


def findings(root):
    """Yields path, line, reason and text of all that is found."""
    for path in files(root):
        for text in texts(path, (root / path).read_text(encoding="utf-8")):
            for reason in reasons(text.text, text.kind):
                yield path, text.line, reason, text.text


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    options = {a for a in sys.argv[1:] if a.startswith("--")}
    if len(arguments) != 1 or options - {"--count"}:
        sys.exit(__doc__)
    found = list(findings(Path(arguments[0])))
    if "--count" in options:
        for folder, number in sorted(Counter("/".join(path.parts[:2]) for path, *_ in found).items()):
            print(f"{number:6} {folder}")
    else:
        for path, line, reason, text in found:
            print(f"{path}:{line}: {reason}\n    {text[:200]}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
