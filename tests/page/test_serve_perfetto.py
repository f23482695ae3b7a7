"""The window of the timeline as a file for Perfetto: it is handed to Perfetto's page only by a click, after saying so, in the way that
page asks for, and not at all with --offline. Perfetto's page is played by the test, since there is no network."""
import pytest
from access import faint_texts, small_targets
from browser import Emulated, why_not
from reports import PROGRAM, SOURCE, waitstate
from serving import Serving, Visitor

P2P = SOURCE / "traces/p2p"
ORIGIN = "https://ui.perfetto.dev"

# In place of the new window: notes what it is told, and answers the third PING. What others say must not count.
PLAYED = """
  window.told = [];
  window.opened = [];
  const played = {closed: false, postMessage(message, origin) {
    if (message === 'PING') {
      window.told.push(['PING', origin]);
      const say = (data, from, source) => window.dispatchEvent(new MessageEvent('message', {data, origin: from, source}));
      if (window.told.length === 1) say('PONG', 'https://example.org', frame.contentWindow);
      if (window.told.length === 2) say('PONG', arguments[1], window);
      if (window.told.length === 3) say('PONG', origin, frame.contentWindow);
    } else {
      const {buffer, title} = message.perfetto;
      window.told.push([Object.keys(message.perfetto).sort().join(), origin, title, [...new Uint8Array(buffer)]]);
    }
  }};
  const frame = document.createElement('iframe');
  document.body.append(frame);
  frame.contentWindow.postMessage = played.postMessage;
  window.open = (...given) => { window.opened.push(given); return given[0] === 'refused' ? null : frame.contentWindow; };
"""


@pytest.fixture(scope="module")
def visitor(folder):
    if why_not():
        pytest.skip(why_not())
    with Serving(P2P) as serving, Visitor(serving, folder) as v:
        yield v


def test_a_window_is_handed_to_perfetto(visitor, folder):
    visitor.visit("s=timeline&t=0.100000000-0.200000000")
    visitor.there("#chart-run .legend li + li")
    visitor.script(PLAYED)
    visitor.press("#to-perfetto")
    text = visitor.text("#perfetto")
    assert ORIGIN in text and "a page from the internet" in text and "0.1" in text and "names of functions" in text
    assert visitor.script("return window.opened.length") == 0  # nothing before the click
    visitor.press("#open-perfetto")
    visitor.until("return window.told.length === 4")
    pings, (keys, origin, title, content) = visitor.script("return [window.told.slice(0, 3), window.told[3]]")
    assert pings == [["PING", ORIGIN]] * 3 and visitor.script("return window.opened") == [[ORIGIN]]
    assert keys == "buffer,title" and origin == ORIGIN and "0.100000000 s to 0.200000000 s" in title
    file = folder / "expected.pftrace"
    waitstate("export", P2P, "--time", "0.1", "0.2", "-o", file)
    assert bytes(content) == file.read_bytes()
    visitor.until("return document.querySelector('#perfetto') === null")
    assert visitor.complaints() == []


def test_the_file_can_be_kept_instead(visitor, folder):
    visitor.visit("s=timeline&t=0.300000000-0.400000000")
    visitor.there("#chart-run .legend li + li")
    visitor.press("#to-perfetto")
    visitor.press("#save-perfetto")
    file = folder / "kept.pftrace"
    waitstate("export", P2P, "--time", "0.3", "0.4", "-o", file)
    assert visitor.downloaded("part.pftrace").read_bytes() == file.read_bytes()
    visitor.until("return document.querySelector('#perfetto') === null")
    # A browser that opens no window says so, and the dialogue stays.
    visitor.script("window.open = () => null")
    visitor.press("#to-perfetto")
    visitor.press("#open-perfetto")
    visitor.there("#perfetto [role=alert]")
    assert "does not allow this page to open a window" in visitor.text("#perfetto [role=alert]")
    assert visitor.complaints() == []


def test_offline_leads_nowhere(folder):
    if why_not():
        pytest.skip(why_not())
    with Serving(P2P, "--offline") as serving, Visitor(serving, folder) as v:
        v.press("#part-timeline")
        v.there("#chart-run .legend li + li")
        v.press("#to-perfetto")
        v.there("#save-perfetto")
        assert v.script("return document.querySelector('#open-perfetto')") is None and ORIGIN not in v.text("#perfetto")
        assert v.complaints() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 900, 1), (390, 844, 1)])
def test_everybody(visitor, scheme, size):
    with Emulated(visitor, size, color_scheme=scheme):
        visitor.visit("s=timeline")
        visitor.there("#chart-run .legend li + li")
        visitor.press("#to-perfetto")
        visitor.there("#open-perfetto")
        assert visitor.script("return document.documentElement.scrollWidth") <= size[0]
        assert small_targets(visitor) == [] and faint_texts(visitor) == []
        visitor.driver.save_screenshot(str(PROGRAM.parent / f"page_screenshots/serve_perfetto_{scheme}_{size[0]}.png"))
    assert visitor.complaints() == []
