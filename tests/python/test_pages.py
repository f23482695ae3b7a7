"""HTML pages written from Python: what is in one is what the JSON report has, and a limit of its size is kept."""

import base64
import json
import os
import pathlib
import re
import subprocess
import zlib

import pytest

import waitstate
from conftest import SOURCE

PROGRAM = pathlib.Path(os.environ.get("WAITSTATE_BUILD", "/nonexistent")) / "waitstate"
P2P = SOURCE / "traces" / "p2p"


def sections(page):
    found = re.findall(r'<script type="application/octet-stream" id="s:([^"]*)">([^<]*)</script>', page)
    return {name: zlib.decompress(base64.b64decode(data)) for name, data in found}


@pytest.fixture(scope="module")
def result():
    return waitstate.analyze(P2P, keep=waitstate.Keep(details=True, series=True, contexts=True))


def test_a_page_has_what_the_json_report_has(result, tmp_path):
    result.write(tmp_path / "run.html")
    page = (tmp_path / "run.html").read_text()
    meta = json.loads(sections(page)["meta"])
    report = json.loads(result.json())
    assert {"contexts", "series", "problems"} <= set(meta)
    severities = report.pop("severities")
    assert meta == report
    with_values = {f"cells:{n}" for n, m in enumerate(report["metrics"]) if m["id"] in severities}
    assert {name for name in sections(page) if name.startswith("cells:")} == with_values
    assert "Late Sender" in re.search(r'<pre id="static">(.*?)</pre>', page, re.S).group(1)
    result.write(tmp_path / "same", format="html")
    assert (tmp_path / "same").read_text() == page


@pytest.mark.skipif(not PROGRAM.exists(), reason="WAITSTATE_BUILD names no build tree with the program")
def test_it_is_the_page_of_the_program(result, tmp_path):
    subprocess.run([PROGRAM, "analyze", P2P, "-o", tmp_path / "program.html"], check=True)
    result.write(tmp_path / "python.html")
    pages = [(tmp_path / name).read_text() for name in ("program.html", "python.html")]
    of_program, of_python = map(sections, pages)
    assert of_program == of_python


def test_limits_of_its_size(result, tmp_path):
    for wrong in (0, -1, 100_001):
        with pytest.raises(waitstate.UsageError, match=f"max_megabytes={wrong}: expected 1 to 100000"):
            result.write(tmp_path / "run.html", max_megabytes=wrong)
    result.write(tmp_path / "run.html", max_megabytes=1)
    assert (tmp_path / "run.html").stat().st_size <= 1_000_000
    assert not (tmp_path / "run.html").read_text().count('id="s:reduced"')
