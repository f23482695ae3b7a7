// Archives with one record of everything, and odd ones, written by tests/support/write_all_events: every event of every
// type arrives at its location, and printing an archive and reading it back loses nothing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "notation/definition_writer.hpp"
#include "notation/document.hpp"
#include "notation/event_writer.hpp"
#include "support/case_file.hpp"
#include "support/newer_records.hpp"
#include "support/temporary_folder.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace waitstate {
namespace {

using Counts = std::map<std::pair<std::string, std::string>, std::uint64_t>;  // location number as recorded, type

class Archive {
 public:
  explicit Archive(const std::string& variant) {
    const std::string command =
        std::string(WAITSTATE_WRITE_ALL_EVENTS) + " --variant " + variant + " '" + folder() + "' > /dev/null 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }

  std::string folder() const { return folder_ / "archive"; }
  Counts expected() const {
    Counts counts;
    std::ifstream in(folder() + "/records.csv");
    std::string line, location, type, count;
    std::getline(in, line);
    while (std::getline(in, line)) {
      std::istringstream fields(line);
      std::getline(fields, location, ',');
      std::getline(fields, type, ',');
      std::getline(fields, count);
      counts[{location, type}] += std::stoull(count);
    }
    return counts;
  }

 private:
  support::TemporaryFolder folder_;
};

class Variants : public testing::TestWithParam<const char*> {};

TEST_P(Variants, EveryEventArrives) {
  const Archive archive(GetParam());
  const EventTrace trace(archive.folder());
  Counts found;
  for (Position p = 0; p < trace.size(); ++p) {
    const Event e = trace.event(p);
    ++found[{std::to_string(trace.definitions()[e.loc].ref), std::string(name(e.type))}];
  }
  EXPECT_EQ(found, archive.expected());
  const AnalysisResult r = analyze(archive.folder());
  EXPECT_EQ(r.events(), trace.size());
}

TEST_P(Variants, PrintingAndReadingBackLosesNothing) {
  const Archive archive(GetParam());
  EventTraceOptions options;
  options.attribute_lists = true;
  const EventTrace trace(archive.folder(), options);
  std::string text;
  notation::write_definitions(text, trace.definitions());
  const notation::EventWriter writer(trace.definitions());
  for (Position p = 0; p < trace.size(); ++p) writer.append(text, trace.event(p));

  const support::TraceFile printed(text);
  const EventTrace again(printed.path(), options);
  ASSERT_EQ(again.size(), trace.size());
  std::string text_again;
  notation::write_definitions(text_again, again.definitions());
  const notation::EventWriter writer_again(again.definitions());
  for (Position p = 0; p < again.size(); ++p) {
    const Event a = trace.event(p), b = again.event(p);
    ASSERT_EQ(a.enterptr, b.enterptr) << p;
    ASSERT_EQ(a.sendptr, b.sendptr) << p;
    ASSERT_EQ(a.list.size(), b.list.size()) << p;
    writer_again.append(text_again, b);
  }
  EXPECT_EQ(text, text_again);
}

INSTANTIATE_TEST_SUITE_P(Archives, Variants,
                         testing::Values("everything", "sparse_ids", "out_of_order", "reversed", "regions_per_rank",
                                         "anchor_name", "zero_events", "no_event_file", "intercomm", "comm_self",
                                         "threads_receive"),
                         [](const auto& test) { return std::string(test.param); });

TEST(AllEvents, EveryTypeOfOtf2IsThere) {
  const Archive archive("everything");
  const AnalysisResult r = analyze(archive.folder());
  for (std::size_t t = 1; t < recorded_event_type_count; ++t)  // but "unknown"
    if (!support::is_of_otf2_3_2(static_cast<EventType>(t))) {
      EXPECT_GT(r.events_by_type[t], 0u) << event_types[t].name;
    }
}

TEST(AllEvents, MessagesOfOddArchivesAreMatched) {
  for (const char* variant : {"intercomm", "comm_self", "threads_receive", "sparse_ids"}) {
    const Archive archive(variant);
    const AnalysisResult r = analyze(archive.folder());
    EXPECT_GT(r.messages, 0u) << variant;
    EXPECT_EQ(r.diagnostics[DiagnosticId::send_unmatched].count, 0u) << variant;
    EXPECT_EQ(r.diagnostics[DiagnosticId::recv_unmatched].count, 0u) << variant;
    EXPECT_EQ(r.diagnostics[DiagnosticId::peer_unknown].count, 0u) << variant;
  }
}

TEST(AllEvents, AttributeListsAreKeptOnRequestOnly) {
  const Archive archive("everything");
  EventTraceOptions options;
  for (const bool keep : {false, true}) {
    options.attribute_lists = keep;
    const EventTrace trace(archive.folder(), options);
    std::size_t listed = 0;
    for (Position p = 0; p < trace.size(); ++p) listed += trace.event(p).list.size();
    EXPECT_EQ(listed > 0, keep);
  }
}

}  // namespace
}  // namespace waitstate
