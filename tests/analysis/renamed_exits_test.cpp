// Regions that are left under another name than they were entered: each visit takes the same time as in the same trace
// with the right names, whichever record shows which region an exit ends: an identity, the role of tasks, or the next
// exit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace waitstate {
namespace {

constexpr std::uint32_t regions = 8;

/// A random trace of one location, twice: with the names that exits ought to have, and with those that they have.
class Renamed {
 public:
  enum class Told { by_identity, by_role, by_next_exit };

  Renamed(unsigned seed, Told told) : random_(seed), told_(told) {
    right_ = "attribute 0 name=GUID type=uint64\n";
    for (std::uint32_t r = 0; r < 2 * regions; ++r)
      right_ += fmt::format("region {0} name=r{0} role={1}\n", r, told == Told::by_next_exit ? "function" : "task");
    right_ += fmt::format("region {} name=main role=function\n", 2 * regions);
    wrong_ = right_;
    both(fmt::format("0 0 enter #{}\n", 2 * regions));
    for (int last = 5; last >= 0; --last) visit(0, last == 0, 2 * regions);
    pass();
    both(fmt::format("0 {} exit #{}\n", time_, 2 * regions));
  }

  const std::string& right() const { return right_; }
  const std::string& wrong() const { return wrong_; }
  std::uint64_t renamed() const { return renamed_; }

 private:
  std::uint32_t below(std::uint32_t n) { return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random_); }
  void pass() { time_ += 1 + below(9); }
  void both(const std::string& line) { right_ += line, wrong_ += line; }

  /// `last`: its caller is left next. True if it ended under another name.
  bool visit(int depth, bool last, std::uint32_t caller) {
    pass();
    const std::uint32_t region = below(regions);
    const std::string identity = told_ == Told::by_identity ? fmt::format(" @0=uint64:{}", next_id_++) : "";
    both(fmt::format("0 {} enter #{}{}\n", time_, region, identity));
    bool inner = false;
    for (std::uint32_t more = depth == 4 ? 0 : below(4); more > 0; --more) inner = visit(depth + 1, more == 1, region);
    pass();
    // Without identity, the name of a region that is open further out would say that it ends that one; and the exit of
    // a caller of the same name that it is this one's own.
    const std::uint32_t other = below(regions) + (told_ == Told::by_identity ? 0 : regions);
    const bool renames =
        other != region && below(2) == 0 && (told_ != Told::by_next_exit || (last && !inner && region != caller));
    right_ += fmt::format("0 {} exit #{}{}\n", time_, region, identity);
    wrong_ += fmt::format("0 {} exit #{}{}\n", time_, renames ? other : region, identity);
    if (renames) ++renamed_;
    return renames;
  }

  std::mt19937 random_;
  const Told told_;
  std::string right_, wrong_;
  std::uint64_t time_ = 0, renamed_ = 0;
  std::uint32_t next_id_ = 100;
};

using Told = Renamed::Told;

AnalysisResult analysed_in_chunks(const std::string& text, unsigned threads = 1, std::size_t chunk_events = 0) {
  const support::TraceFile file(text);
  AnalysisOptions options;
  options.threads = threads;
  options.chunk_events = chunk_events;
  return analyze(file.path(), options);
}

void check(Told told) {
  std::uint64_t renamed = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const Renamed trace(seed, told);
    const AnalysisResult right = analysed_in_chunks(trace.right()), wrong = analysed_in_chunks(trace.wrong());
    ASSERT_EQ(support::differences(support::severity_rows(right), support::severity_rows(wrong)), "")
        << "seed " << seed << "\n"
        << trace.wrong();
    ASSERT_EQ(support::diagnostic_rows(right), support::Rows{});
    ASSERT_EQ(support::diagnostic_rows(wrong),
              trace.renamed() == 0 ? support::Rows{} : support::Rows{fmt::format("region_renamed {}", trace.renamed())})
        << "seed " << seed << "\n"
        << trace.wrong();
    ASSERT_EQ(support::differences(support::severity_rows(right),
                                   support::severity_rows(analysed_in_chunks(trace.wrong(), 1, 1))),
              "")
        << "in chunks of one event, seed " << seed;
    renamed += trace.renamed();
  }
  EXPECT_GT(renamed, 100u) << "the traces show something";
}

TEST(RenamedExits, take_no_time_from_others_if_an_identity_tells) { check(Told::by_identity); }
TEST(RenamedExits, take_no_time_from_others_if_they_are_of_tasks) { check(Told::by_role); }
TEST(RenamedExits, take_no_time_from_others_if_the_next_exit_tells) { check(Told::by_next_exit); }

// A task id that two open regions share tells nothing, and the name does: at 30 the outer visit of r0 ends, and with it
// r1.
TEST(RenamedExits, an_identity_that_two_regions_share_is_none) {
  const AnalysisResult r = analysed_in_chunks(
      "attribute 0 name=\"Task ID\" type=uint64\n0 0 enter main\n0 10 enter r0 @0=uint64:1\n"
      "0 20 enter r1 @0=uint64:1\n0 30 exit r0 @0=uint64:1\n0 40 exit main\n");
  EXPECT_EQ(support::diagnostic_rows(r), support::Rows{"exit_of_other_region 1"});
}

// The list of an exit in order is not taken for that of the next exit, which has none.
TEST(RenamedExits, an_identity_is_of_its_own_event) {
  const AnalysisResult r = analysed_in_chunks(
      "attribute 0 name=guid type=uint64\n0 0 enter main @0=uint64:1\n0 10 enter r0 @0=uint64:2\n"
      "0 20 exit r0 @0=uint64:1\n0 30 exit r1\n0 35 enter r2\n0 36 exit r2\n0 40 exit main\n");
  EXPECT_EQ(support::diagnostic_rows(r), support::Rows{"exit_without_enter 1"});
}

// Regions that overlap, with a name that stays open: the late exits end neither the regions that are open now nor the
// pairs of exits that follow.
TEST(RenamedExits, late_exits_are_no_renames) {
  const AnalysisResult r = analysed_in_chunks(
      "region 0 name=main role=task\nregion 1 name=a role=task\nregion 2 name=b role=task\n0 0 enter main\n"
      "0 10 enter a\n0 20 enter b\n0 30 exit a\n0 40 exit b\n0 100 exit main\n");
  EXPECT_EQ(support::diagnostic_rows(r), support::Rows{"exit_of_other_region 2"});
  EXPECT_EQ(r.severities.inclusive(r.metrics, r.metrics.at("time"), CallPathId{0}, LocationId{0}), 80);
}

// Also where events are looked at one by one: the exit ends its own enter, and the region is that one's.
TEST(RenamedExits, belong_to_their_enter_as_events) {
  const support::TraceFile file(
      "attribute 0 name=GUID type=uint64\n0 0 enter main\n0 10 enter first @0=uint64:1\n"
      "0 20 exit second @0=uint64:1\n0 40 exit main\n");
  const EventTrace trace(file.path());
  const Event exit = trace.event(2);
  EXPECT_EQ(exit.type, EventType::exit);
  EXPECT_EQ(exit.enterptr, 1u);
  EXPECT_NE(trace.literal(2).find("exit first"), std::string::npos) << trace.literal(2);
  EXPECT_EQ(trace.event(3).enterptr, 0u);
}

}  // namespace
}  // namespace waitstate
