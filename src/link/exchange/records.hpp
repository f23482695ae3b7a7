// The records that go from one worker to another: each a value, with all that the receiver has to know.
//
//   SendRecord            a send, to the home of its receiver; goes when it is linked
//   SendAnswer            when the receive that it was matched with was posted, back to the home of the sender; a send
//                         that nobody receives has no answer
//   ReceiveAnswer         the same, with the receive: where somebody looks at it
//   MemberRecord          a part in a collective operation, to the worker where the operation meets;
//   NonblockingMember     and of a non-blocking one
//   CompletionAnswer      the member that a non-blocking operation waited for, to the home of the part
//   MemberAnswer          the operation is complete, or given up
//   CommCount             how many operations a process has on a communicator, when no more will come
//   OneSidedBegin, …, OneSidedEnd
//                         what a chunk has of one-sided communication, to the workers where it meets:
//                         rma/away/one_sided_records.hpp
//   ProcessEnd            nothing more comes of a process
//   StageEnd              nothing more comes of a worker, but for answers; or nothing at all
//
// Numbers of call paths are those of SharedCallTree; all others are those of the definitions. A slot is the sender's
// own number, which the answer brings back.
#pragma once

#include <cstdint>
#include <type_traits>

#include "link/call_accounts.hpp"
#include "link/rma/away/one_sided_records.hpp"
#include "waitstate/pattern/collective.hpp"
#include "waitstate/pattern/message.hpp"

namespace waitstate::link {

struct SendRecord {
  std::uint32_t slot = 0;
  LocationId receiver;
  CommId comm;
  std::uint32_t tag = 0;
  std::uint32_t step = 0;  ///< as in CommRecord
  bool at_once = false;    ///< it completes in the call that starts it
  Time time = 0;
  std::uint64_t bytes = 0;
  Call call;
};

struct SendAnswer {
  std::uint32_t slot = 0;
  bool start_unknown = false;  ///< the receive's call completes what another one started, which has no record
  Time posted = 0;             ///< enter of the call that posted the receive
};

struct ReceiveAnswer {
  std::uint32_t slot = 0;
  bool same_call = false;  ///< the receive was posted in the call in which it completed: `post` means nothing
  LocationId receiver;
  std::uint32_t post_order = 0;
  Time time = 0;
  Call call, post;
};

struct MemberRecord {
  std::uint32_t slot = 0;
  CommId comm;
  std::uint32_t rank = 0;
  CollectiveOp op{};
  LocationId root;           ///< as the member names it
  std::uint64_t number = 0;  ///< number among the member's operations of that kind on the communicator
  Time begin = 0, end = 0;
  std::uint64_t bytes_sent = 0, bytes_received = 0;
  Call call;
};

struct NonblockingMember {
  MemberRecord member;
  Call completion;
};

struct CompletionAnswer {
  std::uint32_t slot = 0;
  bool waited = false;  ///< else `awaited` means nothing
  CollectiveOp op{};
  CommId comm;
  Call awaited;
};

struct MemberAnswer {
  std::uint32_t slot = 0;
  CallAccounts::Account account;  ///< says what the part's call depends on, and what it lacks
};

struct CommCount {
  ProcessId process;
  CommId comm;
  std::uint32_t kind = 0;  ///< 1: non-blocking operations
  std::uint64_t count = 0;
};

struct ProcessEnd {
  ProcessId process;
};

struct StageEnd {
  std::uint32_t stage = 0;  ///< 0: of reading; then of answering, and of answers to that
  bool has_open_calls = false;
};

/// Calls use.template operator()<Record>(number) for each kind of record.
template <class Use>
constexpr void for_each_record_kind(Use&& use) {
  std::uint32_t number = 0;
  const auto one = [&]<class Record>() {
    static_assert(std::is_trivially_copyable_v<Record>);
    use.template operator()<Record>(number++);
  };
  one.template operator()<SendRecord>();
  one.template operator()<SendAnswer>();
  one.template operator()<ReceiveAnswer>();
  one.template operator()<MemberRecord>();
  one.template operator()<NonblockingMember>();
  one.template operator()<CompletionAnswer>();
  one.template operator()<MemberAnswer>();
  one.template operator()<CommCount>();
  one.template operator()<OneSidedBegin>();
  one.template operator()<OneSidedCall>();
  one.template operator()<PassiveStep>();
  one.template operator()<PassivePromise>();
  one.template operator()<PollCall>();
  one.template operator()<PollRecord>();
  one.template operator()<FoundRelease>();
  one.template operator()<GapQuestion>();
  one.template operator()<GapAnswer>();
  one.template operator()<GapsEnd>();
  one.template operator()<ExposureRecord>();
  one.template operator()<GivenUpExposure>();
  one.template operator()<CompletedAccess>();
  one.template operator()<LostAccess>();
  one.template operator()<OneSidedCallsEnd>();
  one.template operator()<WindowAccess>();
  one.template operator()<WindowMember>();
  one.template operator()<OneSidedEnd>();
  one.template operator()<ProcessEnd>();
  one.template operator()<StageEnd>();
}

}  // namespace waitstate::link
