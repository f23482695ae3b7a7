"""The examples in the READMEs run, one after the other, as a reader would type them."""
import re

import pytest

from conftest import SOURCE

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", ["README.md", "python/README.md"])
def test_examples_run(name, tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "traces").symlink_to(SOURCE / "traces")
    text = (SOURCE / name).read_text(encoding="utf-8")
    blocks, names = list(BLOCK.finditer(text)), {}
    assert blocks
    for block in blocks:
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], str(SOURCE / name), "exec"), names)  # errors name the README's line
