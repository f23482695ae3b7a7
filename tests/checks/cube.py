#!/usr/bin/env python3
"""Reads CUBE 4 reports with nothing but Python's own libraries, and compares those of `waitstate analyze` with its other outputs.

usage: cube.py PROGRAM TRACE...

For each trace: the report written with --threads 1 and with 4 is the same to the byte; its tar headers are right; its
numbers equal the CSV's (integers exactly, seconds to 1e-9, real counters to the 12 digits that the CSV has) and there are
no others; none is below zero without those of the metrics below it; real counters equal the JSON's whole numbers times their scale to the last bit; its metric, call and system trees
equal those of the JSON and follow the order that the CUBE library's grammar asks for; its statistics name call paths that it
has, and lie beside it too. Prints what differs, exits 1 if something does.

A TRACE that is a directory without an anchor stands for all archives and notation files below it.
"""
import collections
import csv
import json
import pathlib
import struct
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree as ElementTree
import zlib

FORMATS = {"DOUBLE": "d", "FLOAT": "d", "MINDOUBLE": "d", "MAXDOUBLE": "d", "INTEGER": "q", "INT64": "q", "UINT64": "Q",
           "INT32": "i", "UINT32": "I"}
WHOLE = {dtype for dtype, form in FORMATS.items() if form != "d"}


def members(path):
    """Name -> contents; in the order of the archive."""
    with tarfile.open(path, "r:") as tar:
        return {m.name: tar.extractfile(m).read() for m in tar.getmembers()}


def header_errors(path):
    """Errors of the tar headers: checksum, magic, anything that depends on when and by whom it was written."""
    data, at, wrong = pathlib.Path(path).read_bytes(), 0, []
    while data[at:at + 1] not in (b"\0", b""):
        head = data[at:at + 512]
        name = head[:100].rstrip(b"\0").decode()

        def octal(begin, size):
            return int(head[begin:begin + size].rstrip(b" \0") or b"0", 8)
        if octal(148, 8) != sum(head) - sum(head[148:156]) + 8 * ord(" "):
            wrong.append(f"{name}: wrong header checksum")
        if head[257:265] != b"ustar\00000":
            wrong.append(f"{name}: magic {head[257:265]!r}, expected ustar")
        if octal(108, 8) or octal(116, 8) or octal(136, 12) or head[265:329].strip(b"\0"):
            wrong.append(f"{name}: an owner or a time")
        at += 512 + (octal(124, 12) + 511) // 512 * 512
    if data[at:at + 1024] != bytes(1024):
        wrong.append("no two empty blocks at the end")
    return wrong


def rows_of(index, data, dtype, columns):
    """Row number -> values."""
    if index[:11] != b"CUBEX.INDEX":
        raise ValueError("no CUBEX.INDEX")
    order = "<" if index[11:15] == b"\1\0\0\0" else ">"
    mark, version, form = struct.unpack_from(order + "IHB", index, 11)
    if (mark, version) != (1, 0) or form not in (1, 3):
        raise ValueError(f"index mark {mark}, version {version}, format {form}")
    one = struct.Struct(f"{order}{columns}{FORMATS[dtype]}")
    if data[:11] == b"ZCUBEX.DATA":
        count, = struct.unpack_from(order + "Q", data, 11)
        payload, plain = data[19 + 24 * count:], bytearray(count * one.size)
        for i in range(count):
            place, offset, size = struct.unpack_from(order + "QQQ", data, 19 + 24 * i)
            plain[place:place + one.size] = zlib.decompress(payload[offset:offset + size])
    elif data[:10] == b"CUBEX.DATA":
        plain = data[10:]
    else:
        raise ValueError("no CUBEX.DATA")
    if len(plain) % one.size:
        raise ValueError(f"{len(plain)} bytes of data, rows of {one.size}")
    values = [one.unpack_from(plain, i) for i in range(0, len(plain), one.size)]
    if form == 3:
        return dict(enumerate(values))
    count, = struct.unpack_from(order + "I", index, 18)
    numbers = struct.unpack_from(f"{order}{count}I", index, 22)
    if list(numbers) != sorted(set(numbers)) or len(index) != 22 + 4 * count or len(values) != count:
        raise ValueError(f"{count} rows in the index, {len(values)} in the data")
    return dict(zip(numbers, values))


class Report:
    """metrics: (id, title, unit, parent id) and callpaths: (parent, name, file, begin, end, paradigm, path) depth first;
    nodes: (name, class, parent); processes: (name, rank, type, node); locations: (name, type, process) by Id;
    dtypes: metric -> dtype; values: (metric, path, location) -> sum, never 0; cells: the same by index of the call path,
    of which several may have one path."""

    def __init__(self, path):
        self.members = members(path)
        cube = ElementTree.fromstring(self.members["anchor.xml"])
        self.metrics, self.callpaths, self.wide = [], [], []
        self.nodes, self.processes, self.locations = [], [], {}
        data = []
        for element in cube.find("metrics").findall("metric"):
            self._metric(element, None, data)
        self.listed = list(self.metrics)
        self._put_back({a.get("key"): a.get("value") for a in cube.findall("attr")})
        regions = {r.get("id"): r for r in cube.find("program").findall("region")}
        for element in cube.find("program").findall("cnode"):
            self._cnode(element, None, regions)
        system = cube.find("system")
        for element in system:
            if element.tag == "systemtreenode":
                self._node(element, None)
        self.topologies = system.findall("topologies/cart")
        columns = sorted(self.locations)
        self.dtypes = {metric: dtype for metric, _, dtype, _ in data}
        self.values, self.cells = collections.defaultdict(int), {}
        for metric, number, dtype, kind in data:
            if number + ".data" not in self.members:
                continue
            rows = rows_of(self.members[number + ".index"], self.members[number + ".data"], dtype, len(columns))
            for cnode, values in self._exclusive(rows, kind, len(columns)).items():
                for column, value in enumerate(values):
                    if value:
                        self.values[metric, self.callpaths[cnode][-1], columns[column]] += value
                        self.cells[metric, cnode, columns[column]] = value

    def _metric(self, element, parent, data):
        text = {c.tag: c.text or "" for c in element}
        self.metrics.append((text["uniq_name"], text["disp_name"], text["uom"], parent))
        data.append((text["uniq_name"], element.get("id"), text["dtype"], element.get("type")))
        for child in element.findall("metric"):
            self._metric(child, text["uniq_name"], data)

    def _put_back(self, attributes):
        """Metrics that overlap their siblings are roots in the report, and say where they belong."""
        begin = "waitstate within "
        within = {key[len(begin):]: value for key, value in attributes.items() if key.startswith(begin)}
        if not within:
            return
        numbers = [int(n) for n in attributes["waitstate metrics"].split()]
        if sorted(numbers) != list(range(len(self.metrics))):
            raise ValueError(f"a list of {len(numbers)} metrics, the report has {len(self.metrics)}")
        self.metrics = [(m[0], m[1], m[2], within.get(m[0], m[3])) for m in (self.listed[n] for n in numbers)]

    def _cnode(self, root, parent, regions):
        open_nodes = [(root, parent)]
        begin = len(self.callpaths)
        children = collections.defaultdict(list)
        while open_nodes:
            element, parent = open_nodes.pop()
            region, number = regions[element.get("calleeId")], len(self.callpaths)
            name = region.findtext("name") or ""
            path = name if parent is None else self.callpaths[parent][-1] + "/" + name
            self.callpaths.append((parent, name, region.get("mod"), int(region.get("begin")), int(region.get("end")),
                                   region.findtext("paradigm"), path))
            children[parent].append(number)
            open_nodes += [(c, number) for c in reversed(element.findall("cnode"))]
        self.wide.append(begin)
        open_numbers = [begin]
        while open_numbers:
            below = children[open_numbers.pop()]
            self.wide += below
            open_numbers += reversed(below)

    def _node(self, element, parent):
        """A node: name, class, [descr], processes, then nodes; a process: name, rank, type, at least one location."""
        tags = [c.tag for c in element if c.tag != "descr"]
        order = sorted(tags, key=["name", "class", "locationgroup", "systemtreenode"].index)
        if tags != order or tags[:2] != ["name", "class"] or int(element.get("Id")) != len(self.nodes):
            raise ValueError(f"system tree node {element.get('Id')} with {tags}")
        self.nodes.append((element.findtext("name"), element.findtext("class"), parent))
        number = len(self.nodes) - 1
        for group in element.findall("locationgroup"):
            tags = [c.tag for c in group]
            if tags[:3] != ["name", "rank", "type"] or set(tags[3:]) != {"location"} or int(group.findtext("rank")) < 0:
                raise ValueError(f"process {group.get('Id')} with {tags}")
            self.processes.append((group.findtext("name"), int(group.findtext("rank")), group.findtext("type"), number))
            for rank, location in enumerate(group.findall("location")):
                if int(location.findtext("rank")) != rank:
                    raise ValueError(f"location {location.get('Id')} is not the {rank}-th of its process")
                place = int(location.get("Id"))
                if place in self.locations:
                    raise ValueError(f"two locations {place}")
                self.locations[place] = (location.findtext("name"), location.findtext("type"), len(self.processes) - 1)
        for child in element.findall("systemtreenode"):
            self._node(child, number)

    def _exclusive(self, rows, kind, columns):
        if kind == "EXCLUSIVE":
            return rows
        own = {self.wide[row]: list(values) for row, values in rows.items()}
        for row, values in rows.items():
            parent = self.callpaths[self.wide[row]][0]
            if parent is not None:
                above = own.setdefault(parent, [0] * columns)
                for column, value in enumerate(values):
                    above[column] -= value
        return own


def number_errors(report, table):
    """Differences from the rows of the CSV. Whole numbers have none; what is written in a few digits may be off by those."""
    expected, room = collections.defaultdict(int), collections.defaultdict(float)
    seconds = {m[0] for m in report.metrics if m[2] == "sec"}
    for row in csv.DictReader(table):
        metric, key = row["metric"], (row["metric"], row["callpath"], int(row["location"]))
        if report.dtypes.get(metric) in WHOLE:
            expected[key] += int(row["value"])
        else:
            expected[key] += float(row["value"])
            room[key] += abs(float(row["value"])) * (1e-9 if metric in seconds else 1e-11)
    wrong = []
    for key in sorted(set(expected) | set(report.values), key=str):
        ours, theirs = report.values.get(key, 0), expected.get(key, 0)
        if ours != theirs and not abs(ours - theirs) <= room[key]:
            wrong.append(f"{' '.join(map(str, key))}: {ours}, the CSV has {theirs}")
    return wrong


def exclusive_errors(report):
    """Values below zero, as they are or without those of the metrics below, in the order of the report: what cube_sanity
    complains of."""
    below, cells_of = collections.defaultdict(float), collections.defaultdict(list)
    for (metric, cnode, location), value in report.cells.items():
        cells_of[metric].append((cnode, location, value))
    for metric, _, _, parent in report.listed:
        for cnode, location, value in cells_of[metric] if parent is not None else ():
            below[parent, cnode, location] += value
    left = {key: report.cells.get(key, 0) - below.get(key, 0) for key in report.cells.keys() | below.keys()}
    return [f"{metric}, call path {cnode}, location {location}: {value} without the metrics below it"
            for (metric, cnode, location), value in sorted(left.items(), key=str) if value < -1e-12]


def counter_errors(report, result):
    """Differences of real counters from the JSON's whole numbers times their scale: none, to the last bit."""
    real = {name for name in result["counters"] if report.dtypes.get(name) not in WHOLE}
    ours = {key: value for key, value in report.cells.items() if key[0] in real}
    theirs = {(name, callpath, location): float(value) * result["counters"][name]["scale"] for name in real
              for callpath, location, value in result["severities"].get(name, {"rows": []})["rows"]}
    return [f"{' '.join(map(str, key))}: {ours.get(key, 0)!r}, the JSON has {theirs.get(key, 0)!r}"
            for key in sorted(ours.keys() | theirs.keys()) if ours.get(key, 0) != theirs.get(key, 0)]


def tree_errors(report, result):
    """Differences from the trees of the JSON."""
    metrics, below = [], collections.defaultdict(list)
    for metric in result["metrics"]:
        below[metric["parent"]].append(metric)
    open_metrics = below[None][::-1]
    while open_metrics:
        m = open_metrics.pop()
        unit = {"ticks": "sec"}.get(m["unit"], m["unit"])
        if unit == "counter":
            unit = result["counters"][m["id"]]["severity_unit"] or "#"
        metrics.append((m["id"], m["title"] or m["id"], unit, m["parent"]))
        open_metrics += below[m["id"]][::-1]

    paths = []
    for path in result["call_tree"]:
        region = result["regions"][path["region"]] if path["region"] is not None else None
        program = result["programs"][path["program"]] if path["program"] is not None else None
        if program is not None:
            paths.append((path["parent"], program.rpartition("/")[2], program, -1, -1, "unknown"))
        elif region is None:
            paths.append((path["parent"], "(unknown region)", "", -1, -1, "unknown"))
        else:
            paths.append((path["parent"], region["name"], region["file"], region["begin_line"] or -1,
                          region["end_line"] or -1, region["paradigm"]))

    def below_nodes(nodes):
        return collections.Counter((name, kind or "machine", nodes[parent][0] if parent is not None else None)
                                   for name, kind, parent in nodes)
    nodes = [(n["name"], n["class"], n["parent"]) for n in result["system_tree"]]
    found_nodes = below_nodes(report.nodes)
    if any(result["processes"][l["process"]]["system_tree_node"] is None for l in result["locations"]):
        found_nodes -= collections.Counter([("unknown", "machine", None)])

    kinds = {"cpu_thread": "thread", "unknown": "thread", "accelerator_stream": "accelerator stream", "metric": "metric"}
    locations, found = [], []
    for location in result["locations"]:
        process = result["processes"][location["process"]]
        node = nodes[process["system_tree_node"]][0] if process["system_tree_node"] is not None else "unknown"
        kind = "accelerator" if process["type"] == "accelerator" else "process"
        locations.append((location["name"], kinds[location["type"]], process["name"], process["rank"], kind, node))
    for place in sorted(report.locations):
        name, kind, process = report.locations[place]
        process_name, rank, process_kind, node = report.processes[process]
        if place < len(locations) and locations[place][3] is None:
            rank = None  # a report has a rank for every process
        found.append((name, kind, process_name, rank, process_kind, report.nodes[node][0]))

    wrong = []
    if sorted(report.locations) != list(range(len(report.locations))):
        wrong.append("the Ids of locations have gaps")
    if found_nodes != below_nodes(nodes):
        wrong.append(f"system tree {sorted(found_nodes, key=str)}, the JSON has {sorted(below_nodes(nodes), key=str)}")
    compared: tuple = (("metrics", report.metrics, metrics), ("call paths", [p[:6] for p in report.callpaths], paths),
                       ("locations", found, locations))
    for what, a, b in compared:
        if len(a) != len(b):
            wrong.append(f"{len(a)} {what}, the JSON has {len(b)}")
        wrong += [f"{what}, place {i}: {x}, the JSON has {y}" for i, (x, y) in enumerate(zip(a, b)) if x != y]
    return wrong


def statistics_errors(report, beside):
    text = report.members["trace.stat"].decode()
    wrong = [] if beside == text else ["trace.stat in the report is not the one beside it"]
    lines = text.splitlines()
    if lines[0].split() != "PatternName Count Mean Median Minimum Maximum Sum Variance Quartil25 Quartil75".split():
        wrong.append(f"trace.stat begins with {lines[0]!r}")
    ids = {m[0] for m in report.metrics}
    for line in filter(None, lines[1:]):
        words = line.split()
        if words[0] == "-":
            if words[1] != "cnode" or not 0 <= int(words[2]) < len(report.callpaths):
                wrong.append(f"trace.stat: no such call path: {line}")
        elif words[0] not in ids or len(words) != (7 if words[1] == "1" else 8 if int(words[1]) < 5 else 10):
            wrong.append(f"trace.stat: {line}")
    return wrong


def errors(program, trace, scratch):
    def analyze(*options):
        return subprocess.run([program, "analyze", trace, *options], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout.decode("utf-8", "replace")
    files = []
    for threads in ("1", "4"):
        folder = scratch / threads
        folder.mkdir()
        files.append(folder / "run.cubex")
        analyze("-o", files[-1], "--threads", threads)
    report = Report(files[0])
    same = files[0].read_bytes() == files[1].read_bytes()
    wrong = [] if same else ["another report with --threads 4 than with --threads 1"]
    wrong += header_errors(files[0])
    wrong += number_errors(report, analyze("--format", "csv").splitlines(keepends=True))
    result = json.loads(analyze("--format", "json"))
    wrong += tree_errors(report, result)
    wrong += counter_errors(report, result)
    wrong += exclusive_errors(report)
    wrong += statistics_errors(report, (files[0].parent / "trace.stat").read_text())
    return wrong, f"{len(report.values)} values, {len(report.callpaths)} call paths, {len(report.locations)} locations"


def traces(argument):
    path = pathlib.Path(argument)
    if not path.is_dir() or any(path.glob("*.otf2")):
        return [path]
    return sorted([*path.rglob("*.otf2"), *path.rglob("trace.txt")])


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    found = [t for a in arguments[1:] if pathlib.Path(a).exists() for t in traces(a)]
    failed = 0
    for trace in found:
        with tempfile.TemporaryDirectory() as scratch:
            wrong, size = errors(arguments[0], trace, pathlib.Path(scratch))
        failed += bool(wrong)
        print(f"{trace}: {size}: {len(wrong)} differences")
        for line in wrong[:10]:
            print("   ", line)
    print(f"{len(found)} traces, {failed} with differences")
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
