// Makes calls of the whole trace of what a location's replay brings: call paths in place of its own numbers, and the
// location's call with records before. Cost: a few moves, two look-ups in a table.
#pragma once

#include <vector>

#include "link/call_paths.hpp"
#include "link/calls.hpp"
#include "link/threads/threads.hpp"
#include "replay/chunk/chunk.hpp"

namespace waitstate::link {

class CallBuilder {
 public:
  CallBuilder(CallPaths& paths, const Threads& threads, Calls& calls, std::size_t locations)
      : paths_(paths), threads_(threads), calls_(calls), last_calls_(locations) {}

  /// The location's next call with records.
  CallRef add(LocationId l, const replay::CallRecord& record) {
    const CallRef id = calls_.add(record.records);
    Call& call = calls_[id].call;
    fill(call, l, record);
    if (CallAccounts* const accounts = calls_.accounts())
      if (record.records != 0 && !initialises_or_finalizes(record.function)) accounts->open(id, record.exclusive);
    if (!is_probe(record.function)) last_calls_[l.index()] = {call.callpath, call.enter, call.exit};
    return id;
  }
  /// One that nobody refers to by number.
  void fill(Call& call, LocationId l, const replay::CallRecord& r) {
    if (r.segment == 0) [[likely]] {
      const CallPathId* const paths = paths_.all(l);
      call.callpath = paths[r.callpath];
      call.before.callpath = paths[r.before];
    } else {
      call.callpath = call_path(l, r.segment, r.callpath);
      call.before.callpath = call_path(l, r.segment, r.before);
    }
    call.location = l;
    call.region = r.region;
    call.function = r.function;
    call.number = r.number;
    call.enter = r.enter;
    call.exit = r.exit;
    call.before.begin = r.before_begin;
    call.before.end = r.before_end;
    call.previous = last_calls_[l.index()];
  }
  CallPathId call_path(LocationId l, std::uint32_t segment, std::uint32_t number) {
    return paths_.at(l, threads_.attachment(l, segment), number);
  }

 private:
  CallPaths& paths_;
  const Threads& threads_;
  Calls& calls_;
  std::vector<Interval> last_calls_;  ///< by location: the latest call with records
};

}  // namespace waitstate::link
