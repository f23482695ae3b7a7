// Which patterns run, from the command line and from a configuration file; every sentence about wrong ones.
#include "cli/options/pattern_options.hpp"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "cli/run_program.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

using Strings = std::vector<std::string>;

const std::string plugin_file = WAITSTATE_TEST_PLUGINS "/libhuge_messages.so";

PatternOptions checked(Strings arguments) {
  CLI::App app;
  PatternOptions options;
  options.add_to(app);
  std::reverse(arguments.begin(), arguments.end());
  app.parse(arguments);
  options.check();
  return options;
}

Strings chosen(const Strings& arguments) {
  Strings ids;
  for (const PatternHandle& h : checked(arguments).chosen()) ids.push_back(h.id());
  return ids;
}

std::string error_of(const Strings& arguments) {
  try {
    checked(arguments).chosen();
  } catch (const UsageError& e) {
    return e.what();
  }
  return "no error";
}

bool holds(const Strings& ids, const std::string& id) { return std::find(ids.begin(), ids.end(), id) != ids.end(); }

std::string threshold(const Strings& arguments) {
  return checked(arguments).registry().at("huge_messages").handle.parameters.value_text(0);
}

TEST(PatternOptions, WithoutAnyAllBuiltInPatternsRun) {
  Strings all;
  for (const PatternHandle& h : built_in_patterns()) all.push_back(h.id());
  EXPECT_EQ(chosen({}), all);
}

TEST(PatternOptions, ChooseSeveralRepeatedOrSeparatedByCommas) {
  const Strings separate = chosen({"--plugin", plugin_file, "--pattern", "comms_recv", "--pattern", "huge_messages"});
  EXPECT_EQ(separate, (Strings{"comms_recv", "huge_messages"}));
  EXPECT_EQ(chosen({"--plugin", plugin_file, "--pattern", "huge_messages,comms_recv"}), separate);
}

TEST(PatternOptions, LeaveOut) {
  EXPECT_FALSE(holds(chosen({"--without", "mpi_latereceiver"}), "mpi_latereceiver"));
  EXPECT_TRUE(holds(chosen({"--without", "mpi_latereceiver"}), "mpi_latesender"));
  EXPECT_FALSE(holds(chosen({"--plugin", plugin_file, "--without", "huge_messages"}), "huge_message_bytes"));
}

TEST(PatternOptions, SetParameters) {
  EXPECT_EQ(threshold({"--plugin", plugin_file}), "65536");
  EXPECT_EQ(threshold({"--plugin", plugin_file, "--set", "huge_messages.threshold=9"}), "9");
  EXPECT_EQ(threshold({"--plugin", plugin_file, "--set", "huge_messages.threshold=9", "--set",
                       "huge_messages.threshold=-10", "--set", "short_waits.limit=0.5"}),
            "-10");
}

TEST(PatternOptions, WrongOnesAreExplained) {
  EXPECT_EQ(error_of({"--pattern", "mpi_latesendr"}),
            "no metric has the id 'mpi_latesendr': did you mean 'mpi_latesender'?");
  EXPECT_EQ(error_of({"--without", "mpi_latesendr"}),
            "no metric has the id 'mpi_latesendr': did you mean 'mpi_latesender'?");
  EXPECT_EQ(error_of({"--pattern", "comp"}), "'comp' needs no pattern: it is always computed");
  EXPECT_EQ(error_of({"--pattern", "mpi_latesender_wo", "--without", "mpi_latesender"}),
            "no pattern is left to run: --without excludes all chosen patterns, or patterns that they need");
  EXPECT_EQ(error_of({"--set", "mpi_latesender"}), "--set expects ID.PARAM=VALUE, not 'mpi_latesender'");
  EXPECT_EQ(error_of({"--set", "mpi_latesender=1"}), "'mpi_latesender' names no parameter: expected ID.PARAMETER");
  EXPECT_EQ(error_of({"--plugin", plugin_file, "--set", "huge_messages.thresold=1"}),
            "pattern 'huge_messages': no parameter has the name 'thresold': did you mean 'threshold'?");
  EXPECT_EQ(error_of({"--plugin", plugin_file, "--set", "huge_messages.threshold=much"}),
            "pattern 'huge_messages': parameter 'threshold' takes a whole number in bytes, not 'much'");
  EXPECT_EQ(error_of({"--plugin", plugin_file, "--pattern", "comms_recv", "--set", "huge_messages.threshold=1"}),
            "--set huge_messages.… has no effect: pattern 'huge_messages' is not chosen");
  EXPECT_EQ(error_of({"--plugin", "/nowhere/libx.so"}),
            "cannot load plug-in '/nowhere/libx.so': there is no such file");
}

TEST(PatternOptions, AFileSaysTheSameAsTheCommandLine) {
  const test::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "plugins");
  std::filesystem::create_symlink(plugin_file, folder / "plugins/libmine.so");
  const std::string config = folder.file("patterns.json", R"({
    // paths are relative to this file
    "plugins": ["./plugins/libmine.so"],
    "patterns": ["huge_message_bytes", "mpi_latereceiver"],
    "without": ["mpi_latereceiver"],
    "set": {"huge_messages.threshold": 4096, "short_waits.limit": "0.25"}})");
  EXPECT_EQ(chosen({"--config", config}), (Strings{"comms_recv", "huge_messages", "huge_message_bytes"}));
  PatternOptions options = checked({"--config", config});
  EXPECT_EQ(options.registry().at("huge_messages").handle.parameters.integer("threshold"), 4096);
  EXPECT_EQ(options.registry().at("short_waits").handle.parameters.number("limit"), 0.25);

  // The command line adds, and holds where both say something.
  EXPECT_EQ(threshold({"--config", config, "--set", "huge_messages.threshold=5"}), "5");
  EXPECT_TRUE(holds(chosen({"--config", config, "--pattern", "short_waits"}), "huge_messages"));
  EXPECT_TRUE(holds(chosen({"--config", config, "--pattern", "short_waits"}), "short_waits"));
  EXPECT_TRUE(holds(chosen({"--config", config, "--pattern", "mpi_latereceiver"}), "mpi_latereceiver"));
  EXPECT_EQ(chosen({"--config", config, "--without", "huge_message_bytes", "--pattern", "huge_messages"}),
            (Strings{"comms_recv", "huge_messages"}));
  EXPECT_EQ(chosen({"--config", config, "--plugin", plugin_file}), chosen({"--config", config}));  // a second time
}

TEST(PatternOptions, PlugInsMayNeedEachOtherInAnyOrder) {
  const test::TemporaryFolder folder;
  std::filesystem::create_symlink(plugin_file, folder / "libmine.so");
  const std::string config = folder.file("c.json", R"({"plugins": ["./libmine.so"]})");
  const std::string needy = WAITSTATE_TEST_PLUGINS "/libneeds_huge_messages.so";
  const Strings expected{"comms_recv", "huge_messages", "needs_huge_messages"};
  EXPECT_EQ(chosen({"--plugin", needy, "--plugin", plugin_file, "--pattern", "needs_huge_messages"}), expected);
  EXPECT_EQ(chosen({"--plugin", plugin_file, "--plugin", needy, "--pattern", "needs_huge_messages"}), expected);
  EXPECT_EQ(chosen({"--config", config, "--plugin", needy, "--pattern", "needs_huge_messages"}), expected);
  EXPECT_EQ(error_of({"--plugin", needy}),
            "pattern 'needs_huge_messages' (class NeedsHugeMessages, " + needy +
                ") needs 'huge_messages', which is not a pattern: did you mean 'big_messages'?");
}

TEST(PatternOptions, AFileMaySpeakOfPlugInsOfTheCommandLine) {
  const test::TemporaryFolder folder;
  const std::string config = folder.file("c.json", R"({"set": {"huge_messages.threshold": 7}})");
  EXPECT_EQ(threshold({"--config", config, "--plugin", plugin_file}), "7");
  EXPECT_EQ(chosen({"--config", config, "--plugin", plugin_file, "--pattern", "mpi_latereceiver"}).back(),
            "mpi_latereceiver");  // an option without effect is not an error here: a file is written for many runs
}

// Their code may crash, and belongs into the process that does the work: check() runs before that is there.
TEST(PatternOptions, PlugInsAreLoadedByWhoWantsThePatterns) {
  const test::TemporaryFolder folder;
  const std::string config = folder.file("c.json", R"({"plugins": ["./nowhere.py"]})");
  for (const Strings& arguments :
       {Strings{"--plugin", "./nowhere.py"}, Strings{"--plugin", "./nowhere.so"}, Strings{"--config", config}}) {
    EXPECT_NO_THROW(checked(arguments));
    EXPECT_THROW(checked(arguments).registry(), UsageError);
    EXPECT_THROW(checked(arguments).chosen(), UsageError);
  }
  EXPECT_EQ(error_of({"--config", folder.file("d.json", R"({"plugins": 1})"), "--plugin", "./nowhere.py"}),
            "configuration file '" + folder.file("d.json", R"({"plugins": 1})") +
                "': \"plugins\" is of type number, expected a list of strings");
}

TEST(PatternOptions, WhatIsWrongInAFileIsExplained) {
  const test::TemporaryFolder folder;
  const auto error_in = [&](const std::string& content) {
    const std::string config = folder.file("c.json", content);
    const std::string error = error_of({"--config", config}), lead = "configuration file '" + config + "': ";
    return error.substr(0, lead.size()) == lead ? error.substr(lead.size()) : error;
  };
  EXPECT_EQ(error_in(R"({"pattern": []})"), R"(unknown key "pattern": did you mean 'patterns'?)");
  EXPECT_EQ(error_in(R"({"colour": 1})"), R"(unknown key "colour"; known: plugins, patterns, without, set)");
  EXPECT_EQ(error_in("[]"), "it holds a value of type array, expected an object");
  EXPECT_EQ(error_in(R"({"patterns": "mpi_latesender"})"),
            R"("patterns" is of type string, expected a list of strings)");
  EXPECT_EQ(error_in(R"({"without": [1]})"), R"("without" has a value of type number, expected strings)");
  EXPECT_EQ(error_in(R"({"set": []})"), R"("set" is of type array, expected an object as {"ID.PARAM": 1})");
  EXPECT_EQ(error_in(R"({"set": {"a.b": null}})"), R"("a.b" is of type null, expected a number or a string)");
  EXPECT_EQ(error_in(R"({"patterns": ["mpi_latesendr"]})"),
            "no metric has the id 'mpi_latesendr': did you mean 'mpi_latesender'?");
  EXPECT_EQ(error_in(R"({"set": {"mpi_latesendr.x": 1}})"),
            "no metric has the id 'mpi_latesendr': did you mean 'mpi_latesender'?");
  EXPECT_EQ(error_in(R"({"set": {"big_messages.threshold": 1e400}})"), "number overflow parsing '1e400'");
  EXPECT_EQ(error_in(R"({"plugins": ["./libx.so"]})"),
            "cannot load plug-in '" + folder.path().string() + "/./libx.so': there is no such file");
  EXPECT_EQ(
      error_in("\n[x]"),
      "parse error at line 2, column 2: syntax error while parsing value - invalid literal; last read: '<U+000A>[x'");
  EXPECT_EQ(error_of({"--config", folder / "none.json"}),
            "configuration file '" + (folder / "none.json").string() + "': No such file or directory");
  EXPECT_EQ(error_of({"--config", folder.path().string()}),
            "configuration file '" + folder.path().string() + "': it is a folder; expected a JSON file");
}

TEST(PatternOptions, TheFileMayBeAPipe) {
  const test::Outcome o =
      test::run_shell("echo '{\"patterns\": [\"mpi_latesender\"]}' | \"$0\" analyze '" WAITSTATE_TRACES
                      "/p2p' --config /dev/stdin --format csv");
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out,
            test::run({"analyze", WAITSTATE_TRACES "/p2p", "--pattern", "mpi_latesender", "--format", "csv"}).out);
}

TEST(PatternOptions, CommandsThatOnlySpeakOfPatternsHaveThePlugIns) {
  CLI::App app;
  PatternOptions options;
  options.add_plugin_option(app);
  app.parse(Strings{plugin_file, "--plugin"});
  options.check();
  EXPECT_EQ(options.registry().at("short_waits").origin, plugin_file);
  EXPECT_EQ(app.get_option_no_throw("--pattern"), nullptr);
}

}  // namespace
}  // namespace waitstate::cli
