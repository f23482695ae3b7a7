"""Faults that were found by looking at the views: names and numbers that were cut, lay over each other, or had no unit or base."""
import re

import pytest

from browser import Emulated
from reports import SOURCE, Run, waitstate
from test_pixels import NOTE_TEXTS, OVERLAPS, TEXTS, wrong_texts

RANKS = 1200  # so many that processes are counted in pairs, and that pairs share rows


@pytest.fixture(scope="module")
def p2p(folder):
    return Run(folder, SOURCE / "traces/p2p", "--pattern", "all,critical_path")


@pytest.fixture(scope="module")
def halo(folder):
    return Run(folder, SOURCE / "traces/halo")


@pytest.fixture(scope="module")
def many(folder):
    """Three exchanges of a ring, in which odd or even ranks send late to the right or to the left: all wait for each other."""
    lines = []
    for rank in range(RANKS):
        lines.append(f"{rank} 0 enter main")
        for begin, step, late in ((300, 1, 1), (600, -1, 0), (900, -1, 1)):
            sent = begin + 100 * (rank % 2 == late)
            received = begin + 100 * (1 - rank % 2 == late)
            lines += [f"{rank} {sent} enter MPI_Isend", f"{rank} {sent + 1} send dest={(rank + step) % RANKS} tag=1 com=0 len=8", f"{rank} {sent + 2} exit",
                      f"{rank} {sent + 3} enter MPI_Recv", f"{rank} {max(sent, received) + 20} recv src={(rank - step) % RANKS} tag=1 com=0 len=8",
                      f"{rank} {begin + 200} exit"]
        lines.append(f"{rank} 2000 exit")
    trace = folder / "many.trace"
    trace.write_text("\n".join(lines) + "\n")
    return Run(folder, trace)


def text(browser, selector):
    return browser.script("return document.querySelector(arguments[0]).innerText", selector)


def caption(browser, chart):
    return browser.script("return document.querySelector(`#chart-${arguments[0]}`).getAttribute('aria-label')", chart)


def drawn_texts(browser, chart):
    return [t[0] for figure, _, _, texts in browser.script(TEXTS) if figure == f"chart-{chart}" for t in texts]


@pytest.mark.parametrize("width", [1280, 390])
def test_many_locations_lie_over_nothing(browser, many, width):
    wrong = {}
    with Emulated(browser, (width, 1400, 1)):
        browser.open(many.page, "#m=mpi_latesender")
        browser.script(NOTE_TEXTS)
        for view in ("summary", "trees", "flat", "statistics", "instances", "timeline", "time", "matrix", "communication", "trace"):
            browser.view(view)
            found = [*browser.script(OVERLAPS), *wrong_texts(browser.script(TEXTS))]
            if found:
                wrong[view] = found
    assert wrong == {}


def test_names_of_columns_are_whole_where_they_have_room(browser, many):
    """The widest name is not among the first ones: "Rank 1000" needs more room than "Rank 0"."""
    browser.open(many.page, "#m=mpi_latesender")
    browser.script(NOTE_TEXTS)
    browser.view("flat")
    names = [t for t in drawn_texts(browser, "bars") if "Rank" in t or "\u2026" in t]
    assert len(names) > 5 and all(re.fullmatch(r"Rank \d+", name) for name in names)


def test_rows_of_counted_together_processes(browser, many):
    """Rows and columns of the matrix of messages are named by ranks, where each number of the report is that of two processes."""
    assert many.json["communication"]["processes_per_block"] == 2
    browser.open(many.page, "#m=mpi_latesender")
    browser.script(NOTE_TEXTS)
    browser.view("communication")
    assert caption(browser, "communication").endswith("; 10 neighbours share a row, a click shows them alone")
    texts = drawn_texts(browser, "communication")
    rows = [int(t.split()[1]) for t in texts if t.startswith("Rank")]
    columns = [int(t) for t in texts if t.isdigit()]
    assert rows[0] == columns[0] == 0 and all(number % 10 == 0 for number in rows + columns)
    assert "Rank 0 to Rank 9" in texts and 1100 < max(rows) < RANKS and 1000 < max(columns) < RANKS
    _, table = browser.table("communication")
    assert sorted(r[:2] for r in table)[:2] == [["Rank 0 to Rank 1", "Rank 0 to Rank 1"], ["Rank 0 to Rank 1", "Rank 1198 to Rank 1199"]]
    browser.script("document.querySelector('#chart-communication').focus()")
    browser.keys("\ue011", "\ue007")
    assert caption(browser, "communication").endswith("; 2 neighbours share a row")


def test_groups_name_ranges(browser, many):
    """A group of hundreds of processes is one line."""
    [group] = many.json["wait_groups"]
    assert len(group["processes"]) > 100
    browser.open(many.page, "#v=matrix&m=mpi_latesender")
    first, last = group["processes"][0], group["processes"][-1]
    assert group["processes"] == list(range(first, last + 1))
    assert text(browser, "#groups li").startswith(f"Rank {first} to Rank {last}{' and ' if group['left_out'] else ':'}")


@pytest.mark.parametrize("view", ["timeline", "time", "path"])
def test_axes_of_times_have_several_texts(browser, p2p, view):
    charts = {"timeline": ["timeline"], "time": ["series", "heat"], "path": ["path"]}
    with Emulated(browser, (390, 1400, 1)):
        browser.open(p2p.page, "#m=mpi_latesender")
        browser.script(NOTE_TEXTS)
        browser.view(view)
        for chart in charts[view]:
            assert len([t for t in drawn_texts(browser, chart) if re.fullmatch(r"\d+\.\d+ s", t)]) >= 2, chart


def test_one_is_singular(browser, p2p, halo):
    """Notes of a timeline count messages and waits as English does."""
    instances = [i for i in p2p.json["waits"]["mpi_latesender"]["instances"] if i.get("context") is not None]
    counts = {p2p.json["contexts"][i["context"]]["messages_left_out"] for i in instances}
    assert 1 in counts
    for run in (p2p, halo):
        browser.open(run.page, "#v=timeline&m=mpi_latesender")
        for _ in range(10):
            said = caption(browser, "timeline")
            for count, noun, verb in re.findall(r"\b([\d,]+) (messages?|other waits?|transfers?) (is|are)\b", said):
                assert (count == "1") == (not noun.endswith("s")) == (verb == "is"), said
            browser.keys("n")


def test_where_a_culprit_was_is_a_link_only_if_it_is_known(browser, halo):
    browser.open(halo.page, "#v=matrix&m=mpi_latesender")
    cells = browser.script("""
      return [...document.querySelectorAll('[aria-label^="causes of"] tbody td:first-child')].map(c => [c.innerText, c.querySelector('button') !== null])""")
    assert {"(unknown)"} == {name for name, is_link in cells if not is_link} and any(is_link for _, is_link in cells)


def test_numbers_of_a_comparison_have_their_units(browser, p2p, halo, folder):
    """Single waits are scaled as all durations are, whatever their row is of; and a dash stands where the numbers stand."""
    page = folder / "diff.html"
    waitstate("diff", p2p.json_file, halo.json_file, "-o", page)
    browser.open(page, "#m=mpi_latesender")
    rows = browser.script("""
      return [...document.querySelectorAll('[aria-label="All of them"] tbody tr')].map(r => [...r.children].map(c => c.innerText))""")
    assert [r[0] for r in rows] == ["number", "mean", "median", "longest", "sum"]
    for name, *numbers in rows:
        pattern = r"\u2212?[\d,]+" if name == "number" else r"\u2212?[\d,.]+ (s|ms|\u00b5s|ns)"
        assert all(re.fullmatch(pattern, number) for number in numbers), rows
    by_path = browser.script("""
      return [...document.querySelectorAll('[aria-label="By call path"] tbody tr')].map(r => [...r.children].slice(3, -1).map(c => [c.innerText, getComputedStyle(c).textAlign]))""")
    assert by_path
    for cells in by_path:
        assert all(re.fullmatch(r"\u2212?[\d,.]+ (s|ms|\u00b5s|ns)|\u2013", number) and align == "right" for number, align in cells), str(cells)
    assert any(number == "\u2013" for cells in by_path for number, _ in cells)
    heads = browser.script("return [...document.querySelectorAll('[aria-label=\"By call path\"] th')].map(h => h.innerText)")
    assert len(set(heads)) == len(heads)


def test_what_is_not_known_leaves_no_comma(browser, many):
    """The trace does not name its recorder."""
    browser.open(many.page)
    assert text(browser, "header .quiet").endswith(" 1,200 locations")


def test_shares_of_bars_name_their_base(browser, p2p):
    browser.open(p2p.page, "#v=flat&m=mpi_latesender")
    assert caption(browser, "flat").endswith("; % of all regions")
    browser.view("path")
    assert caption(browser, "path-calls").startswith("Critical path by call path; % of the path")
