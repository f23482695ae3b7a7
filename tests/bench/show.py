"""Results as Markdown, as README.md beside this file has them between markers: `<!-- NAME -->` to `<!-- end of NAME -->`."""
import re


def conditions(result):
    """Of what machine, what commit, and by which command."""
    m = result["machine"]
    yield (f"{m['processors']} × {m['processor']}, {m['memory_gib']} GiB, load {m['load']} at the start; "
           f"commit {result['commit']}; `{result['command']}`")


def replace(markdown, name, lines):
    """The text with `lines` between the markers of that name; raises ValueError if it does not have them once."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    between = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    replaced, times = between.subn(lambda _: begin + "\n".join(lines) + "\n" + end, markdown)
    if times != 1:
        raise ValueError(f"the markers '{begin.strip()}' and '{end.strip()}' are there {times} times, expected once")
    return replaced


def number(value):
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def verdict(row):
    if row.met:
        return "yes"
    times = row.limit / row.value if row.at_least else row.value / row.limit
    return f"no: {times:.2f} × {'too low' if row.at_least else 'too high'}"


def targets(rows):
    yield "| what | target | measured | met | |"
    yield "|---|---:|---:|---|---|"
    for row in rows:
        sign = "≥" if row.at_least else "≤"
        yield (f"| {row.what} | {sign} {number(row.limit)} {row.unit} | {number(row.value)} {row.unit} "
               f"| {verdict(row)} | {row.note} |")


def stages(by_trace):
    """Each stage on top of the ones before it; `raw_otf2` stands beside them."""
    yield "| one thread, seconds | " + " | ".join(by_trace) + " |"
    yield "|---|" + "---:|" * len(by_trace)
    names = [("raw OTF2 decode, beside it", "raw_otf2", None), ("definitions", "definitions", None),
             ("+ check and decode events", "decode", "definitions"),
             ("+ replay, link", "replay_and_link", "decode"), ("+ patterns", "patterns", "replay_and_link"),
             ("+ report", "report", "patterns"), ("= analysis with report", "report", None)]
    for words, stage, before in names:
        values = [t[stage] - (t[before] if before else 0) for t in by_trace.values()]
        yield f"| {words} | " + " | ".join(f"{v:.3f}" for v in values) + " |"


def duration(seconds):
    for size, name in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {name}"
    return f"{seconds:.2f} s"


def size(mib):
    return f"{mib / 1024:.1f} GiB" if mib >= 2048 else f"{mib:.0f} MiB"


def prediction(result):
    c = result["constants"]
    start, location, event, doubling = c["time"]
    yield (f"Constants: {start * 1e3:.0f} ms to start, {location * 1e6:.0f} µs a location, {event * 1e9:.0f} ns an "
           f"event on 64 locations and {doubling * 1e9:.1f} ns more each time these double; {c['memory'][0]:.0f} MiB, "
           f"{c['memory'][1] * 1024:.1f} KiB a location with {c['call_paths_a_location']:.0f} call paths, "
           f"{c['memory'][2] * 2**20:.0f} bytes an event read ahead; "
           f"{c['bytes_a_call_path']:.0f} bytes a call path and location "
           f"({c['report_bytes_a_call_path']:.0f} in the report), "
           f"{c['bytes_an_open_message']:.0f} bytes a message in flight; {c['bytes_an_event']:.1f} bytes of trace an event.")
    yield ""
    yield "| check | predicted | measured | error |"
    yield "|---|---:|---:|---:|"
    for row in result["checks"]:
        what = f"{row['events'] / 1e6:.0f} million events, {row['locations']:,} locations"
        yield (f"| {what}: time | {row['predicted_seconds']:.2f} s | {row['seconds']:.2f} s "
               f"| {row['predicted_seconds'] / row['seconds'] - 1:+.0%} |")
        yield (f"| {what}: memory | {row['predicted_mib']:.0f} MiB | {row['mib']:.0f} MiB "
               f"| {row['predicted_mib'] / row['mib'] - 1:+.0%} |")
    yield ""
    yield "| prediction | trace | time | memory | + severities per 1,000 call paths |"
    yield "|---|---:|---:|---:|---:|"
    for row in result["beyond"]:
        yield (f"| {row['events']:.0e} events, {row['locations']:,} locations | {size(row['trace_gib'] * 1024)} "
               f"| {duration(row['seconds'])} | {size(row['mib'])} "
               f"| {size(row['severities_mib_a_thousand_call_paths'])} |")
