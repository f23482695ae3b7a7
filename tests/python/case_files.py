"""Case files (tests/cases), read and compared in Python; tests/support/case_file.hpp describes the format."""

import pathlib
from collections import Counter
from dataclasses import dataclass, field

import waitstate

PATTERNS = waitstate.patterns()


WITH_CALL_PATHS = ("severities", "culprit_waits", "open_calls")


@dataclass
class Case:
    path: pathlib.Path
    trace: str = ""
    metrics: list = field(default_factory=list)  #: empty: all
    parameters: dict = field(default_factory=dict)
    tables: dict = field(default_factory=dict)  #: name to rows as they are written

    def wants(self, metrics):
        return not self.metrics or any(m in self.metrics for m in metrics)


def read_case(path):
    case, part = Case(path), "trace"
    for line in path.read_text().splitlines():
        if line.startswith("metrics:"):
            part = "metrics"
            case.metrics = [] if line.split()[1] == "all" else line.split()[1:]
        elif part == "metrics" and line.startswith("set: "):
            name, value = line[5:].split("=", 1)
            case.parameters[name] = value
        elif line.startswith("---"):
            part = line[3:].strip()
            case.tables[part] = Counter()
        elif part == "trace":
            case.trace += line + "\n"
        elif line.strip() and not line.startswith("#"):
            case.tables[part][line if part in WITH_CALL_PATHS else " ".join(line.split())] += 1
    assert "severities" in case.tables, f"{path}: no severities"
    return case


def severity_rows(result, metrics):
    return Counter(f"{row.metric.id},{row.callpath.path},{row.location.id},{row.value}"
                   for row in result.rows() if row.metric.id in metrics)


def number(definition):
    return -1 if definition is None else int(definition)


def wait_rows(result, metrics):
    return Counter(f"{ref} {number(p.culprit)} {number(p.waiter)} {p.count} {p.ticks}"
                   for ref, waits in result.waits.items() if ref in metrics for p in waits.pairs)


def instance_rows(result, metrics):
    return Counter(f"{ref} {i.total_ticks} {i.waiters} {number(i.longest.location)} {i.longest.begin} {i.longest.ticks}"
                   for ref, waits in result.waits.items() if ref in metrics for i in waits.instances)


def culprit_wait_rows(result, metrics):
    return Counter(f"{ref},{number(i.longest.location)},{i.longest.begin},{i.culprit_wait.ticks},"
                   f"{number(i.culprit_wait.culprit)},{i.culprit_wait.most_ticks},"
                   f"{result.call_paths[i.culprit_wait.callpath].path}"
                   for ref, waits in result.waits.items() if ref in metrics for i in waits.instances
                   if i.culprit_wait is not None and i.culprit_wait.ticks)


def open_call_rows(result):
    return Counter(f"{number(o.location)},{result.call_paths[o.callpath].path},{o.enter}" for o in result.open_calls)


def _named(expected, found_rows, metrics):
    """Differences in a table that is complete for the metrics that it names; a row that ends in 0 says: none."""
    def metric(row):
        return row.replace(",", " ").split()[0]

    expected = Counter({row: n for row, n in expected.items() if metric(row) in metrics})
    named = {metric(row) for row in expected}
    expected = Counter({row: n for row, n in expected.items() if not row.endswith(" 0") and row != metric(row) + ",0"})
    found = found_rows(named)
    return expected - found, found - expected


def differences(case, result, metrics=None):
    """Differences between a case and a result, for some metrics (None: all that the case is about): a list of lines."""
    about = set(case.metrics) or {m.id for m in result.metrics}
    if metrics is not None:
        about &= set(metrics)
    expected = Counter({row: n for row, n in case.tables["severities"].items() if row.split(",")[0] in about})
    found = severity_rows(result, about)
    tables = [(expected - found, found - expected)]
    tables.append(_named(case.tables.get("waits", Counter()), lambda m: wait_rows(result, m), about))
    tables.append(_named(case.tables.get("instances", Counter()), lambda m: instance_rows(result, m), about))
    if metrics is None:
        tables.append(_named(case.tables.get("culprit_waits", Counter()), lambda m: culprit_wait_rows(result, m), about))
        wanted, found = case.tables.get("open_calls", Counter()), open_call_rows(result)
        tables.append((wanted - found, found - wanted))
        counted = Counter(f"{d.id} {d.count}" for d in result.diagnostics)
        wanted = case.tables.get("diagnostics", Counter())
        tables.append((wanted - counted, counted - wanted))
    return [f"missing: {row}" for missing, _ in tables for row in missing] + \
           [f"unexpected: {row}" for _, unexpected in tables for row in unexpected]


def run(case, folder, **options):
    """Analyses a case's trace with its parameters."""
    path = folder / "case.trace"
    path.write_text(case.trace)
    on_request = [p["id"] for p in PATTERNS if p["on_request"] and any(m in case.metrics for m in p["metrics"])]
    if on_request:
        replaced = [options["replace"].id] if "replace" in options else []
        options = {"patterns": on_request + replaced, **options}
    return waitstate.analyze(path, parameters=case.parameters, **options)
