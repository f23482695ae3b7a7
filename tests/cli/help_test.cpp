// The appearance of --help: as wide as the terminal, with the choices of each option, and without parts that are not
// for users.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/run_program.hpp"

namespace waitstate::test {
namespace {

const std::vector<std::string> commands = {"info",   "print",    "analyze", "show",   "diff",    "check", "graph",
                                           "export", "patterns", "explain", "record", "recover", "mpit",  "help"};

std::string help(const std::string& command, std::size_t width) {
  const Outcome o = run_shell(fmt::format("COLUMNS={} \"$0\" {} --help", width, command));
  EXPECT_EQ(o.exit_code, 0) << o.err;
  return o.out;
}

TEST(Help, is_as_wide_as_the_terminal) {
  std::vector<std::string> all = commands;
  all.emplace_back("");
  for (const std::string& command : all)
    for (const std::size_t width : {60, 80, 100, 300}) {
      std::istringstream lines(help(command, width));
      std::size_t widest = 0;
      bool verbatim = false;  // examples and tables have lines of their own
      for (std::string line; std::getline(lines, line);) {
        verbatim =
            line.empty() ? false : verbatim || (line.back() == ':' && line != "Options:" && line != "Arguments:");
        if (line == "Commands:") verbatim = false;
        if (!verbatim) widest = std::max(widest, line.size());
      }
      EXPECT_LE(widest, std::min<std::size_t>(width, 100)) << command;
      EXPECT_EQ(help(command, width).find("\n\n\n"), std::string::npos) << command;
    }
}

TEST(Help, has_examples_that_call_the_command) {
  for (const std::string& command : commands)
    EXPECT_NE(help(command, 100).find("\nExamples:\n  waitstate " + command), std::string::npos) << command;
}

TEST(Help, shows_the_choices_of_an_option) {
  const std::string text = help("show", 100);
  EXPECT_NE(
      text.find("\n"
                "  --format text|csv|json|html\n"
                "                            format of the output (default: text); json and html contain the whole\n"
                "                            report and exclude --metric\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("\n"
                      "  --by callpath|location|region\n"
                      "                            with --metric, rows are call paths, locations or regions (default:\n"
                      "                            callpath)\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(run({"show", "x.json", "--format"}).err,
            "waitstate: error: --format needs text|csv|json|html; see 'waitstate show --help'\n");
}

TEST(Help, says_where_the_program_stands_that_is_recorded) {
  EXPECT_NE(help("record", 100).find("\nUsage: waitstate record [OPTIONS] [--] PROGRAM [ARGUMENT...]\n"),
            std::string::npos);
}

TEST(Help, does_not_name_what_only_the_build_calls) {
  EXPECT_EQ(help("", 100).find("generate"), std::string::npos);
  EXPECT_EQ(run({"help", "generate"}).exit_code, 2);
  EXPECT_EQ(run({"generat"}).err.find("generate"), std::string::npos);
  const TemporaryFolder folder;
  const std::string file = folder.file("file", "");
  const Outcome o = run({"generate", file});
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_EQ(o.err, fmt::format("waitstate: error: cannot create {}/man/man1: Not a directory\n", file));
}

}  // namespace
}  // namespace waitstate::test
