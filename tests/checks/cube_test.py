"""cube.py: reads reports of all kinds, and sees each difference that it is there to see."""
import io
import pathlib
import struct
import sys
import tarfile
import tempfile
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import cube

ANCHOR = """<?xml version="1.0" encoding="UTF-8"?>
<cube version="4.4"><metrics><metric id="0" type="{kind}"><disp_name>Time</disp_name><uniq_name>time</uniq_name>
<dtype>{dtype}</dtype><uom>{unit}</uom></metric></metrics>
<program><region id="0" mod="a.c" begin="3" end="-1"><name>a</name></region>
<region id="1" mod="" begin="-1" end="-1"><name>b</name></region>
<cnode id="0" calleeId="0"><cnode id="1" calleeId="1"><cnode id="2" calleeId="0"></cnode></cnode>
<cnode id="3" calleeId="1"></cnode></cnode></program>
<system><systemtreenode Id="0"><name>m</name><class>machine</class><locationgroup Id="0"><name>p</name><rank>0</rank>
<type>process</type><location Id="0"><name>t</name><rank>0</rank><type>thread</type></location>
<location Id="1"><name>u</name><rank>1</rank><type>thread</type></location></locationgroup></systemtreenode></system></cube>"""


def index(*rows, order="<"):
    return b"CUBEX.INDEX" + struct.pack(f"{order}IHBI{len(rows)}I", 1, 0, 1, len(rows), *rows)


class Reports(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "x.cubex"
        self.addCleanup(self.folder.cleanup)

    def report(self, index_bytes, data, kind="EXCLUSIVE", dtype="UINT64", unit="occ"):
        members = {"trace.stat": b"PatternName Count Mean Median Minimum Maximum Sum Variance Quartil25 Quartil75\n",
                   "0.data": data, "0.index": index_bytes,
                   "anchor.xml": ANCHOR.format(kind=kind, dtype=dtype, unit=unit).encode()}
        with tarfile.open(self.path, "w", format=tarfile.USTAR_FORMAT) as tar:
            for name, contents in members.items():
                info = tarfile.TarInfo(name)
                info.size = len(contents)
                tar.addfile(info, io.BytesIO(contents))
        return cube.Report(self.path)

    def test_sparse_rows_of_both_byte_orders(self):
        for order in "<>":
            r = self.report(index(1, 3, order=order), b"CUBEX.DATA" + struct.pack(order + "4Q", 1, 0, 0, 4))
            self.assertEqual({("time", "a/b", 0): 1, ("time", "a/b", 1): 4}, r.values)

    def test_dense_and_compressed_rows(self):
        dense = b"CUBEX.INDEX" + struct.pack("<IHB", 1, 0, 3)
        rows = [zlib.compress(struct.pack("<2Q", *v)) for v in ((5, 6), (7, 8))]
        table = struct.pack("<7Q", 2, 16, 0, len(rows[0]), 0, len(rows[0]), len(rows[1]))
        r = self.report(dense, b"ZCUBEX.DATA" + table + rows[0] + rows[1])
        self.assertEqual({("time", "a", 0): 7, ("time", "a", 1): 8, ("time", "a/b", 0): 5, ("time", "a/b", 1): 6}, r.values)

    def test_inclusive_rows_are_wide(self):
        # Wide: a, a/b, the second a/b, a/b/a.
        r = self.report(index(0, 1, 2, 3), b"CUBEX.DATA" + struct.pack("<8q", 10, 0, 4, 0, 3, 0, 1, 0), "INCLUSIVE",
                        "INTEGER")
        self.assertEqual({("time", "a", 0): 3, ("time", "a/b", 0): 6, ("time", "a/b/a", 0): 1}, r.values)

    def test_refuses_rows_that_do_not_fit(self):
        for wrong in (index(3, 1), index(1, 2)[:-1], b"CUBE.INDEX", index(1)):
            with self.assertRaises((ValueError, struct.error)):
                self.report(wrong, b"CUBEX.DATA" + bytes(32))

    def test_differences_of_numbers(self):
        r = self.report(index(0), b"CUBEX.DATA" + struct.pack("<2Q", 1, 2))
        table = ["metric,callpath,location,value\n", "time,a,0,1\n", "time,a,1,2\n"]
        self.assertEqual([], cube.number_errors(r, table))
        self.assertEqual(["time a 1: 2, the CSV has 0"], cube.number_errors(r, table[:2]))
        self.assertEqual(["time a 1: 2, the CSV has 3"], cube.number_errors(r, [*table, "time,a,1,1\n"]))
        self.assertEqual(["time b 1: 0, the CSV has 1"], cube.number_errors(r, [*table, "time,b,1,1\n"]))
        r = self.report(index(0), b"CUBEX.DATA" + struct.pack("<2d", 1, 2 + 1e-9), dtype="DOUBLE", unit="sec")
        self.assertEqual([], cube.number_errors(r, table))
        r = self.report(index(0), b"CUBEX.DATA" + struct.pack("<2d", 1, 2 + 3e-9), dtype="DOUBLE", unit="sec")
        self.assertEqual(1, len(cube.number_errors(r, table)))

    def test_differences_of_real_counters(self):
        third, large = 1 / 3, 1234567890123.4567  # the CSV has 12 digits of them
        r = self.report(index(0), b"CUBEX.DATA" + struct.pack("<2d", third, large), dtype="DOUBLE", unit="J")
        table = ["metric,callpath,location,value\n", "time,a,0,0.333333333333\n", "time,a,1,1.23456789012e+12\n"]
        self.assertEqual([], cube.number_errors(r, table))
        self.assertEqual(1, len(cube.number_errors(r, [*table[:2], "time,a,1,1.23456789014e+12\n"])))
        whole = [round(third * 2**20), round(large * 2**20)]
        result = {"counters": {"time": {"scale": 2**-20}},
                  "severities": {"time": {"rows": [[0, 0, whole[0]], [0, 1, whole[1]]]}}}
        self.assertEqual([f"time 0 0: {third!r}, the JSON has {whole[0] / 2**20!r}"], cube.counter_errors(r, result))
        r = self.report(index(0), b"CUBEX.DATA" + struct.pack("<2d", *(n / 2**20 for n in whole)), dtype="DOUBLE",
                        unit="J")
        self.assertEqual([], cube.counter_errors(r, result))
        result["severities"]["time"]["rows"][1][0] = 1
        self.assertEqual(2, len(cube.counter_errors(r, result)))
        self.assertEqual(2, len(cube.counter_errors(r, {**result, "severities": {}})))

    def test_differences_of_trees(self):
        r = self.report(index(0), b"CUBEX.DATA" + bytes(16))
        region = {"begin_line": 3, "end_line": 0, "paradigm": None}
        process = {"name": "p", "type": "process", "rank": 0, "system_tree_node": 0}
        result = {"metrics": [{"id": "time", "title": "Time", "unit": "occ", "parent": None}],
                  "regions": [dict(region, name="a", file="a.c"), dict(region, name="b", file="", begin_line=0)],
                  "programs": ["/bin/app"],
                  "call_tree": [{"parent": p, "region": r, "program": None} for p, r in ((None, 0), (0, 1), (1, 0), (0, 1))],
                  "system_tree": [{"name": "m", "class": "machine", "parent": None}],
                  "processes": [process], "locations": [{"name": "t", "type": "cpu_thread", "process": 0},
                                                        {"name": "u", "type": "cpu_thread", "process": 0}]}
        self.assertEqual([], cube.tree_errors(r, result))
        for unit, wrong in (("occ", 0), ("J", 1)):  # a counter's unit is as its recorder wrote it
            result["metrics"][0]["unit"], result["counters"] = "counter", {"time": {"severity_unit": unit}}
            self.assertEqual(wrong, len(cube.tree_errors(r, result)))
        result["metrics"][0]["unit"] = "occ"
        result["regions"][0]["begin_line"] = 4  # two call paths
        result["locations"][1]["name"] = "v"
        result["system_tree"][0]["class"] = "node"
        self.assertEqual(4, len(cube.tree_errors(r, result)))
        result["metrics"].append({"id": "visits", "title": "", "unit": "occ", "parent": None})
        self.assertIn("1 metrics, the JSON has 2", cube.tree_errors(r, result))
        result["call_tree"][3] = {"parent": 0, "region": None, "program": 0}
        self.assertIn("call paths, place 3: (0, 'b', '', -1, -1, None), the JSON has "
                      "(0, 'app', '/bin/app', -1, -1, 'unknown')", cube.tree_errors(r, result))

    def test_values_below_zero_and_metrics_that_are_put_back(self):
        # mpi has two parts, and a share of it that is a root in the report.
        def metric(number, name, inner=""):
            return (f'<metric id="{number}" type="EXCLUSIVE"><disp_name>{name}</disp_name><uniq_name>{name}</uniq_name>'
                    f"<dtype>DOUBLE</dtype><uom>sec</uom>{inner}</metric>")
        attributes = '<attr key="waitstate within big" value="mpi"/><attr key="waitstate metrics" value="0 1 2 4 3"/>'
        tree = metric(0, "mpi", metric(1, "a") + metric(2, "b")) + metric(3, "visits") + metric(4, "big")
        anchor = ANCHOR.replace(ANCHOR[ANCHOR.index("<metrics>"):ANCHOR.index("</metrics>")], attributes + "<metrics>" + tree)

        def report(**values):
            members = {"anchor.xml": anchor.encode()}
            for number, value in values.items():
                members[number[1:] + ".index"] = index(0)
                members[number[1:] + ".data"] = b"CUBEX.DATA" + struct.pack("<2d", value, 0)
            with tarfile.open(self.path, "w", format=tarfile.USTAR_FORMAT) as tar:
                for name, contents in members.items():
                    info = tarfile.TarInfo(name)
                    info.size = len(contents)
                    tar.addfile(info, io.BytesIO(contents))
            return cube.Report(self.path)
        r = report(_0=.3, _1=.1, _2=.2, _4=.3)
        self.assertEqual([], cube.exclusive_errors(r))
        self.assertEqual([("mpi", None), ("a", "mpi"), ("b", "mpi"), ("big", "mpi"), ("visits", None)],
                         [(m[0], m[3]) for m in r.metrics])
        self.assertEqual(1, len(cube.exclusive_errors(report(_0=.3, _1=.2, _2=.2))))
        self.assertEqual(1, len(cube.exclusive_errors(report(_1=.2))))
        self.assertEqual(1, len(cube.exclusive_errors(report(_3=-1.))))
        with self.assertRaises(ValueError):
            anchor = anchor.replace('value="0 1 2 4 3"', 'value="0 1 2 4 4"')
            report(_0=.3)

    def test_headers(self):
        self.report(index(0), b"CUBEX.DATA" + bytes(16))
        self.assertEqual([], cube.header_errors(self.path))
        data = bytearray(self.path.read_bytes())
        data[136:147] = b"00000000001"
        self.path.write_bytes(data)
        self.assertEqual(["trace.stat: wrong header checksum", "trace.stat: an owner or a time"],
                         cube.header_errors(self.path))

    def test_statistics(self):
        r = self.report(index(0), b"CUBEX.DATA" + bytes(16))
        head = r.members["trace.stat"].decode()
        self.assertEqual([], cube.statistics_errors(r, head))
        self.assertEqual(["trace.stat in the report is not the one beside it"], cube.statistics_errors(r, ""))
        text = head + "time 2 1 1 1 1 2 0\n- cnode 4 enter: 0 exit: 1 duration: 1 rank: 0\n\nother 1 1 1 1 1 1\n"
        r.members["trace.stat"] = text.encode()
        self.assertEqual(["trace.stat: no such call path: - cnode 4 enter: 0 exit: 1 duration: 1 rank: 0",
                          "trace.stat: other 1 1 1 1 1 1"], cube.statistics_errors(r, text))


if __name__ == "__main__":
    unittest.main()
