"""A headless Chromium that opens pages from disk, for the tests of the HTML report.

One browser serves all tests. What the page does wrong without saying so is collected: messages in the console, and
requests for anything but the file itself (the browser has no network either: every host but this one leads nowhere).
"""
import json
import os
import shutil
import tempfile
import time

CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")


def why_not():
    """Why no browser can be started; empty if one can."""
    if CHROMIUM is None or DRIVER is None:
        return "no chromium with chromedriver here (apt: chromium chromium-driver)"
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "no module selenium here (apt: python3-selenium)"
    return ""


class Browser:
    """Use it as a context manager. Without `whole`, open() does not wait until the browser has read all of a page."""

    server = None  # a page may ask for addresses that start with this as well
    _opened = 0

    def __init__(self, whole=True):
        self.whole = whole

    def __enter__(self):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        options.page_load_strategy = "normal" if self.whole else "none"
        self._profile = tempfile.TemporaryDirectory()
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={self._profile.name}", "--window-size=1280,900",
                     "--no-first-run", "--disable-extensions", "--disable-background-networking"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER, log_path=os.devnull), options=options)
        self.driver.set_page_load_timeout(60)
        # The page itself notes when it is first drawn, because it may be too busy afterwards to answer.
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
          new MutationObserver((_, observer) => {
            if (document.documentElement?.dataset.ready === undefined) return;
            window.drawn = performance.now();
            observer.disconnect();
          }).observe(document, {attributes: true, subtree: true, attributeFilter: ['data-ready']})"""})
        return self

    def __exit__(self, *_):
        self.driver.quit()
        self._profile.cleanup()

    def open(self, file, address="", ready="1"):
        """Opens a page and waits until it is drawn. Returns seconds."""
        self.complaints()
        self._opened += 1  # else another address would not load it again
        begin = time.monotonic()
        self.driver.get(f"file://{file}?{self._opened}{address}")
        self.until("return location.search === `?${arguments[0]}` && document.documentElement?.dataset.ready !== undefined", self._opened)
        assert self.script("return document.documentElement.dataset.ready") == ready
        if ready == "1":
            self.settled()
        return time.monotonic() - begin

    def drawn(self):
        """Seconds from the start of loading the page to the time at which it was first drawn."""
        return self.script("return window.drawn") / 1e3

    def until(self, script, *arguments, seconds=30):
        end = time.monotonic() + seconds
        while not self.driver.execute_script(script, *arguments):
            assert time.monotonic() < end, f"waited {seconds} s for: {script}"
            time.sleep(0.01)

    def settled(self):
        """Waits until the page has unpacked what it shows."""
        self.driver.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0], 0))")
        self.until("return (document.documentElement.dataset.pending ?? '0') === '0'")

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def keys(self, *keys):
        """Sends keys to the element that has the focus."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver, duration=0).send_keys(*keys).perform()
        self.settled()

    def click(self, selector):
        self.script("document.querySelector(arguments[0]).click()", selector)
        self.settled()

    def view(self, name):
        self.click(f"#view-{name}")

    def rows(self, tree):
        """The visible rows of a tree: level, name, value, second value, whether the row is selected, whether it is open."""
        return self.script("""
          return [...document.querySelectorAll(`#${arguments[0]} [role=treeitem]`)].map(r => ({
            id: Number(r.id.split('-')[1]), top: parseFloat(r.style.top), level: Number(r.getAttribute('aria-level')),
            name: r.querySelector('.name').lastChild.textContent, title: r.title.split('\\n')[0],
            value: r.querySelector('.value').textContent, second: r.querySelector('.second')?.textContent,
            selected: r.getAttribute('aria-selected') === 'true', open: r.getAttribute('aria-expanded')
          })).sort((a, b) => a.top - b.top)""", tree)

    def table(self, chart):
        """The exact numbers of a chart, as its table has them: the headings, and a list of texts and numbers a row."""
        button = f"#chart-{chart} .tools button[title=T]"
        self.click(button)
        heads, rows = self.script("""
          const table = document.querySelector(`#chart-${arguments[0]} table`);
          const cell = c => c.className === 'number' ? Number(c.dataset.value) : c.textContent;
          return [[...table.querySelectorAll('th')].map(h => h.dataset.column),
                  [...table.querySelectorAll('tbody tr')].map(r => [...r.children].map(cell))]""", chart)
        self.click(button)
        return heads, rows

    def point(self, chart, x, y):
        """The text that a chart says at a place of its canvas (pixels from its left and top), and the colour there."""
        return self.script("""
          const canvas = document.querySelector(`#chart-${arguments[0]} canvas`), box = canvas.getBoundingClientRect();
          canvas.dispatchEvent(new MouseEvent('mousemove', {bubbles: true, clientX: box.left + arguments[1], clientY: box.top + arguments[2]}));
          return new Promise(done => setTimeout(() => done([
            canvas.closest('figure').querySelector('output').textContent,
            [...canvas.getContext('2d').getImageData(arguments[1], arguments[2], 1, 1).data].slice(0, 3)]), 30));""", chart, x, y)

    def complaints(self):
        """Console messages, and requests for anything but the opened file, since the last call."""
        found = [entry["message"] for entry in self.driver.get_log("browser")]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if message["params"].get("documentURL", "").startswith("chrome:"):
                    continue  # the page with which the browser starts
                allowed = ("file:///", "data:", "blob:", "about:", *([self.server] if self.server else []))
                if not url.startswith(allowed):
                    found.append(f"request: {url}")
        return found


class Emulated:
    """A browser with another window or media while it is used."""

    def __init__(self, browser, size=None, **features):
        self.run, self.size, self.features = browser.driver.execute_cdp_cmd, size, features

    def media(self, media="", **features):
        self.run("Emulation.setEmulatedMedia", {"media": media, "features": [{"name": f"prefers-{k.replace('_', '-')}", "value": v} for k, v in features.items()]})

    def __enter__(self):
        if self.size:
            self.run("Emulation.setDeviceMetricsOverride", {"width": self.size[0], "height": self.size[1], "deviceScaleFactor": self.size[2], "mobile": False})
        self.media(**self.features)
        return self

    def __exit__(self, *_):
        self.run("Emulation.clearDeviceMetricsOverride", {})
        self.media()
