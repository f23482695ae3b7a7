// Times between cuts as a slow sum over all of them gives them, whatever the chunks, and however much is in memory.
#include "causes/work_log.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace waitstate::causes {
namespace {

constexpr std::size_t paths = 5, locations = 3;

/// The work of all locations as rows.
struct Slow {
  struct Row {
    std::optional<Time> cut;  // a time in a call path if not set
    std::size_t callpath = 0;
    Ticks ticks = 0;
  };
  std::vector<Row> rows[locations];

  /// From the first cut that is not before `from` to that of `to`; the last one where there is none.
  std::string between(std::size_t l, std::optional<Time> from, std::optional<Time> to) const {
    const auto place = [&](Time t) {
      std::size_t found = 0;
      for (std::size_t i = 0; i < rows[l].size(); ++i)
        if (rows[l][i].cut) {
          found = i;
          if (*rows[l][i].cut >= t) break;
        }
      return found;
    };
    std::map<std::size_t, Ticks> sums;
    const std::size_t first = from ? place(*from) : 0, last = place(to ? *to : ~Time{0});
    for (std::size_t i = first; i < last; ++i)
      if (!rows[l][i].cut) sums[rows[l][i].callpath] += rows[l][i].ticks;
    std::string text;
    for (const auto& [path, ticks] : sums) text += fmt::format("{}:{} ", path, ticks);
    return text;
  }
};

std::string found(const WorkLog& log, std::size_t l, std::optional<Time> from, std::optional<Time> to) {
  PathTimes times(paths);
  log.add(LocationId{l}, from, to, times);
  std::string text;
  for (std::size_t p = 0; p < paths; ++p)
    if (times[CallPathId{p}] != 0) text += fmt::format("{}:{} ", p, times[CallPathId{p}]);
  return text;
}

TEST(WorkLog, AddsUpWhatLiesBetweenCuts) {
  std::mt19937 random(3);
  const auto below = [&](unsigned n) { return static_cast<std::size_t>(random() % n); };
  for (const std::size_t in_memory : {std::size_t{0}, std::size_t{1} << 30}) {
    WorkLog log(locations, in_memory);
    Slow slow;
    Time now[locations] = {};
    for (int chunk = 0; chunk < 3000; ++chunk) {
      const std::size_t l = below(locations - 1);  // the last one does nothing
      std::vector<replay::WorkCutRecord> cuts;
      std::vector<link::LocationWork::Share> shares;
      for (std::size_t n = below(20); n-- > 0;) {
        if (below(3) == 0) {
          now[l] += below(3);
          cuts.push_back({now[l], shares.size()});
          slow.rows[l].push_back({now[l], 0, 0});
        } else {
          const std::size_t path = below(paths);
          const Ticks ticks = below(50) == 0 ? Ticks{20'000'000'000} : static_cast<Ticks>(1 + below(9));
          shares.push_back({CallPathId{path}, ticks});
          slow.rows[l].push_back({std::nullopt, path, ticks});
        }
      }
      log.take({LocationId{l}, cuts, shares, {}});
    }
    for (int i = 0; i < 300; ++i) {
      const std::size_t l = below(locations);
      std::optional<Time> from, to;
      if (below(4) != 0) from = below(static_cast<unsigned>(now[0]) + 10);
      if (below(4) != 0) to = from.value_or(0) + below(100);
      const std::string expected = log.used(LocationId{l}) ? slow.between(l, from, to) : "";
      ASSERT_EQ(found(log, l, from, to), expected) << l << ' ' << from.value_or(0) << ' ' << to.value_or(0);
    }
    for (int i = 0; i < 300; ++i) {
      const std::size_t l = below(locations);
      const Time t = below(static_cast<unsigned>(now[0]) + 10);
      std::optional<Time> expected;
      for (const Slow::Row& r : slow.rows[l])
        if (r.cut && *r.cut <= t) expected = r.cut;
      ASSERT_EQ(log.last_cut(LocationId{l}, t), expected) << l << ' ' << t;
    }
    EXPECT_FALSE(log.used(LocationId{locations - 1}));
    std::vector<PathTimes> all(locations, PathTimes(paths));
    ASSERT_EQ(log.banks(), 1u);
    log.each_of_bank(0, [&](LocationId l, CallPathId c, Ticks ticks) { all[l.index()].add(c, ticks); });
    for (std::size_t l = 0; l < locations; ++l) {
      PathTimes times(paths);
      log.add(LocationId{l}, std::nullopt, std::nullopt, times);
      for (std::size_t p = 0; p < paths; ++p) EXPECT_EQ(all[l][CallPathId{p}], times[CallPathId{p}]) << l << ' ' << p;
    }
  }
}

}  // namespace
}  // namespace waitstate::causes
