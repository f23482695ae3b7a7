"""A running `waitstate serve`, a browser that visits it, and what a person does there by mouse and by keys."""
import re
import select
import subprocess
import time

from browser import Browser
from reports import PROGRAM

URL = re.compile(r"http://127\.0\.0\.1:\d+/#token=\w+")


class Serving:
    """Use it as a context manager. `url` is the address that the program prints."""

    def __init__(self, trace, *options):
        self.command = [str(PROGRAM), "serve", str(trace), *map(str, options)]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said, end = "", time.monotonic() + 60
        while (found := URL.search(said)) is None:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            line = self.process.stdout.readline() if ready else ""
            assert line, f"no address, only: {said}"
            said += line
        self.url = found.group()
        self.origin = self.url.split("#")[0]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)


class Visitor(Browser):
    """A browser on the page of a server. What it downloads lies in `downloads`."""

    def __init__(self, serving, downloads):
        super().__init__()
        self.serving, self.server, self.downloads = serving, serving.origin, downloads

    def __enter__(self):
        super().__enter__()
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(self.downloads)})
        self.visit()
        return self

    def visit(self, address=""):
        self.driver.get("about:blank")
        self.driver.get(self.serving.url + (f"&{address}" if address else ""))
        self.until("return document.documentElement?.dataset.ready === '1'")
        self.settled()

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def there(self, selector, seconds=30):
        self.until("return document.querySelector(arguments[0]) !== null", selector, seconds=seconds)
        return self.find(selector)

    def text(self, selector):
        return self.script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def until_text(self, selector, part, seconds=30):
        self.until("return (document.querySelector(arguments[0])?.textContent ?? '').includes(arguments[1])", selector, part, seconds=seconds)

    # ---- by mouse ----

    def actions(self):
        from selenium.webdriver.common.action_chains import ActionChains

        return ActionChains(self.driver, duration=0)

    def press(self, selector):
        """A click of the mouse on an element that is in sight, or scrolled there."""
        element = self.there(selector)
        self.until("return !document.querySelector(arguments[0])?.disabled", selector)
        self.script("arguments[0].scrollIntoView({block: 'center'})", element)
        self.actions().move_to_element(element).click().perform()
        self.settled()

    def keys_all(self):
        """Selects all of the text in the field with the focus."""
        self.actions().key_down("\ue009").send_keys("a").key_up("\ue009").perform()

    def type_into(self, selector, text):
        """Clicks a field and types over what is in it."""
        self.press(selector)
        self.keys_all()
        self.actions().send_keys(text or "\ue017").perform()
        self.settled()

    def drag(self, selector, begin, end, keys=()):
        """Drags over an element, from a share of its width to another one."""
        element = self.there(selector)
        self.script("arguments[0].scrollIntoView({block: 'center'})", element)
        width = element.size["width"]
        actions = self.actions()
        for key in keys:
            actions.key_down(key)
        actions.move_to_element_with_offset(element, int((begin - 0.5) * width), 0).click_and_hold()
        actions.move_by_offset(int((end - begin) * width / 2), 0).move_by_offset(int((end - begin) * width / 2), 0).release()
        for key in keys:
            actions.key_up(key)
        actions.perform()
        self.settled()

    def wheel(self, selector, share, distance):
        """Turns the wheel with Ctrl over a place of an element."""
        from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

        element = self.find(selector)
        place = ScrollOrigin.from_element(element, int((share - 0.5) * element.size["width"]), 0)
        self.actions().key_down("\ue009").scroll_from_origin(place, 0, distance).key_up("\ue009").perform()
        self.settled()

    # ---- by keys ----

    def tab_to(self, selector, back=False):
        """Presses Tab until an element has the focus."""
        for _ in range(250):
            if self.script("return document.activeElement?.matches(arguments[0]) ?? false", selector):
                return
            self.actions().key_down("\ue008").send_keys("\ue004").key_up("\ue008").perform() if back else self.actions().send_keys("\ue004").perform()
        raise AssertionError(f"Tab does not lead to {selector}")

    # ---- what is there ----

    def command(self):
        """The command line of the choice, when it is that of all changes."""
        self.until("return document.querySelector('#command')?.getAttribute('aria-busy') === 'false'")
        return self.text("#command pre")

    def window(self):
        """The time that the timeline shows, in seconds; None: all of the run."""
        time.sleep(0.5)  # the address follows later
        found = re.search(r"&t=([\d.]+)-([\d.]+)", self.script("return location.hash"))
        return tuple(map(float, found.groups())) if found else None

    def downloaded(self, name, seconds=30):
        end = time.monotonic() + seconds
        while not (self.downloads / name).exists():
            assert time.monotonic() < end, f"no {name} in {list(self.downloads.iterdir())}"
            time.sleep(0.05)
        return self.downloads / name
