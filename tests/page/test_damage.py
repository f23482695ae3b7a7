"""Pages that were cut, edited or made to harm: each says what is wrong, shows no half numbers and never hangs."""
import base64
import re
import zlib

import pytest

from reports import SOURCE, Run, address_names, edited


@pytest.fixture(scope="module")
def p2p(folder):
    return Run(folder, SOURCE / "traces/p2p")


def alert(browser, where=""):
    return browser.script(f"return document.querySelector('{where} [role=alert]')?.textContent ?? ''")


def test_missing_sums_are_not_zero(browser, p2p, folder):
    """Without the sections of its values a metric that has a total is damaged, in every view that shows them."""
    page = folder / "without.html"
    page.write_text(re.sub(r'<script[^>]*id="s:(sum|cells):\d+">.*?</script>', "", p2p.page.read_text(), flags=re.S))
    for view in ("trees", "flat", "topology"):
        browser.open(page, f"#v={view}&m=mpi_latesender")
        assert re.search(r"section sum:\d+ is missing. Write the file again", alert(browser, "main")), view
        assert "is zero (Z shows zeros)" not in browser.script("return document.body.innerText")
        assert browser.script("return document.querySelector('#sum').textContent") == "unknown"
    # Only single values are missing: sums over all call paths are there.
    page.write_text(re.sub(r'<script[^>]*id="s:cells:\d+">.*?</script>', "", p2p.page.read_text(), flags=re.S))
    browser.open(page, f"#v=trees&m=mpi_latesender&c={address_names(p2p.json)[p2p.json['problems'][0]['callpath']]}")
    assert re.search(r"section cells:\d+ is missing", alert(browser, "main"))
    browser.view("summary")
    assert alert(browser, "main") == "" and browser.script("return document.querySelectorAll('.problem').length") > 0


def put(path, value):
    """Changes the value at a path of names and numbers."""
    def change(meta):
        at = meta
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value
    return change


@pytest.mark.parametrize("change, says", [
    (put(["series", "bins"], 1_000_000_000), "series has an impossible number of bins"),
    (put(["series", "bin_ticks"], 0), "series has an impossible number of bins"),
    (put(["series", "metrics", "mpi_latesender", "ticks"], [1]), "series.mpi_latesender has another number of bins"),
    (put(["series", "groups", 0, 1], 4), "series.groups[0][1] is 4, but there are 4"),
    (put(["call_tree", 3, "region"], 999), "call_tree[3].region is 999, but there are"),
    (put(["call_tree", 1, "parent"], 7), "a tree has a child before its parent"),
    (put(["locations", 2, "process"], -1), "locations[2].process is -1, but there are 4"),
    (put(["waits", "mpi_latesender", "instances", 0, "longest", "location"], 4), "longest.location is 4, but there are 4"),
    (put(["waits", "mpi_latesender", "instances", 0, "context"], 1.5), "instances[0].context is 1.5"),
    (put(["waits", "mpi_latesender", "pairs", "rows", 0], [0, 1]), "waits.mpi_latesender.pairs.rows[0] has another length than its columns"),
    (put(["waits", "mpi_latesender", "causes", "rows", 0, 0], 1e6), "waits.mpi_latesender.causes.rows[0].callpath is 1000000"),
    (put(["waits", "mpi_latesender", "statistics", "maximum"], float("inf")), "section meta is not JSON"),
    (put(["contexts", 0, "regions", "rows", 0, 1], 999), "contexts[0].regions.rows[0].region is 999"),
    (put(["contexts", 0, "locations", 0], 17), "contexts[0].locations[0] is 17"),
    (put(["communication", "pairs", "rows", 0, 0], 4), "communication.pairs.rows[0].sender is 4, but there are 4"),
    (put(["communication", "processes_per_block"], 0), "communication has no processes in a block"),
    (put(["cart_topologies", 0, "communicator"], 99), "cart_topologies[0].communicator is 99"),
    (put(["trace", "clock", "ticks_per_second"], 0), "its clock has a resolution of zero"),
    (put(["locations"], None), "it has no locations"),
    (put(["metrics"], None), "its definitions are incomplete"),
    (put(["waits", "mpi_latesender", "instances"], 5), None),
    (put(["problems"], None), "This cannot be shown: the data of this file is damaged"),
])
def test_edited_definitions(browser, p2p, folder, change, says):
    """Numbers that refer to nothing are found when the report is opened; other damage is found in the view that shows it."""
    page = folder / "edited.html"
    page.write_text(edited(p2p.page.read_text(), change))
    if says:
        browser.open(page, ready="0")
        assert says in alert(browser)
        assert browser.script("return document.querySelector('#static').hidden") is False
    else:
        browser.open(page, "#v=summary")
        for view in ("summary", "instances", "timeline", "trees"):
            browser.view(view)
            assert browser.script("return document.querySelector('main').textContent.length") > 20, view
    assert [c for c in browser.complaints() if "Uncaught" in c] == []


def test_a_number_that_is_none(browser, p2p, folder):
    """JSON has 1e999, which would be infinite: an axis of it would never end."""
    page = folder / "infinite.html"
    text = edited(p2p.page.read_text(), put(["waits", "mpi_latesender", "statistics", "maximum"], "HERE"))
    meta = re.search(r'id="s:meta">(.*?)</script>', text, re.S)[1]
    large = zlib.decompress(base64.b64decode(meta)).replace(b'"HERE"', b"1e999")
    page.write_text(text.replace(meta, base64.b64encode(zlib.compress(large)).decode()))
    browser.open(page, ready="0")
    assert "waits.mpi_latesender.statistics.maximum is not a number" in alert(browser)


def test_a_section_that_would_fill_the_memory(browser, p2p, folder):
    """300 MB of zeros are 300 KB in the file."""
    page = folder / "bomb.html"
    pack = zlib.compressobj(1)
    zeros = b"".join(pack.compress(bytes(10_000_000)) for _ in range(30)) + pack.flush()
    text = re.sub(r'(id="s:meta">).*?(</script>)', lambda m: m[1] + base64.b64encode(zeros).decode() + m[2], p2p.page.read_text(), count=1, flags=re.S)
    page.write_text(text)
    browser.open(page, ready="0")
    assert "section meta is larger than possible" in alert(browser)


def test_a_view_that_fails_is_alone(browser, p2p, folder):
    """A view that cannot be drawn says so; the other views still work."""
    page = folder / "view.html"
    page.write_text(edited(p2p.page.read_text(), put(["problems"], [{}])))
    browser.open(page, "#v=summary")
    assert alert(browser, "main").startswith("This cannot be shown: the data of this file is damaged, or the page has a bug")
    browser.view("matrix")
    assert alert(browser, "main") == "" and browser.script("return document.querySelector('#chart-matrix') !== null")
    browser.view("summary")
    assert alert(browser, "main") != ""


def test_a_cut_file_says_so(browser, p2p, folder):
    """Without the script the text is seen, and above it why that may be all; behind it stand single values only."""
    text = p2p.page.read_text()
    said = "If only this text is seen, scripts are off or the file is cut."
    for name, end in (("half", len(text) // 2), ("script", text.rindex("<script>") + 1000)):
        page = folder / f"{name}.html"
        page.write_text(text[:end])
        browser.driver.get(f"file://{page}")
        assert said in browser.script("return document.body.innerText") and "Late Sender" in browser.script("return document.body.innerText")
    page.write_text(text[:text.rindex("</script>") - 10])
    browser.open(page, "#v=trees&m=mpi_latesender")
    seen = browser.script("return document.body.innerText")
    assert seen.startswith("The file is truncated: values are missing.") and said not in seen and "Late Sender" in seen
    browser.open(p2p.page)
    seen = browser.script("return document.body.innerText")
    assert said not in seen and "The file is truncated" not in seen
    browser.complaints()


def test_all_that_wait_for_the_end_are_told(browser, p2p, folder):
    """Single values of several metrics are asked for while the file is still read, and it ends before they come."""
    text = p2p.page.read_text()
    values = text.rindex("<", 0, text.index('id="s:cells'))
    browser.open(p2p.page)
    browser.script("""
      const frame = document.createElement('iframe');
      frame.style = 'width: 1200px; height: 800px';
      document.body.append(frame);
      const page = window.inner = frame.contentDocument;
      page.open();
      page.write(arguments[0]);
      window.pending = () => Number(page.documentElement.dataset.pending ?? 0);""", text[:values])
    browser.until("return window.inner.documentElement.dataset.ready === '1'")
    browser.script("window.inner.querySelector('#view-trees').click()")
    for metric in ("mpi_latesender", "mpi_point2point", "time"):
        browser.script("""
          const rows = [...window.inner.querySelectorAll('#metrics [role=treeitem]')];
          rows.find(r => r.title.includes(arguments[0]))?.click()""", metric)
    browser.until("return window.pending() >= 2")
    browser.script("window.inner.close()")
    browser.until("return window.pending() === 0")
    assert browser.script("return window.inner.body.innerText").startswith("The file is truncated: values are missing.")
    browser.complaints()
