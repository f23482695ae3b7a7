"""One hand for drawing: with many locations axes have names that do not overlap, heat maps have keys, a move of the mouse draws
nothing again, and names are shortened as everywhere else."""
import json
import shutil
import subprocess

import pytest

from reports import SOURCE, Run
from test_pixels import NOTE_TEXTS, TEXTS, wrong_texts

METRIC = "mpi_latesender"
CHARTS = (("flat", "bars"), ("time", "heat"), ("matrix", "matrix"), ("path", "path"))


@pytest.fixture(scope="module", params=(12, 300))
def ring(request, folder):
    """Every rank sends to the next one, each later than its receiver waits; one rank in seven is latest."""
    size, lines = request.param, []
    for rank in range(size):
        late, left = 300 + rank % 7 * 50, (rank - 1) % size
        lines += [f"{rank} 0 enter main", f"{rank} {late} enter MPI_Isend", f"{rank} {late + 1} send dest={(rank + 1) % size} tag=1 com=0 len=8",
                  f"{rank} {late + 2} exit", f"{rank} {late + 3} enter MPI_Recv",
                  f"{rank} {max(late + 3, 301 + left % 7 * 50) + 20} recv src={left} tag=1 com=0 len=8", f"{rank} 800 exit", f"{rank} 1000 exit"]
    trace = folder / f"ring_{size}.trace"
    trace.write_text("\n".join(lines) + "\n")
    return size, Run(folder, trace, "--pattern", "all,critical_path")


@pytest.mark.parametrize("view, chart", CHARTS)
def test_axes_of_many_locations_have_names(browser, ring, view, chart):
    size, run = ring
    browser.open(run.page)
    browser.script(NOTE_TEXTS)
    browser.script("location.hash = arguments[0]", f"#v={view}&m={METRIC}")
    browser.settled()
    texts = {name: (width, height, found) for name, width, height, found in browser.script(TEXTS)}
    width, height, found = texts[f"chart-{chart}"]
    named = [t for t, *_ in found if any(t.startswith(name) for name in ("Rank ", "rank ", "location ")) or "\u2026" in t]
    assert len(set(named)) >= min(size, 3) / (1 if chart != "path" else 3), found[:20]
    assert list(wrong_texts([(chart, width, height, found)])) == []
    key = browser.script("return document.querySelector(`#chart-${arguments[0]} .key`)?.innerText", chart)
    assert (key is not None) == (chart in ("heat", "matrix"))


@pytest.mark.parametrize("view, chart", (*CHARTS, ("timeline", "timeline")))
def test_a_move_of_the_mouse_draws_nothing_again(browser, ring, view, chart):
    """The text changes with the place, and neither canvas is drawn again."""
    _, run = ring
    browser.open(run.page, f"#v={view}&m={METRIC}")
    found, drawn = browser.script("""
      const prototype = CanvasRenderingContext2D.prototype, names = ['fillRect', 'fillText', 'stroke', 'fill'];
      const before = names.map(name => prototype[name]);
      let drawn = 0;
      names.forEach((name, i) => prototype[name] = function (...all) { ++drawn; return before[i].apply(this, all); });
      const figure = document.querySelector(`#chart-${arguments[0]}`), canvas = figure.querySelector('canvas'), box = canvas.getBoundingClientRect();
      const texts = new Set();
      const move = i => {
        canvas.dispatchEvent(new MouseEvent('mousemove', {bubbles: true, clientX: box.left + 100 + i * (box.width - 110) / 20, clientY: box.top + 24 + i * (box.height - 40) / 20}));
        return new Promise(done => requestAnimationFrame(() => setTimeout(() => done(texts.add(figure.querySelector('output').textContent)), 0)));
      };
      return (async () => {
        for (let i = 0; i < 20; ++i) await move(i);
        names.forEach((name, i) => prototype[name] = before[i]);
        return [texts.size, drawn]; })()""", chart)
    assert found > 1 and drawn == 0
    assert browser.complaints() == []


def test_names_are_shortened_as_everywhere_else(folder):
    """The cases are those that C++ and Python have; each character takes one place."""
    page = SOURCE / "src/report/page"
    if shutil.which("node") is None or not (page / "node_modules/esbuild").exists():
        pytest.skip("no node with the packages of the page here")
    cases = json.loads((SOURCE / "tests/page/short_names.json").read_text())
    script = folder / "names.mjs"
    script.write_text(f"""
      import {{ build }} from "{page}/node_modules/esbuild/lib/main.js";
      const built = await build({{ entryPoints: ["{page}/src/text/short_names.ts"], bundle: true, write: false, format: "esm" }});
      const {{ shortNames }} = await import(`data:text/javascript;base64,${{Buffer.from(built.outputFiles[0].text).toString("base64")}}`);
      const cases = {json.dumps(cases)};
      console.log(JSON.stringify(cases.map(({{ names, width }}) => shortNames(names, (text) => [...text].length <= width))));
    """)
    found = json.loads(subprocess.run(["node", script], check=True, capture_output=True, text=True).stdout)
    assert found == [case["labels"] for case in cases]
