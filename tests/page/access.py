"""Checks of what a page shows, whichever it is: sizes of targets, names for assistive technology, contrast."""
import re

from reports import contrast


def small_targets(browser):
    """Targets with less than 24 pixels each way; the link that skips to the view has them when it is seen."""
    return browser.script("""
      const found = [];
      for (const e of document.querySelectorAll('a, button, input, select, summary, .twist, .tick')) {
        if (e.matches('.skip')) e.focus();
        if (e.matches('.twist') && !e.textContent) continue; // of a row without anything below it
        const box = e.getBoundingClientRect();
        if (box.width > 0 && (box.width < 23.9 || box.height < 23.9)) found.push([e.tagName, e.className, e.textContent.slice(0, 40), box.width, box.height]);
      }
      document.activeElement.blur(); // the link would lie on others
      return found""")


def names_of_focusable(browser):
    """All nodes of the accessibility tree; how many can have the focus, and which of these have no name."""
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    focusable = [node for node in nodes if not node.get("ignored") and node["role"]["value"] not in ("RootWebArea", "treeitem")
                 and any(p["name"] == "focusable" and p["value"].get("value") for p in node.get("properties", []))]
    return nodes, len(focusable), [n for n in focusable if not n["name"]["value"].strip() and n["role"]["value"] != "main"]


def faint_texts(browser):
    """Texts with a contrast of less than 4.5 to their background, with both colours."""
    found = browser.script("""
      const seen = new Map(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let n; (n = walk.nextNode()); ) {
        const e = n.parentElement;
        if (!n.textContent.trim() || !e.getClientRects().length || e.closest('option, script, :disabled')) continue;
        let back = e;
        while (back && /, 0\\)|transparent/.test(getComputedStyle(back).backgroundColor)) back = back.parentElement;
        const pair = [getComputedStyle(e).color, getComputedStyle(back ?? document.body).backgroundColor];
        seen.set(pair.join(), [...pair, n.textContent.slice(0, 40)]);
      }
      return [...seen.values()]""")
    assert len(found) > 2
    parts = [([[int(v) for v in re.findall(r"\d+", c)[:3]] for c in colours], text) for *colours, text in found]
    return [(text, ink, back) for (ink, back), text in parts if contrast(ink, back) < 4.5]
