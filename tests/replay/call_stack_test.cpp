#include "replay/call_stack.hpp"

#include "parts.hpp"

namespace waitstate::replay {
namespace {

TEST(CallStack, ACallPathIsToldOnce) {
  Parts p;
  const std::uint32_t outer = p.enter(0, work), inner = p.enter(1, mpi_send);
  p.exit(2);
  EXPECT_EQ(p.activity().current, outer);
  EXPECT_EQ(p.enter(3, mpi_send), inner);
  p.exit(4);
  p.exit(5);
  EXPECT_EQ(p.activity().current, 0u);
  ASSERT_EQ(p.chunk.call_paths.size(), 2u);
  EXPECT_EQ(p.chunk.call_paths[0].number, outer);
  EXPECT_EQ(p.chunk.call_paths[0].parent, 0u);
  EXPECT_EQ(p.chunk.call_paths[1].parent, outer);
  EXPECT_EQ(p.chunk.call_paths[1].region, RegionId{mpi_send});
  EXPECT_EQ(p.profiles[inner].visits, 2u);
  EXPECT_EQ(p.profiles[inner].time, 2);
  EXPECT_EQ(p.profiles[outer].time, 3);
}

TEST(CallStack, RegionsHaveTheirKind) {
  Parts p;
  EXPECT_EQ(p.profiles[p.stack.child(work)].kind, Profile::Kind::plain);
  EXPECT_EQ(p.profiles[p.stack.child(mpi_send)].kind, Profile::Kind::mpi);
  EXPECT_EQ(p.profiles[p.stack.child(mpi_send)].function, MpiFunction::send);
  EXPECT_EQ(p.profiles[p.stack.child(mpi_init)].kind, Profile::Kind::mpi_world);
  EXPECT_EQ(p.profiles[p.stack.child(barrier)].kind, Profile::Kind::omp_barrier);
  EXPECT_EQ(p.profiles[p.stack.child(taskwait)].kind, Profile::Kind::omp_taskwait);
  EXPECT_EQ(p.profiles[p.stack.child(critical)].kind, Profile::Kind::lock);
}

TEST(CallStack, ProgramsAndRootsAreCallPathsToo) {
  Parts p;
  const std::uint32_t program = p.stack.child(LocalCallTree::program_frame(StringId{3}));
  EXPECT_EQ(p.chunk.call_paths.back().program, StringId{3});
  p.stack.push(program, 0);
  EXPECT_TRUE(p.stack.top_is_program());
  p.stack.pop();
  EXPECT_EQ(p.stack.team_root(), 0u);
  const std::uint32_t root = p.stack.make_team_root();
  EXPECT_TRUE(p.chunk.call_paths.back().team_root);
  EXPECT_EQ(p.stack.make_team_root(), root);
  p.stack.set_base(root);
  p.enter(1, work);
  p.exit(2);
  EXPECT_EQ(p.activity().current, root) << "where the stack is empty";
}

TEST(CallStack, ARecordOutsideOfEveryRegionBelongsToOneThatIsNotKnown) {
  Parts p;
  const std::uint32_t unknown = p.stack.callpath_of_record();
  EXPECT_NE(unknown, 0u);
  EXPECT_FALSE(p.chunk.call_paths.back().region.valid());
  EXPECT_EQ(p.stack.callpath_of_record(), unknown);
  const std::uint32_t inside = p.enter(0, work);
  EXPECT_EQ(p.stack.callpath_of_record(), inside);
}

TEST(CallStack, SwitchingATaskIsOneSwap) {
  Parts p;
  p.enter(0, work);
  p.enter(4, critical);
  Activity other;
  std::swap(p.stack.activity, other);
  EXPECT_TRUE(p.activity().stack.empty());
  EXPECT_EQ(p.activity().longest.length, 0u);
  EXPECT_EQ(p.enter(5, work), 1u) << "one call tree for all";
  p.exit(6);
  std::swap(p.stack.activity, other);
  ASSERT_EQ(p.activity().stack.size(), 2u);
  EXPECT_EQ(p.activity().longest.length, 4u);
  EXPECT_TRUE(p.stack.top_is(RegionId{critical}));
}

}  // namespace
}  // namespace waitstate::replay
