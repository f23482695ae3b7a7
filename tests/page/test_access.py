"""The page can be used by everybody: sizes of targets, names for assistive technology, contrast, narrow windows and zoom, the
order of the focus, reduced motion, print; the same keys in a comparison; and what a report does not hold."""
import json

import pytest

from access import faint_texts, names_of_focusable, small_targets
from browser import Emulated
from reports import SOURCE, Run, waitstate

VIEWS = ["summary", "trees", "flat", "statistics", "instances", "timeline", "time", "phases", "path", "matrix", "communication",
         "topology", "counters", "trace"]
LONG = "x" * 1990 + "_the_end_of_a_long_name_" + "y" * 3000


@pytest.fixture(scope="module")
def p2p(folder):
    return Run(folder, SOURCE / "traces/p2p", "--pattern", "all,critical_path", "--phase", "master_worker")


@pytest.fixture(scope="module")
def diff(folder, p2p):
    page = folder / "diff.html"
    waitstate("diff", p2p.json_file, SOURCE / "traces/coll", "-o", page)
    return page


def test_targets_are_large_enough(browser, p2p, diff):
    """Targets have 24 pixels each way in every view; the link that skips to the view has them when it is seen."""
    browser.open(p2p.page, "#m=mpi_latesender&h=1")
    for view in VIEWS:
        browser.view(view)
        assert small_targets(browser) == [], view
    browser.open(diff, "#h=1")
    assert small_targets(browser) == []


def test_zoomed(browser, p2p, diff):
    """At 200 % of 1280 pixels the page need not be scrolled sideways; only elements that scroll by themselves do."""
    with Emulated(browser, (640, 450, 2)):
        browser.open(p2p.page, "#m=mpi_latesender")
        for view in ("trees", "timeline", "matrix", "counters"):
            browser.view(view)
            assert browser.script("return document.documentElement.scrollWidth") <= 640, view
        browser.keys("?")
        assert browser.script("return document.documentElement.scrollWidth") <= 640
        browser.open(diff, "#h=1")
        assert browser.script("return document.documentElement.scrollWidth") <= 640


def test_everything_has_a_name(browser, p2p, diff):
    """Whatever can have the focus has a role and a name, in every view and in a comparison."""
    trees = []
    browser.open(p2p.page, "#m=mpi_latesender&h=1")
    for view in [*VIEWS, "diff"]:
        if view == "diff":
            browser.open(diff, "#h=1")
        else:
            browser.view(view)
        nodes, count, nameless = names_of_focusable(browser)
        trees = nodes if view == "trees" else trees
        assert nameless == [] and count > 12, view
    roles = [n["role"]["value"] for n in trees if not n.get("ignored")]
    assert roles.count("tree") == 3 and roles.count("treeitem") > 5


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(browser, p2p, scheme):
    """Every text has a contrast of at least 4.5 to its background."""
    with Emulated(browser, color_scheme=scheme):
        browser.open(p2p.page, "#m=mpi_latesender&h=1&tb=matrix,boxes")
        for view in VIEWS:
            browser.view(view)
            assert faint_texts(browser) == [], view


def test_the_focus_goes_in_reading_order(browser, p2p):
    """The key Tab goes through the document once, from the link to the view on; that link leads there."""
    browser.open(p2p.page, "#v=trees&m=mpi_latesender")
    browser.script("window.all = () => [...document.querySelectorAll('*')]")
    assert browser.script("return all().filter(e => e.tabIndex > 0).length") == 0
    order = []
    for _ in range(40):
        browser.driver.execute_script("0")
        browser.keys("\ue004")
        at = browser.script("const e = document.activeElement, b = e.getBoundingClientRect(); return [all().indexOf(e), e.className || e.id, getComputedStyle(e).outlineStyle, b.width]")
        if order and at[0] <= order[-1][0]:
            break
        order.append(at)
    names = [name for _, name, _, _ in order]
    assert names[0] == "skip" and [n for n in names if n in ("tree", "search")] == ["search", "tree"] * 3
    assert len(order) > 20 and all(outline != "none" and width > 0 for _, _, outline, width in order)
    browser.script("document.querySelector('.skip').click()")
    assert browser.script("return document.activeElement.tagName") == "MAIN"


def test_reduced_motion_and_print(browser, p2p):
    with Emulated(browser, reduced_motion="reduce"):
        browser.open(p2p.page, "#v=trees&m=time")
        browser.view("help")
        assert browser.script("return document.getAnimations().length") == 0
        assert browser.script("return [...document.querySelectorAll('*')].every(e => getComputedStyle(e).scrollBehavior === 'auto' && getComputedStyle(e).transitionDuration === '0s')")
    browser.open(p2p.page, "#v=trees&m=time&z=1")
    browser.script("document.querySelector('#metrics').focus()")
    browser.keys("\ue011", "*")
    in_sight = len(browser.rows("metrics"))
    with Emulated(browser, media="print"):
        browser.settled()
        browser.until("return document.querySelector('#metrics').scrollHeight <= document.querySelector('#metrics').clientHeight + 2")
        browser.settled()
        assert browser.script("return [...document.querySelectorAll('nav, .tools, .search')].every(e => getComputedStyle(e).display === 'none')")
        assert len(browser.rows("metrics")) > in_sight
        browser.script("location.hash = '#v=statistics&m=mpi_latesender'")
        browser.settled()
        assert browser.script("return [...document.querySelectorAll('figure')].every(e => getComputedStyle(e).breakInside === 'avoid')")


def test_whole_names_on_request(browser, p2p, folder):
    """Names are cut at 2,000 characters until the reader asks for whole ones."""
    report = json.loads(p2p.json_file.read_text())
    region = next(c["region"] for c in report["call_tree"] if c["region"] is not None)
    report["regions"][region]["name"] = LONG
    file, page = folder / "long.json", folder / "long.html"
    file.write_text(json.dumps(report))
    waitstate("show", file, "-o", page)
    browser.open(page, "#v=trees&m=time")
    titles = "return [...document.querySelectorAll('#calls [role=treeitem]')].map(r => r.title)"
    assert f"{LONG[:2000]}\u2026" in "".join(browser.script(titles)) and not any(LONG in t for t in browser.script(titles))
    browser.click("#whole")
    assert any(LONG in t for t in browser.script(titles))
    browser.click("#whole")
    assert not any(LONG in t for t in browser.script(titles))
    browser.open(p2p.page, "#v=trees&m=time")
    assert browser.script("return document.getElementById('whole') === null")


def test_what_a_cube_report_does_not_hold(browser, p2p, folder):
    """A .cubex has no counters of the trace, and the page does not say that the trace had none."""
    cube, page = folder / "run.cubex", folder / "cube.html"
    waitstate("analyze", SOURCE / "traces/p2p", "-o", cube)
    waitstate("show", cube, "-o", page)
    browser.open(page, "#v=counters")
    main = "return document.querySelector('main').textContent"
    assert browser.script(main) == "This report does not contain the counters of the trace, if it has any."
    for view in ("time", "communication"):
        browser.view(view)
        assert "This report does not say" in browser.script(main)
    browser.view("trees")
    assert len(browser.rows("calls")) > 3
    browser.open(p2p.page, "#v=counters")
    assert browser.script(main) == "The trace has no counters."
    assert browser.complaints() == []


def test_keys_of_a_comparison(browser, diff):
    """? opens the help, 1 to 3 go to its trees, Z shows what is the same, letters can be switched off; the address holds it."""
    browser.open(diff)
    active = "return document.activeElement.id"
    for key, part in (("1", "metrics"), ("2", "calls"), ("3", "places")):
        browser.keys(key)
        assert browser.script(active) == part
    browser.keys("1", "/")
    assert browser.script("return document.activeElement.className") == "search"
    browser.script("document.activeElement.blur()")
    tall = "return document.querySelector('#metrics .space').offsetHeight"
    before = browser.script(tall)
    browser.keys("z", "?")
    help_text = browser.script("return document.getElementById('help').textContent")
    assert "orange is more in B, blue less" in help_text and "Letter keys are on" in help_text
    assert browser.script(tall) > before
    browser.script("[...document.querySelectorAll('#help button')].at(-1).click()")
    browser.settled()
    address = browser.script("return location.hash")
    assert {"z=1", "h=1", "k=0"} <= set(address[1:].split("&"))
    browser.open(diff, address)
    browser.keys("z", "?")
    assert browser.script("return location.hash") == address and browser.script("return document.getElementById('help') !== null")
    assert browser.complaints() == []
