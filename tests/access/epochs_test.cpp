// EventTrace::epochs() against the callbacks of patterns: the same compound events, whatever the trace, and in one
// order whatever the chunks.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/pattern.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace waitstate {
namespace {

using Rows = std::vector<std::string>;

/// Everything in a compound event, including call paths and the calls before.
class Row {
 public:
  Row(const CallTree& tree, const Definitions& definitions) : tree_(tree), definitions_(definitions) {}

  std::string operator()(const RmaCollective& r) {
    const Collective& c = r.collective;
    text_ = fmt::format("collective {} win {} paradigm {} op {} kind {} comm {} root {} {}", static_cast<int>(r.kind),
                        r.win.value, static_cast<int>(r.paradigm), static_cast<int>(c.op), static_cast<int>(c.kind),
                        c.comm.value, c.root, c.neighbours.size() + c.neighbour_begin.size());
    for (const CollectiveMember& m : c.members) {
      text_ += fmt::format(" member {} {} {} {}", m.begin, m.end, m.bytes_sent, m.bytes_received);
      add(*m.call);
    }
    for (const RmaAccess& a : r.accesses) add(a);
    return text_;
  }
  std::string operator()(const RmaAccessEpoch& e) {
    text_ = fmt::format("access win {}", e.win.value);
    add(e.start), add(e.complete);
    for (const RmaAccessTarget& t : e.targets)
      text_ += fmt::format(" target {}", t.target.value), add(t.post), add(t.access);
    for (const RmaEpochOperation& o : e.operations) text_ += fmt::format(" to #{}", o.target), add(o.call);
    return text_;
  }
  std::string operator()(const RmaExposureEpoch& e) {
    text_ = fmt::format("exposure win {}", e.win.value);
    add(e.post), add(e.wait);
    for (const RmaExposureOrigin& o : e.origins)
      text_ += fmt::format(" origin {}", o.origin.value), add(o.start), add(o.complete), add(o.access);
    return text_;
  }
  std::string operator()(const RmaLockEpoch& e) {
    text_ = fmt::format("lock win {} target {} lock {} type {} released {}", e.win.value, e.target.value, e.lock,
                        static_cast<int>(e.type), e.release_time);
    add(e.locked), add(e.unlocked);
    for (const RmaAccess& a : e.accesses) add(a);
    return text_;
  }
  std::string operator()(const RmaOperation& o) {
    text_ = fmt::format("operation {} win {} {}->{} {}/{} {}-{}", static_cast<int>(o.kind), o.win.value, o.origin.value,
                        o.target.value, o.bytes_put, o.bytes_got, o.start, o.completion);
    add(o.call), add(o.completed);
    return text_;
  }

 private:
  void add(const Call& c) {
    const auto path = [&](CallPathId id) { return id.valid() ? tree_.path(id, definitions_) : std::string("nowhere"); };
    text_ += fmt::format(" [{} {} {} {} {} before {} {}-{} previous {} {}-{}]", c.location.value, path(c.callpath),
                         static_cast<int>(c.function), c.enter, c.exit, path(c.before.callpath), c.before.begin,
                         c.before.end, path(c.previous.callpath), c.previous.begin, c.previous.end);
  }
  void add(const RmaAccess& a) {
    text_ += fmt::format(" accessed {}->{} {} {} {} {}/{} #{} #{}", a.origin.value, a.target.value, a.puts, a.gets,
                         a.atomics, a.bytes_put, a.bytes_got, a.origin_member, a.target_member);
    if (a.last != nullptr) add(*a.last);
  }

  const CallTree& tree_;
  const Definitions& definitions_;
  std::string text_;
};

class Watch : public Pattern {
 public:
  explicit Watch(Rows& rows) : rows_(rows) {}
  PatternInfo info() const override {
    return {.metrics = {{"watch", "", Unit::occurrences, true, "Watch", "Nothing."}}};
  }
  void rma_operation_callback(const RmaOperation& o, Context& c) override { add(o, c); }
  void rma_collective_callback(const RmaCollective& r, Context& c) override { add(r, c); }
  void rma_access_epoch_callback(const RmaAccessEpoch& e, Context& c) override { add(e, c); }
  void rma_exposure_epoch_callback(const RmaExposureEpoch& e, Context& c) override { add(e, c); }
  void rma_lock_epoch_callback(const RmaLockEpoch& e, Context& c) override { add(e, c); }

 private:
  template <class T>
  void add(const T& one, Context& c) {
    rows_.push_back(Row(c.call_tree(), c.definitions())(one));
  }
  Rows& rows_;
};

Rows callbacks(const std::string& path, RmaModel model) {
  Rows rows;
  AnalysisOptions options;
  options.built_in = false;
  options.rma_model = model;
  options.patterns.push_back(make_pattern<Watch>(rows));
  analyze(path, options);
  return rows;
}

EventTrace read(const std::string& path, RmaModel model, std::size_t chunk_events = 0) {
  EventTraceOptions options;
  options.epochs = true;
  options.rma_model = model;
  options.chunk_events = chunk_events;
  return EventTrace(path, options);
}

Rows rows_of(const EventTrace& trace) {
  Rows rows;
  Row row(trace.call_tree(), trace.definitions());
  for (const OneSided& o : trace.epochs()) rows.push_back(std::visit(row, o));
  return rows;
}

Rows sorted(Rows rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

class Recorded : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(traces, Recorded,
                         testing::Values("rma", "rma_blocking", "rma_waits", "rma_waits_messages", "rma_windows",
                                         "shmem", "shmem_waits"),
                         [](const auto& given) { return std::string(given.param); });

TEST_P(Recorded, epochs_are_what_callbacks_are_given) {
  const std::string path = std::string(WAITSTATE_TRACES) + "/" + GetParam();
  for (const RmaModel model : {RmaModel::automatic, RmaModel::basic, RmaModel::extended}) {
    const EventTrace trace = read(path, model);
    EXPECT_GT(trace.epochs().size(), 4u);
    EXPECT_EQ(sorted(rows_of(trace)), sorted(callbacks(path, model)));
  }
}

TEST_P(Recorded, epochs_are_in_one_order) {
  const std::string path = std::string(WAITSTATE_TRACES) + "/" + GetParam();
  const EventTrace trace = read(path, RmaModel::automatic);
  for (std::size_t i = 1; i < trace.epochs().size(); ++i)
    EXPECT_LE(first_time(trace.epochs()[i - 1]), first_time(trace.epochs()[i])) << i;
  for (const std::size_t chunk_events : {1u, 7u, 100u})
    EXPECT_EQ(rows_of(read(path, RmaModel::automatic, chunk_events)), rows_of(trace)) << chunk_events;
}

// Location 0 puts in an access epoch to 1, which exposes to it; location 2 holds a lock on 1. See epochs_test of the
// pattern callbacks for the rest.
const std::string epochs_text = R"(comm 0 name=MPI_COMM_WORLD members=all
group 0 type=locations members=(0)
group 1 type=locations members=(1)
rma_win 0 comm=0
rma_win 1 comm=0
0 0 enter main
0 10 enter MPI_Win_start
0 11 rma_group_sync level=0x2 win=0 group=1
0 12 exit
0 20 enter MPI_Put
0 21 rma_put win=0 remote=1 bytes=8 match=1
0 25 exit
0 30 enter MPI_Win_complete
0 31 rma_group_sync level=0x3 win=0 group=1
0 32 exit
0 99 exit
1 0 enter main
1 5 enter MPI_Win_post
1 6 rma_group_sync level=0x2 win=0 group=0
1 7 exit
1 40 enter MPI_Win_wait
1 41 rma_group_sync level=0x3 win=0 group=0
1 44 exit
1 99 exit
2 0 enter main
2 50 enter MPI_Win_lock
2 51 rma_request_lock win=1 remote=1 lock=0 type=exclusive
2 52 exit
2 60 enter MPI_Win_unlock
2 61 rma_release_lock win=1 remote=1 lock=0
2 65 exit
2 99 exit
)";

TEST(epochs, say_what_their_trace_says) {
  const support::TraceFile file(epochs_text);
  const EventTrace trace = read(file.path().string(), RmaModel::automatic);
  ASSERT_EQ(trace.epochs().size(), 4u);
  const auto span = [&](std::size_t i) {
    const OneSided& o = trace.epochs()[i];
    std::string part;
    for (const std::uint32_t l : {0u, 1u, 2u})
      if (takes_part(o, LocationId{l})) part += std::to_string(l);
    return fmt::format("{}-{} win {} of {}", first_time(o), last_time(o), window(o).value, part);
  };
  const auto& exposure = std::get<RmaExposureEpoch>(trace.epochs()[0]);
  EXPECT_EQ(span(0), "5-44 win 0 of 01");
  ASSERT_EQ(exposure.origins.size(), 1u);
  EXPECT_EQ(exposure.origins[0].access.bytes_put, 8u);
  const auto& access = std::get<RmaAccessEpoch>(trace.epochs()[1]);
  EXPECT_EQ(span(1), "10-32 win 0 of 01");
  ASSERT_EQ(access.targets.size(), 1u);
  EXPECT_EQ(access.targets[0].post.enter, 5u);
  ASSERT_EQ(access.operations.size(), 1u);
  EXPECT_EQ(access.operations[0].call.enter, 20u);
  EXPECT_EQ(&exposure.origins[0].start, &access.start) << "a call is kept once";
  EXPECT_EQ(span(2), "21-31 win 0 of 01");
  EXPECT_EQ(&std::get<RmaOperation>(trace.epochs()[2]).completed, &access.complete);
  const auto& lock = std::get<RmaLockEpoch>(trace.epochs()[3]);
  EXPECT_EQ(span(3), "50-65 win 1 of 12");
  EXPECT_EQ(lock.release_time, 61u);
  EXPECT_EQ(trace.call_tree().path(lock.locked.callpath, trace.definitions()), "main/MPI_Win_lock");
}

TEST(epochs, outlive_the_object_that_was_read) {
  const support::TraceFile file(epochs_text);
  EventTrace first = read(file.path().string(), RmaModel::automatic);
  const Rows before = rows_of(first);
  const EventTrace second = std::move(first);
  EXPECT_EQ(rows_of(second), before);
}

TEST(epochs, are_only_there_if_asked_for) {
  const support::TraceFile file(epochs_text);
  const EventTrace trace(file.path());
  EXPECT_GT(read(file.path().string(), RmaModel::automatic).memory(), trace.memory());
  try {
    trace.epochs();
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(), "this trace was read without epochs, set EventTraceOptions::epochs to keep them");
  }
}

}  // namespace
}  // namespace waitstate
