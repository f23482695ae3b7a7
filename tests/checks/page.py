#!/usr/bin/env python3
"""Checks the pages of HTML reports and of `serve`: what their sources must not do, and that the built pages are those of the sources.

usage: page.py PROJECT

No source writes HTML or evaluates text: names of a trace reach the page as text only. Only one module asks a server, and the page
of reports has nothing of it. Modules import only from their own folder and from the folders before it, and never each other in a
circle. Lines have at most 120 columns. The built pages load nothing, and their scripts and styles are those that their own policies
allow. With node, types are checked, and the built pages must be those that build.mjs makes of the sources, which are formatted.
Prints every problem and exits 1 if there is one; else it exits with 77, for skipped, if node or the packages are missing.
"""
import base64
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FORBIDDEN = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\b|new Function|createContextualFragment"
    r"|DOMParser|\bfetch\(|XMLHttpRequest|WebSocket|\bimport\(|<style|style=\"|setAttribute\(|srcdoc|javascript:|<iframe|<object")
ASKS = ("serve/server.ts", "fetch(")  # the only module that asks a server
MOST_BYTES = {"report": 200_000, "serve": 260_000}
MOST_COLUMNS = 120
# Each folder may import from itself and from those before it; files that stand in no folder are read by all.
FOLDERS = ("text", "data", "state", "charts", "frame", "trees", "views", "comparison", "serve")
IMPORT = re.compile(r'^(?:import|export)\b[^;]*?\bfrom "(\.[^"]+)";', re.M)
SKIPPED = 77
TOOLS = ("esbuild", "prettier", "typescript")


def sources(page):
    return sorted((page / "src").rglob("*.ts*"))


def lines(files):
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            found = FORBIDDEN.search(line)
            if found is not None and not (found.group() == ASKS[1] and file.as_posix().endswith(ASKS[0])):
                yield f"{file}:{number}: {found.group()}: names of a trace may reach the page as text only"
            if len(line) > MOST_COLUMNS:
                yield f"{file}:{number}: it has {len(line)} columns, more than {MOST_COLUMNS}"


def imports_of(file):
    """The modules that a module imports, as files."""
    for name in IMPORT.findall(file.read_text(encoding="utf-8")):
        target = (file.parent / name).resolve()
        yield next(path for ending in (".ts", ".tsx") if (path := target.with_name(target.name + ending)).exists())


def folder_of(file, source):
    parts = file.relative_to(source).parts
    return parts[0] if len(parts) > 1 else None


def circles(files, source):
    """Imports from a folder that comes later, and modules that import each other."""
    imports = {file: list(imports_of(file)) for file in files}
    for file, targets in imports.items():
        here = folder_of(file, source)
        if here is not None and here not in FOLDERS:
            yield f"{file}: its folder is not one of those that the check knows: {', '.join(FOLDERS)}"
            continue
        for target in targets:
            there = folder_of(target, source)
            if here is not None and there is not None and FOLDERS.index(there) > FOLDERS.index(here):
                yield f"{file}: {here}/ may not import {target.relative_to(source)}, as {there}/ comes after it"
    done = set()
    for file in files:
        yield from circle_from(file, imports, [], done, source)


def circle_from(file, imports, path, done, source):
    if file in path:
        circle = [*path[path.index(file):], file]
        yield f"{file}: modules import each other: {' > '.join(str(f.relative_to(source)) for f in circle)}"
    elif file not in done:
        for target in imports[file]:
            yield from circle_from(target, imports, [*path, file], done, source)
        done.add(file)


def hashed(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def built(file, kind):
    text = file.read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    if policy is None:
        return [f"{file}: it has no policy"]
    found = []
    rules = dict(rule.strip().split(" ", 1) for rule in policy.group(1).split(";"))
    for rule, want in (("default-src", "'none'"), ("base-uri", "'none'"), ("form-action", "'none'"), ("img-src", "data: blob:"),
                       ("connect-src", "'self'" if kind == "serve" else None)):
        if rules.get(rule) != want:
            found.append(f"{file}: the policy has {rule} {rules.get(rule)}, not {want}")
    for element, rule in (("script", "script-src"), ("style", "style-src")):
        contents = re.findall(rf"<{element}>(.*?)</{element}>", text, re.S)
        if len(contents) != 1 or rules.get(rule) != hashed(contents[0]):
            found.append(f"{file}: its {element} is not what its policy allows")
    markup = re.sub(r"<(script|style)>.*?</\1>", "", text, flags=re.S)
    if (loads := re.search(r"\b(src|href|on\w+|style)\s*=", markup)) is not None:
        found.append(f"{file}: its skeleton has {loads.group()}")
    times = 1 if kind == "report" else 0
    for marker in ("title", "summary", "sections", "values"):
        if text.count("{{" + marker + "}}") != times:
            found.append(f"{file}: it must hold {{{{{marker}}}}} {('never', 'once')[times]}")
    if kind == "report" and ASKS[1] in text:
        found.append(f"{file}: it has {ASKS[1]}: a report from disk asks nobody")
    if (size := len(text.encode())) > MOST_BYTES[kind]:
        found.append(f"{file}: it has {size} bytes, more than {MOST_BYTES[kind]}")
    return found


def main():
    project = Path(sys.argv[1]).resolve()
    page = project / "src/report/page"
    pages = {"report": project / "src/report/html/page.html", "serve": project / "src/serve/page.html"}
    files = sources(page)
    found = [*lines(files), *circles(files, page / "src")]
    for kind, file in pages.items():
        found += built(file, kind)
    can_build = shutil.which("node") is not None and all((page / "node_modules" / name).exists() for name in TOOLS)
    if can_build:
        types = subprocess.run(["node", page / "node_modules/typescript/bin/tsc", "--noEmit", "-p", page], capture_output=True, text=True)
        if types.returncode != 0:
            found.append(f"{page}: the types do not fit:\n{types.stdout}{types.stderr}")
        form = subprocess.run(["node", page / "node_modules/prettier/bin/prettier.cjs", "--check", "."], cwd=page, capture_output=True, text=True)
        if form.returncode != 0:
            found.append(f"{page}: sources are not formatted; run: cd {page} && npm run format\n{form.stdout}{form.stderr}")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["node", page / "build.mjs", folder], check=True)
            for kind, file in pages.items():
                if (Path(folder) / f"{kind}.html").read_bytes() != file.read_bytes():
                    found.append(f"{file}: it is older than its sources; run: cd {page} && npm run build")
    else:
        print("page: not built again: no node, or no packages in src/report/page (npm install)")
    print("\n".join(found))
    return 1 if found else 0 if can_build else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
