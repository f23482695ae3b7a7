#!/usr/bin/env python3
"""Checks the page of HTML reports: what its sources must not do, and that the built page is that of the sources.

usage: page.py PROJECT

No source writes HTML or evaluates text: names of a trace reach the page as text only. The built page loads nothing, its
scripts and styles are those that its own policy allows, its types fit, its sources are formatted, and it is what build.mjs
makes of the sources today.
Prints every problem, exits 1 if there is one; else 77, for skipped, if node or the packages are not there to build it again.
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
MOST_BYTES = 120_000
SKIPPED = 77
TOOLS = ("esbuild", "prettier", "typescript")


def sources(page):
    for file in sorted((page / "src").iterdir()):
        if file.suffix in (".ts", ".tsx"):
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                if (found := FORBIDDEN.search(line)) is not None:
                    yield f"{file}:{number}: {found.group()}: names of a trace may reach the page as text only"


def hashed(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def built(file):
    text = file.read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    if policy is None:
        return [f"{file}: it has no policy"]
    found = []
    rules = dict(rule.strip().split(" ", 1) for rule in policy.group(1).split(";"))
    for rule, want in (("default-src", "'none'"), ("base-uri", "'none'"), ("form-action", "'none'"), ("img-src", "data: blob:")):
        if rules.get(rule) != want:
            found.append(f"{file}: the policy has {rule} {rules.get(rule)}, not {want}")
    for element, rule in (("script", "script-src"), ("style", "style-src")):
        contents = re.findall(rf"<{element}>(.*?)</{element}>", text, re.S)
        if len(contents) != 1 or rules.get(rule) != hashed(contents[0]):
            found.append(f"{file}: its {element} is not what its policy allows")
    markup = re.sub(r"<(script|style)>.*?</\1>", "", text, flags=re.S)
    if (loads := re.search(r"\b(src|href|on\w+|style)\s*=", markup)) is not None:
        found.append(f"{file}: its skeleton has {loads.group()}")
    for marker in ("title", "summary", "sections"):
        if text.count("{{" + marker + "}}") != 1:
            found.append(f"{file}: it must hold {{{{{marker}}}}} once")
    if (size := len(text.encode())) > MOST_BYTES:
        found.append(f"{file}: it has {size} bytes, more than {MOST_BYTES}")
    return found


def main():
    project = Path(sys.argv[1]).resolve()
    page, file = project / "src/report/page", project / "src/report/html/page.html"
    found = [*sources(page), *built(file)]
    can_build = shutil.which("node") is not None and all((page / "node_modules" / name).exists() for name in TOOLS)
    if can_build:
        types = subprocess.run(["node", page / "node_modules/typescript/bin/tsc", "--noEmit", "-p", page], capture_output=True, text=True)
        if types.returncode != 0:
            found.append(f"{page}: the types do not fit:\n{types.stdout}{types.stderr}")
        form = subprocess.run(["node", page / "node_modules/prettier/bin/prettier.cjs", "--check", "."], cwd=page, capture_output=True, text=True)
        if form.returncode != 0:
            found.append(f"{page}: sources are not formatted; run: cd {page} && npm run format\n{form.stdout}{form.stderr}")
        with tempfile.TemporaryDirectory() as folder:
            again = Path(folder) / "page.html"
            subprocess.run(["node", page / "build.mjs", again], check=True)
            if again.read_bytes() != file.read_bytes():
                found.append(f"{file}: it is older than its sources; run: cd {page} && npm run build")
    else:
        print("page: not built again: no node, or no packages in src/report/page (npm install)")
    print("\n".join(found))
    return 1 if found else 0 if can_build else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
