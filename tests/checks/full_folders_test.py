"""full_folders.py finds folders with too many files, and names in its list that need not be there."""
import tempfile
import unittest
from pathlib import Path

from full_folders import violations


class FullFolders(unittest.TestCase):
    def found(self, folders, known):
        with tempfile.TemporaryDirectory() as root:
            for folder, number in folders.items():
                Path(root, folder).mkdir(parents=True)
                for i in range(number):
                    Path(root, folder, f"f{i}.cpp").touch()
            return list(violations(Path(root), known))

    def test_files_of_folders_below_do_not_count(self):
        self.assertEqual([], self.found({"src/link": 24, "src/link/rma": 24, "patterns": 90}, {}))

    def test_too_many(self):
        self.assertEqual(["src/link: 25 source files, expected at most 24: divide it into folders"],
                         self.found({"src/link": 25}, {}))

    def test_a_known_folder_may_not_grow_and_leaves_the_list_once_it_fits(self):
        self.assertEqual([], self.found({"src/link": 30}, {"src/link": 30}))
        self.assertEqual(["src/link: 31 source files, expected at most 30: divide it into folders"],
                         self.found({"src/link": 31}, {"src/link": 30}))
        self.assertEqual(["src/link: 24 source files, so it no longer belongs in the list of tests/checks/full_folders.py"],
                         self.found({"src/link": 24}, {"src/link": 30}))


if __name__ == "__main__":
    unittest.main()
