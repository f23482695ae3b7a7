// The members of an operation, and those that have a point there, whichever operation came first.
#include "causes/operation_groups.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace waitstate::causes {
namespace {

using Locations = std::vector<LocationId>;

Locations of(std::initializer_list<std::size_t> numbers) {
  Locations all;
  for (const std::size_t n : numbers) all.emplace_back(n);
  return all;
}

struct Groups {
  std::uint32_t add(std::initializer_list<std::size_t> members, std::initializer_list<std::size_t> with_point) {
    std::vector<Call> calls;
    for (const LocationId l : of(members)) calls.emplace_back().location = l;
    std::vector<CollectiveMember> all;
    for (const Call& call : calls) all.push_back({.call = &call});
    Collective c;
    c.comm = CommId{std::size_t{0}};
    c.members = all;
    return groups.add(c, of(with_point));
  }
  Locations with_point(std::uint32_t group) const {
    Locations found;
    for (std::size_t l = 0; l < 10; ++l)
      if (groups.has(group, LocationId{l})) found.emplace_back(l);
    return found;
  }
  OperationGroups groups{std::size_t{1} << 20};
};

// Locations 1 and 2 are threads of one process, and so are 3 and 4.
TEST(OperationGroups, AnOperationHasTheThreadsThatTookPartInIt) {
  Groups g;
  const std::uint32_t first = g.add({3, 1}, {1, 3}), same = g.add({1, 3}, {3}), other = g.add({4, 2}, {4, 2}),
                      some = g.add({2, 3}, {2});
  EXPECT_EQ(g.groups.members(first), of({1, 3}));
  EXPECT_EQ(g.groups.members(same), of({1, 3}));
  EXPECT_EQ(g.groups.members(other), of({2, 4}));
  EXPECT_EQ(g.groups.members(some), of({2, 3}));
  EXPECT_EQ(g.with_point(first), of({1, 3}));
  EXPECT_EQ(g.with_point(same), of({3}));
  EXPECT_EQ(g.with_point(other), of({2, 4}));
  EXPECT_EQ(g.with_point(some), of({2}));
}

}  // namespace
}  // namespace waitstate::causes
