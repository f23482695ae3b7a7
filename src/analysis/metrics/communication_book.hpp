// Adds up who sent how much to whom (communication.hpp), from the compound events that patterns receive. Cost: a
// look-up a message or transfer, an addition a member of a collective operation. Memory: tables with two to six places
// for each two processes that communicate, of at most 1,024 blocks of processes; a place takes 32 bytes for messages,
// 48 for one-sided transfers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "waitstate/pattern/compound_events.hpp"
#include "waitstate/result/communication.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::analysis {

class CommunicationBook {
 public:
  explicit CommunicationBook(const Definitions& definitions);

  /// Events that have to be delivered to it.
  static constexpr Interests interests = interest_completed_receives | interest_collective | interest_rma_operation;

  void add(const CompletedReceives& r);
  void add(const RmaOperation& o);
  /// `wait_ticks` is the sum of all waits that patterns have found in the operation.
  void add(const Collective& c, Ticks wait_ticks);

  /// Adds what another book has of the same trace.
  void merge(CommunicationBook& other);
  /// Brings all to a book of another process that has nothing.
  template <class Archive>
  void travel(Archive& archive) {
    for (Pending& pending : pending_) add_up(pending);
    archive(messages_, transfers_, operations_, sizes_);
  }

  Communication finish();

 private:
  struct PairKey {
    std::uint32_t first = 0, second = 0;
    bool operator==(const PairKey&) const = default;
    std::uint64_t hash() const { return util::mixed(util::joined(first, second)); }
  };
  static constexpr std::uint32_t no_block = ~std::uint32_t{0};
  struct Messages {
    std::uint64_t count = 0, bytes = 0;
  };
  struct Transfers {
    std::uint64_t puts = 0, bytes_put = 0, gets = 0, bytes_got = 0;
  };
  struct Pending {
    PairKey key;
    std::uint64_t bytes = 0;
    bool used = false;
  };

  void add_up(Pending& pending);
  std::vector<Communication::Pair> pairs();

  std::uint64_t processes_per_block_ = 1;
  std::vector<std::uint32_t> blocks_;            ///< indexed by location
  util::FlatMap<PairKey, Messages> messages_;    ///< by sender and receiver
  util::FlatMap<PairKey, Transfers> transfers_;  ///< by sender and receiver
  // The tables may be larger than the caches: an entry is prefetched when its message comes, and looked at some
  // messages later.
  std::array<Pending, 8> pending_;
  std::size_t next_pending_ = 0;
  util::FlatMap<PairKey, Communication::Operations> operations_;  ///< by communicator and operation
  std::array<Communication::Sizes, 65> sizes_{};                  ///< by number of bits
};

}  // namespace waitstate::analysis
