// Notes when each location waited, to find out whether the culprit of a wait was itself waiting meanwhile. A location
// that waited for a third one is not the reason why others wait for it.
//
// Waits come in no order: the culprit's own may come long before or after the wait that it caused, and it is known only
// at the end which waits will be asked about. So all are noted, 32 bytes each, and searched at the end. Beyond 8 MB
// they go into a scratch file, from which nothing is read before the end; if there is no room for it, all are dropped,
// and nothing is known.
//
// The answers are exact, whatever the order in which waits came: time that several wait states have in common (the
// receive and the send in one call) counts once. A culprit that waited more than 2^20 times within one wait is not
// examined: its waiting is unknown.
//
// Cost: one copy a wait; at the end, one look at each wait, of some comparisons and no search as long as it lies in no
// window. Memory: 8 MB, which the logs of several workers share, and a block of each; at most 80 MB for the waits that
// do; if these are more, all waits are read again for every 2^20 of them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/call_path_order.hpp"
#include "util/spill/scratch_file.hpp"
#include "waitstate/result/wait_summary.hpp"

namespace waitstate::analysis {

class WaitLog {
 public:
  static constexpr std::size_t block_size = std::size_t{1} << 15;  ///< number of waits in a block; 1 MB
  static constexpr std::size_t most_blocks = 8, most_at_once = std::size_t{1} << 20;

  /// `blocks` is how many blocks of `size_of_block` waits stay in memory; `at_once` is how many waits may lie in the
  /// windows at a time.
  explicit WaitLog(std::size_t blocks = most_blocks, std::size_t size_of_block = block_size,
                   std::size_t at_once = most_at_once)
      : blocks_in_memory_(blocks), block_size_(size_of_block), at_once_(at_once) {}

  void add(const Wait& w) {
    const Time end = w.begin + static_cast<Time>(w.ticks);
    if (lost_ || end <= w.begin) return;
    if (block_.size() == block_size_) [[unlikely]]
      put_block();
    block_.push_back({w.begin, end, w.location, w.culprit, w.callpath});
  }

  /// Adds the waits of another log, which has blocks of the same size and is empty afterwards.
  void merge(WaitLog& other);

  /// Brings the waits to a log of another process that has none, and blocks of the same size.
  template <class Archive>
  void travel(Archive& archive) {
    std::uint64_t blocks = full_.size() + places_.size();
    archive(lost_, block_, blocks);
    if constexpr (Archive::reads) {
      for (; blocks != 0; --blocks) {
        std::vector<Entry> block;
        archive(block);
        keep_block(std::move(block));
      }
    } else {
      for (std::vector<Entry>& full : full_) archive(full);
      std::vector<Entry> block(block_size_);
      for (const Place& place : places_) {
        place.read(block);
        archive(block);
      }
    }
  }

  /// A location, and a time in which it may have waited.
  struct Window {
    LocationId location;
    Time begin = 0, end = 0;
    auto operator<=>(const Window&) const = default;
  };
  /// The time that each location waited in its window; in the order of the windows. Threads divide the blocks.
  std::vector<CulpritWait> waited_in(const std::vector<Window>& windows, const CallPathOrder& order,
                                     std::size_t threads = 1) const;

 private:
  struct Entry {
    Time begin, end;
    LocationId location, culprit;
    CallPathId callpath;
  };
  class Windows;
  struct Place {  ///< a block in a scratch file
    const util::ScratchFile* file = nullptr;
    std::uint64_t at = 0;

    void read(std::vector<Entry>& block) const { file->read(at, std::as_writable_bytes(std::span(block))); }
  };

  void put_block();
  void keep_block(std::vector<Entry>&& block);
  std::size_t blocks() const { return full_.size() + places_.size() + 1; }
  template <class Visit>
  void each_of_block(std::size_t number, Visit&& visit) const;

  std::size_t blocks_in_memory_, block_size_, at_once_;
  std::vector<Entry> block_;
  std::vector<std::vector<Entry>> full_;
  std::vector<std::unique_ptr<util::ScratchFile>> files_;  ///< its own, where it has one, and those of merged logs
  std::vector<Place> places_;
  bool lost_ = false;
};

}  // namespace waitstate::analysis
