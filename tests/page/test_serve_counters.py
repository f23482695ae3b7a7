"""Counters and messages in the timeline of the whole run: their values and ends are those of the trace, also without a run. Leaves
pictures of them in the build folder, page_screenshots/, for people to look at."""
import math
import re

import pytest
from access import faint_texts, small_targets
from browser import Emulated, why_not
from reports import PROGRAM, SOURCE
from serving import Serving, Visitor

RANKS, STEPS, STEP = 8, 60, 1000  # microseconds


def counted(rank, step):
    """Instructions of a step."""
    return 1_000_000 + 400_000 * math.sin(step / 6 + rank)


def trace_text():
    """Each rank works, sends to the next one and receives from the one before, and records two counters a step."""
    lines = ["clock resolution=1000000", 'metric_member 0 name=INSTRUCTIONS unit="#" mode=0 value=uint64',
             "metric_member 1 name=memory unit=bytes mode=17 value=uint64", "metric 0 members=(0,1)"]
    lines += [f'process {rank} name="rank {rank}" type=process\nlocation {rank} process={rank} name=main' for rank in range(RANKS)]
    for rank in range(RANKS):
        total = 0.0
        lines.append(f"{rank} 0 enter main")
        lines.append(f"{rank} 0 metric metric=0 values=(uint64:0, uint64:1000)")
        for step in range(STEPS):
            begin = 10 + step * STEP
            lines += [f"{rank} {begin} enter solve", f"{rank} {begin + 500 + 20 * rank} exit",
                      f"{rank} {begin + 700} enter MPI_Send", f"{rank} {begin + 710} send dest={(rank + 1) % RANKS} tag=1 com=0 len=64",
                      f"{rank} {begin + 720} exit", f"{rank} {begin + 730} enter MPI_Recv",
                      f"{rank} {begin + 900} recv src={(rank - 1) % RANKS} tag=1 com=0 len=64", f"{rank} {begin + 910} exit"]
            total += counted(rank, step)
            lines.append(f"{rank} {begin + 990} metric metric=0 values=(uint64:{int(total)}, uint64:{1000 + 500 * (step // 20) * (rank + 1)})")
        lines.append(f"{rank} {20 + STEPS * STEP} exit")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def visitor(folder):
    if why_not():
        pytest.skip(why_not())
    trace = folder / "counters.trace"
    trace.write_text(trace_text())
    with Serving(trace) as serving, Visitor(serving, folder) as v:
        yield v


def choose(visitor, name):
    from selenium.webdriver.support.ui import Select

    Select(visitor.there("#counter")).select_by_visible_text(name)
    visitor.until_text("#chart-run .legend", name if name != "none" else "message")


def rows_of(visitor, what):
    return [row for row in visitor.table("run")[1] if row[1].startswith(what)]


def test_a_counter_is_drawn_below_each_row(visitor):
    visitor.visit("s=timeline&t=0.0200-0.0300")
    visitor.there("#chart-run .legend li + li")
    low = visitor.find("#chart-run canvas").size["height"]
    choose(visitor, "INSTRUCTIONS")
    assert visitor.find("#chart-run canvas").size["height"] >= low
    legend = visitor.text("#chart-run .legend")
    found = re.search(r"INSTRUCTIONS, from 0 1/s to ([\d,]+) 1/s in all rows", legend)
    greatest = float(found.group(1).replace(",", ""))
    # a step of 1 ms has up to 1.4 million; the window has those of steps 20 to 29 or so
    expected = max(counted(rank, step) for rank in range(RANKS) for step in range(19, 31)) * 1e3
    assert greatest == pytest.approx(expected, rel=0.01)
    numbers = {}
    for name, what, begin, end, *_ in rows_of(visitor, "INSTRUCTIONS"):
        assert (begin, end) == pytest.approx((0.02, 0.03))
        numbers[name] = [float(n.replace(",", "")) for n in re.fullmatch(r"INSTRUCTIONS ([\d,]+) 1/s, from ([\d,]+) 1/s to ([\d,]+) 1/s", what).groups()]
    for rank in range(RANKS):
        rates = [counted(rank, step) * 1e3 for step in range(20, 30)]  # a step lasts 1 ms
        mean, least, greatest = numbers[f"rank {rank}"]
        assert least == pytest.approx(min(rates), rel=1e-3) and greatest == pytest.approx(max(rates), rel=1e-3)
        assert mean == pytest.approx(sum(rates) / 10, rel=0.01)
    assert "cn=INSTRUCTIONS" in visitor.script("return location.hash")
    # The value under the mouse has its unit.
    text, _ = visitor.point("run", 640, 60)
    assert re.search(r"; INSTRUCTIONS [\d,]+ 1/s", text), text
    choose(visitor, "memory")
    assert "memory, from 0 bytes to " in visitor.text("#chart-run .legend")
    assert {what for name, what, *_ in rows_of(visitor, "memory") if name == "rank 2"} == {"memory 2,350 bytes, from 1,000 bytes to 2,500 bytes"}  # more from 21 ms on
    visitor.driver.refresh()
    visitor.until_text("#chart-run .legend", "memory, from")
    choose(visitor, "none")
    assert rows_of(visitor, "memory") == [] and "cn=" not in visitor.script("return location.hash")
    assert visitor.complaints() == []


def test_messages_are_drawn_without_a_run(visitor):
    visitor.visit("s=timeline&t=0.0200-0.0220")
    visitor.until_text("#chart-run .legend", "message")
    # step 20 sends at 20.72 ms, step 19 at 19.72 ms, 190 microseconds before they arrive
    found = sorted((name, what, round(begin * 1e6), round(end * 1e6)) for name, what, begin, end, *_ in rows_of(visitor, "message"))
    expected = sorted((f"rank {rank}", f"message of 64 bytes to rank {(rank + 1) % RANKS}", 10 + step * STEP + 710, 10 + step * STEP + 900)
                      for rank in range(RANKS) for step in (20, 21))
    assert found == expected
    assert "messages" not in visitor.text("#left-out")
    # Ink between the rows, where a message is, and none beside it.
    def dark_pixels(begin, end):
        return visitor.script("""
          const [begin, end] = arguments, canvas = document.querySelector('#chart-run canvas');
          const scale = canvas.width / canvas.getBoundingClientRect().width, draw = canvas.getContext('2d');
          const left = Math.round(begin * canvas.width), right = Math.round(end * canvas.width);
          const pixels = draw.getImageData(left, Math.round(60 * scale), right - left, Math.round(400 * scale)).data;
          let count = 0;
          for (let i = 0; i < pixels.length; i += 4) count += pixels[i] < 60 && pixels[i + 1] < 60 && pixels[i + 2] < 60;
          return count""", begin, end)
    assert dark_pixels(0.40, 0.50) > 100
    visitor.visit("s=timeline&t=0.0200-0.0600")
    visitor.until_text("#chart-run .legend", "message")
    assert "messages" not in visitor.text("#left-out")
    assert visitor.complaints() == []


def test_one_sided_transfers_are_dashed(folder):
    if why_not():
        pytest.skip(why_not())
    with Serving(SOURCE / "traces/rma_waits") as serving, Visitor(serving, folder) as v:
        v.press("#part-timeline")
        v.until_text("#chart-run .legend", "one-sided transfer")
        kinds = {row[1].split(" ")[0] for row in v.table("run")[1] if " bytes to " in row[1]}
        assert kinds == {"put", "get", "atomic"}
        assert v.script("return [...document.querySelectorAll('#chart-run .legend line')].map(l => l.getAttribute('stroke-dasharray'))") == ["5 3"]
        assert v.complaints() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1280, 900, 1), (390, 844, 1)])
def test_everybody_sees_them(visitor, scheme, size):
    pictures = PROGRAM.parent / "page_screenshots"
    pictures.mkdir(exist_ok=True)
    with Emulated(visitor, size, color_scheme=scheme):
        for part, address in (("counter_run", "s=timeline&cn=INSTRUCTIONS"), ("counter", "s=timeline&cn=INSTRUCTIONS&t=0.020-0.026"), ("messages", "s=timeline&t=0.0200-0.0240")):
            visitor.visit(address)
            visitor.there("#chart-run .legend li + li")
            if part != "messages":
                visitor.until_text("#chart-run .legend", "INSTRUCTIONS")
            visitor.settled()
            assert visitor.script("return document.documentElement.scrollWidth") <= size[0], part
            assert small_targets(visitor) == [] and faint_texts(visitor) == [], part
            visitor.driver.save_screenshot(str(pictures / f"serve_{part}_{scheme}_{size[0]}.png"))
    assert visitor.complaints() == []
