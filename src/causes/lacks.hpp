// The things that a trace may lack of those that a call depended on, in one table: the mark that tells it, how a chain
// of waits ends there, and how it is named where a critical path is not known any further.
#pragma once

#include "replay/chunk/work_mark.hpp"
#include "waitstate/result/causes.hpp"

namespace waitstate::causes {

struct Lack {
  replay::WorkMark::Kind mark;
  bool of_call;  ///< the mark names a call; else a request, which some later call may have completed
  WaitChain::End end;
  const char* words;
};

/// If a call lacks several things, the one that stands first here is told.
inline constexpr Lack all_lacks[] = {
    {replay::WorkMark::Kind::without_member, true, WaitChain::End::missing_member, "a member of the operation"},
    {replay::WorkMark::Kind::without_partner, true, WaitChain::End::missing_record, "the other half of a message"},
    {replay::WorkMark::Kind::without_start, true, WaitChain::End::missing_start,
     "the start of an operation that completes"},
    {replay::WorkMark::Kind::without_part, true, WaitChain::End::missing_part,
     "a part of the epoch, or the previous owner of the lock,"},
    {replay::WorkMark::Kind::never_completed, false, WaitChain::End::no_record, "the completion of a request"},
};

/// The row of such a mark; null if it does not tell that something is missing.
constexpr const Lack* lack_of(replay::WorkMark::Kind mark) {
  for (const Lack& lack : all_lacks)
    if (lack.mark == mark) return &lack;
  return nullptr;
}

}  // namespace waitstate::causes
