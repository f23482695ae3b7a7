// One pass over a trace: decodes locations chunk by chunk on several threads, links the chunks one after the other, and
// hands them on to the merge if somebody wants all events in one order.
//
// Decoding and replaying need one location only, so all threads do it; linking needs all of them, so one thread does
// it, the one that called run(), which also merges and calls the patterns. It decodes like the others whenever it has
// nothing else to do. None waits for another unless there is nothing to do at all. Each of several workers has a pass
// over its own locations, and one thread (run_as_worker()).
//
// Which location is linked next depends on what has been linked already and on nothing else (link_order.hpp), so
// results, call path numbers and the order of all callbacks are the same for any number of threads. Locations advance
// side by side, in their process's time or, if there is a merge, by the clock: so what is open between them stays as
// small as it was in the run. At most a few decoded chunks per thread wait to be linked.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "link/exchange/exchange.hpp"
#include "link/linker.hpp"
#include "pass/event_index.hpp"
#include "pass/link_order.hpp"
#include "pass/read_location.hpp"
#include "pass/rounds.hpp"
#include "pass/time_damage.hpp"
#include "pass/trace_input.hpp"
#include "replay/location_replay.hpp"
#include "util/paged_table.hpp"

namespace waitstate::merge {
class Merge;
}

namespace waitstate::pass {

struct PassOptions {
  unsigned threads = 0;
  std::size_t chunk_events = 0;
  bool attribute_lists = false;
  std::function<void(std::uint64_t done, std::uint64_t announced)> progress;
  Time from = 0, to = ~Time{0};  ///< the time that the locations' profiles cover; see Focus
  bool counters = false;         ///< see LocationReplay::Options
  EventIndex* index = nullptr;   ///< to be made, if not null
};

class Pass {
 public:
  /// How many threads a pass with these options uses.
  static unsigned threads(const Definitions& definitions, const PassOptions& options);

  /// `merge` may be null: then events are not kept beyond what linking needs. `own`: the locations that are read, if
  /// not all.
  Pass(TraceInput& input, link::Linker& linker, merge::Merge* merge, const PassOptions& options,
       std::optional<std::vector<LocationId>> own = std::nullopt);

  /// Reads the whole trace. Rethrows what the linker's listener or the merge's consumer throws.
  void run();
  /// One of several workers, which reads its own locations only and exchanges with the others what concerns both.
  /// `done` counts the events of all. Ends early if the exchange has been stopped.
  void run_as_worker(link::Exchange& exchange, link::WorkerId worker, std::atomic<std::uint64_t>& done);

  /// After run(): what is known of one of its locations alone.
  ReadLocation read(LocationId l) const;
  /// The locations that it reads.
  const std::vector<LocationId>& own() const { return own_; }
  const replay::LocationReplay& replay(LocationId l) const { return *tasks_[l.index()].replay; }
  const link::Linker& linker() const { return linker_; }
  /// After run(), once: sums of counters outside of segments.
  std::vector<replay::PathCounter> take_counters(LocationId l) { return tasks_[l.index()].replay->take_counters(); }
  /// After run(), once: how accumulated counters moved.
  std::vector<std::pair<MetricMemberId, replay::CounterMoves>> take_counter_moves(LocationId l) {
    return tasks_[l.index()].replay->take_counter_moves();
  }
  /// Largest number of decoded chunks that waited to be linked (for figures on memory).
  std::size_t most_ready() const { return most_ready_; }
  /// Adds what readers and replays of its locations found.
  void collect(Damage& damage) const;
  /// When all that was found has been taken: frees readers and replays, some 8 KiB a location.
  void forget();

 private:
  struct Task {
    std::unique_ptr<replay::LocationReplay> replay;
    std::unique_ptr<replay::Chunk> ready;  ///< decoded, to be linked
    std::size_t group = 0;
    std::uint64_t events = 0;  ///< number of events that were read
    bool reading = false, read_to_end = false;
  };

  void work(bool links);
  bool is_too_far(Ticks least_of_all) const;
  void wait(std::unique_lock<std::mutex>& lock, bool links);
  void decode(LocationId l, replay::Chunk& chunk);
  void link(std::unique_ptr<replay::Chunk> chunk);
  void process(std::unique_ptr<replay::Chunk> chunk);
  Ticks progress(LocationId l) const;
  LocationId choose_ahead() const;
  bool free_to_read(LocationId l) const;
  std::unique_ptr<replay::Chunk> take_chunk();
  TraceInput& input_;
  link::Linker& linker_;
  merge::Merge* const merge_;
  PassOptions options_;
  unsigned threads_;
  std::size_t chunk_events_;
  std::vector<LocationId> own_;
  std::uint64_t announced_ = 0, done_ = 0;
  Time covered_ = 0;  ///< sum of the times that chunks covered
  std::uint64_t chunks_ = 0;

  std::mutex mutex_;
  std::condition_variable arrived_;         ///< a chunk has been decoded; the linking thread waits for it
  std::condition_variable room_;            ///< chunks have been linked; the other threads wait for it
  std::size_t idle_ = 0;                    ///< threads that wait for room
  std::uint64_t linked_ = 0, wake_at_ = 0;  ///< chunks linked so far; how many it takes until they go on
  bool linker_waits_ = false;
  util::PagedTable<Task> tasks_;
  std::vector<std::unique_ptr<ReaderGroup>> groups_;
  std::vector<bool> group_busy_;
  Rounds rounds_;
  std::vector<std::unique_ptr<replay::Chunk>> spare_;
  LinkOrder<link::Linker> order_;
  LocationId wanted_;   ///< the location whose next chunk is linked next; none at the end
  LocationId linking_;  ///< the location whose chunk is being linked; none if none is
  std::size_t ready_count_ = 0, reading_count_ = 0, most_ready_ = 0;
  bool finished_ = false;
  std::exception_ptr failure_;
};

}  // namespace waitstate::pass
