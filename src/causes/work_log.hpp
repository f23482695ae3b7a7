// The work of each location, as time per call path from one cut to the next one, kept until the trace has been read.
//
// A *cut* of a location is where it enters an MPI or SHMEM call, a barrier of a team, a taskwait or a function of
// locks, enters or leaves a kernel, launches one, where it releases a lock, creates a task, goes on with a task or
// leaves it, forks or joins a team, enters its parallel region, or enters or leaves a region in an MPI or SHMEM call.
// Cuts are noted where a location is replayed (replay/for_causes/work_replay.hpp), so that no order among locations is
// needed. Time outside of every region is nobody's. What threads do in a team within a team is theirs as outside of
// one. From the parallel region of a team to the join its time is the region's, whatever its first thread is in, but
// for tasks; on other threads what follows the enter of the last barrier, and the tasks there, is left out, unless
// WantedCauses::plain asks for it. The time from fork to region is left out too.
//
// Chunks come in an order that is near that of time, and so lie cuts (16 bytes each), shares (8) and marks (24), of
// all locations together: beyond the limit they go into scratch files, page by page, and as somebody goes back through
// the trace from its end, a page comes back once. What a chunk tells of a location is a piece; pieces of a location
// point to each other. For each location only the number of its last piece stays in memory, and the piece that was
// looked at last, from which the next one is found in a few steps.
//
// Each worker has a log of the work of its locations, in one bank. When all has been read the logs of all become one.
//
// take() is called by the linking thread, everything else when that has ended: then by several threads at once, each
// for locations of its own, while it is shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "causes/path_times.hpp"
#include "link/listener.hpp"
#include "util/spill/spilled_vector.hpp"

namespace waitstate::causes {

class WorkLog {
 public:
  /// `spill_beyond`: bytes of each kind that stay in memory.
  WorkLog(std::size_t locations, std::size_t spill_beyond) : locations_(locations) {
    banks_.push_back(std::make_unique<Bank>(spill_beyond));
  }

  /// Takes over what the log of another worker has, and the work of these locations, which are that worker's own.
  void join(WorkLog& other, const std::vector<LocationId>& locations);
  /// Brings the work of these locations, the only ones that have any, to a log of another process that has none.
  template <class Archive>
  void travel(Archive& archive, const std::vector<LocationId>& locations) {
    Bank& bank = *banks_.front();
    archive(bank.pieces, bank.cuts, bank.shares, bank.marks);
    for (const LocationId l : locations) archive(locations_[l.index()]);
  }
  void take(const link::LocationWork& work);

  /// True if the location has entered something.
  bool used(LocationId l) const { return locations_[l.index()].last != none; }
  /// Time of the location's last enter or exit.
  Time last_time(LocationId l) const {
    const OfLocation& of = locations_[l.index()];
    return used(l) ? bank(of).pieces[of.last].last : 0;
  }
  /// Adds what the location did from the first cut that is not before `from`, to that of `to`; none: its begin, its
  /// end. Costs little where those asked for before were near.
  void add(LocationId l, std::optional<Time> from, std::optional<Time> to, PathTimes& times) const;
  /// Banks, whose work different threads may look at at once. A location's work is in one of them.
  std::size_t banks() const { return banks_.size(); }
  /// All that add() has of the whole locations of a bank, in the order of reading; a call path of a location comes many
  /// times.
  void each_of_bank(std::size_t bank, const std::function<void(LocationId, CallPathId, Ticks)>& visit) const;
  /// The location's last cut that is not after t, none if there is none.
  std::optional<Time> last_cut(LocationId l, Time t) const;
  /// Marks of a location in their order; those of different locations in the order of reading.
  void each_mark(const std::function<void(const replay::WorkMark&)>& visit) const {
    for (const auto& b : banks_) b->marks.each(0, b->marks.size(), visit);
  }
  /// Until end_sharing() so many threads may ask at once, each for other locations, as a util::SharedReader.
  void share(unsigned readers) const {
    for (const auto& b : banks_) b->pieces.share(readers), b->cuts.share(readers), b->shares.share(readers);
  }
  void end_sharing() const {
    for (const auto& b : banks_) b->pieces.end_sharing(), b->cuts.end_sharing(), b->shares.end_sharing();
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// The part that a chunk told; the shares behind its last cut belong to the next piece.
  struct Piece {
    LocationId location;
    std::uint32_t before = none, after = none;  ///< pieces of the same location
    std::uint32_t cuts = 0;                     ///< their number, at least 1
    std::size_t first_cut = 0, first_share = 0;
    Time last = 0;  ///< time of its last cut
  };
  struct Cut {
    Time time;
    std::size_t shares;  ///< end of the shares that lie before it
  };
  struct Share {
    std::uint32_t callpath;
    std::uint32_t ticks;  ///< a longer time is many of them
  };
  /// The logs of a worker; its locations know their last piece in it.
  struct Bank {
    explicit Bank(std::size_t spill_beyond)
        : pieces(spill_beyond), cuts(spill_beyond), shares(spill_beyond), marks(spill_beyond) {}
    Time time(const Piece& p, std::uint32_t cut) const { return cuts[p.first_cut + cut].time; }

    util::SpilledVector<Piece> pieces;
    util::SpilledVector<Cut> cuts;
    util::SpilledVector<Share> shares;
    util::SpilledVector<replay::WorkMark> marks;
  };
  struct Near {
    std::uint32_t number = none;
    Piece piece{};
    Time last_before = 0;  ///< time of the last cut of the piece before it

    void go_to(const util::SpilledVector<Piece>& pieces, std::uint32_t to);
  };
  struct OfLocation {
    std::uint32_t last = none;
    std::uint32_t bank = 0;
    mutable Near near{};                            ///< looked at last
    mutable std::uint32_t begin = 0, end = 0;       ///< cuts of a piece where a span began and ended last
    std::vector<link::LocationWork::Share> open{};  ///< behind the last cut

    template <class Archive>
    void travel(Archive& archive) {
      archive(last, bank, open);
    }
  };
  /// A cut: a piece and a number in it.
  struct CutPlace {
    std::uint32_t piece = none;
    std::uint32_t cut = 0;
  };

  void put(CallPathId callpath, Ticks ticks);
  CutPlace find(const OfLocation& of, Time t, std::uint32_t& hint) const;
  Bank& bank(const OfLocation& of) { return *banks_[of.bank]; }
  const Bank& bank(const OfLocation& of) const { return *banks_[of.bank]; }

  std::vector<std::unique_ptr<Bank>> banks_;
  std::vector<Cut> new_cuts_;  ///< the cuts of one chunk, on their way into the log
  std::vector<Share> new_shares_;
  std::vector<OfLocation> locations_;
};

}  // namespace waitstate::causes
