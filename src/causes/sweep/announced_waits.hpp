// Waits for points of other parts of a sweep (part.hpp), which these parts have to know before the sweep begins: a
// point is judged when all waits for it have been told.
//
// Each part finds the waits of its own locations, and announces those whose culprit is of another part there. It hands
// on some hundreds at a time, so that parts hardly ever wait for each other. Memory: 8 bytes a wait between parts,
// spilled, until the part has taken them; and 2 KiB for each pair of parts.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "causes/points/point.hpp"
#include "util/spill/spilled_vector.hpp"

namespace waitstate::causes {

class AnnouncedWaits {
  struct Box {
    explicit Box(std::size_t bytes_in_memory) : culprits(std::in_place, bytes_in_memory) {}
    std::mutex mutex;
    std::optional<util::SpilledVector<PointId>> culprits;
  };

 public:
  /// `bytes_in_memory`: of all parts together.
  AnnouncedWaits(std::size_t parts, std::size_t bytes_in_memory) {
    for (std::size_t p = 0; p < parts; ++p) boxes_.emplace_back(bytes_in_memory / parts);
  }

  /// The waits that one part announces; all of them have arrived when it has been flushed.
  class Sender {
   public:
    explicit Sender(AnnouncedWaits& all) : boxes_(all.boxes_), batches_(all.boxes_.size()) {}
    /// One of the part's locations waits for that point, which is of the part `to`.
    void add(std::size_t to, PointId culprit) {
      std::vector<PointId>& batch = batches_[to];
      batch.push_back(culprit);
      if (batch.size() == per_batch) send(to);
    }
    void flush() {
      for (std::size_t to = 0; to < batches_.size(); ++to) send(to);
      batches_ = {};
    }

   private:
    static constexpr std::size_t per_batch = 256;
    void send(std::size_t to) {
      std::vector<PointId>& batch = batches_[to];
      if (batch.empty()) return;
      const std::lock_guard lock(boxes_[to].mutex);
      boxes_[to].culprits->append(batch.data(), batch.size());
      batch.clear();
    }

    std::deque<Box>& boxes_;
    std::vector<std::vector<PointId>> batches_;  ///< by part
  };

  /// visit(PointId) of each point that others wait for, once for each wait; when all senders have been flushed.
  template <class Visit>
  void take(std::size_t part, Visit&& visit) {
    std::optional<util::SpilledVector<PointId>>& culprits = boxes_[part].culprits;
    culprits->each(0, culprits->size(), visit);
    culprits.reset();
  }

 private:
  std::deque<Box> boxes_;  ///< by part
};

}  // namespace waitstate::causes
