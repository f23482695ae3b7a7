"""traces.py finds a trace that is incomplete and a manifest that says something else than the reference."""
import tempfile
import unittest
from pathlib import Path

from traces import problems

REFERENCE = "metric,callpath,location,value\nmpi_latesender,a,0,0.25\nmpi_latesender,a,1,0.5\n"


class Traces(unittest.TestCase):
    def found(self, manifest, reference=REFERENCE, files=("traces.otf2", "traces.def", "traces/0.evt")):
        with tempfile.TemporaryDirectory() as folder:
            trace = Path(folder)
            for name in files:
                (trace / name).parent.mkdir(exist_ok=True)
                (trace / name).touch()
            if manifest is not None:
                (trace / "MANIFEST.md").write_text(manifest, encoding="utf-8")
            if reference is not None:
                (trace / "reference.csv").write_text(reference, encoding="utf-8")
            return problems(trace)

    def test_complete(self):
        self.assertEqual([], self.found("`traces.otf2`\n| `mpi_latesender` | 0.75 | 2 |\n"))
        self.assertEqual([], self.found("`traces.otf2`\n", reference=None))

    def test_another_sum_or_another_number_of_rows(self):
        self.assertEqual(["mpi_latesender: MANIFEST.md has 0.76 in 2 rows, reference.csv 0.75 in 2 rows"],
                         self.found("`traces.otf2`\n| `mpi_latesender` | 0.76 | 2 |\n"))
        self.assertEqual(["mpi_latesender: MANIFEST.md has 0.75 in 3 rows, reference.csv 0.75 in 2 rows"],
                         self.found("`traces.otf2`\n| `mpi_latesender` | 0.75 | 3 |\n"))

    def test_something_is_missing(self):
        self.assertEqual(["no MANIFEST.md"], self.found(None))
        self.assertEqual(["0 files *.otf2, expected the one anchor"], self.found("", files=("traces.def",)))
        self.assertEqual(["no traces.def", "no traces"], self.found("`traces.otf2`", None, files=("traces.otf2",)))
        self.assertEqual(["MANIFEST.md does not name the anchor traces.otf2"], self.found("", None))
        self.assertEqual(["expected answers in MANIFEST.md and reference.csv: one is there without the other"],
                         self.found("`traces.otf2`"))


if __name__ == "__main__":
    unittest.main()
