// Collective operations on windows: a process's n-th one on a window is part of the window's n-th one. Each member
// brings along what it accessed since its previous one; for fences that is the epoch.
//
// In the one stream their records stand by time, with nothing that waits: whether a fence or a creation had to wait for
// all members is not in the trace (assertions may take that away), so there is no cause that clocks could contradict.
// What must not come too early, the ends of transfers, is placed by Transfers.
//
// A member whose process has ended will never come; nor is one taken for a part of an operation that comes when another
// one has had most_waiting operations since, by their progress (ReadProgress): such an operation and all later ones are
// incomplete. So an operation is delivered when all have been read as far as its last member, which makes the result
// the same however far each is read at a time; incomplete ones are forgotten as soon as that is certain, and counted in
// finish().
//
// Memory: the parts of operations that some member has not reached yet, or has not been read beyond. Cost: constant per
// part, and the delivery.
#pragma once

#include <deque>
#include <vector>

#include "link/listener.hpp"
#include "link/rma/accesses.hpp"
#include "link/rma/away/one_sided_records.hpp"
#include "link/rma/read_progress.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "util/pool.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

class WindowCollectives {
 public:
  WindowCollectives(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls, Listener& listener,
                    const ReadProgress& reading);

  /// A member has come, with what it accessed: takes what `accesses` holds, which is empty afterwards.
  void end(const WindowMember& m, RmaAccesses& accesses);
  /// A process has been read on.
  void read();
  void end_process(ProcessId process);
  void finish();

 private:
  static constexpr std::uint32_t none = util::Pool<int>::none;
  static constexpr std::size_t most_kept = 256;  ///< parts whose memory is used again

  struct MemberPart {
    std::uint32_t call = none;
    Time at = 0;  ///< progress of its process
    Time begin = 0, end = 0;
    std::uint64_t bytes_sent = 0, bytes_received = 0;
    RmaAccesses accesses;
  };
  struct OpenOperation {
    CollectiveOp op{};
    LocationId root;
    bool mismatch = false;
    std::uint32_t arrived = 0;
    Time last = 0;                  ///< the latest progress of those that have come
    std::vector<MemberPart> parts;  ///< by rank
  };
  struct OperationKey {
    std::uint32_t win = 0;
    std::uint64_t what = 0;  ///< a process, or the number of an operation
    bool operator==(const OperationKey&) const = default;
    std::uint64_t hash() const { return util::mixed(what ^ std::uint64_t{win} << 40); }
  };
  struct Member {
    std::uint32_t rank = 0;
    std::uint64_t count = 0;  ///< operations so far
  };
  struct Window {
    bool prepared = false;
    std::uint32_t size = 0;
    std::uint64_t most = 0;                       ///< operations of the member that has had most
    std::uint64_t settled = 0;                    ///< operations that all members have had in time
    std::deque<Time> first;                       ///< by operation from these on: the earliest progress of a member
    std::uint64_t dead_from = ~std::uint64_t{0};  ///< operations from here on are incomplete
    std::uint32_t behind = 0;                     ///< the rank that had not been read far enough
    bool listed = false;                          ///< in unsettled_
  };

  Window& prepare(RmaWinId win);
  void settle(RmaWinId win, Window& window);
  bool all_read_to(RmaWinId win, Window& window, Time progress);
  bool lacks_member(RmaWinId win, const Window& window, const OpenOperation& operation) const;
  void give_up(RmaWinId win, Window& window, std::uint64_t from);
  std::uint32_t rank_with_fewest(RmaWinId win);
  void deliver(RmaWinId win, OpenOperation& operation);
  void drop(MemberPart& part);
  void drop(std::uint32_t operation);

  const Definitions& definitions_;
  Diagnostics& diagnostics_;
  Calls& calls_;
  Listener& listener_;
  const ReadProgress& reading_;
  std::vector<Window> windows_;
  std::vector<std::vector<RmaWinId>> windows_of_process_;  ///< only windows that are prepared
  std::vector<RmaWinId> unsettled_;                        ///< windows with operations that are not settled
  std::vector<bool> ended_;
  util::FlatMap<OperationKey, Member> members_;
  util::FlatMap<OperationKey, std::uint32_t> open_;  ///< operations that some member has not reached yet; plus one
  util::Pool<OpenOperation> operations_;
  std::vector<CollectiveMember> members_view_;  ///< scratch of deliver()
  std::vector<RmaAccess> accesses_view_;
};

}  // namespace waitstate::link
