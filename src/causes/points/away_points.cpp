#include "causes/points/away_points.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

#include "util/in_threads.hpp"

namespace waitstate::causes {

using link::WorkerId;

AwayPoints::AwayPoints(const link::Homes& homes, WorkerId own, std::size_t bytes_in_memory)
    : homes_(&homes), own_(own) {
  const std::size_t of_each = bytes_in_memory / homes.workers();
  for (std::size_t w = 0; w < homes.workers(); ++w) boxes_.push_back(std::make_unique<Box>(of_each));
  waiting_ = std::make_unique<util::SpilledVector<PointId>>(of_each);
}

PointId AwayPoints::add(const Point& p) {
  Box& box = *boxes_[homes_->of(p.location)];
  if (box.points.size() == PointId::no_number)
    throw std::length_error("a worker has more than 2,147,483,647 points of causes for another one");
  const PointId id{p.location, static_cast<std::uint32_t>(box.points.size()) | PointId::away};
  box.points.push_back(p);
  return id;
}

void AwayPoints::take_all(std::span<AwayPoints* const> workers, PointLog& log, PointOrder& order, unsigned threads,
                          const util::StopCheck& stop) {
  const std::size_t homes = workers.size();
  const auto number = [](std::size_t home) { return static_cast<WorkerId>(home); };
  util::in_threads(threads, homes,
                   [&](std::size_t home, std::size_t) { put_into_log(workers, number(home), log, stop); });
  for (AwayPoints* const w : workers)
    for (const auto& box : w->boxes_) box->numbers.share(std::max(1u, threads));
  util::in_threads(threads, homes, [&](std::size_t home, std::size_t thread) {
    const util::SharedReader reader(static_cast<unsigned>(thread));
    name_culprits(workers, number(home), log, stop);
    put_in_order(workers, number(home), order, stop);
  });
  for (AwayPoints* const w : workers)
    for (const auto& box : w->boxes_) box->numbers.end_sharing();
}

void AwayPoints::put_into_log(std::span<AwayPoints* const> workers, WorkerId home, PointLog& log,
                              const util::StopCheck& stop) {
  for (AwayPoints* const w : workers) {
    Box& box = *w->boxes_[home];
    box.points.each(0, box.points.size(), [&](const Point& p) {
      stop();
      box.numbers.push_back(log.push_back(p).number);
    });
  }
}

void AwayPoints::name_culprits(std::span<AwayPoints* const> workers, WorkerId home, PointLog& log,
                               const util::StopCheck& stop) {
  const AwayPoints& own = *workers[home];
  const auto name = [&](const AwayPoints& of, PointId id) {
    log.change(id, [&](Point& p) { p.culprit = of.in_log(p.culprit); });
  };
  const auto& waiting = *own.waiting_;
  waiting.each(0, waiting.size(), [&](const PointId& id) { name(own, id); });
  for (const AwayPoints* const w : workers) {
    const Box& box = *w->boxes_[home];
    std::size_t n = 0;
    box.points.each(0, box.points.size(), [&](const Point& p) {
      stop();
      const PointId id{p.location, box.numbers[n++]};
      if (p.culprit.is_away()) name(*w, id);
    });
  }
}

// As many locations at a time as have a million points together.
void AwayPoints::put_in_order(std::span<AwayPoints* const> workers, WorkerId home, PointOrder& order,
                              const util::StopCheck& stop) {
  constexpr std::size_t most = std::size_t{1} << 20;
  std::map<LocationId, std::size_t> counts;
  for (const AwayPoints* const w : workers) {
    const auto& points = w->boxes_[home]->points;
    points.each(0, points.size(), [&](const Point& p) { ++counts[p.location]; });
  }
  for (auto next = counts.begin(); next != counts.end();) {
    std::map<LocationId, std::vector<std::uint32_t>> numbers;
    for (std::size_t sum = 0; next != counts.end() && (sum == 0 || sum + next->second <= most); ++next) {
      numbers[next->first].reserve(next->second);
      sum += next->second;
    }
    for (const AwayPoints* const w : workers) {
      const Box& box = *w->boxes_[home];
      std::size_t n = 0;
      box.points.each(0, box.points.size(), [&](const Point& p) {
        const std::size_t at = n++;
        if (const auto of = numbers.find(p.location); of != numbers.end()) of->second.push_back(box.numbers[at]);
      });
    }
    for (const auto& [location, all] : numbers) {
      stop();
      order.put_in_order(location, all);
    }
  }
}

}  // namespace waitstate::causes
