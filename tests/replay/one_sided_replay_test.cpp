#include "replay/one_sided_replay.hpp"

#include "parts.hpp"

namespace waitstate::replay {
namespace {

Definitions with_window() {
  Definitions d = one_location();
  d.rma_wins.resize(1);
  return d;
}

struct OneSided : Parts {
  OneSided() : Parts({}, with_window()) {}
  OneSidedReplay one_sided{stack, calls};
};

TEST(OneSidedReplay, ARecordGoesWithTheCallThatItLiesIn) {
  OneSided p;
  p.enter(0, mpi_send);
  p.advance(3);
  const std::uint64_t put[] = {0, 4, 100, 8}, get[] = {0, 5, 200, 9};
  const RmaRecord* r = p.one_sided.record(EventType::rma_put, put);
  ASSERT_NE(r, nullptr);
  EXPECT_EQ(r->time, 3u);
  EXPECT_EQ(r->remote, LocationId{4});
  EXPECT_EQ(r->bytes, 100u);
  EXPECT_EQ(r->received, 0u);
  EXPECT_EQ(r->match, 8u);
  r = p.one_sided.record(EventType::rma_get, get);
  EXPECT_EQ(r->received, 200u);
  EXPECT_EQ(r->bytes, 0u);
  EXPECT_EQ(r->call, 0u);
  EXPECT_EQ(p.chunk.calls.size(), 1u);
  EXPECT_EQ(p.chunk.calls[0].records, 0u);
}

TEST(OneSidedReplay, ARecordWithoutWindowIsLeftOut) {
  OneSided p;
  p.enter(0, mpi_send);
  const std::uint64_t sync[] = {RmaWinId::none_value, 0, 0};
  EXPECT_EQ(p.one_sided.record(EventType::rma_sync, sync), nullptr);
  EXPECT_TRUE(p.chunk.rma_records.empty());
  EXPECT_NE(p.one_sided.record(EventType::rma_collective_begin, sync), nullptr) << "which names none";
}

TEST(OneSidedReplay, OutsideOfEveryCallIsOddButNotOnAccelerators) {
  OneSided p;
  p.enter(0, work);
  const std::uint64_t put[] = {0, 0, 1, 1};
  EXPECT_EQ(p.one_sided.record(EventType::rma_put, put)->call, 0u);
  EXPECT_EQ(p.count(DiagnosticId::record_outside_call), 1u);
  p.definitions.locations[0].type = LocationType::accelerator_stream;
  EXPECT_EQ(p.one_sided.record(EventType::rma_put, put)->call, 1u);
  EXPECT_EQ(p.count(DiagnosticId::record_outside_call), 1u);
}

}  // namespace
}  // namespace waitstate::replay
