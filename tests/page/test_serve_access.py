"""The page of `serve` can be used by everybody, on narrow windows and in the dark; it shows hostile names as they are. Leaves pictures
of its parts in the build folder, page_screenshots/, for people to look at."""
import pytest
from access import faint_texts, names_of_focusable, small_targets
from browser import Emulated, why_not
from reports import PROGRAM, SOURCE
from serving import Serving, Visitor

HOSTILE = "</script><script>document.title='broken'</script>\u202e<img src=x onerror=alert(1)>"  # the text turns its direction


@pytest.fixture(scope="module")
def downloads(folder):
    made = folder / "downloads"
    made.mkdir()
    return made


@pytest.fixture(scope="module")
def visitor(downloads):
    if why_not():
        pytest.skip(why_not())
    with Serving(SOURCE / "traces/p2p") as serving, Visitor(serving, downloads) as v:
        v.press("#start")
        v.there("#view-summary", seconds=60)
        yield v


def parts(visitor):
    """Shows each part of the page, and yields its name; the dialogue is one."""
    visitor.visit("s=choose")
    visitor.command()
    yield "choose"
    visitor.press("#part-timeline")
    visitor.there("#chart-run .legend li + li")
    yield "timeline"
    visitor.press("#part-runs")
    visitor.there("article.done")
    yield "runs"
    visitor.press("article.done .open")
    visitor.there("#to-timeline")
    yield "run"
    visitor.visit("s=choose")
    visitor.type_into("input[aria-label^='search Wait']", "Big messages\ue007")
    visitor.press("#configure")
    visitor.there("dialog[open]")
    yield "dialogue"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 900, 1), (390, 844, 1), (640, 450, 2)])
def test_everybody(visitor, scheme, size):
    pictures = PROGRAM.parent / "page_screenshots"
    pictures.mkdir(exist_ok=True)
    with Emulated(visitor, size, color_scheme=scheme):
        for part in parts(visitor):
            assert visitor.script("return document.documentElement.scrollWidth") <= size[0], part
            assert small_targets(visitor) == [], part
            assert faint_texts(visitor) == [], part
            _, count, nameless = names_of_focusable(visitor)
            assert nameless == [] and count > 2, part
            visitor.driver.save_screenshot(str(pictures / f"serve_{part}_{scheme}_{size[0]}.png"))
    assert visitor.complaints() == []


def test_letter_keys_can_be_switched_off(visitor):
    visitor.visit("s=timeline&k=0")
    visitor.there("#chart-run")
    visitor.script("document.querySelector('#chart-run').focus()")
    visitor.keys("w")
    assert visitor.window() is None
    visitor.visit("s=timeline")
    visitor.there("#chart-run")
    visitor.script("document.querySelector('#chart-run').focus()")
    visitor.keys("w")
    assert visitor.window() is not None


def write_trace(file, name):
    file.write_text(f'0 0 enter "{name}"\n0 10 enter MPI_Recv\n0 90 recv src=1 tag=1 com=0 len=8\n0 95 exit\n0 100 exit\n'
                    "1 0 enter main\n1 80 enter MPI_Send\n1 85 send dest=0 tag=1 com=0 len=8\n1 90 exit\n1 100 exit\n")
    return file


def test_hostile_names(folder, downloads):
    """Names of a trace are texts wherever they are shown."""
    if why_not():
        pytest.skip(why_not())
    trace = write_trace(folder / "hostile.trace", HOSTILE)
    with Serving(trace) as serving, Visitor(serving, downloads) as v:
        v.type_into("#region", "script")
        v.until("return document.querySelectorAll('#regions option').length === 1")
        assert v.script("return document.querySelector('#regions option').value") == HOSTILE
        v.type_into("#region", "")
        v.press("#start")
        v.there("#view-summary", seconds=60)
        v.press("#part-timeline")
        v.there("#chart-run .legend li + li")
        v.press("#chart-run [title=T]")
        shown = v.text("#chart-run table")
        begin, end = HOSTILE.split("\u202e")
        assert begin in shown and end in shown and "\u202e" not in shown
        assert v.script("return document.images.length") == 0 and "broken" not in v.driver.title
        # A name that is only half there is no region of the trace: the browser itself notes that refusal.
        assert [c for c in v.complaints() if "400" not in c] == []


def test_another_trace_and_no_server(folder, downloads):
    """The page says when the trace is replaced while it is open, and when the server has ended."""
    if why_not():
        pytest.skip(why_not())
    trace = write_trace(folder / "small.trace", "main")
    with Serving(trace) as serving, Visitor(serving, downloads) as v:
        write_trace(trace, "another_main")
        v.until_text("#app", "The trace has been replaced by another one", seconds=40)
        v.press("#start")
        v.there("#view-summary", seconds=60)
        assert "another_main" in v.script("return document.querySelector('main').textContent")
        serving.process.terminate()
        v.until_text("#app", "The server does not answer", seconds=20)
