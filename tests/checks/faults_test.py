"""faults.py tells right from wrong; the mutations it makes are repeatable, and say themselves what must be told."""
import contextlib
import io
import json
import pathlib
import random
import sys
import tempfile
import unittest
from unittest import mock

import faults
import mutations
from mutations import events, files, otf2_files as otf2

TRACES = pathlib.Path(__file__).parents[2] / "traces"
SMALL = ["coll", "eztrace_late", "hybrid", "p2p", "rma", "shmem"]


class Files(unittest.TestCase):
    def test_reading_and_writing_gives_the_same_bytes(self):
        for name in SMALL:
            trace = mutations.Trace(TRACES / name)
            for file in trace.names[1:]:
                self.assertEqual(trace.bytes[file], otf2.unparse(trace.file(file)), f"{name}/{file}")
            definitions = trace.file(trace.definitions).records()
            self.assertEqual(trace.sizes.definitions(trace.bytes[trace.anchor]), len(definitions))

    def test_a_file_without_an_end_is_damaged(self):
        for data in (b"", b"OTF2", (TRACES / "p2p" / "traces.otf2").read_bytes()):
            with self.assertRaises(otf2.Damaged):
                otf2.parse(data, 1 << 18, False)

    def test_announced_events(self):
        trace = mutations.Trace(TRACES / "p2p")
        counts = {mutations.location_of(n): len(trace.file(n).records()) for n in trace.events}
        self.assertEqual({0, 1, 2, 3}, set(counts))
        self.assertEqual(counts, {location: count for location, (_, count) in trace.announced().items()})
        changed = otf2.parse(trace.with_announced({1: 70000}), trace.sizes.definition_chunk_size, False)
        trace.parsed[trace.definitions] = changed
        self.assertEqual({**counts, 1: 70000}, {n: count for n, (_, count) in trace.announced().items()})


class Mutations(unittest.TestCase):
    def test_each_kind_changes_something_and_is_repeatable(self):
        trace = mutations.Trace(TRACES / "p2p")
        for kind in mutations.KINDS:
            mutants = [[kind(trace, random.Random(f"{seed}"), seed) for seed in range(8)] for _ in range(2)]
            self.assertEqual(*mutants, kind.__name__)
            changes = [trace.bytes[name] != data for mutant in mutants[0] for name, data in mutant.files.items()]
            self.assertIn(True, changes, kind.__name__)

    def test_what_must_be_told(self):
        trace = mutations.Trace(TRACES / "p2p")
        cut = [files.truncated(trace, random.Random(n), 2) for n in range(40)]
        for mutant in cut:  # behind the end mark nothing is lost
            (name, data), = mutant.files.items()
            self.assertEqual(len(data) < len(trace.bytes[name]) - 1, mutant.must_tell, mutant.what)
        self.assertEqual({True, False}, {mutant.must_tell for mutant in cut})
        for n in range(20):
            mutant = events.events_dropped(trace, random.Random(n), 0)
            if "announced so" not in mutant.what and mutant.files:
                self.assertTrue(mutant.must_tell, mutant.what)


class Verdicts(unittest.TestCase):
    def verdict(self, code, out=b'{"diagnostics": []}', err=b"", left=(), command="analyze --format json",
                mebibytes=10.0, must_tell=False, local=False, whole=()):
        ran = faults.Ran(code, 0.1, mebibytes, out, err, list(left))
        return faults.failure(command.split(), ran, mutations.Mutant({}, "", must_tell), list(whole), local, 10, 1024)

    def test_right(self):
        self.assertEqual("", self.verdict(0))
        self.assertEqual("", self.verdict(0, b'{"diagnostics": [1]}', must_tell=True))
        self.assertEqual("", self.verdict(0, b"", b"", ["report.cubex", "trace.stat"], "analyze -o report.cubex"))
        self.assertEqual("", self.verdict(3, b"", b"waitstate: error: it is empty\n"))

    def test_wrong(self):
        message = b"waitstate: error: it is empty\n"
        self.assertEqual("exit code 1", self.verdict(1))
        self.assertEqual("exit code -11", self.verdict(-11))
        self.assertEqual("still running after 10 s", self.verdict("late"))
        self.assertEqual("1025 MiB", self.verdict(0, mebibytes=1025.0))
        self.assertEqual("exit 0 with a message", self.verdict(0, err=b"[OTF2] error\n"))
        self.assertEqual("left behind: ['x']", self.verdict(0, left=["x"]))
        self.assertEqual("left behind: ['report.cubex']",
                         self.verdict(3, b"", message, ["report.cubex"], "analyze -o report.cubex"))
        for err in (b"", message * 2, b"waitstate: error: two\nlines\n", b"[OTF2] error\n"):
            self.assertEqual("exit 3 without exactly one message", self.verdict(3, b"", err))
        self.assertEqual("exit 3 with a report", self.verdict(3, b"half", message))
        self.assertEqual("exit 3 for the file of one location", self.verdict(3, b"", message, local=True))
        for what in (b"internal error, please report it: x", b"t: the trace could not be read (signal 11, crash): y"):
            self.assertEqual("exit 3 for a failure of the program",
                             self.verdict(3, b"", b"waitstate: error: " + what + b"\n"))

    def test_a_report_that_is_none(self):
        for out in (b"", b'{"diagnostics": [', b"{}", b'{"diagnostics": [NaN]}', b'{"diagnostics": ["\xff"]}'):
            self.assertIn("no JSON report", self.verdict(0, out))

    def test_a_loss_that_is_not_told(self):
        self.assertEqual("the loss is not told", self.verdict(0, must_tell=True))
        self.assertEqual("the loss is not told", self.verdict(0, b'{"diagnostics": [1]}', must_tell=True, whole=[1]))
        ran = faults.Ran(0, 0.1, 10.0, faults.NOTHING, b"", [])
        lost = mutations.Mutant({}, "", True)
        self.assertEqual("the loss is not told", faults.failure(["info"], ran, lost, False, False, 10, 1024))
        self.assertEqual("", faults.failure(["info"], ran._replace(out=b"x"), lost, False, False, 10, 1024))
        printed = ran._replace(out=b"# missing: 1 locations\n0 1 enter main\n")
        self.assertEqual("", faults.failure(["print"], printed, lost, [], False, 10, 1024))
        self.assertEqual("the loss is not told", faults.failure(["print"], ran, lost, [], False, 10, 1024))


class Runs(unittest.TestCase):
    def run_python(self, code, seconds=60):
        with tempfile.TemporaryDirectory() as scratch:
            (pathlib.Path(scratch) / "inside").mkdir()
            return faults.run([sys.executable, "-c", code], pathlib.Path(scratch) / "inside", seconds, 1024)

    def test_what_a_process_did(self):
        ran = self.run_python("import sys; open('half', 'w'); x = b'1' * (200 << 20); sys.exit('why')")
        self.assertEqual((1, b"why\n", ["half"]), (ran.code, ran.err, ran.left))
        self.assertGreater(ran.mebibytes, 200)

    def test_a_process_that_hangs(self):
        self.assertEqual("late", self.run_python("import time; time.sleep(60)", 0.2).code)

    def test_a_program_that_hides_losses_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "careless"
            program.write_text(f"#!{sys.executable}\nprint({json.dumps({'diagnostics': []})!r})\n")
            program.chmod(0o755)
            arguments = ["faults.py", str(program), str(TRACES / "shmem"), "--mutations", "22",
                         "--keep", f"{folder}/kept"]
            output = io.StringIO()
            with mock.patch.object(sys, "argv", arguments), contextlib.redirect_stdout(output):
                self.assertEqual(1, faults.main())
            self.assertIn("the loss is not told", output.getvalue())
            self.assertTrue(any((pathlib.Path(folder) / "kept").iterdir()))


if __name__ == "__main__":
    unittest.main()
