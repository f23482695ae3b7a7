// Points that several workers find are those that one finds: in the same order, with the same culprits.
#include "causes/points/away_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "causes/recorded.hpp"

namespace waitstate::causes {
namespace {

/// Two single points: the enter of one and of its culprit, 0 if it has none.
struct Found {
  Time enter = 0, culprit = 0;
  bool operator==(const Found&) const = default;
};

Definitions one_location_each(std::size_t processes) {
  Definitions d;
  d.locations.resize(processes);
  d.processes.resize(processes);
  for (std::size_t p = 0; p < processes; ++p) {
    d.locations[p].process = ProcessId{p};
    d.locations[p].announced_events = 1000;
    d.processes[p].locations = {LocationId{p}};
  }
  return d;
}

Point at(LocationId l, Time enter) {
  Point p;
  p.location = l;
  p.enter = p.record = enter;
  return p;
}

/// The points of a location from the last one back.
std::vector<Found> back(const Recorded& of, LocationId l) {
  std::vector<Found> all;
  for (PointId id = of.order.last(l); id != no_point; id = of.points.at(id).point_before()) {
    const Point p = of.points.at(id);
    all.push_back({p.enter, p.culprit == no_point ? 0 : of.points.at(p.culprit).enter});
  }
  return all;
}

TEST(AwayPoints, AreTakenIntoTheLogsOfTheirHomes) {
  constexpr std::size_t locations = 6;
  const Definitions d = one_location_each(locations);
  const CallTree calls;
  for (const std::size_t in_memory : {std::size_t{0}, std::size_t{1} << 30})
    for (const unsigned workers : {2u, 3u, 6u}) {
      const link::Homes homes(d, workers);
      ASSERT_EQ(homes.workers(), workers);
      Recorded alone(d, calls, {}, in_memory);
      std::vector<std::unique_ptr<Recorded>> parts;
      std::vector<Recorded*> all;
      for (link::WorkerId w = 0; w < workers; ++w) {
        parts.push_back(std::make_unique<Recorded>(d, calls, WantedCauses{}, in_memory, &homes, w));
        all.push_back(parts.back().get());
      }
      std::mt19937 random(workers);
      // The last location has points that others find, and none of its own.
      for (Time t = 1; t < 20'000; t += 2) {
        const LocationId culprit{random() % locations}, waiter{random() % (locations - 1)};
        Recorded& finder = *all[random() % 4 == 0 ? random() % workers : homes.of(waiter)];
        const Time came = t > 300 ? t - 2 * (random() % 150) : t;
        for (Recorded* const to : {&alone, &finder}) {
          Point p = at(waiter, t + 1);
          p.culprit = to->add(at(culprit, came));
          p.wait = 1;
          to->add(p);
        }
      }
      all.front()->join(all, homes, workers);
      for (std::size_t l = 0; l < locations; ++l) {
        const std::vector<Found> expected = back(alone, LocationId{l}), found = back(*all.front(), LocationId{l});
        EXPECT_GT(expected.size(), 1000u);
        EXPECT_EQ(found.size(), expected.size());
        const auto same_place = [](const Found& a, const Found& b) { return a.enter == b.enter; };
        EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end(), same_place)) << l;
        const auto less = [](const Found& a, const Found& b) {
          return std::pair(a.enter, a.culprit) < std::pair(b.enter, b.culprit);
        };
        std::vector<Found> sorted = expected, of_found = found;  // points of one time may be in any order here
        std::sort(sorted.begin(), sorted.end(), less);
        std::sort(of_found.begin(), of_found.end(), less);
        EXPECT_TRUE(of_found == sorted) << l;
      }
      // Points that come later are put in order as well.
      all.front()->add(at(LocationId{1}, 5));
      const std::vector<Found> more = back(*all.front(), LocationId{1});
      EXPECT_TRUE(
          std::is_sorted(more.rbegin(), more.rend(), [](const Found& a, const Found& b) { return a.enter < b.enter; }));
    }
}

}  // namespace
}  // namespace waitstate::causes
