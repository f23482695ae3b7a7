"""unity_groups.py keeps sources apart that would not compile together, and no others."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src" / "cmake"))
import unity_groups

LOCAL = "namespace waitstate::{0} {{\nnamespace {{\n{1}\n}}  // namespace\n{2}\n}}  // namespace waitstate::{0}\n"


class Groups(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def groups(self, *texts, size=40):
        """The numbers of the texts in each group."""
        sources = {}
        for number, text in enumerate(texts):
            path = Path(self.folder.name) / f"{number}.cpp"
            path.write_text(text)
            sources[number] = unity_groups.Source(path)
        return unity_groups.grouped(sources, size)

    def test_different_names_stand_together(self):
        self.assertEqual([[0, 1]], self.groups(LOCAL.format("link", "int first() { return 1; }", ""),
                                               LOCAL.format("link", "struct Second {};", "")))

    def test_equal_names_stand_apart(self):
        for one, other in (("int f(int i) {", "void f(long i) {"), ("struct Row {", "class Row final : public Other {"),
                           ("using Row = int;", "enum class Row : int {"), ("constexpr int row = 1;", "const std::string row[] = {"),
                           ("template <typename T>\nT f(T t) {", "int f() {")):
            self.assertEqual([[0], [1]], self.groups(LOCAL.format("link", one, ""), LOCAL.format("link", other, "")), one)

    def test_equal_functions_of_different_namespaces_stand_together(self):
        self.assertEqual([[0, 1]], self.groups(LOCAL.format("link", "int f() {", ""), LOCAL.format("merge", "int f() {", "")))

    def test_static_functions_and_macros_are_local(self):
        self.assertEqual([[0], [1]], self.groups("static int f() {\n", "static int f() {\n"))
        self.assertEqual([[0], [1]], self.groups("#define X 1\n", "#define X 2\n"))
        self.assertEqual([[0, 1]], self.groups("#define X 1\n#undef X\n", "#define X 2\n#undef X\n"))

    def test_a_word_that_would_change_its_meaning_does_not_follow(self):
        local, user = LOCAL.format("link", "struct Row {", ""), LOCAL.format("link", "", "Row f();")
        self.assertEqual([[0], [1]], self.groups(local, user))
        self.assertEqual([[0, 1]], self.groups(user, local))
        self.assertEqual([[0, 1]], self.groups(local, LOCAL.format("link", "", "int n = result.Row + other::Row;  // Row")))

    def test_what_is_used_of_other_namespaces_is_not_used_by_others(self):
        local, user = LOCAL.format("link", "using other::Row;", ""), LOCAL.format("link", "", "Row f();")
        self.assertEqual([[0], [1]], self.groups(local, user))
        self.assertEqual([[0, 1]], self.groups(local, LOCAL.format("link", "using other::Row;", "Row g();")))
        self.assertEqual([[1, 0]], self.groups("using namespace other;\n", "int n = 0;\n"))
        self.assertEqual([[0], [1]], self.groups("using namespace other;\n", "using namespace another;\n"))

    def test_no_group_is_too_large(self):
        self.assertEqual([[0, 1], [2]], self.groups("", "", "", size=2))


if __name__ == "__main__":
    unittest.main()
