// The order of records among the threads of a process, and what may still come before what is there.
#include "link/process_order.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace waitstate::link {
namespace {

struct Record {
  Time time;
};

/// Process 0 has two threads and a stream, process 1 one thread.
struct OrderOfThreads {
  static Definitions definitions() {
    Definitions d;
    d.processes.resize(2);
    d.locations.resize(4);
    for (const std::size_t i : {0, 1, 2}) d.locations[i].process = ProcessId{0};
    d.locations[2].type = LocationType::accelerator_stream;
    d.locations[3].process = ProcessId{1};
    return d;
  }
  Processes processes{definitions()};
  ProcessOrder<Record> order{processes};

  void read(std::size_t location, Time up_to, std::vector<Time> records, bool last = false) {
    for (const Time t : records) order.add(LocationId{location}, {t}, 0);
    processes.read(LocationId{location}, 0, up_to, last);
  }
  /// Times that are taken; those of the second thread less than 0.
  std::vector<Ticks> take() {
    std::vector<Ticks> taken;
    order.take(ProcessId{0}, [&](LocationId l, const Record& r, CallRef) {
      taken.push_back(static_cast<Ticks>(r.time) * (l == LocationId{0} ? 1 : -1));
    });
    return taken;
  }
};

using Times = std::vector<Ticks>;

TEST(ProcessOrder, RecordsAreTakenAsFarAsAllThreadsHaveBeenRead) {
  OrderOfThreads t;
  t.read(0, 50, {10, 30, 50});
  EXPECT_EQ(t.take(), Times{});
  t.read(1, 40, {20, 35});
  EXPECT_EQ(t.take(), (Times{10, -20, 30, -35}));
  t.read(1, 60, {}, true);
  EXPECT_EQ(t.take(), Times{50});
}

TEST(ProcessOrder, OfOneTimeTheFirstThreadsRecordIsTaken) {
  OrderOfThreads t;
  t.read(1, 20, {10, 20});
  t.read(0, 30, {10, 20});
  EXPECT_EQ(t.take(), (Times{10, -10, 20, -20}));
}

TEST(ProcessOrder, AnEarlierThreadMayStillBringARecordOfTheSameTime) {
  OrderOfThreads t;
  t.read(0, 30, {30});
  t.read(1, 30, {30, 30});
  EXPECT_EQ(t.take(), Times{30});  // the first thread may have another one at 30
  t.read(0, 40, {30});
  EXPECT_EQ(t.take(), (Times{30, -30, -30}));
}

TEST(ProcessOrder, ALaterThreadsRecordOfTheSameTimeIsNotWaitedFor) {
  OrderOfThreads t;
  t.read(0, 30, {30});
  t.read(1, 30, {});
  EXPECT_EQ(t.take(), Times{30});
}

TEST(ProcessOrder, TheWatermarkIsTheEarliestThatMayStillCome) {
  OrderOfThreads t;
  EXPECT_EQ(t.order.watermark(), 0u);
  t.read(3, 100, {}, true);
  t.read(0, 50, {10, 30});
  t.read(1, 40, {});
  EXPECT_EQ(t.order.watermark(), 10u);
  t.take();
  EXPECT_EQ(t.order.watermark(), 40u);
  t.read(1, 60, {}, true);
  EXPECT_EQ(t.order.watermark(), 50u);
  t.read(0, 70, {}, true);
  EXPECT_EQ(t.order.watermark(), ~Time{0});
}

TEST(Processes, ProgressIsCountedFromTheFirstEventOfTheProcess) {
  OrderOfThreads t;
  EXPECT_EQ(t.processes.progress(LocationId{0}), -1);
  t.processes.read(LocationId{1}, 100, 150, false);
  t.processes.read(LocationId{0}, 120, 130, true);
  EXPECT_EQ(t.processes.progress(LocationId{1}), 50);
  EXPECT_EQ(t.processes.progress(LocationId{0}), 30);
  EXPECT_FALSE(t.processes.all_at_end(ProcessId{0}));
  t.processes.read(LocationId{1}, 160, 170, true);
  EXPECT_TRUE(t.processes.all_at_end(ProcessId{0}));  // whatever its stream does
}

TEST(Processes, LocationsWithoutAProcessAreOneMore) {
  Definitions d = OrderOfThreads::definitions();
  d.locations[3].process = ProcessId::none();
  const Processes p(d);
  EXPECT_EQ(p.size(), 3u);
  EXPECT_EQ(p.of(LocationId{3}), ProcessId{2});
  EXPECT_EQ(p.recorded(LocationId{3}), ProcessId::none());
  EXPECT_EQ(p.recorded(LocationId{2}), ProcessId{0});
}

}  // namespace
}  // namespace waitstate::link
