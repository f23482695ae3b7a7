// Makes calls of the whole trace of what a location's replay brings: call paths in place of its own numbers, and the
// location's call with records before. Cost: a few moves, two look-ups in a table.
#pragma once

#include <vector>

#include "link/call_paths.hpp"
#include "link/calls.hpp"
#include "link/threads/threads.hpp"
#include "replay/chunk/chunk.hpp"
#include "util/paged_table.hpp"

namespace waitstate::link {

class CallBuilder {
 public:
  CallBuilder(CallPaths& paths, const Threads& threads, Calls& calls, std::size_t locations)
      : paths_(paths), threads_(threads), calls_(calls), before_(locations) {}

  /// The location's next call with records.
  [[gnu::always_inline]] CallRef add(LocationId l, const replay::CallRecord& record) {
    const CallRef id = calls_.add(record.records);
    Call& call = calls_[id].call;
    Before& before = before_[l.index()];
    fill(call, l, record, before);
    if (CallAccounts* const accounts = calls_.accounts())
      if (record.records != 0 && !initialises_or_finalizes(record.function)) accounts->open(id, record.exclusive);
    pass(before, call);
    return id;
  }
  /// One that nobody refers to by number.
  void fill(Call& call, LocationId l, const replay::CallRecord& r) { fill(call, l, r, before_[l.index()]); }
  CallPathId call_path(LocationId l, std::uint32_t segment, std::uint32_t number) {
    return paths_.at(l, threads_.attachment(l, segment), number);
  }

 private:
  /// The latest call with records of a location, and the longest interval before it.
  struct Before {
    Interval call, longest;
  };

  [[gnu::always_inline]] void fill(Call& call, LocationId l, const replay::CallRecord& r, const Before& before) {
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
    call.previous = before.call;
    call.earlier = before.longest;
  }
  // A call that lasted as long as what was before it may be the reason why the location is late.
  static void pass(Before& of, const Call& call) {
    const auto length = [](const Interval& s) { return s.end - s.begin; };
    const Interval own{call.callpath, call.enter, call.exit};
    if (call.before.callpath.valid() && length(call.before) > length(of.longest)) of.longest = call.before;
    if (length(own) >= length(of.longest)) of.longest = {};
    if (!is_probe(call.function)) of.call = own;
  }

  CallPaths& paths_;
  const Threads& threads_;
  Calls& calls_;
  util::PagedTable<Before> before_;  ///< by location
};

}  // namespace waitstate::link
