#include "causes/sweep/sweep.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "causes/sweep/part.hpp"
#include "util/helpers.hpp"

namespace waitstate::causes {

namespace {

std::size_t worthwhile_parts(const Recorded& of, unsigned threads) {
  constexpr std::size_t points_per_thread = 1 << 14;
  return std::min({std::size_t{threads}, std::size_t{std::max(1u, std::thread::hardware_concurrency())},
                   1 + of.points.size() / points_per_thread});
}

/// Locations next to each other, with as many points in each part as in the others.
std::vector<LocationRange> split(const Recorded& of, std::size_t count) {
  std::vector<LocationRange> parts;
  std::size_t last = 0, points = 0;
  for (std::size_t part = 0; part < count; ++part) {
    LocationRange range{last, last};
    const std::size_t enough = (part + 1) * (of.points.size() / count), left = count - part - 1;
    while (range.last < of.locations() - left && (range.size() == 0 || left == 0 || points < enough))
      points += of.points.size(LocationId{range.last++});
    last = range.last;
    parts.push_back(range);
  }
  return parts;
}

}  // namespace

JudgedDelays judge_all_waits(const History& history, std::size_t wanted, unsigned threads) {
  const Recorded& of = history.recorded;
  std::vector<LocationRange> parts;
  Mail<Waiter>* mail = nullptr;
  AnnouncedWaits* announced = nullptr;
  std::mutex mutex;
  JudgedDelays judged{.is_complete = of.lacking.empty()};
  const auto sweep = [&](std::size_t part) {
    const util::SharedReader reader(static_cast<unsigned>(part));
    try {
      JudgedDelays own = SweepPart(history, parts, part, *mail, *announced).run();
      const std::lock_guard lock(mutex);
      judged.is_complete = judged.is_complete && own.is_complete;
      judged.sums.merge(own.sums);
      for (const auto& [place, ticks] : own.sums) judged.sums[place] += ticks;  // sums that other parts have too
    } catch (...) {
      mail->fail(std::current_exception());
    }
  };
  util::Helpers helpers(std::min(wanted != 0 ? wanted : worthwhile_parts(of, threads), of.locations()), sweep);
  parts = split(of, helpers.count() + 1);
  Mail<Waiter> boxes(parts.size());
  mail = &boxes;
  AnnouncedWaits before(parts.size(), of.spill_beyond);
  announced = &before;
  if (parts.size() > 1) of.share(static_cast<unsigned>(parts.size()));
  helpers.go();
  sweep(0);
  helpers.join();
  if (parts.size() > 1) of.end_sharing();
  boxes.rethrow_failure();
  return judged;
}

}  // namespace waitstate::causes
