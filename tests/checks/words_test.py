"""words.py finds comments and sentences that cannot be read alone, and leaves those alone that can."""
import unittest
from pathlib import Path

from words import reasons, texts


def found(name, source):
    """Line and first reason of everything that is found in a file."""
    return [(text.line, reasons(text.text, text.kind)[0].split(":")[0])
            for text in sorted(texts(Path(name), source)) if reasons(text.text, text.kind)]


class Comments(unittest.TestCase):
    def test_sentences_and_noun_phrases_stand(self):
        for comment in ("Steps back to the previous point.", "The library that is accounted for.", "Of several, the first counts.",
                        "Number of events.", "The same result gives the same bytes.", "These throw if there is none.",
                        "Who waits for whom: a directed graph.", "Whether `of` is a word.", "That is why it is sorted.",
                        "What is a cut? A place where work is divided.", "Whatever is damaged is counted.",
                        "Waits for the process that sends."):
            self.assertEqual([], reasons(comment, "comment"), comment)

    def test_beginnings_that_need_the_line_before(self):
        for comment in ("Of which library.", "Of the first event.", "What the pattern needs.", "The same with its waits.",
                        "The same, to the end.", "Those that are known.", "And goes on to the one before it.",
                        "Whom it waited for.", "As before.", "… until now."):
            self.assertEqual(1, len(reasons(comment, "comment")), comment)

    def test_behind_code(self):
        for comment in ("of the queue", "that waited", "which came last", "whose times they are", "what is left",
                        "the same of receives", "in which it ended"):
            self.assertEqual(1, len(reasons(comment, "trailing")), comment)
        for comment in ("time of the send event", "in ticks", "by location", "null if there is none", "as recorded"):
            self.assertEqual([], reasons(comment, "trailing"), comment)

    def test_inside_of_sentences(self):
        for sentence in ("it was there longer than who waited for it", "and for whom that is is not known",
                         "The time that that takes.", "kept for those who ask", "It says how long was waited.",
                         "Fraction of the run who computes most computed.", "It says what is told of a location.",
                         "From the begin of a send to its receive.", "2 sends: whether they waited is not known",
                         "'h' is no unit", "bytes that are no UTF-8"):
            self.assertEqual(1, len(reasons(sentence, "string")), sentence)
        for sentence in ("It says who waited for whom.", "a plug-in in Python", "mpirun -in in.lj",
                         "The process that waited for it.", "A thread is told to end.", "It has begin and end records.",
                         "It is not known whether they waited.", "There is no unit."):
            self.assertEqual([], reasons(sentence, "string"), sentence)

    def test_quoted_code_is_not_read(self):
        self.assertEqual([], reasons("Prints `of of` and \"in in\".", "comment"))


class Files(unittest.TestCase):
    def test_cpp(self):
        source = ('// What it is.\n//\n// Of the second paragraph nothing is asked.\nint a;  ///< of all\nint b;  // the number\n'
                  'const char* c = "// of no comment";\nconst char* d =\n    "a text that is "\n    "is split";\n'
                  'auto e = R"(\n// What\n)";\n')
        self.assertEqual([(1, "begins with a relative pronoun"), (4, 'begins with "of"'), (8, "a doubled word")],
                         found("src/a.cpp", source))

    def test_lines_of_a_comment_are_one_text(self):
        self.assertEqual([], found("a.hpp", "// Finds the place\n// of the first one.\nint a;  // the first\n        // of them\n"))

    def test_strings_of_tests_are_no_sentences_of_ours(self):
        self.assertEqual([], found("tests/a.cpp", 'const char* a = "What what is is";\n'))

    def test_python(self):
        self.assertEqual([(1, "begins with a relative pronoun"), (3, '"those" needs the line before')],
                         found("a.py", '"""What it does."""\na = "# of a string"\n# Those that are left.\n'))

    def test_typescript(self):
        self.assertEqual([(2, "begins with a conjunction")], found("a.ts", 'const a = "// of";\n// And so on.\n'))

    def test_cases(self):
        self.assertEqual([(2, '"the same" needs the line before')],
                         found("a.case", "0 1 enter #3\n# The same in Ibarrier.\n"))

    def test_documents(self):
        source = "# What a heading says\n\nWhat costs more is kept.\n\n```sh\nof of\n```\n| of | what |\n\n- a plain item\n"
        self.assertEqual([(3, "begins with a relative pronoun")], found("README.md", source))


if __name__ == "__main__":
    unittest.main()
