"""The checks of style find what they are there for, in a project of one file, and nothing once it is mended."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKS = Path(__file__).resolve().parent
PROJECT = CHECKS.parents[1]
CMAKE = """cmake_minimum_required(VERSION 3.16)
project(one LANGUAGES CXX)
add_library(one src/one.cpp)
"""
MOVED = """#include <string>
#include <utility>

std::size_t twice(std::string text) {
  const std::string kept = std::move(text);
  return kept.size() + text.size();
}
"""


class Style(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = Path(folder.name)

    def write(self, name, text):
        (self.project / name).parent.mkdir(parents=True, exist_ok=True)
        (self.project / name).write_text(text, encoding="utf-8")

    def copy(self, name):
        self.write(name, (PROJECT / name).read_text(encoding="utf-8"))

    def outcome(self, script, *arguments):
        ran = subprocess.run([sys.executable, "-B", CHECKS / script, self.project, *arguments], capture_output=True, text=True)
        if ran.returncode == 77:
            self.skipTest(ran.stdout.strip())
        self.assertEqual("", ran.stderr)
        return ran.returncode, ran.stdout

    def test_format(self):
        self.copy(".clang-format")
        self.write("src/one.cpp", "int one( ) { return 1; }\n")
        self.write("src/two.cpp", "int two() { return 2; }\n")
        self.write("build/made.cpp", "int  made;\n")
        self.assertEqual((1, "clang-format would change 1 files; to let it:\n  clang-format-14 -i src/one.cpp\n"),
                         self.outcome("cpp_format.py"))
        self.write("src/one.cpp", "int one() { return 1; }\n")
        self.assertEqual((0, ""), self.outcome("cpp_format.py"))

    def test_tidy(self):
        self.copy(".clang-tidy")
        self.write("CMakeLists.txt", CMAKE)
        self.write("src/one.cpp", MOVED)
        status, found = self.outcome("cpp_tidy.py", self.project / "tidy")
        self.assertEqual(1, status)
        self.assertIn("src/one.cpp:6:24: error: 'text' used after it was moved [bugprone-use-after-move", found)
        self.write("src/one.cpp", MOVED.replace("text.size", "kept.size").replace("(std::string text", "(std::string&& text"))
        mended = (self.project / "tidy",)
        self.assertEqual((0, ""), self.outcome("cpp_tidy.py", *mended))
        known = "{} of 1 files are what they were when they passed\n"
        self.assertEqual((0, known.format(1)), self.outcome("cpp_tidy.py", *mended))
        self.write("src/two.hpp", MOVED)  # included files count as well
        self.write("src/one.cpp", '#include "two.hpp"\n')
        status, found = self.outcome("cpp_tidy.py", *mended)
        self.assertEqual((1, True), (status, found.startswith(known.format(0))))
        self.assertIn("src/two.hpp:6:24: error: 'text' used after it was moved [bugprone-use-after-move", found)
        status, found = self.outcome("cpp_tidy.py", *mended)
        self.assertEqual(1, status, "what does not pass is not recorded")

    def test_lint(self):
        self.copy(".ruff.toml")
        self.write("tests/one.py", "import os\n\nprint(undefined)\n")
        self.write("build/made.py", "import os\n")
        status, found = self.outcome("python_lint.py", PROJECT / "build" / "ruff")
        self.assertEqual(1, status)
        for expected in ("F401", "F821"):
            self.assertIn(expected, found)
        self.assertNotIn("made.py", found)
        self.write("tests/one.py", "print(1)\n")
        self.assertEqual((0, ""), self.outcome("python_lint.py", PROJECT / "build" / "ruff"))

    def test_types(self):
        self.copy(".mypy.ini")
        self.write("tests/bench/one.py", "def one():\n    return len(1)\n")
        self.write("tests/bench/test_one.py", "len(1)\n")
        status, found = self.outcome("python_types.py", self.project / "cache")
        self.assertEqual((1, 1), (status, len(found.splitlines())), found)
        self.assertTrue(found.startswith('tests/bench/one.py:2: error: Argument 1 to "len"'), found)
        self.write("tests/bench/one.py", "def one():\n    return len('1')\n")
        self.assertEqual((0, ""), self.outcome("python_types.py", self.project / "cache"))


if __name__ == "__main__":
    unittest.main()
