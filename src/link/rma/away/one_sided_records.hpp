// The records of one-sided communication, for the workers where it meets: each has the arguments of one function of
// PassiveTarget, AccessEpochs, ExposureEpochs or WindowCollectives. Calls come as values, once in a chunk (or an
// answer), and records name them by their number among these. All of these workers are told of the begin and the end of
// each chunk.
#pragma once

#include <cstdint>

#include "link/rma/accesses.hpp"
#include "link/rma/epochs/exposure_part.hpp"
#include "link/rma/lock_releases.hpp"
#include "link/rma/passive_progress.hpp"
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
  std::uint32_t asking = ~std::uint32_t{0};  ///< number of a call that asks
  LocationId other;                          ///< target, or origin of a notification
  RmaLockRef lock;                           ///< where there is none, it has the window
  Time time = 0;
};

/// Steps and calls that the worker's locations may still bring: see PassiveProgress::Promise.
struct PassivePromise {
  PassiveProgress::Promise promise;
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

/// The release that an asking call waited for: see AskingCalls.
struct FoundRelease {
  std::uint32_t asking = 0;
  bool any = false, all_known = true;
  std::uint32_t call = 0;  ///< means nothing if there is none
  Time time = 0;
};

/// When was the target outside of MPI?
struct GapQuestion {
  std::uint32_t asking = 0;
  ProcessId target;
  Time from = 0, exit = 0;
};

/// One such time; all of an answer come before its GapsEnd.
struct GapAnswer {
  std::uint32_t asking = 0;
  Time begin = 0, end = 0;
  Call next;
};

/// The answer is complete.
struct GapsEnd {
  std::uint32_t asking = 0;
};

/// A part of an exposure epoch, for the home of its origin: see AccessEpochs::exposed().
struct ExposureRecord {
  ExposurePart part;
};

/// That exposure epoch will not be closed.
struct GivenUpExposure {
  std::uint32_t slot = 0;
};

/// The answer to an ExposureRecord: see ExposureEpochs::completed().
struct CompletedAccess {
  std::uint32_t slot = 0;
  std::uint32_t start = 0, complete = 0;  ///< calls
  RmaAccesses::Entry accessed;            ///< no call: nothing
};

/// The other answer: the origin has no access epoch for it.
struct LostAccess {
  std::uint32_t slot = 0;
};

/// The calls that an answer names are not needed any more.
struct OneSidedCallsEnd {};

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
