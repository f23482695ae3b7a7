#include "replay/device_replay.hpp"

#include "parts.hpp"

namespace waitstate::replay {
namespace {

Definitions stream() {
  Definitions d = one_location();
  d.locations[0].type = LocationType::accelerator_stream;
  return d;
}

struct Device : Parts {
  explicit Device(bool asked_for, Definitions d = stream()) : Parts({.device_calls = asked_for}, std::move(d)) {}
  void copy(EventType type, Time t, std::uint64_t number) {
    RmaRecord r;
    r.time = t;
    r.type = type;
    r.win = RmaWinId{0};
    r.match = number;
    r.call = 0;
    devices.copy(r);
  }
  DeviceReplay devices{context, calls};
};

TEST(DeviceReplay, RegionsOfAStreamAreKernels) {
  Device p(true);
  p.enter(5, work);
  EXPECT_EQ(p.profiles[p.activity().current].kind, Profile::Kind::kernel);
  p.devices.enter();
  p.exit(9);
  ASSERT_EQ(p.chunk.device_records.size(), 1u);
  EXPECT_EQ(p.chunk.device_records[0].call, 0u);
  EXPECT_EQ(p.chunk.sync_calls[0].enter, 5u);
  EXPECT_EQ(p.chunk.sync_calls[0].exit, 9u);
}

TEST(DeviceReplay, ACopyLastsFromItsRecordToItsCompletion) {
  Device p(true);
  p.chunk.calls.resize(1);
  p.chunk.calls[0].callpath = 3;
  p.copy(EventType::rma_put, 10, 1);
  p.copy(EventType::rma_get, 12, 2);
  p.copy(EventType::rma_op_complete_blocking, 15, 1);
  p.copy(EventType::rma_op_complete_blocking, 16, 1);  // a record of no call
  ASSERT_EQ(p.chunk.device_records.size(), 1u);
  EXPECT_EQ(p.chunk.device_records[0].call, DeviceRecord::no_call);
  EXPECT_EQ(p.chunk.device_records[0].callpath, 3u);
  EXPECT_EQ(p.chunk.device_records[0].begin, 10u);
  EXPECT_EQ(p.chunk.device_records[0].end, 15u);
}

TEST(DeviceReplay, NothingIsNotedUnlessAskedFor) {
  Device p(false);
  p.chunk.calls.resize(1);
  p.enter(5, work);
  EXPECT_EQ(p.profiles[p.activity().current].kind, Profile::Kind::plain);
  p.copy(EventType::rma_put, 10, 1);
  p.copy(EventType::rma_op_complete_blocking, 15, 1);
  EXPECT_TRUE(p.chunk.device_records.empty());
}

}  // namespace
}  // namespace waitstate::replay
