"""Charts are drawn in the right places: bars, hatching and the ends of arrows at places that follow from two small traces, the
colours there are, and that nothing lies over something else. Nothing here depends on which fonts there are: names are
shorter than the least space for them, and rows of pixels are read where no text is. The pictures of all views are kept in
the build folder, page_screenshots/, for people to look at."""
import base64
import json
import math

import pytest

from browser import Emulated
from reports import PROGRAM, SOURCE, Run, waitstate

COMPUTATION, POINT_TO_POINT, ENDING = (0x7f, 0xb2, 0xd6), (0xd5, 0x5e, 0x00), (0xb3, 0x47, 0x00)
FIRST, DARKEST, BRIGHTEST = (0x00, 0x72, 0xb2), (0x00, 0x20, 0x4d), (0xff, 0xea, 0x46)
INK, LIGHT_INK, GREY = (0x1b, 0x1b, 0x1b), (0xe8, 0xe8, 0xe8), (0x86, 0x8c, 0x95)

# Rank 1 waits in its receive from 200 to 500, when rank 0 begins to send. Before that it sends a message the other way.
LATE = """\
0 0 enter main
0 140 enter MPI_Recv
0 160 recv src=1 tag=1 com=0 len=8
0 180 exit
0 500 enter MPI_Send
0 510 send dest=1 tag=1 com=0 len=8
0 580 exit
0 1000 exit
1 0 enter main
1 110 enter MPI_Send
1 120 send dest=0 tag=1 com=0 len=8
1 130 exit
1 200 enter MPI_Recv
1 550 recv src=0 tag=1 com=0 len=8
1 560 exit
1 1100 exit
"""
# Rank 0 is late for both others: rank 1 waits from 200 to 500, rank 2 from 400 to 500.
BOTH = """\
0 0 enter main
0 500 enter MPI_Isend
0 510 send dest=1 tag=1 com=0 len=8
0 520 send dest=2 tag=1 com=0 len=8
0 530 exit
0 1000 exit
1 0 enter main
1 200 enter MPI_Recv
1 550 recv src=0 tag=1 com=0 len=8
1 560 exit
1 1000 exit
2 0 enter main
2 400 enter MPI_Recv
2 550 recv src=0 tag=1 com=0 len=8
2 560 exit
2 1000 exit
"""


class Small(Run):
    """The report of a trace that is written here, and its page; `change` gets the JSON report before."""

    def __init__(self, folder, name, trace, change=lambda report: None, *options):
        file = folder / f"{name}.trace"
        file.write_text(trace)
        super().__init__(folder, file, *options)
        change(self.json)
        self.json_file.write_text(json.dumps(self.json))
        waitstate("show", self.json_file, "-o", self.page)


@pytest.fixture(scope="module")
def late(folder):
    def with_a_transfer(report):
        """Adds a transfer that rank 1 has started, and that ends at rank 0."""
        report["contexts"][0]["transfers"] = {
            "columns": ["origin", "target", "operation", "started", "completed", "bytes"], "rows": [[1, 0, "put", 300, 400, 8]], "left_out": 0}

    return Small(folder, "late", LATE, with_a_transfer)


@pytest.fixture(scope="module")
def both(folder):
    return Small(folder, "both", BOTH)


class Picture:
    """The pixels of a chart: red, green, blue and how opaque."""

    def __init__(self, browser, chart):
        self.width, self.height, data = browser.script("""
          const canvas = document.querySelector(`#chart-${arguments[0]} canvas`);
          const bytes = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
          let text = '';
          for (let i = 0; i < bytes.length; i += 30000) text += String.fromCharCode(...bytes.subarray(i, i + 30000));
          return [canvas.width, canvas.height, btoa(text)]""", chart)
        self.bytes = base64.b64decode(data)
        assert self.width == browser.script("return document.querySelector(`#chart-${arguments[0]} canvas`).clientWidth", chart)

    def at(self, x, y):
        begin = 4 * (int(y) * self.width + int(x))
        return tuple(self.bytes[begin:begin + 4])

    def has(self, x, y, colour):
        return self.at(x, y) == (*colour, 255)

    def _stretches(self, places, colour):
        found = []
        for i, (x, y) in enumerate(places):
            if self.has(x, y, colour):
                if found and found[-1][1] == i:
                    found[-1][1] = i + 1
                else:
                    found.append([i, i + 1])
        return found

    def across(self, y, colour):
        """From where to where a row of pixels has the colour; at least three of them, since edges may be mixed."""
        return [pytest.approx(s, abs=1) for s in self._stretches([(x, y) for x in range(self.width)], colour) if s[1] - s[0] > 2]

    def down(self, x, colour):
        return [pytest.approx(s, abs=1) for s in self._stretches([(x, y) for y in range(self.height)], colour) if s[1] - s[0] > 2]

    def colours(self, area, least):
        """Opaque colours other than greys that have at least so many pixels in the rectangle from left to right, top to bottom."""
        left, top, right, bottom = map(int, area)
        count = {}
        for y in range(top, bottom):
            for x in range(left, right):
                colour = self.at(x, y)
                if colour[3] == 255 and max(colour[:3]) - min(colour[:3]) > 12:
                    count[colour[:3]] = count.get(colour[:3], 0) + 1
        return {colour for colour, n in count.items() if n >= least}


# ---- the timeline ----

# Tops and ends of rows of calls. A call is 15 pixels high, and the calls below it are drawn 16 pixels lower.
TOPS, BOTTOMS, CALL = (22, 66), (54, 98), 16


@pytest.fixture(scope="module", params=["light", "dark"])
def timeline(request, browser, late):
    """The picture, and where a time is in it: the wait and a third beside it, from 100 to 600, behind names as wide as they are
    at least."""
    with Emulated(browser, color_scheme=request.param):
        browser.open(late.page, "#v=timeline&m=mpi_latesender")
        picture = Picture(browser, "timeline")
        assert browser.complaints() == []
    picture.dark = request.param == "dark"
    return picture, lambda t: 66 + (t - 100) / 500 * (picture.width - 72)


def test_bars_are_at_the_times_of_their_calls(timeline):
    p, x = timeline
    end = p.width - 6
    first, second = TOPS
    assert [[66, end - 1]] == p.across(first, COMPUTATION)
    # A line of paper at its end tells a call from one that touches it.
    assert [[x(140), x(180) - 1], [x(500), x(580) - 1]] == p.across(first + CALL, POINT_TO_POINT)
    # The wait is hatched: before and after it the colours are whole. Heads of arrows reach some pixels into the calls.
    whole = [s for s in p.across(second + 14, COMPUTATION) if s.expected[1] - s.expected[0] > 12]
    assert [[66, x(200) - 1], [x(500) + 1, end - 1]] == whole
    whole = [s for s in p.across(second + CALL + 14, POINT_TO_POINT) if s.expected[1] - s.expected[0] > 12]
    assert [[x(110), x(130) - 1], [x(500) + 1, x(560) - 1]] == whole
    # A call lies below the one that calls it.
    assert [[first, first + CALL - 1]] == p.down(x(570), COMPUTATION)[:1] and [[first + CALL, first + 2 * CALL - 1]] == p.down(x(570), POINT_TO_POINT)


def test_the_wait_is_hatched_and_framed(timeline):
    """At every ninth pixel there is a line from the lower left to the upper right, over all calls of the row, and nowhere else."""
    p, x = timeline
    top, bottom, left, right = TOPS[1] - 2, BOTTOMS[1] + 2, x(200), x(500)
    for y, colour in ((TOPS[1] + 1, COMPUTATION), (TOPS[1] + 12, COMPUTATION), (TOPS[1] + CALL + 1, POINT_TO_POINT)):
        for at in range(math.ceil(left) + 2, int(right) - 2):
            place = (at + y + 1 - top) % 9
            if 3 <= place <= 6:
                assert p.has(at, y, colour), (at, y, p.at(at, y))
            elif place == 0:
                change = sum(p.at(at, y)[:3]) - sum(colour)
                assert (change > 60) if p.dark else (change < -60), (at, y, p.at(at, y))
    ink = LIGHT_INK if p.dark else INK
    for edge in (left, right):
        columns = [edge_x for edge_x in range(int(edge) - 2, int(edge) + 3) if all(p.has(edge_x, y, ink) for y in range(TOPS[1] + 2, BOTTOMS[1]))]
        assert columns and all(abs(c + 0.5 - edge) <= 1 for c in columns)
    inside = range(math.ceil(left) + 20, int(right) - 60)
    for edge in (top, bottom):
        rows = [y for y in range(edge - 3, edge + 3) if all(p.has(at, y, ink) for at in inside)]
        assert rows == [edge - 1, edge]


def test_no_colour_is_there_twice_or_missing(timeline):
    """Beside the wait the bars have the colours of two classes, and no others; the arrow that ends it has a third."""
    p, x = timeline
    for area in ((66, 22, x(200) - 4, 100), (x(500) + 8, 22, p.width, 100)):
        assert p.colours(area, 60) == {COMPUTATION, POINT_TO_POINT}


def thickness(p, places, colour, near=60):
    """How many pixels have the colour, or nearly so, because pixels at edges are mixed."""
    return sum(p.at(*place)[3] > 128 and all(abs(a - b) < near for a, b in zip(p.at(*place), colour)) for place in places)


@pytest.mark.parametrize("name, begin, end, rows", [("down", 510, 550, (54, 66)), ("up", 120, 160, (66, 54))])
def test_a_message_goes_from_its_sender_to_its_receiver(timeline, name, begin, end, rows):
    """An arrow is thin where the message was sent, has its head where it was received, and goes no further."""
    p, x = timeline
    ink = LIGHT_INK if p.dark else INK

    def thick(at):
        share = (at - x(begin)) / (x(end) - x(begin))
        y = round(rows[0] + share * (rows[1] - rows[0]))
        return thickness(p, [(at, y + dy) for dy in range(-5, 6)], ink)

    x1, x2 = x(begin), x(end)
    assert [1 <= thick(x1 + d) <= 2 for d in (2, 5, 12, 20)] == [True] * 4
    assert 3 <= thick(x2 - 5) <= 6 and thick(x2 - 5) > thick(x2 - 1) >= 1 and 1 <= thick(x2 - 12) <= 2
    assert thick(x1 - 3) == thick(x2 + 3) == 0


def test_a_transfer_is_dashed(timeline):
    """Five pixels are drawn, three are not, from the location that started the transfer to the one where it ends."""
    p, x = timeline
    ink = LIGHT_INK if p.dark else INK
    (x1, y1), (x2, y2) = (x(300), 66), (x(400), 54)
    length = math.hypot(x2 - x1, y2 - y1)

    def darkness(along):
        """How dark the line is there, from 0 to 1, because it may lie between two pixels."""
        at, y = x1 + (x2 - x1) * along / length, y1 + (y2 - y1) * along / length
        return sum(p.at(at, int(y) + dy)[3] for dy in (-1, 0, 1)) / 255

    lines = [darkness(s) for s in range(int(length)) if length / 2 < s < length - 12 and s % 8 == 2]
    gaps = [darkness(s) for s in range(int(length)) if length / 2 < s < length - 12 and s % 8 == 6]
    assert len(lines) > 8 and min(lines) > 0.6 and max(gaps) < 0.4, (lines, gaps)
    assert thickness(p, [(x2 - 5, y) for y in range(50, 59)], ink) >= 3 and thickness(p, [(x2 + 3, y) for y in range(50, 59)], ink) == 0


def test_what_ended_the_wait_points_to_who_waited(timeline):
    """The arrow is dotted and goes from the culprit's row straight down: the head is at the row of the location that waited."""
    p, x = timeline
    ending = (0xff, 0x9d, 0x5c) if p.dark else ENDING
    thick = {y: thickness(p, [(int(x(500)) + dx, y) for dx in range(-6, 7)], ending, 20) for y in (53, 55, 57, 60, 64, 68)}
    assert thick[53] == thick[57] == thick[68] == 0 and 2 <= thick[55] <= 3 and 4 <= thick[60] <= 6 and 1 <= thick[64] <= 3, thick


def test_the_stripe_of_the_critical_path(browser, late, folder):
    """The path is below the row of rank 0 until it sends the message, then below that of rank 1, which ends last."""
    run = Small(folder, "late_path", LATE, lambda report: None, "--pattern", "all,critical_path")
    table = run.json["critical_segments"]["segments"]
    at = [table["columns"].index(name) for name in ("location", "from", "to")]
    segments = [[row[i] for i in at] for row in table["rows"]]
    assert [s[0] for s in segments] == [0, 1] and segments[0][2] == segments[1][1] == 500
    browser.open(run.page, "#v=timeline&m=mpi_latesender&t=0.0000001-0.0000006")
    p = Picture(browser, "timeline")
    colour = (0x7a, 0x1f, 0xa2)
    for location, begin, end in segments:
        left, right = (66 + (max(100, min(600, t)) - 100) / 500 * (p.width - 72) for t in (begin, end))
        top = BOTTOMS[location] + 3
        found = [s.expected for s in p.across(top, colour)]  # arrows may lie over it
        assert [found[0][0], found[-1][1]] == pytest.approx([left, right], abs=1)
        assert sum(b - a for a, b in found) > 0.8 * (right - left)
        assert [top, top + 4] in p.down((left + right) / 2 + 20, colour)


# ---- charts of values ----

# Finds where a chart begins beside its widest name.
WIDEST = """
  const c = document.createElement('canvas').getContext('2d');
  c.font = '12px system-ui, sans-serif';
  return 16 + Math.max(50, c.measureText(arguments[0]).width)"""


def test_columns_of_waits_over_time(browser, both):
    """Columns are half as high while only rank 1 waits; the heat map has a row for each rank, bright where it waits."""
    browser.open(both.page, "#v=time&m=mpi_latesender")
    p = Picture(browser, "series")
    def x(t): return (t - 200) / 300 * (p.width - 6)
    assert p.down(x(300), FIRST) == [[226 - 102, 226]] and p.down(x(450), FIRST) == [[22, 226]]
    assert p.across(40, FIRST) == [[x(400), x(500)]] and p.across(200, FIRST) == [[0, x(500)]]
    assert p.colours((0, 0, p.width, p.height), 60) == {FIRST}
    p = Picture(browser, "heat")
    def x(t): return 66 + (t - 200) / 300 * (p.width - 72)
    assert [p.across(22 + 20 * row + 18, BRIGHTEST) for row in range(3)] == [[], [[x(200), x(500)]], [[x(400), x(500)]]]
    assert p.down(x(300), BRIGHTEST) == [[42, 61]] and p.down(x(450), BRIGHTEST) == [[42, 61], [62, 81]]
    assert p.colours((0, 0, p.width, p.height), 60) == {BRIGHTEST}
    assert browser.complaints() == []


def test_bars_are_as_long_as_their_values(browser, both):
    """Rank 1 has waited three times as long as rank 2, rank 0 never. The first bar of regions is all that there is."""
    browser.open(both.page, "#v=flat&m=mpi_latesender&c=")
    p = Picture(browser, "bars")
    wide = p.width / 3
    colours = p.colours((0, 0, p.width, p.height), 200)
    assert len(colours) == 2 and BRIGHTEST in colours
    third = next(c for c in colours if c != BRIGHTEST)
    assert p.down(wide + 4, BRIGHTEST) == [[10, 180]] and p.down(2 * wide + 4, third) == [[180 - 170 / 3, 180]]
    assert p.across(178, BRIGHTEST) == [[wide, 2 * wide - 2]] and p.across(178, third) == [[2 * wide, 3 * wide - 2]]
    p = Picture(browser, "flat")
    label = browser.script(WIDEST, "MPI_Recv")
    assert p.across(10, BRIGHTEST) == [[label, p.width - 150]] and p.down(label + 20, BRIGHTEST) == [[4, 21]]


def test_cells_of_the_matrix(browser, both):
    """Two cells are in the row of rank 0, their sums at the margins behind a gap; the larger is bright, the smaller dark."""
    browser.open(both.page, "#v=matrix&m=mpi_latesender")
    p = Picture(browser, "matrix")
    size = 24.5
    names = browser.script(WIDEST, "culprit \u2193   waiter \u2192")
    def x(column): return names + column * size + (6 if column == 3 else 0)
    def y(row): return 22 + row * size + (6 if row == 3 else 0)
    # Cells and sums have one scale: the sum of the row is the largest, that of rank 1 is its only cell, as that of rank 2.
    assert p.across(y(0) + 12, BRIGHTEST) == [[x(3), x(3) + size - 1]]
    assert p.down(x(3) + 12, BRIGHTEST) == [[y(0), y(0) + size - 1]]
    colours = p.colours((names, 22, x(3) + size, y(3) + size), 300) - {BRIGHTEST}
    assert len(colours) == 2
    least, middle = sorted(colours, key=sum)
    for row in (0, 3):
        assert p.across(y(row) + 12, least) == [[x(2), x(2) + size - 1]]
        assert p.across(y(row) + 12, middle) == [[x(1), x(1) + size - 1]]


def test_dark_cells_are_seen_on_dark_paper(browser, both):
    with Emulated(browser, color_scheme="dark"):
        browser.open(both.page, "#v=matrix&m=mpi_latesender")
        p = Picture(browser, "matrix")
    x = browser.script(WIDEST, "culprit \u2193   waiter \u2192") + 2 * 24.5
    assert p.has(x + 12, 22, GREY) and p.has(round(x), 30, GREY) and p.has(round(x + 23.5) - 1, 30, GREY)
    assert all(sum(p.at(x + 12, y)[:3]) < 300 for y in range(24, 42))
    assert len(p.across(30, BRIGHTEST)) == 1  # bright ones have no edge


def test_classes_of_durations(browser, both):
    """Each class has a column from its least to its greatest duration, as high as its share of the highest."""
    browser.open(both.page, "#v=statistics&m=mpi_latesender")
    p = Picture(browser, "histogram")
    rows = both.json["waits"]["mpi_latesender"]["histogram"]["rows"]
    assert [r[2] for r in rows if r[2]] == [1, 1]
    first, last = rows[0][0], rows[-1][1]
    def x(ticks): return 30 + math.log(ticks / first) / math.log(last / first) * (p.width - 40)
    assert p.across(177, BRIGHTEST) == [[x(r[0]), x(r[1]) - 1] for r in rows if r[2]]
    assert p.down(x(rows[0][0]) + 8, BRIGHTEST) == [[18, 178]]


# ---- nothing lies over something else ----

VIEWS = ["summary", "trees", "flat", "statistics", "instances", "timeline", "time", "phases", "path", "matrix", "communication",
         "topology", "counters", "trace"]

# Finds elements that lie over their neighbours by more than a pixel (elements in the flow of text are taken line by line), and
# elements that are wider than the element around them, unless that scrolls or cuts them.
OVERLAPS = """
  const found = [], name = e => `${e.tagName.toLowerCase()}${e.id && '#' + e.id}${e.className && '.' + e.className}: ${e.textContent.slice(0, 30)}`;
  const boxes = e => [...e.getClientRects()].filter(b => b.width > 0 && b.height > 0);
  const walk = parent => {
    const style = getComputedStyle(parent), box = parent.getBoundingClientRect(), scrolls = style.overflowX !== 'visible';
    const children = [...parent.children].filter(e => !e.matches('script, option, .live, .skip, .above') && boxes(e).length && getComputedStyle(e).float === 'none');
    children.forEach((a, i) => {
      for (const b of children.slice(i + 1, i + 40))
        for (const p of boxes(a)) for (const q of boxes(b))
          if (Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1)
            return found.push(`${name(a)} | ${name(b)}`);
    });
    for (const child of children) {
      if (!scrolls && style.display !== 'inline' && getComputedStyle(child).position !== 'absolute') for (const b of boxes(child))
        if (b.left < box.left - 1 || b.right > box.right + 1) { found.push(`${name(child)} leaves ${name(parent)}`); break; }
      if (!(child instanceof SVGElement)) walk(child);
    }
  };
  walk(document.body);
  return [...new Set(found)]"""

# Notes the place of each text of a chart while it is drawn.
NOTE_TEXTS = """
  const prototype = CanvasRenderingContext2D.prototype;
  if (window.texts) return;
  window.texts = new Map();
  const write = prototype.fillText, clear = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'width');
  Object.defineProperty(HTMLCanvasElement.prototype, 'width', {...clear, set(v) { texts.set(this, []); clear.set.call(this, v); }});
  prototype.fillText = function (text, x, y) {
    write.call(this, text, x, y);
    const m = this.measureText(text), matrix = this.getTransform();
    const corners = [[x - m.actualBoundingBoxLeft, y - m.actualBoundingBoxAscent], [x + m.actualBoundingBoxRight, y + m.actualBoundingBoxDescent]]
      .map(([x, y]) => matrix.transformPoint({x, y}));
    const [left, right] = corners.map(c => c.x).sort((a, b) => a - b), [top, bottom] = corners.map(c => c.y).sort((a, b) => a - b);
    if (text.trim()) texts.get(this.canvas)?.push([text, left, top, right, bottom]);
  }"""
TEXTS = """
  return [...document.querySelectorAll('figure')].filter(f => texts.has(f.querySelector('canvas'))).map(f => {
    const canvas = f.querySelector('canvas');
    return [f.id, canvas.width, canvas.height, texts.get(canvas)]; })"""


def wrong_texts(charts):
    """Texts of a chart that lie over each other or are cut by its edges."""
    for chart, width, height, texts in charts:
        for i, (text, left, top, right, bottom) in enumerate(texts):
            if left < -1 or top < -1 or right > width + 1 or bottom > height + 1:
                yield f"{chart}: {text!r} is cut: {left:.0f} {top:.0f} {right:.0f} {bottom:.0f} of {width} {height}"
            for other in texts[i + 1:]:
                if min(right, other[3]) - max(left, other[1]) > 1 and min(bottom, other[4]) - max(top, other[2]) > 1:
                    yield f"{chart}: {text!r} and {other[0]!r}"


@pytest.fixture(scope="module")
def p2p(folder):
    return Run(folder, SOURCE / "traces/p2p", "--pattern", "all,critical_path", "--phase", "master_worker")


@pytest.fixture(scope="module")
def threads(folder):
    """Locations with longer names: "MPI Rank 0 OMP thread 2"."""
    return Run(folder, SOURCE / "traces/hybrid")


@pytest.fixture(scope="module")
def pictures():
    """The folder of the build in which pictures are kept."""
    folder = PROGRAM.parent / "page_screenshots"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.mark.parametrize("width, height", [(1280, 1400), (320, 2200)])
def test_nothing_lies_over_something_else(browser, p2p, threads, folder, pictures, width, height):
    """No element, row of a tree or text of a chart lies over another one: in every view, with and without its help, and in a
    comparison, light and dark. The page need not be scrolled sideways; only elements that scroll by themselves do."""
    diff, wrong = folder / "diff.html", {}
    if not diff.exists():
        waitstate("diff", p2p.json_file, SOURCE / "traces/coll", "-o", diff)
    with Emulated(browser, (width, height, 1)) as emulated:
        for page, metric, names in ((p2p.page, "mpi_latesender", [*VIEWS, "help"]), (diff, "mpi_latesender", ["diff"]),
                                    (threads.page, "omp_ibarrier_wait", ["matrix", "timeline", "time"])):
            browser.open(page, f"#m={metric}")
            browser.script(NOTE_TEXTS)
            for name in names:
                if name == "help":
                    browser.view("trees")
                if name != "diff":
                    browser.view(name)
                for scheme in ("dark", "light"):
                    emulated.media(color_scheme=scheme)
                    browser.settled()
                    found = [*browser.script(OVERLAPS), *wrong_texts(browser.script(TEXTS))]
                    if browser.script("return document.documentElement.scrollWidth") > width:
                        found.append("has to be scrolled sideways")
                    if found:
                        wrong[page.name, name, scheme] = found
                    if page != threads.page and (width == 1280 or scheme == "light"):
                        shot = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"optimizeForSpeed": True})
                        (pictures / f"{name}_{width}_{scheme}.png").write_bytes(base64.b64decode(shot["data"]))
    assert wrong == {}
    assert browser.complaints() == []
