"""Decides which sources are compiled together in a unity build, so that what is local to a file may have any name there.

usage: unity_groups.py SIZE TARGETS GROUPS

TARGETS has a line for each target: its name and its sources, separated by semicolons. GROUPS becomes a CMake file that gives
each source its group. A group has at most SIZE sources, in the order in which they came. Two sources are in one group only if
no name is local to both (in an unnamed namespace, static, or a macro), and if the later one does not use a word that names a
type or variable local to the earlier one: it would mean that one, or hide it. Functions may overload each other, but equal
names are kept apart as well, because conversions could make a call ambiguous. What the earlier one has a using-declaration or a
using-directive for, the later one must not use, or must have the same.

The sources are read line by line, as clang-format lays them out: what a namespace declares begins in the first column.
"""
import re
import sys
from pathlib import Path

DECLARATION = re.compile(r"""(?:inline\s+|constexpr\s+|const\s+|static\s+)*(?:
   (?:struct|class|union|enum\s+class|enum)\s+(?P<type>\w+)\s*(?:final\s*)?[:{;]
 | using\s+(?P<alias>\w+)\s*=
 | [A-Za-z_][\w:<>,*&\s\[\]]*?[\s*&](?P<function>\w+)\(
 | [A-Za-z_][\w:<>,*&\s\[\]]*?[\s*&](?P<variable>\w+)\s*[{\[=;])""", re.VERBOSE)
USING = re.compile(r"using (namespace [\w:]+|[\w:]+::\w+);")
NO_DECLARATION = ("TEST", "INSTANTIATE", "PYBIND", "template", "return", "static_assert")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|"(?:\\.|[^"\\\n])*"')
WORD = re.compile(r"(?<![\w.>:])[A-Za-z_]\w*")  # no member, nothing that is qualified


class Source:
    """The names that are local to a source, and the words that it uses."""

    def __init__(self, path):
        text = path.read_text(encoding="utf-8", errors="replace")
        self.names = {("#", macro) for macro in re.findall(r"^#define (\w+)", text, re.MULTILINE)
                      if not re.search(rf"^#undef {macro}\b", text, re.MULTILINE)}
        self.meanings = set()  # names of types and variables
        self.used = set(USING.findall("\n".join(re.findall(r"^using .*", text, re.MULTILINE))))
        self.words = set(WORD.findall(COMMENT_OR_STRING.sub(" ", text)))
        namespace, unnamed = "", False
        for line in text.splitlines():
            if opened := re.match(r"namespace ([\w:]+) \{", line):
                namespace = opened[1]
            elif line.startswith("namespace {"):
                unnamed = True
            elif line.startswith("}  // namespace"):
                unnamed = False
            elif (unnamed or line.startswith("static ")) and line[:1].isalpha() and not line.startswith(NO_DECLARATION):
                self.declare(namespace, line)

    def declare(self, namespace, line):
        found = DECLARATION.match(line)
        if not found:
            return
        meaning = found["type"] or found["alias"] or found["variable"]
        self.names.add((namespace, meaning or found["function"]))
        if meaning:
            self.meanings.add(meaning)

    def opens_namespaces(self):
        return any(using.startswith("namespace ") for using in self.used)

    def may_stand_before(self, later):
        if self.names & later.names or self.meanings & later.words:
            return False
        added = self.used - later.used
        return not any(using.startswith("namespace ") or using.rpartition("::")[2] in later.words for using in added)


def grouped(sources, size):
    """Lists of paths, from {path: Source}. Those that open namespaces come last, where nothing follows that would be changed."""
    groups = []
    for path, source in sorted(sources.items(), key=lambda item: item[1].opens_namespaces()):
        for group in groups:
            if len(group) < size and all(sources[earlier].may_stand_before(source) for earlier in group):
                group.append(path)
                break
        else:
            groups.append([path])
    return groups


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    lines = []
    for line in Path(sys.argv[2]).read_text(encoding="utf-8").splitlines():
        target, *paths = line.split(";")
        sources = {path: Source(Path(path)) for path in paths if Path(path).is_file()}
        lines.append(f"set_target_properties({target} PROPERTIES UNITY_BUILD_MODE GROUP)\n")
        for number, group in enumerate(grouped(sources, int(sys.argv[1]))):
            files = " ".join(f'"{path}"' for path in group)
            lines.append(f"set_source_files_properties({files} TARGET_DIRECTORY {target} PROPERTIES UNITY_GROUP {target}_{number})\n")
    Path(sys.argv[3]).write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
