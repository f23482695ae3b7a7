// The log of each location that its points are kept in, in the order in which they came.
//
// Logs lie in chunks of 64 points in one vector, beyond a limit in a scratch file (util/spill/spilled_vector.hpp), in
// the order in which chunks were begun, which is near that of time: what ten thousand locations do at one time lies
// side by side. A point takes 72 bytes, and a chunk 4 in memory.
//
// Each worker has a log of the points of its locations. When all has been read the logs of all become one: each
// location's points stay in the vector, the bank, that they were put into.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "causes/points/point.hpp"
#include "util/spill/spilled_vector.hpp"

namespace waitstate::causes {

class PointLog {
 public:
  static constexpr std::uint32_t per_chunk = 64;

  PointLog(std::size_t locations, std::size_t bytes_in_memory) : logs_(locations) {
    banks_.push_back(std::make_unique<Bank>(bytes_in_memory));
  }

  /// Takes over the points of these locations, which another worker has read.
  void join(PointLog& other, const std::vector<LocationId>& locations);
  /// Brings the points of these locations, the only ones that have any, to a log of another process that has none.
  template <class Archive>
  void travel(Archive& archive, const std::vector<LocationId>& locations) {
    Bank& bank = *banks_.front();
    archive(bank.points, bank.chunks, bank.size);
    for (const LocationId l : locations) archive(logs_[l.index()]);
  }
  /// Number of points of all locations.
  std::size_t size() const;
  std::uint32_t size(LocationId l) const { return logs_[l.index()].size; }
  std::size_t locations() const { return logs_.size(); }
  /// The name that the location's next point will have, of a location that is the worker's own.
  PointId next(LocationId l) const { return {l, size(l)}; }
  /// Throws std::length_error if the location has more points than there are numbers.
  PointId push_back(const Point& p);
  Point at(PointId id) const { return bank(id.location).points[place(id)]; }
  void set(PointId id, const Point& p) { bank(id.location).points.set(place(id), p); }
  /// Fetches a point that will be asked for soon.
  void prefetch(PointId id) const { bank(id.location).points.prefetch(place(id), 1); }
  /// Fetches points ahead of somebody who goes back over a location's points.
  void prefetch_before(PointId id) const {
    constexpr std::uint32_t count = 16;
    if (id.number % count == 0 && id.number >= count)
      bank(id.location).points.prefetch(place({id.location, id.number - count}), count);
  }
  /// change(Point&), which must not look at the log.
  template <class Change>
  void change(PointId id, Change&& change) {
    bank(id.location).points.change(place(id), change);
  }
  /// visit(const Point&) for all as they lie, near the order of time. Places that are left free come as points that do
  /// not wait. It must not look at the log.
  template <class Visit>
  void each(Visit&& visit) const {
    for (const auto& b : banks_) b->points.each(0, b->points.size(), visit);
  }
  /// Banks, whose points different threads may look at at once. A location's points are in one of them.
  std::size_t banks() const { return banks_.size(); }
  /// visit(PointId, const Point&) for the points of a bank as they lie; those of a location come in the order of their
  /// numbers. It must not look at the log.
  template <class Visit>
  void each_of_bank(std::size_t bank, Visit&& visit) const {
    const std::vector<PointId> firsts = chunks_of_bank(bank);
    const auto& points = banks_[bank]->points;
    for (std::size_t chunk = 0; chunk < firsts.size(); ++chunk) {
      PointId id = firsts[chunk];
      const std::size_t first = chunk * per_chunk, count = std::min(per_chunk, size(id.location) - id.number);
      points.each(first, first + count, [&](const Point& p) {
        visit(id, p);
        ++id.number;
      });
    }
  }
  /// Called with the first point of a chunk and the one behind its last point.
  using VisitChunk = std::function<void(PointId, PointId)>;
  /// The chunks of the locations [first, last), in the order in which they were begun: near that of time, so whoever
  /// looks at many locations at once looks at each page once. `visit` must not add points.
  void chunks(std::size_t first, std::size_t last, const VisitChunk& visit) const;
  /// Like chunks(), from the last chunk on.
  void chunks_back(std::size_t first, std::size_t last, const VisitChunk& visit) const;
  /// SpilledPages::share().
  void share(unsigned readers) const {
    for (const auto& b : banks_) b->points.share(readers);
  }
  void end_sharing() const {
    for (const auto& b : banks_) b->points.end_sharing();
  }

 private:
  struct Bank {
    explicit Bank(std::size_t bytes_in_memory) : points(bytes_in_memory) {}
    util::SpilledVector<Point> points;
    std::uint32_t chunks = 0;
    std::size_t size = 0;  ///< number of points
  };
  struct Log {
    std::vector<std::uint32_t> chunks{};
    std::uint32_t size = 0;
    std::uint32_t bank = 0;

    template <class Archive>
    void travel(Archive& archive) {
      archive(chunks, size, bank);
    }
  };
  Bank& bank(LocationId l) { return *banks_[logs_[l.index()].bank]; }
  const Bank& bank(LocationId l) const { return *banks_[logs_[l.index()].bank]; }
  std::size_t place(PointId id) const {
    return std::size_t{logs_[id.location.index()].chunks[id.number / per_chunk]} * per_chunk + id.number % per_chunk;
  }
  /// The first point of each chunk.
  std::vector<PointId> chunks_of_bank(std::size_t bank) const;
  template <bool back>
  void each_chunk(std::size_t first, std::size_t last, const VisitChunk& visit) const;

  std::vector<std::unique_ptr<Bank>> banks_;
  std::vector<Log> logs_;
};

}  // namespace waitstate::causes
