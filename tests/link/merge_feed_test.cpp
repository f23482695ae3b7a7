// Linking and the merge: numbers are used again, so that neither side grows with the trace; and the
// order among the members of a collective operation.
#include "link/merge_feed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "merge/event_store.hpp"
#include "merge/merge.hpp"
#include "pass/pass.hpp"
#include "pass/trace_input.hpp"
#include "support/case_file.hpp"

namespace waitstate::link {
namespace {

TEST(MergeFeed, GivesNumbersOutAgainThatTheMergeHasDoneWith) {
  MergeFeed feed;
  replay::Chunk chunk;
  for (int i = 0; i < 1000; ++i) {
    const std::uint32_t place = feed.new_slot();
    EXPECT_LT(place, 4u);
    feed.link(LocationId{0}, {.message = place, .request = Link::none, .member = Link::none});
    MergeStep& step = feed.take(chunk, 0);
    ASSERT_EQ(step.links.size(), 1u);
    EXPECT_EQ(step.links[0].link.message, place);
    step.free_slots = {place};
    feed.give_back(step);
  }
}

TEST(MergeFeed, StepsAreWrittenWhileOthersAreOnTheirWay) {
  MergeFeed feed;
  replay::Chunk chunk;
  feed.keep_slot(7);
  MergeStep& first = feed.take(chunk, 1);
  feed.release_slot(8);
  MergeStep& second = feed.take(chunk, 2);
  ASSERT_NE(&first, &second);
  ASSERT_EQ(first.notes.size(), 1u);
  EXPECT_EQ(first.notes[0].number, 7u);
  EXPECT_EQ(first.missing_count, 1u);
  ASSERT_EQ(second.notes.size(), 1u);
  EXPECT_EQ(second.notes[0].number, 8u);
  feed.give_back(second);
  feed.give_back(first);
  EXPECT_TRUE(feed.take_rest(3).notes.empty());
}

/// True if all numbers that have ever been given out are free.
template <class Take>
bool all_are_free(Take take) {
  std::vector<std::uint32_t> numbers(20000);
  for (std::uint32_t& n : numbers) n = take();
  return *std::max_element(numbers.begin(), numbers.end()) == numbers.size() - 1;
}

/// A trace that has been read with one thread, event by event; the store let go what nothing could point to.
struct Merged {
  explicit Merged(const std::filesystem::path& path) : input(path) {
    pass::PassOptions options;
    options.threads = 1;
    pass::Pass(input, linker, &merge, options).run();
  }

  pass::TraceInput input;
  CallTree call_tree;
  Diagnostics diagnostics;
  MergeFeed feed;
  Linker linker{input.definitions(), call_tree, diagnostics, nullptr, &feed};
  merge::EventStore store{call_tree, input.definitions().locations.size(), false};
  merge::Merge merge{input.definitions(), feed, store, nullptr, true};
};

TEST(MergeFeed, NothingIsHeldWhenEverythingHasBeenMerged) {
  for (const char* name : {"lammps", "halo", "coll", "hybrid"}) {
    Merged m(std::string(WAITSTATE_TRACES "/") + name);
    EXPECT_GT(m.linker.messages_matched() + m.linker.collectives().complete_operations(), 10u) << name;
    m.feed.take_rest(0);  // brings back what the last step has freed
    EXPECT_TRUE(all_are_free([&] { return m.feed.new_slot(); })) << name;
    EXPECT_TRUE(all_are_free([&] { return m.feed.new_operation(); })) << name;
    EXPECT_TRUE(all_are_free([&] { return m.feed.new_member(LocationId{0}, true); })) << name;
  }
}

// As by recorders that do not write down how requests are completed, and whose requests are addresses: the start of one
// that is started anew is not needed any more.
TEST(MergeFeed, RequestsThatAreNeverCompletedAreNotKept) {
  std::ostringstream text;
  for (int i = 0; i < 10000; ++i)
    text << "0 " << 30 * i << " enter MPI_Irecv\n0 " << 30 * i + 10 << " irecv_request request=7\n0 " << 30 * i + 20
         << " exit\n";
  const Merged m(support::TraceFile(text.str()).path());
  EXPECT_EQ(m.store.size(), 30000u);
  EXPECT_EQ(m.diagnostics[DiagnosticId::request_never_completed].count, 10000u);
  EXPECT_THROW(m.store.event(1), std::out_of_range);
  EXPECT_THROW(m.store.event(15001), std::out_of_range);
  EXPECT_EQ(m.store.event(29998).type, EventType::irecv_request);  // it may still be completed
}

TEST(MergeFeed, SendsThatAreReceivedAreKeptUntilThen) {
  std::ostringstream text;
  text << "0 0 enter MPI_Send\n0 1 send dest=1 len=8 tag=1\n0 2 exit\n0 3 enter MPI_Send\n0 4 send dest=1 len=8\n0 5 "
          "exit\n";
  for (int i = 0; i < 10000; ++i) text << "0 " << 10 * i + 10 << " enter work\n0 " << 10 * i + 15 << " exit\n";
  text << "1 6 enter MPI_Recv\n1 7 recv src=0 len=8\n1 8 exit\n1 100010 enter end\n1 100020 exit\n0 100030 enter "
          "end\n0 100040 exit\n";
  const Merged m(support::TraceFile(text.str()).path());
  EXPECT_EQ(m.store.event(1).type, EventType::send) << "may still be received";
  EXPECT_THROW(m.store.event(9000), std::out_of_range);
}

}  // namespace
}  // namespace waitstate::link
