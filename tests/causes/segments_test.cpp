// The longest segments of a path are kept in the order of time, and the others counted.
#include "causes/path/segments.hpp"

#include <gtest/gtest.h>

namespace waitstate::causes {
namespace {

/// Three call paths, of which the last one comes first.
CallPathOrder order() {
  CallTree tree;
  for (std::size_t i = 0; i < 3; ++i)
    tree.seen(tree.find_or_add({.parent = {}, .region = RegionId{i}, .program = {}}), LocationId{0},
              static_cast<std::uint32_t>((i + 1) % 3));
  return CallPathOrder(tree);
}

TEST(Segments, KeepsTheLongest) {
  const CallPathOrder of_call_paths = order();
  Segments segments(of_call_paths, 2);
  PathTimes piece(2);
  const Ticks lengths[] = {5, 30, 10, 30};  // from the end of the path back
  Time end = 100;
  for (const Ticks ticks : lengths) {
    piece.add(CallPathId{std::size_t{1}}, ticks);
    segments.add(nullptr, end, LocationId{0}, piece);
    piece.clear();
    end -= static_cast<Time>(ticks);
  }
  const CriticalPath path = segments.finish();
  ASSERT_EQ(path.segments.size(), 2u);
  EXPECT_EQ(path.segments[0].to, 55u);
  EXPECT_EQ(path.segments[1].to, 95u);
  EXPECT_EQ(path.ticks, 75);
  EXPECT_EQ(path.left_out, 2u);
  EXPECT_EQ(path.ticks_left_out, 15);
}

TEST(Segments, OfEqualTimesTheOrderOfCallPathsDecides) {
  const CallPathOrder of_call_paths = order();
  Segments segments(of_call_paths);
  PathTimes piece(3);
  for (const std::size_t c : {1, 2, 0}) piece.add(CallPathId{c}, 7);
  segments.add(nullptr, 50, LocationId{0}, piece);
  EXPECT_EQ(segments.finish().segments.at(0).callpath, CallPathId{std::size_t{2}});
}

TEST(Segments, ASegmentBeginsWhenItsWaitEnds) {
  const CallPathOrder of_call_paths = order();
  Segments segments(of_call_paths);
  PathTimes piece(3);
  piece.add(CallPathId{std::size_t{1}}, 7);
  piece.add(CallPathId{std::size_t{2}}, 13);
  Point receive;
  receive.location = LocationId{3}, receive.callpath = CallPathId{std::size_t{1}};
  receive.kind = PointKind::late_sender, receive.enter = 40, receive.wait = 10;
  receive.culprit = {LocationId{0}, 0};
  segments.add(&receive, 70, LocationId{3}, piece);
  const CriticalSegment segment = segments.finish().segments.at(0);
  EXPECT_EQ(segment.from, 50u);
  EXPECT_EQ(segment.to, 70u);
  EXPECT_EQ(segment.ticks, 20);
  EXPECT_EQ(segment.callpath, CallPathId{std::size_t{2}});
  EXPECT_EQ(segment.callpath_ticks, 13);
  EXPECT_EQ(segment.crossing, Crossing::late_sender);
  EXPECT_EQ(segment.waited_in, receive.callpath);
}

}  // namespace
}  // namespace waitstate::causes
