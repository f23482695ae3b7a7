"""compare_reference.py: what counts as a difference, what may be left out, and what it refuses."""
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import compare_reference

HEADER = "metric,callpath,location,value\n"


class CompareReference(unittest.TestCase):
    def compare(self, ours, reference, *options):
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / "ours.csv", Path(folder) / "reference.csv"]
            for path, text in zip(paths, (ours, reference)):
                path.write_text(text, encoding="utf-8")
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                status = compare_reference.main([*map(str, paths), *options])
        self.output, self.error = out.getvalue(), err.getvalue().replace(folder + "/", "")
        return status

    def test_equal_within_the_tolerance(self):
        self.assertEqual(0, self.compare(HEADER + 'time,"a,b",0,1.0000009\n', HEADER + 'time,"a,b",0,1\n'))
        self.assertTrue(self.output.endswith("0 of 1 rows differ\n"))

    def test_a_value_beyond_the_tolerance(self):
        self.assertEqual(1, self.compare(HEADER + "time,a,0,1.000002\n", HEADER + "time,a,0,1\n"))
        self.assertIn("    a @ 0: ours 1.000002, reference 1\n", self.output)
        self.assertEqual(0, self.compare(HEADER + "time,a,0,1.000002\n", HEADER + "time,a,0,1\n", "--rel", "1e-5"))

    def test_a_row_or_a_metric_that_only_one_has(self):
        table = HEADER + "time,a,0,1\n"
        self.assertEqual(1, self.compare(table, table + "time,a,1,1\n"))
        self.assertEqual(1, self.compare(table + "mpi_earlyscan,a,0,1\n", table))
        self.assertEqual(0, self.compare(table + "mpi_earlyscan,a,0,0\n", table))

    def test_rows_of_one_key_are_added(self):
        self.assertEqual(0, self.compare(HEADER + "visits,a,0,1\nvisits,a,0,2\n", HEADER + "visits,a,0,3\n"))

    def test_what_may_be_left_out(self):
        ours, reference = HEADER + "time,a,0,1\n", HEADER + "time,a,0,1\ntime,a/b,0,1\ntime,a,1,1\nvisits,a,0,1\n"
        self.assertEqual(0, self.compare(ours, reference, "--metrics", "time", "--only-locations", "0",
                                         "--exclude-callpath", "/b$"))
        self.assertEqual(1, self.compare(ours, reference, "--metrics", "time", "--only-locations", "0"))
        self.assertEqual(1, self.compare(ours, reference, "--exclude-metrics", "vis*"))

    def test_refuses_what_it_cannot_compare(self):
        table = HEADER + "time,a,0,1\n"
        self.assertEqual(2, self.compare("metric,location,value\n", table))
        self.assertEqual("compare_reference: ours.csv: no column callpath; expected metric,callpath,location,value\n",
                         self.error)
        self.assertEqual(2, self.compare(HEADER + "time,a,zero,1\n", table))
        self.assertEqual("compare_reference: ours.csv:2: location 'zero' or value '1' is no number\n", self.error)
        self.assertEqual(2, self.compare(table, table, "--metrics", "nothing"))


if __name__ == "__main__":
    unittest.main()
