// Goes through the message queues in order of time, one process after the other: how long they were, how long entries
// stayed, and where in them they stood when they left.
//
// Entries that leave at a time do so before others enter; of those that leave together, the one that entered first
// leaves first. Cost: two steps in a heap and two in lists a message, each the logarithm of a queue's length. Memory:
// the entries that are in the queues at once, and a profile for each communicator of the process.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "analysis/queues/queue_entry.hpp"
#include "analysis/queues/queue_places.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "waitstate/result/message_queues.hpp"

namespace waitstate::analysis {

/// A list from which any entry may be removed, and which knows how many stand before it.
class PositionList {
 public:
  /// Numbers must ascend.
  void push_back(std::uint64_t number);
  /// Removes the entry; returns its place, from 1.
  std::uint64_t remove(std::uint64_t number);

 private:
  void rebuild();

  std::vector<std::uint64_t> numbers_;  ///< ascending; includes removed ones
  std::vector<std::uint32_t> counts_;   ///< numbers of entries, as a Fenwick tree from 1
  std::vector<bool> there_;
  std::size_t size_ = 0;
};

/// The equal parts into which the run is divided.
class QueueParts {
 public:
  QueueParts(Time from, Time to) : from_(from), to_(to) {}
  /// Calls `use` for each part that [begin, end) lies in.
  template <class Use>
  void during(Time begin, Time end, Use&& use) const {
    begin = std::max(begin, from_), end = std::min(end, to_);
    if (begin >= end) return;
    for (std::size_t i = part_of(begin); i < MessageQueues::part_count && begin_of(i) < end; ++i) {
      const Time a = std::max(begin, begin_of(i)), b = std::min(end, begin_of(i + 1));
      if (a < b) use(i, b - a);
    }
  }
  Time duration(std::size_t part) const { return begin_of(part + 1) - begin_of(part); }

 private:
  Time begin_of(std::size_t part) const {
    constexpr Time n = MessageQueues::part_count;
    const Time whole = to_ - from_;
    return from_ + whole / n * part + whole % n * part / n;
  }
  std::size_t part_of(Time t) const {
    std::size_t i = std::min<Time>(MessageQueues::part_count - 1,
                                   (t - from_) / std::max<Time>(1, (to_ - from_) / MessageQueues::part_count));
    while (i != 0 && begin_of(i) > t) --i;
    return i;
  }

  Time from_, to_;
};

/// One queue in one part of the run, or all such queues. Sums are exact, so that their order does not matter.
struct QueueInPart {
  std::uint64_t greatest = 0;                 ///< length
  __extension__ unsigned __int128 ticks = 0;  ///< length times the time that it had this length
  /// The mean length; 0 in a part without time.
  double mean(Time duration) const {
    return duration == 0 ? 0 : static_cast<double>(ticks) / static_cast<double>(duration);
  }
};

/// One queue of one process.
class QueueModel {
 public:
  /// `greatest` and `mean` say where the parts of a row have this queue; `first` is the first of the values that are
  /// charged to call paths; `places` is null if none are.
  QueueModel(const QueueParts& parts, std::uint64_t QueuePart::*greatest, double QueuePart::*mean, QueueValue first,
             QueuePlaces* places)
      : parts_(parts), greatest_(greatest), mean_(mean), first_(first), places_(places) {}

  /// Entries come in ascending order of `entered`. `left` is later; for an entry that remains it is the end of the run.
  void add(const QueueEntry& entry, Time entered, Time left, bool remains);
  /// Removes all entries, adds the result to the rows of the process (the first of which is for all communicators), and
  /// begins anew.
  void finish(std::vector<QueueRow>& rows, QueueProfile QueueRow::*member);
  /// Adds the queues of all processes to the parts of the run.
  void add_sums(std::vector<QueuePart>& parts) const;

 private:
  struct Count {  ///< the entries of all communicators, or of one
    QueueProfile profile;
    std::uint64_t length = 0;
    Time since = 0;                  ///< since when it is not empty
    Time changed = 0;                ///< when the length changed last
    std::vector<QueueInPart> parts;  ///< empty before the first entry
    void enter(Time t);
    void leave(Time entered, Time t);
  };
  struct SenderKey {
    std::uint32_t comm = 0, sender = 0;
    bool operator==(const SenderKey&) const = default;
    std::uint64_t hash() const { return util::spread(util::joined(comm, sender)); }
  };
  struct Comm {
    CommId id;
    Count count;
    PositionList list;
  };
  struct Inside {
    Time entered, left;
    std::uint32_t order;  ///< among unexpected messages whose receives one call posts
    std::uint64_t number;
    std::uint32_t comm, source;  ///< indexes; none for entries of no known communicator
    CallPathId path;
    LocationId location;
    bool remains;
    bool operator<(const Inside& other) const {  // the next one to leave is at the top of the heap
      return std::tie(left, order, number) > std::tie(other.left, other.order, other.number);
    }
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  void leave_until(Time t);
  void leave(const Inside& i);
  /// Records the length before it changes.
  void length_was(Count& count, Time until);
  void take(QueueRow& row, QueueProfile QueueRow::*member, const Count& count) const;
  /// The value charged at the place of an entry that has one.
  std::int64_t& charged(const Inside& i, std::size_t value) {
    return places_->at(i.path, i.location).values[index_of(first_) + value];
  }
  void charge(const Inside& i, std::uint64_t place, std::uint64_t of_source);
  void charge_length(const Inside& i);

  const QueueParts& parts_;
  std::array<QueueInPart, MessageQueues::part_count> sums_{};
  std::uint64_t QueuePart::*greatest_;
  double QueuePart::*mean_;
  QueueValue first_;
  QueuePlaces* places_;

  Count all_;
  std::uint64_t number_ = 0;
  std::priority_queue<Inside> inside_;
  util::FlatMap<SenderKey, std::uint32_t> comm_index_, source_index_;  ///< index into the table, plus 1
  std::vector<Comm> comms_;
  std::vector<PositionList> sources_;
};

class QueueSweep {
 public:
  /// `places` is null if nothing is charged to call paths.
  QueueSweep(Time from, Time to, QueuePlaces* places = nullptr);
  /// Entries come in the order of processes, then of QueueEntry::entered().
  void add(const QueueEntry& entry);
  MessageQueues finish();

 private:
  void finish_process();
  void drop_parts_of_short_ones();

  Time from_, to_;
  QueueParts parts_;
  QueueModel posted_, unexpected_;
  MessageQueues result_;
  ProcessId process_;
  std::vector<std::size_t> with_parts_;  ///< rows that have parts
};

}  // namespace waitstate::analysis
