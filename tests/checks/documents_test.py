"""documents.py finds links that lead nowhere, blocks that say something else, and output that is not what is printed."""
import os
import tempfile
import unittest
from pathlib import Path

from documents import broken_links, gone, wrong_blocks


class Documents(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        self.page = self.root / "README.md"
        self.page.write_text("# One page\n## A `part`, and more\n", encoding="utf-8")

    def links(self, text):
        return list(broken_links(self.page, text))

    def blocks(self, text, output=""):
        program = self.root / "program"
        program.write_text(f"#!/bin/sh\nprintf '{output}'\n", encoding="utf-8")
        os.chmod(program, 0o755)
        return list(wrong_blocks(self.root, str(program), text))

    def test_links(self):
        self.assertEqual([], self.links("[a](README.md) [b](README.md#a-part-and-more) [c](https://x.y/z) `[d](no)`\n"))
        self.assertEqual(["the link no.md leads nowhere"], self.links("[a](no.md)\n"))
        self.assertEqual(["the link README.md#b: there is no such heading"], self.links("[a](README.md#b)\n"))

    def test_blocks_from_files(self):
        (self.root / "a.cpp").write_text("1\n2\n3\n", encoding="utf-8")
        self.assertEqual([], self.blocks("<!-- from: a.cpp -->\n```cpp\n2\n3\n```\n"))
        self.assertEqual(["a block is from a.cpp, which says something else"],
                         self.blocks("<!-- from: a.cpp -->\n```cpp\n2\n4\n```\n"))
        self.assertEqual(["a block is from b.cpp, which does not exist"], self.blocks("<!-- from: b.cpp -->\n```\n2\n```\n"))

    def test_paths(self):
        (self.root / "src" / "link").mkdir(parents=True)
        (self.root / "src" / "link" / "linker.hpp").touch()
        self.assertEqual([], list(gone(self.root, "`link/linker` and `link/linker.hpp`, `src/link`, `linker`\n")))
        self.assertEqual(["link/other does not exist"], list(gone(self.root, "| 1 | `link/other` | acts |\n")))

    def test_output(self):
        self.assertEqual([], self.blocks("```console\n$ waitstate a\nwhat it prints\n```\n", r"what it prints\n"))
        self.assertEqual(["`$ waitstate a` prints something else"],
                         self.blocks("```console\n$ waitstate a\nwhat it prints\n```\n", r"another thing\n"))


if __name__ == "__main__":
    unittest.main()
