"""The three trees in detail: metrics that a trace cannot tell, per cent of siblings, sums of several nodes, search, letters,
and the address with the state of all views."""
import re

import pytest

from reports import SOURCE, Run, address_names, path_of, same

HOME, ENTER, ESCAPE, BACKSPACE = "\ue011", "\ue007", "\ue00c", "\ue003"


@pytest.fixture(scope="module")
def p2p(folder):
    return Run(folder, SOURCE / "traces/p2p")


@pytest.fixture(scope="module")
def half(folder):
    """A trace that does not tell how long receives waited."""
    return Run(folder, SOURCE / "traces/eztrace_lammps")


def text(browser, selector="main"):
    return browser.script("return document.querySelector(arguments[0]).innerText", selector)


def hash_of(browser):
    return browser.script("return location.hash")


def focus(browser, selector):
    browser.script("document.querySelector(arguments[0]).focus()", selector)


def chosen(browser, tree):
    return [r["name"] for r in browser.rows(tree) if r["selected"]]


def test_what_the_trace_cannot_tell(browser, half):
    """An unknown metric has words in the tree of metrics, even without Z, and a sentence in all views of its values; it is
    never 0."""
    unknown = {m["id"]: m["title"] for m in half.json["metrics"] if m["told"] == "unknown"}
    assert "mpi_latesender" in unknown
    browser.open(half.page, "#v=trees&m=mpi_latesender&c=")
    focus(browser, "#metrics")
    browser.keys(HOME, "*")
    rows = {r["name"]: r["value"] for r in browser.rows("metrics")}
    assert {name for name, value in rows.items() if value == "cannot tell"} == set(unknown.values())
    why = [u["sentence"] for u in half.json["unanswered"] if u["metric"] == "mpi_latesender"]
    said = f"The trace cannot tell {unknown['mpi_latesender']}: {'; '.join(why)}."
    browser.open(half.page, "#v=trees&m=mpi_latesender&c=")
    for tree in ("#calls", "#places"):
        assert text(browser, tree).strip() == said
    assert text(browser, "#sum") == "unknown"
    focus(browser, "#calls")
    browser.keys("z")
    for tree in ("calls", "places"):
        assert {r["value"] for r in browser.rows(tree)} == {"cannot tell"}
    browser.view("flat")
    assert text(browser).startswith(said)
    assert browser.complaints() == []


def per_cent(value):
    return float(value.split(" ")[-2]) if "<" not in value else 0


def test_per_cent_of_the_largest_sibling(browser, p2p):
    browser.open(p2p.page, "#v=trees&m=mpi_latesender&x=1&u=peer")
    focus(browser, "#metrics")
    metrics = p2p.json["metrics"]
    by_title = {m["title"]: m for m in metrics}
    checked = 0
    for row in browser.rows("metrics"):
        m = by_title[re.sub(r" \(.*\)$", "", row["name"])]
        if row["open"] == "true":
            continue
        most = max(s["total"] for s in metrics if s["parent"] == m["parent"] and s["unit"] == m["unit"])
        assert per_cent(row["value"]) == pytest.approx(100 * m["total"] / most, abs=0.051), row
        checked += m["parent"] is not None and most != m["total"]
    assert checked > 3
    # Call paths by their inclusive values.
    focus(browser, "#calls")
    browser.keys(HOME, "*")
    inclusive = {r["callpath"]: float(r["inclusive"]) for r in p2p.rows("mpi_latesender", "callpath")}
    less = 0
    for row in browser.rows("calls"):
        above = row["title"].rpartition("/")[0]
        most = max(value for path, value in inclusive.items() if path.rpartition("/")[0] == above)
        assert per_cent(row["second"]) == pytest.approx(100 * inclusive[row["title"]] / most, abs=0.051), row
        less += most != inclusive[row["title"]]
    assert less > 3


def test_the_sum_of_several_nodes(browser, p2p):
    from selenium.webdriver.common.action_chains import ActionChains

    browser.open(p2p.page, "#v=trees&m=mpi_latesender&c=")
    focus(browser, "#calls")
    browser.keys(HOME, "*", ESCAPE)

    def add(tree, names):
        actions = ActionChains(browser.driver, duration=0).key_down("\ue009")
        for row in browser.rows(tree):
            if row["title"].endswith(names):
                actions.click(browser.driver.find_element("id", f"{tree}-{row['id']}"))
        actions.key_up("\ue009").perform()
        browser.settled()

    add("places", ("MPI Rank 1", "MPI Rank 3"))
    values = {}
    for callpath, location, value in p2p.json["severities"]["mpi_latesender"]["rows"]:
        values[path_of(p2p.json, callpath), location] = value / p2p.second
    line = text(browser, "#selected")
    assert "2 locations" in line
    assert same(text(browser, "#sum"), sum(v for (_, location), v in values.items() if location in (1, 3)))
    paths = sorted({path for path, _ in values})[:2]
    add("calls", tuple(paths))
    line = text(browser, "#selected")
    assert "2 call paths" in line and "2 locations" in line
    assert same(text(browser, "#sum"), sum(v for (path, location), v in values.items() if location in (1, 3) and path in paths))
    browser.keys(ESCAPE)
    add("metrics", next(m["summary"] for m in p2p.json["metrics"] if m["id"] == "mpi_latereceiver"))
    totals = {m["id"]: m["total"] / p2p.second for m in p2p.json["metrics"]}
    line = text(browser, "#selected")
    assert "2 metrics" in line and same(text(browser, "#sum"), totals["mpi_latesender"] + totals["mpi_latereceiver"])


def test_search_hides_what_it_does_not_find(browser, p2p):
    browser.open(p2p.page, "#v=trees&m=time&c=")
    opened = {r["title"] for r in browser.rows("calls") if r["open"] == "true"}
    everything = [r["callpath"] for r in p2p.rows("time", "callpath")]
    focus(browser, "#calls")
    browser.keys("/", "waitall")
    rows = [r["title"] for r in browser.rows("calls")]
    hits = [path for path in everything if "waitall" in path.split("/")[-1].lower()]
    assert len(hits) > 2 and set(hits) <= set(rows)
    assert all(any(hit == row or hit.startswith(f"{row}/") for hit in hits) for row in rows)
    browser.keys(ENTER)
    assert chosen(browser, "calls") == [hits[0].split("/")[-1]]
    browser.keys(ENTER)
    assert [r["title"] for r in browser.rows("calls") if r["selected"]] == [hits[1]]
    browser.keys("x")
    assert browser.rows("calls") == [] and text(browser, "#calls").strip() == "No name matches."
    browser.keys(*[BACKSPACE] * 8, "re:^MPI_(Wait|Test)all$")
    rows = {r["name"] for r in browser.rows("calls")}
    assert "MPI_Waitall" in rows and not {"MPI_Recv", "MPI_Send", "MPI_Wait"} & rows
    browser.keys("(")
    assert text(browser, "#calls-meaning") == "This is not a regular expression."
    assert browser.script("return document.activeElement.getAttribute('aria-invalid')") == "true"
    assert len(browser.rows("calls")) > len(rows)  # nothing is hidden by it
    browser.script("document.activeElement.select()")
    browser.keys(BACKSPACE)
    above = {hits[1][:m.start()] for m in re.finditer("/", hits[1])}  # the nodes above the selected one are open, too
    assert {r["title"] for r in browser.rows("calls") if r["open"] == "true"} == opened | above
    assert text(browser, "#calls-meaning") == "of Time"
    assert browser.complaints() == []


def test_letters_go_to_names(browser, p2p):
    """Letters go to names, but for those that do something everywhere."""
    browser.open(p2p.page, "#v=trees&m=mpi_latesender&c=")
    focus(browser, "#metrics")
    for letter, name in (("c", "Communications"), ("b", "Bytes"), ("t", "Time"), ("v", "Visits")):
        browser.keys(letter)
        assert chosen(browser, "metrics")[0].startswith(name), letter
    browser.keys("u")
    assert "u=total" in hash_of(browser)
    # Where letters are off as keys, these go to names, too.
    browser.open(p2p.page, "#v=trees&m=time&c=&k=0")
    focus(browser, "#places")
    browser.keys(HOME, "l")
    assert chosen(browser, "places") == [browser.rows("places")[0]["name"]]
    browser.keys("u")
    assert "u=" not in hash_of(browser)


def test_the_address_holds_what_is_shown(browser, p2p):
    """The address has open nodes, charts as tables, orders of tables, the quantity of the communication, and letters that are
    off."""
    browser.open(p2p.page, "#v=trees&m=time")
    focus(browser, "#places")
    browser.keys(HOME, "\ue012")
    focus(browser, "#metrics")
    browser.keys(HOME, "*")
    shown = [[(r["name"], r["open"]) for r in browser.rows(t)] for t in ("metrics", "calls", "places")]
    address = hash_of(browser)
    assert "om=" in address and "ol=" in address
    browser.open(p2p.page, address)
    assert [[(r["name"], r["open"]) for r in browser.rows(t)] for t in ("metrics", "calls", "places")] == shown
    assert hash_of(browser) == address

    browser.view("communication")
    browser.script("""const s = document.querySelector('main select'); s.value = 'messages'; s.dispatchEvent(new Event('change', {bubbles: true}))""")
    browser.settled()
    browser.click("#chart-communication .tools button[title=T]")
    browser.click("#chart-communication th:last-child button")
    browser.click("#chart-communication th:last-child button")

    def cells():
        return browser.script("return [...document.querySelectorAll('#chart-communication tbody tr')].map(r => Number(r.lastChild.textContent))")

    numbers = cells()
    pairs = p2p.json["communication"]["pairs"]
    at = pairs["columns"].index("messages")
    assert numbers == sorted(r[at] for r in pairs["rows"] if r[at])
    browser.view("help")
    browser.script("[...document.querySelectorAll('#help button')].at(-1).click()")
    browser.settled()
    address = hash_of(browser)
    assert {"w=messages", "tb=communication", "so=communication.2a", "k=0", "h=1"} <= set(address[1:].split("&"))
    browser.open(p2p.page, address)
    assert cells() == numbers and hash_of(browser) == address
    assert text(browser, "#help button[aria-pressed]") == "Letter keys are off"
    browser.open(p2p.page, "#tb=<b>,&so=a.99999d,x&w=%zz&om=9-1,999999999,-&st=1&k=")  # nonsense is passed over
    assert browser.script("return document.querySelector('h2') !== null") and browser.complaints() == []


def test_long_names_come_into_sight(browser, folder):
    """No name is cut: the tree scrolls sideways, with the arrow keys, too."""
    run = Run(folder, SOURCE / "traces/hybrid_tasks")
    browser.open(run.page, "#v=trees&m=time&c=&oc=*")
    long = max(browser.rows("calls"), key=lambda r: len(r["name"]))
    number = next(i for i in range(len(run.json["call_tree"])) if path_of(run.json, i) == long["title"])
    end = "const r = document.getElementById(arguments[0]).getBoundingClientRect(), t = document.getElementById('calls').getBoundingClientRect(); return [r.right, t.right]"
    browser.open(run.page, f"#v=trees&m=time&c={address_names(run.json)[number]}&oc=*")
    right, edge = browser.script(end, f"calls-{number}")
    assert right > edge
    focus(browser, "#calls")
    for _ in range(10):
        browser.keys("\ue014")
    browser.until(f"const r = document.getElementById('calls-{number}').getBoundingClientRect(); return r.right <= document.getElementById('calls').getBoundingClientRect().right + 1")
    for _ in range(10):
        browser.keys("\ue012")
    browser.until("return document.getElementById('calls').scrollLeft === 0")


def test_a_triangle_opens_and_closes(browser, p2p):
    """A click on the triangle of a row opens or closes it and selects nothing; a fast second one undoes that, and is no
    third click. Elsewhere in the row a double click selects the row and opens or closes it."""
    from selenium.webdriver.common.action_chains import ActionChains

    browser.open(p2p.page, "#v=trees&m=time&c=")
    root = browser.rows("metrics")[0]
    before = chosen(browser, "metrics")
    row = browser.driver.find_element("id", f"metrics-{root['id']}")
    triangle, value = row.find_element("css selector", ".twist"), row.find_element("css selector", ".value")
    assert root["open"] == "false"
    for click, then in ((ActionChains.click, "true"), (ActionChains.click, "false"), (ActionChains.double_click, "false")):
        click(ActionChains(browser.driver), triangle).pause(0.6).perform()
        browser.settled()
        assert row.get_attribute("aria-expanded") == then
        assert chosen(browser, "metrics") == before
    ActionChains(browser.driver).double_click(value).perform()
    browser.settled()
    assert row.get_attribute("aria-expanded") == "true"
    assert chosen(browser, "metrics") == [root["name"]]
    assert browser.complaints() == []


def test_only_rows_that_have_changed_are_drawn(browser, p2p):
    """To close a row of one tree leaves the rows of the others alone, and no tree is asked for its size or place."""
    browser.open(p2p.page, "#v=trees&m=mpi_latesender&c=")
    asked, changed = browser.script("""
      const asked = [], changed = new Set();
      const watch = (owner, name) => {
        const {get, set} = Object.getOwnPropertyDescriptor(owner.prototype, name);
        Object.defineProperty(owner.prototype, name, {configurable: true, set, get() { asked.push(name); return get.call(this); }});
        return () => Object.defineProperty(owner.prototype, name, {configurable: true, set, get});
      };
      const undo = [watch(Element, 'scrollTop'), watch(Element, 'clientHeight'), watch(HTMLElement, 'offsetHeight')];
      const observer = new MutationObserver(found => found.forEach(({target}) => changed.add(target.closest?.('.tree')?.id)));
      for (const tree of document.querySelectorAll('.tree')) observer.observe(tree, {subtree: true, childList: true, attributes: true});
      document.querySelector('#metrics [aria-expanded=true][aria-selected=false] .twist').click();
      return new Promise(done => setTimeout(() => {
        undo.forEach(one => one());
        done([asked, [...changed]]);
      }, 100))""")
    assert changed == ["metrics"]
    assert asked == []
    assert browser.complaints() == []
