// The records of one-sided communication, for the workers where it meets: each has the arguments of one function of
// PassiveTarget, RmaEpochs or WindowCollectives. Calls come as values, once in a chunk, and records name them by their
// number among these. All of these workers are told of the begin and the end of each chunk.
#pragma once

#include <cstdint>

#include "link/rma/accesses.hpp"
#include "link/rma/lock_releases.hpp"
#include "waitstate/pattern/message.hpp"
#include "waitstate/trace/ids.hpp"
#include "waitstate/trace/otf2_enums.hpp"

namespace waitstate::link {

/// A chunk begins.
struct OneSidedBegin {
  ProcessId process;
  bool has_records = false;                     ///< one-sided ones
  Time initialised = ~Time{0}, first_time = 0;  ///< as replay::Chunk has them
};

struct OneSidedCall {
  Call call;
};

/// A step of passive target: see the function of PassiveTarget of that name.
struct PassiveStep {
  enum class Action : std::uint8_t {
    uses,
    released,
    released_own,
    written,
    notifies,
    waits_for_change,
    write_started,
    write_completed
  };
  Action action{};
  bool progress = false;
  LocationId location;
  std::uint32_t call = 0;
  LocationId other;  ///< target, or origin of a notification
  RmaLockRef lock;   ///< where there is none, it has the window
  Time time = 0;
};

/// Steps and calls that the worker's locations may still bring: see PassiveProgress::Promise.
struct PassivePromise {
  Time bound = 0, open = 0;
};

/// One of the calls of the PollRecord that follows.
struct PollCall {
  std::uint32_t call = 0;
};

struct PollRecord {
  LocationId location;
  std::uint32_t completed = 0;  ///< its call
  RmaWinId win;
  ProcessId owner;
  CallPathId callpath;
  std::uint64_t bytes = 0, loop = 0;
  Time start = 0, time = 0;
};

struct MpiEnter {
  Call call;  ///< its exit is not known
};

struct MpiExit {
  Time time = 0;
};

/// A step of an access or exposure epoch: see the function of RmaEpochs of that name.
struct EpochStep {
  enum class Action : std::uint8_t { start, post, complete, wait, give_up_access, give_up_exposure };
  Action action{};
  std::uint32_t slot = 0;  ///< the sender's number of the epoch
  std::uint32_t call = 0;
  LocationId location;
  RmaWinId win;
  GroupId group;
  Time time = 0;
};

/// An operation in an access epoch.
struct EpochAccess {
  std::uint32_t slot = 0;
  RmaStart start;
};

/// An access of the WindowMember that follows.
struct WindowAccess {
  RmaAccesses::Entry entry;
};

/// A member of a collective on a window.
struct WindowMember {
  LocationId location;
  std::uint32_t call = 0;
  RmaWinId win;
  CollectiveOp op{};
  LocationId root;
  Time begin = 0, end = 0;
  std::uint64_t bytes_sent = 0, bytes_received = 0;
};

/// A chunk ends: all that it brings has been told.
struct OneSidedEnd {
  LocationId location;
  Time first_time = 0, last_time = 0;  ///< as replay::Chunk has them
  bool last = false;
};

}  // namespace waitstate::link
