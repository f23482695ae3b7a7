// Plug-ins, loaded into this program: found, refused with a whole sentence, run, and let go.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "analysis/plugins/plugin_files.hpp"
#include "analysis/plugins/plugin_library.hpp"
#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/plugin.hpp"
#include "waitstate/pattern/registry.hpp"

namespace waitstate {
namespace {

namespace fs = std::filesystem;

const fs::path folder = WAITSTATE_TEST_PLUGINS;

std::string file(const std::string& name) { return (folder / ("lib" + name + ".so")).string(); }

std::string error_of_loading(const fs::path& library) {
  PatternRegistry r;
  const std::size_t entries = r.entries().size(), metrics = r.metrics().size();
  std::string error = "no error";
  try {
    r.load_plugin(library);
  } catch (const UsageError& e) {
    error = e.what();
  }
  EXPECT_EQ(r.entries().size(), entries);  // all of its patterns or none
  EXPECT_EQ(r.metrics().size(), metrics);
  return error;
}

/// WAITSTATE_PLUGIN_PATH as long as this object is there.
struct PluginPath {
  explicit PluginPath(const std::string& directories) { ::setenv("WAITSTATE_PLUGIN_PATH", directories.c_str(), 1); }
  ~PluginPath() { ::unsetenv("WAITSTATE_PLUGIN_PATH"); }
  PluginPath(const PluginPath&) = delete;
  PluginPath& operator=(const PluginPath&) = delete;
};

const char* const huge_trace = WAITSTATE_SOURCE_DIR "/tests/plugins/example/run.trace";

TEST(Plugin, AddsItsPatternsBehindThoseThatAreThere) {
  PatternRegistry r;
  const std::size_t before = r.entries().size();
  r.load_plugin(file("huge_messages"));
  ASSERT_EQ(r.entries().size(), before + 3);
  EXPECT_EQ(r.entries()[before].handle.id(), "huge_messages");
  EXPECT_EQ(r.entries()[before + 1].handle.id(), "huge_message_bytes");
  EXPECT_EQ(r.entries()[before + 2].handle.id(), "short_waits");
  EXPECT_EQ(r.entries()[before].origin, file("huge_messages"));
  EXPECT_EQ(r.entries()[before].handle.parameters.integer("threshold"), 65536);
}

TEST(Plugin, LoadedASecondTimeAddsNothing) {
  PatternRegistry r;
  r.load_plugin(file("huge_messages"));
  const std::size_t once = r.entries().size();
  r.load_plugin(folder / "." / "libhuge_messages.so");
  EXPECT_EQ(r.entries().size(), once);
}

TEST(Plugin, IsFoundByNameInTheSearchPath) {
  const PluginPath path("/nowhere::" + folder.string() + ":");
  PatternRegistry r;
  r.load_plugin("huge_messages");
  EXPECT_EQ(r.at("short_waits").origin, file("huge_messages"));
  PatternRegistry same;
  same.load_plugin("libhuge_messages.so");
  EXPECT_EQ(same.at("short_waits").origin, file("huge_messages"));
}

TEST(Plugin, TheSearchPathEndsInTheInstallation) {
  const PluginPath path("/a::/b/c:");
  const std::vector<fs::path> directories = PatternRegistry::search_path();
  ASSERT_EQ(directories.size(), 3u);
  EXPECT_EQ(directories[0], "/a");
  EXPECT_EQ(directories[1], "/b/c");
  EXPECT_EQ(directories[2].filename(), "plugins");
  EXPECT_EQ(directories[2].parent_path().filename(), "waitstate");
}

TEST(Plugin, OneThatIsNotThereIsSaidToBeSo) {
  EXPECT_EQ(error_of_loading("/nowhere/libx.so"), "cannot load plug-in '/nowhere/libx.so': there is no such file");
  EXPECT_EQ(error_of_loading(folder / ""),
            "cannot load plug-in '" + folder.string() + "/': it is a directory; name the shared library in it");
  EXPECT_EQ(error_of_loading("/dev/zero"), "cannot load plug-in '/dev/zero': it is not a regular file");
  const auto error_of_finding = [](const fs::path& name, const std::vector<fs::path>& directories) {
    try {
      return analysis::find_plugin(name, directories).string();
    } catch (const UsageError& e) {
      return std::string(e.what());
    }
  };
  EXPECT_EQ(error_of_finding("x", {"/a", "/b"}),
            "found no plug-in 'x': neither x nor libx.so is in /a, /b; name the file with its directory, or set "
            "WAITSTATE_PLUGIN_PATH");
  EXPECT_EQ(error_of_finding("x", {}),
            "found no plug-in 'x': no directory is searched; name the file with its directory, or set "
            "WAITSTATE_PLUGIN_PATH");
  const fs::path before = fs::current_path();
  fs::current_path(folder);
  EXPECT_EQ(
      error_of_finding("libempty.so", {"/a"}),
      "found no plug-in 'libempty.so': neither libempty.so nor liblibempty.so.so is in /a; write ./libempty.so for "
      "the one in this directory");
  fs::current_path(before);
}

TEST(Plugin, WhatIsNoPluginIsSaidToBeSo) {
  const support::TraceFile text(
      "no library at all, but longer than the header of one: ................................");
  EXPECT_EQ(error_of_loading(text.path()), "cannot load plug-in '" + text.path().string() +
                                               "': invalid ELF header; expected a shared library as "
                                               "waitstate_add_plugin builds it");
  EXPECT_EQ(
      error_of_loading(file("no_symbol")),
      "'" + file("no_symbol") +
          "' is not a plug-in: it does not export 'waitstate_plugin'; name its patterns in WAITSTATE_PLUGIN(…) at the "
          "end of its source");
  EXPECT_EQ(error_of_loading(file("newer_version")), "plug-in '" + file("newer_version") +
                                                         "' has interface version 99, this waitstate has " +
                                                         std::to_string(plugin_interface_version) +
                                                         ": compile it again with the headers of this waitstate "
                                                         "(it was built with g++ 42.0)");
  EXPECT_EQ(error_of_loading(file("unresolved")),
            "cannot load plug-in '" + file("unresolved") +
                "': undefined symbol: _ZN9waitstate20function_of_tomorrowEv; compile it again with the headers of this "
                "waitstate, and see that the program that loads it exports waitstate's functions");
  EXPECT_EQ(error_of_loading(file("empty")),
            "plug-in '" + file("empty") + "' has no patterns: name at least one in WAITSTATE_PLUGIN(…)");
  EXPECT_EQ(
      error_of_loading(file("failing_constructor")),
      "plug-in '" + file("failing_constructor") + "' failed while it made its patterns: the table of costs is missing");
}

TEST(Plugin, PatternsThatDoNotFitAreRefused) {
  EXPECT_EQ(error_of_loading(file("duplicate_id")),
            "pattern 'mpi_latesender' (class Second, " + file("duplicate_id") +
                ") has a metric 'mpi_latesender', which belongs to pattern 'mpi_latesender' (built-in): every metric "
                "needs an id of its own");
  EXPECT_EQ(error_of_loading(file("unknown_parent")),
            "pattern 'orphan' (class Orphan, " + file("unknown_parent") +
                ") has a metric 'orphan' below 'mpi_latesendr', which is not a metric: did you mean 'mpi_latesender'?");
  EXPECT_EQ(error_of_loading(file("unknown_needs")),
            "pattern 'needy' (class Needy, " + file("unknown_needs") +
                ") needs 'mpi_latesendr', which is not a pattern: did you mean 'mpi_latesender'?");
  EXPECT_EQ(error_of_loading(file("circle_of_needs")),
            "pattern 'first' (class First, " + file("circle_of_needs") + ") needs pattern 'third' (class Third, " +
                file("circle_of_needs") + ") needs pattern 'second' (class Second, " + file("circle_of_needs") +
                ") needs 'first', which cannot run both before and after them: break the circle");
  EXPECT_EQ(
      error_of_loading(file("circle_of_parents")),
      "pattern 'upper' (class Upper, " + file("circle_of_parents") +
          ") has a metric 'upper' below 'lower', which is below 'upper': one of them needs another parent, or none");
  EXPECT_EQ(error_of_loading(file("without_callback")),
            "pattern 'idle' (class Idle, " + file("without_callback") +
                ") has no callback and so does nothing: expected one such as completed_receives_callback");
  EXPECT_EQ(error_of_loading(file("published_without_needs")),
            "pattern 'listens' (class Listens, " + file("published_without_needs") +
                ") has a published_callback, but names no patterns in `needs` whose compound events it could receive");
}

TEST(Plugin, TheOrderOfItsPatternsAndMetricsDoesNotMatter) {
  PatternRegistry r;
  const std::size_t before = r.entries().size();
  r.load_plugin(file("backwards"));
  ASSERT_EQ(r.entries().size(), before + 3);
  EXPECT_EQ(r.entries()[before].handle.id(), "counted_receives");
  AnalysisOptions options;
  options.built_in = false;
  options.patterns = r.chosen({"seen_receives"}, {});
  ASSERT_EQ(options.patterns.size(), 3u);
  const support::Rows expected{"all_receives,main/MPI_Recv,1,3", "backwards,main/MPI_Recv,1,3",
                               "counted_receives,main/MPI_Recv,1,3", "seen_receives,main/MPI_Recv,1,3"};
  const std::vector<std::string> metrics{"backwards", "all_receives", "counted_receives", "seen_receives"};
  EXPECT_EQ(support::severity_rows(analyze(huge_trace, options), metrics), expected);
  std::reverse(options.patterns.begin(),
               options.patterns.end());  // the order of the patterns to run has no influence either
  EXPECT_EQ(support::severity_rows(analyze(huge_trace, options), metrics), expected);
}

TEST(Plugin, SeveralMayBuildOnEachOtherInAnyOrder) {
  PatternRegistry r;
  std::vector<PatternRegistry::Entry> opened;
  r.open_plugin(file("huge_messages"), opened);
  r.open_plugin(file("huge_messages"), opened);  // there already
  ASSERT_EQ(opened.size(), 3u);
  std::reverse(opened.begin(), opened.end());
  r.add(std::move(opened));
  EXPECT_EQ(r.at("huge_message_bytes").handle.class_name, "HugeMessageBytes");
  EXPECT_EQ(r.at("huge_message_bytes").handle.place, file("huge_messages"));
}

/// The error of an analysis with misbehaving.cpp.
std::string error_of(const std::string& how, const std::string& where, const Focus& focus = {}) {
  PatternRegistry r;
  r.load_plugin(file("misbehaving"));
  r.set("misbehaves.how", how);
  r.set("misbehaves.where", where);
  AnalysisOptions options;
  options.built_in = false;
  options.focus = focus;
  options.patterns = r.chosen({"misbehaves"}, {});
  try {
    analyze(huge_trace, options);
  } catch (const PatternError& e) {
    return e.what();
  } catch (const std::exception& e) {
    return std::string("another exception: ") + e.what();
  }
  return "no error";
}

TEST(Plugin, OneThatAddsWhatIsNoSeverityIsNamed) {
  const std::string who = "pattern 'misbehaves' (class Misbehaves, " + file("misbehaving") + ")";
  const std::string at = who + " failed in completed_receives_callback on location 1 (Rank 1) at time 180: ";
  EXPECT_EQ(error_of("negative", "receives"), at + "a severity of -3 was added, expected at least 0");
  EXPECT_EQ(error_of("negative_wait", "receives"), at + "a wait of -3 was added, expected at least 0");
  EXPECT_EQ(error_of("nan", "receives"), at + "a severity is NaN, expected a whole number: round it yourself");
  EXPECT_EQ(error_of("infinite", "receives"), at + "a severity is inf, expected a whole number: round it yourself");
  EXPECT_EQ(error_of("half", "receives"), at + "a severity is 0.500000, expected a whole number: round it yourself");
  EXPECT_EQ(error_of("whole", "receives"), "no error");
  EXPECT_EQ(error_of("too_large", "receives"),
            who +
                " added 3000000000000 ticks to 'misbehaves' in main/MPI_Recv on location 1 (Rank 1), where "
                "'mpi_point2point', of which it is a share, has 110; charge it where it is a share, or give it another "
                "parent or none");
  Focus late;
  late.from = 1;
  EXPECT_EQ(error_of("too_large", "receives", late), "no error");  // values without a time count in any part of the run
}

TEST(Plugin, OneThatAsksForTooMuchMemoryIsNamed) {
  const std::string who = "pattern 'misbehaves' (class Misbehaves, " + file("misbehaving") + ") failed in ";
  const std::string why = ": it asked for more memory than is available";
  for (const char* const where : {"configure", "init", "wrapup", "undetermined"})
    EXPECT_EQ(error_of("memory", where), who + where + why);
  EXPECT_EQ(error_of("memory", "receives"),
            who + "completed_receives_callback on location 1 (Rank 1) at time 180" + why);
}

TEST(Plugin, OneThatChangesTheCurrentFolderDoesNotMoveTheTrace) {
  const fs::path before = fs::current_path();
  fs::current_path(fs::path(WAITSTATE_TRACES));
  PatternRegistry r;
  r.load_plugin(file("misbehaving"));
  r.set("misbehaves.how", "folder");
  r.set("misbehaves.where", "init");
  AnalysisOptions options;
  options.patterns = {r.at("misbehaves").handle};
  const AnalysisResult moved = analyze("p2p", options);
  EXPECT_EQ(fs::current_path(), "/");
  fs::current_path(before);
  EXPECT_EQ(moved.path, "p2p/traces.otf2");
  EXPECT_EQ(moved.events(), analyze(WAITSTATE_TRACES "/p2p").events());
  EXPECT_FALSE(moved.diagnostics.any(DiagnosticSeverity::loss));
}

TEST(Plugin, RunsAndBuildsOnOtherPatterns) {
  PatternRegistry r;
  r.load_plugin(file("huge_messages"));
  r.set("huge_messages.threshold", "1000");
  r.set("short_waits.limit", "1e-8");
  AnalysisOptions options;
  options.built_in = false;
  options.patterns = r.chosen({"huge_message_bytes", "short_waits"}, {});
  const AnalysisResult result = analyze(huge_trace, options);
  EXPECT_EQ(support::severity_rows(result, {"huge_messages", "huge_message_bytes", "mpi_latesender", "short_waits"}),
            (support::Rows{"huge_messages,main/MPI_Recv,1,2", "huge_message_bytes,main/MPI_Recv,1,3000",
                           "mpi_latesender,main/MPI_Recv,1,62", "short_waits,main/MPI_Recv,1,2"}));
  EXPECT_EQ(support::wait_rows(result, {"short_waits"}), (support::Rows{"short_waits 0 1 1 2"}));
}

TEST(Plugin, SaysWhatTheTraceCannotTell) {
  PatternRegistry r;
  r.load_plugin(file("huge_messages"));
  AnalysisOptions options;
  options.built_in = false;
  options.patterns = r.chosen({"huge_messages"}, {});
  const support::TraceFile trace("1 0 enter main\n1 10 enter MPI_Recv\n1 40 recv src=0 len=8\n1 50 exit\n1 60 exit\n");
  const AnalysisResult result = analyze(trace.path(), options);
  ASSERT_EQ(result.undetermined.size(), 1u);
  EXPECT_EQ(result.metrics[result.undetermined[0].metric].id, "huge_messages");
  EXPECT_EQ(result.undetermined[0].sentence,
            "1 of 1 receive without a send in the trace: how large their messages were is not known");
}

TEST(Plugin, OneThatThrowsIsNamedWithTheEventAndThePlace) {
  AnalysisOptions options;
  {
    PatternRegistry r;
    r.load_plugin(file("throwing"));
    options.patterns = r.chosen({"throws"}, {});
  }
  options.built_in = false;
  try {
    analyze(huge_trace, options);
    FAIL();
  } catch (const PatternError& e) {
    EXPECT_EQ(std::string(e.what()),
              "pattern 'throws' (class Throws, " + file("throwing") +
                  ") failed in completed_receives_callback on location 1 (Rank 1) at time 180: cannot judge 1 message");
  }
}

bool is_loaded(const std::string& library) {
  void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle != nullptr) ::dlclose(handle);
  return handle != nullptr;
}

TEST(Plugin, StaysLoadedAsLongAsOneOfItsPatternsLives) {
  const std::string library = file("unknown_parent");  // nobody else here keeps it
  std::vector<PatternHandle> patterns = analysis::open_plugin(library);
  EXPECT_TRUE(is_loaded(library));
  PatternHandle kept = patterns.front();
  patterns.clear();
  EXPECT_TRUE(is_loaded(library));
  EXPECT_EQ(kept.id(), "orphan");
  kept = {};
  EXPECT_FALSE(is_loaded(library));
}

}  // namespace
}  // namespace waitstate
