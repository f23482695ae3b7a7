// The steps of each location (replay/chunk/step_record.hpp), in their order, kept until the trace has been read.
//
// Chunks come in an order that is near that of time, and so lie the steps of all locations together: beyond the limit
// they go into a scratch file, page by page, and as somebody goes through the trace from its begin, a page comes back
// once. What a chunk has of a location is a piece; each piece tells which one follows it.
//
// Each worker has a log of the steps of its locations, in one bank. When all has been read the logs of all become one;
// several threads may then read it, each of them other banks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "link/listener.hpp"
#include "replay/chunk/step_record.hpp"
#include "util/spill/spilled_vector.hpp"

namespace waitstate::causes {

class StepLog {
  struct Piece {
    std::uint64_t first = 0;
    std::uint32_t steps = 0;
    std::uint32_t after = none;  ///< the location's next piece
  };

 public:
  /// `spill_beyond`: bytes that stay in memory.
  StepLog(std::size_t locations, std::size_t spill_beyond) : locations_(locations) {
    banks_.push_back(std::make_unique<Bank>(spill_beyond));
  }

  // While the trace is read: see link::Listener.
  std::uint64_t add(LocationId l, std::span<const replay::StepRecord> steps);
  void set_other(std::uint32_t step, std::uint64_t other) {
    change(step, [&](replay::StepRecord& s) { s.other = other; });
  }
  void set_number(std::uint32_t step, std::uint64_t number) {
    change(step, [&](replay::StepRecord& s) { s.number = number; });
  }
  void set_operation(std::uint32_t step, const link::RequestedOperation& o) {
    change(step, [&](replay::StepRecord& s) {
      s.on = o.comm.value, s.op = o.op, s.number = o.number, s.other = o.ends_at.value;
    });
  }

  std::size_t banks() const { return banks_.size(); }
  /// The bank that has the location's steps.
  std::size_t bank_of(LocationId l) const { return locations_[l.index()].bank; }
  /// The number of steps of all locations.
  std::size_t size() const;

  /// Takes over the steps of these locations, which another worker has read.
  void join(StepLog& other, const std::vector<LocationId>& locations);
  /// Brings the steps of these locations, the only ones that have any, to a log of another process that has none.
  template <class Archive>
  void travel(Archive& archive, const std::vector<LocationId>& locations) {
    archive(banks_.front()->pieces, banks_.front()->steps);
    for (const LocationId l : locations) archive(locations_[l.index()]);
  }

  /// Somebody who goes through the steps of a location.
  class Reader {
   public:
    /// The next step, and the low half of its number; none behind the last one.
    std::optional<replay::StepRecord> next(const StepLog& log, LocationId l);
    std::uint32_t number() const { return static_cast<std::uint32_t>(next_ - 1); }

   private:
    std::uint64_t next_ = 0, end_ = 0;  ///< in the piece
    std::uint32_t after_ = none;        ///< the piece behind it
    bool has_begun_ = false;
  };

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct Bank {
    explicit Bank(std::size_t spill_beyond) : pieces(spill_beyond), steps(spill_beyond) {}
    util::SpilledVector<Piece> pieces;
    util::SpilledVector<replay::StepRecord> steps;
  };
  struct OfLocation {
    std::uint32_t first = none, last = none;  ///< pieces
    std::uint32_t bank = 0;

    template <class Archive>
    void travel(Archive& archive) {
      archive(first, last);
    }
  };

  // The step of that low half: the latest one, as nobody asks for one that lies 2^32 steps back.
  template <class Change>
  void change(std::uint32_t step, Change&& change) {
    util::SpilledVector<replay::StepRecord>& steps = banks_.front()->steps;
    const auto back = static_cast<std::uint32_t>(steps.size() - 1) - step;
    steps.change(steps.size() - 1 - back, change);
  }

  std::vector<std::unique_ptr<Bank>> banks_;
  std::vector<OfLocation> locations_;
};

}  // namespace waitstate::causes
