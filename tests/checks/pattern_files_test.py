"""pattern_files.py finds what is missing, and patterns/new-pattern writes what it asks for."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from pattern_files import violations

ROOT = Path(__file__).resolve().parents[2]


class PatternFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        shutil.copytree(ROOT / "patterns", self.root / "patterns")
        for case in (ROOT / "tests/cases").glob("*/*.case"):
            copy = self.root / case.relative_to(ROOT)
            if not copy.parent.exists():
                copy.parent.mkdir(parents=True)
                shutil.copy(case, copy)
        (self.root / "src/report").mkdir(parents=True)

    def new_pattern(self, *arguments):
        return subprocess.run([sys.executable, self.root / "patterns/new-pattern", *arguments], capture_output=True,
                              text=True, check=False)

    def test_the_project_keeps_the_rules(self):
        self.assertEqual([], list(violations(ROOT)))

    def test_what_is_missing_is_said(self):
        shutil.rmtree(self.root / "tests/cases/wrong_order")
        (self.root / "patterns/costs.cpp").rename(self.root / "patterns/prices.cpp")
        (self.root / "src/report/a.cpp").write_text('f("mpi_latesender");  // "mpi_latereceiver"\n', encoding="utf-8")
        self.assertEqual([
            "patterns/patterns.cpp: wrong_order has no case in tests/cases/wrong_order",
            "patterns/patterns.cpp: costs has a row, but no file patterns/costs.cpp",
            "patterns/prices.cpp: has no row in patterns.cpp",
            "patterns/prices.cpp: its first metric is costs, expected prices",
            "patterns/prices.cpp: does not define prices()",
            "src/report/a.cpp:1: names mpi_latesender, which patterns/mpi_latesender.cpp alone should know",
        ], list(violations(self.root)))

    def test_a_new_pattern_is_complete_and_compiles(self):
        for arguments in (["my_wait"], ["my_earlier_wait", "--parent", "mpi_collective", "--after", "mpi_latesender"]):
            done = self.new_pattern(*arguments)
            self.assertEqual((0, ""), (done.returncode, done.stderr))
            pattern = arguments[0]
            self.assertEqual(f"patterns/{pattern}.cpp\npatterns/patterns.cpp\ntests/cases/{pattern}/first.case\n", done.stdout)
        self.assertEqual([], list(violations(self.root)))
        rows = (self.root / "patterns/patterns.cpp").read_text(encoding="utf-8")
        self.assertIn("  X(mpi_latesender) \\\n  X(my_earlier_wait) \\\n", rows)
        self.assertIn("  X(io_costs) \\\n  X(my_wait)\n", rows)
        compiler = os.environ.get("CXX") or shutil.which("c++")
        if compiler:
            subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/include",
                            self.root / "patterns/my_wait.cpp"], check=True)

    def test_a_pattern_that_is_there_is_refused(self):
        for pattern, reason in (("costs", "patterns/costs.cpp is there already"),
                                ("Costs", "'Costs' is no id: small letters, digits and single underscores, e.g. mpi_latesender")):
            done = self.new_pattern(pattern)
            self.assertEqual((1, f"new-pattern: {reason}\n"), (done.returncode, done.stderr))
        self.assertEqual("new-pattern: patterns.cpp has no row nobody\n", self.new_pattern("mine", "--after", "nobody").stderr)


if __name__ == "__main__":
    unittest.main()
