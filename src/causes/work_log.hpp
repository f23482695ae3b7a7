// What all locations did, kept until patterns ask for it at the end: see waitstate/pattern/work.hpp.
//
// Chunks come in an order that is near that of time, and so lie cuts (16 bytes each), shares (8) and marks (24), of
// all locations together: beyond the limit they go into scratch files, page by page, and as patterns go through the
// trace from its end, a page comes back once. What a chunk tells of a location is a piece; pieces of a location point
// to each other. Of a location only where its last piece is stays in memory, and the piece that was looked at last,
// from which the next one is found in a few steps.
//
// take() is called by the linking thread, everything else when that has ended: then by several threads at once, each
// for locations of its own, while it is shared.
#pragma once

#include <vector>

#include "link/listener.hpp"
#include "waitstate/pattern/spilled_vector.hpp"
#include "waitstate/pattern/work.hpp"

namespace waitstate::causes {

class WorkLog final : public Work {
 public:
  WorkLog(std::size_t locations, std::size_t spill_beyond, unsigned threads)
      : spill_beyond_(spill_beyond),
        threads_(threads),
        pieces_(spill_beyond),
        cuts_(spill_beyond),
        shares_(spill_beyond),
        marks_(spill_beyond),
        locations_(locations) {}

  void take(const link::LocationWork& work);

  bool used(LocationId l) const override { return locations_[l.index()].last != none; }
  Time last_time(LocationId l) const override { return used(l) ? pieces_[locations_[l.index()].last].last : 0; }
  void add(LocationId l, std::optional<Time> from, std::optional<Time> to, PathTimes& times) const override;
  void each(const std::function<void(LocationId, CallPathId, Ticks)>& visit) const override;
  std::optional<Time> last_cut(LocationId l, Time t) const override;
  void each_mark(const std::function<void(const WorkMark&)>& visit) const override {
    marks_.each(0, marks_.size(), visit);
  }
  std::size_t spill_beyond() const override { return spill_beyond_; }
  unsigned threads() const override { return threads_; }
  void share(unsigned readers) const override { pieces_.share(readers), cuts_.share(readers), shares_.share(readers); }
  void end_sharing() const override { pieces_.end_sharing(), cuts_.end_sharing(), shares_.end_sharing(); }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// What a chunk tells; the shares behind its last cut belong to the next piece.
  struct Piece {
    LocationId location;
    std::uint32_t before = none, after = none;  ///< of the location
    std::uint32_t cuts = 0;                     ///< their number, at least 1
    std::size_t first_cut = 0, first_share = 0;
    Time last = 0;  ///< of its last cut
  };
  struct Cut {
    Time time;
    std::size_t shares;  ///< end of those that lie before it
  };
  struct Share {
    std::uint32_t callpath;
    std::uint32_t ticks;  ///< a longer time is many of them
  };
  struct Near {
    std::uint32_t number = none;
    Piece piece{};
    Time last_before = 0;  ///< of the piece before it

    void go_to(const SpilledVector<Piece>& pieces, std::uint32_t to);
  };
  struct OfLocation {
    std::uint32_t last = none;
    mutable Near near{};                            ///< looked at last
    mutable std::uint32_t begin = 0, end = 0;       ///< cuts of a piece where a span began and ended last
    std::vector<link::LocationWork::Share> open{};  ///< behind the last cut
  };
  /// A cut: a piece and a number in it.
  struct Place {
    std::uint32_t piece = none;
    std::uint32_t cut = 0;
  };

  void put(CallPathId callpath, Ticks ticks);
  Place find(const OfLocation& of, Time t, std::uint32_t& hint) const;
  Time time(const Piece& p, std::uint32_t cut) const { return cuts_[p.first_cut + cut].time; }

  const std::size_t spill_beyond_;
  const unsigned threads_;
  SpilledVector<Piece> pieces_;
  SpilledVector<Cut> cuts_;
  SpilledVector<Share> shares_;
  SpilledVector<WorkMark> marks_;
  std::vector<Cut> new_cuts_;  ///< of one chunk, on their way into the log
  std::vector<Share> new_shares_;
  std::vector<OfLocation> locations_;
};

}  // namespace waitstate::causes
