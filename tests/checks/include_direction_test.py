"""include_direction.py finds each kind of violation, and nothing in a tree that keeps the rules."""
import tempfile
import unittest
from pathlib import Path

from include_direction import violations


class IncludeDirection(unittest.TestCase):
    def found(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text, encoding="utf-8")
            return [(str(path), number, reason) for path, number, _, reason in violations(root)]

    def test_a_tree_that_keeps_the_rules(self):
        self.assertEqual([], self.found({
            "include/waitstate/a.hpp": '#include <vector>\n#include "waitstate/b.hpp"\n',
            "src/otf2/r.cpp": '#include <otf2/otf2.h>\n#include "otf2/r.hpp"\n#include "model/m.hpp"\n',
            "src/cli/main.cpp": '#include <CLI/CLI.hpp>\n#include "report/r.hpp"\n#include "pass/p.hpp"\n',
            "patterns/p.cpp": '#include <fmt/format.h>\n#include "patterns.hpp"\n#include "rules/r.hpp"\n#include "waitstate/a.hpp"\n',
            "src/causes/c.cpp": '#include "patterns/rules/r.hpp"\n',
        }))

    def test_a_later_stage(self):
        self.assertEqual([("src/link/t.cpp", 2, "link may include waitstate/ and link, util, model, replay, peers")],
                         self.found({"src/link/t.cpp": '#include <map>\n#include "analysis/a.hpp"\n'}))

    def test_the_two_readers_do_not_know_each_other(self):
        self.assertEqual(2, len(self.found({"src/otf2/a.cpp": '#include "notation/n.hpp"\n',
                                            "src/notation/n.cpp": '#include "otf2/a.hpp"\n'})))

    def test_patterns_and_public_headers_see_public_headers_only(self):
        self.assertEqual([("include/waitstate/a.hpp", 1, "here only the standard library may be included"),
                          ("include/waitstate/a.hpp", 2, "a public header includes public headers only"),
                          ("patterns/p.cpp", 1, "a pattern includes public headers and headers of its folder only")],
                         self.found({"include/waitstate/a.hpp": '#include <fmt/core.h>\n#include "link/t.hpp"\n',
                                     "patterns/p.cpp": '#include "link/t.hpp"\n'}))

    def test_only_causes_shares_rules_with_patterns(self):
        self.assertEqual([("src/causes/c.cpp", 1, 'write the path from src/: "stage/file.hpp"'),
                          ("src/link/t.cpp", 1, 'write the path from src/: "stage/file.hpp"')],
                         self.found({"src/causes/c.cpp": '#include "patterns/latest.hpp"\n',
                                     "src/link/t.cpp": '#include "patterns/rules/latest.hpp"\n'}))

    def test_the_otf2_library(self):
        self.assertEqual([("src/link/t.hpp", 1, "only src/otf2, src/record and src/export/otf2 see the OTF2 library")],
                         self.found({"src/link/t.hpp": "#  include <otf2/OTF2_Reader.h>\n",
                                     "src/export/otf2/c.cpp": "#include <otf2/OTF2_Archive.h>\n"}))

    def test_a_relative_path_and_a_folder_that_is_no_stage(self):
        self.assertEqual([("src/link/t.hpp", 1, 'write the path from src/: "stage/file.hpp"'),
                          ("src/tools/u.hpp", 1, "not a stage: the folders of src/ are util, model, otf2, notation, replay, peers, link, merge, pass, "
                           "causes, access, analysis, report, export, serve, record, cli")],
                         self.found({"src/link/t.hpp": '#include "../model/m.hpp"\n', "src/tools/u.hpp": "\n"}))

    def test_a_public_header_belongs_to_the_stage_that_implements_it(self):
        files = {"src/model/names.cpp": '#include "waitstate/trace/names.hpp"\n',
                 "src/analysis/totals.cpp": '#include "waitstate/result/totals.hpp"\n',
                 "src/analysis/users.cpp": '#include "analysis/users.hpp"\n#include "waitstate/result/types.hpp"\n'}
        self.assertEqual([], self.found({**files, "src/link/t.cpp": '#include "waitstate/trace/names.hpp"\n'
                                                                   '#include "waitstate/result/types.hpp"\n',
                                         "src/report/r.cpp": '#include "waitstate/result/totals.hpp"\n',
                                         "patterns/p.cpp": '#include "waitstate/result/totals.hpp"\n'}))
        self.assertEqual([("src/link/t.cpp", 2, "link may not include a header that analysis implements")],
                         self.found({**files, "src/link/t.cpp": '#include <map>\n#include "waitstate/result/totals.hpp"\n'}))

    def test_a_public_header_that_another_name_implements(self):
        self.assertEqual([("src/link/t.cpp", 1, "link may not include a header that report implements")],
                         self.found({"src/link/t.cpp": '#include "waitstate/result/report.hpp"\n'}))

    def test_forms_of_a_report_do_not_see_each_other(self):
        allowed = "report/facts, report/fields, report/format, report/words"
        self.assertEqual([], self.found({"src/report/json/j.cpp": '#include "report/json/j.hpp"\n#include "report/fields.hpp"\n'
                                                                  '#include "report/facts/f.hpp"\n#include "report/words/w.hpp"\n',
                                         "src/report/pages.cpp": '#include "report/json/j.hpp"\n#include "report/html/h.hpp"\n'}))
        self.assertEqual([("src/report/json/j.cpp", 1, f"report/json may include of the report report/json, {allowed}"),
                          ("src/report/json/j.cpp", 2, f"report/json may include of the report report/json, {allowed}")],
                         self.found({"src/report/json/j.cpp": '#include "report/text/t.hpp"\n#include "report/pages.hpp"\n'}))

    def test_facts_have_no_words(self):
        self.assertEqual([("src/report/facts/waits/f.cpp", 1, "report/facts may include of the report report/facts"),
                          ("src/report/format/f.cpp", 1, "report/format may include of the report report/format"),
                          ("src/report/new/n.cpp", 1, "not a folder of the report: these are compare, csv, cube, facts, fields, format, "
                           "graph, html, json, text, words")],
                         self.found({"src/report/facts/waits/f.cpp": '#include "report/words/w.hpp"\n',
                                     "src/report/format/f.cpp": '#include "report/facts/f.hpp"\n',
                                     "src/report/new/n.cpp": '#include "report/facts/f.hpp"\n'}))

    def test_export_sees_facts_and_names_and_not_the_words_of_a_report(self):
        self.assertEqual([("src/export/e.cpp", 3, "export may include waitstate/ and export, util, model, replay, merge, access, analysis, "
                           "report/facts, report/format, report/words/waits/culprit.hpp")],
                         self.found({"src/export/e.cpp": '#include "report/format/names.hpp"\n#include "report/facts/f.hpp"\n'
                                     '#include "report/words/w.hpp"\n'}))

    def test_the_python_module(self):
        self.assertEqual([("python/bind/events/b.cpp", 2, "bind may include waitstate/ and bind, util, notation, access, analysis, report, export")],
                         self.found({"python/bind/events/b.cpp": '#include "bind/bind.hpp"\n#include "link/t.hpp"\n'}))

    def test_circles(self):
        self.assertEqual([("src/link/b.cpp", 1, "a circle: src/link/a -> src/link/b -> src/link/a")],
                         self.found({"src/link/a.hpp": '#include "link/b.hpp"\n', "src/link/a.cpp": '#include "link/a.hpp"\n',
                                     "src/link/b.hpp": "", "src/link/b.cpp": '#include "link/a.hpp"\n'}))


if __name__ == "__main__":
    unittest.main()
