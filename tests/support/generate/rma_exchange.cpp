// See rma_exchange.hpp. What must be found is counted where it is written, from the formulas for the times of the other
// ranks; the definitions are those of the patterns. Each part begins at a time that is the same for all, or follows
// from communicate(), so that no formula needs more than the two neighbours. Where two ranks share a lock, times are
// multiples of 200 ticks and an offset, so that their calls never overlap in part.
#include "rma_exchange.hpp"

#include <algorithm>

namespace generate {
namespace {

constexpr std::uint64_t call_length = before_record + after_record;

struct RmaExchange {
  LocationWriter& out;
  const Schedule& schedule;
  std::uint64_t rank, ranks, k;
  std::uint64_t up = (rank + 1) % ranks, down = (rank + ranks - 1) % ranks;
  std::uint64_t match = 8 * k;  ///< match of the next operation

  void put(std::uint64_t enter, std::uint64_t to) {
    out.enter(region_put, enter);
    out.put(enter + before_record, to, schedule.length(rank, k, match % 8), match);
    out.leave(enter + call_length);
    ++match;
  }
  void get(std::uint64_t enter, std::uint64_t from) {
    out.enter(region_get, enter);
    out.get(enter + before_record, from, schedule.length(rank, k, match % 8), match);
    out.leave(enter + call_length);
    ++match;
  }
  void complete_from(std::uint64_t first, std::uint64_t time) {
    for (std::uint64_t m = first; m < match; ++m) out.operation_complete(time, m);
  }

  // Post to the rank below, start and put to the one above, complete, wait. No call before complete waits.
  std::uint64_t puts(std::uint64_t r) const { return schedule.choose(r, k, 1, 3); }
  std::uint64_t post_enter(std::uint64_t r) const { return schedule.communicate(r, k) + gap; }
  std::uint64_t start_enter(std::uint64_t r) const { return post_enter(r) + call_ticks; }
  std::uint64_t put_enter(std::uint64_t r, std::uint64_t i) const { return start_enter(r) + (1 + i) * call_ticks; }
  std::uint64_t complete_enter(std::uint64_t r) const { return put_enter(r, puts(r)); }
  std::uint64_t complete_record() const {
    return std::max(complete_enter(rank) + before_record, post_enter(up) + latency);
  }

  void active_target() {
    const std::uint64_t posted = post_enter(up), first = match;
    const auto waits_in = [&](std::uint64_t enter, std::uint64_t exit) { return enter < posted && posted <= exit; };
    const std::uint64_t complete_exit = complete_record() + after_record;
    const bool in_complete = waits_in(complete_enter(rank), complete_exit);
    const bool in_start = !in_complete && waits_in(start_enter(rank), start_enter(rank) + call_length);

    out.enter(region_win_post, post_enter(rank));
    out.group_sync(out.now() + before_record, down, false);
    out.count(syncs_active, 1);
    out.leave(out.now() + after_record);

    out.enter(region_win_start, start_enter(rank));
    out.group_sync(out.now() + before_record, up, false);
    out.count(syncs_active, 1);
    if (in_start) out.count(sync_late_post, posted - start_enter(rank));
    out.leave(out.now() + after_record);

    for (std::uint64_t i = 0; i < puts(rank); ++i) {
      const std::uint64_t enter = put_enter(rank, i);
      const bool waits = !in_complete && !in_start && waits_in(enter, enter + call_length);
      out.enter(region_put, enter);
      out.put(enter + before_record, up, schedule.length(rank, k, match % 8), match);
      if (waits) out.count(comm_late_post, posted - enter);
      out.leave(enter + call_length);
      ++match;
    }

    out.enter(region_win_complete, complete_enter(rank));
    complete_from(first, complete_record());
    out.group_sync(complete_record(), up, true);
    out.count(syncs_active, 1);
    out.count(pairsync_count, 1);
    out.count(unneeded_count, puts(rank) == 0);
    if (in_complete) out.count(sync_late_post, posted - complete_enter(rank));
    out.leave(complete_exit);

    const std::uint64_t enter = out.now() + gap, completed = complete_enter(down);
    out.enter(region_win_wait, enter);
    out.group_sync(std::max(enter + before_record, completed + latency), down, true);
    out.count(syncs_active, 1);
    out.count(pairsync_count, 1);
    out.count(unneeded_count, puts(down) == 0);
    if (completed > enter) out.count(early_wait, completed - enter);
    const std::uint64_t last_put = puts(down) == 0 ? 0 : put_enter(down, puts(down) - 1) + call_length;
    if (const std::uint64_t since = std::max(enter, last_put); completed > since)
      out.count(late_complete, completed - since);
    out.leave(out.now() + after_record);
  }

  void lock(std::uint64_t enter, std::uint64_t target, bool exclusive) {
    out.enter(region_win_lock, enter);
    out.request_lock(enter + before_record, target, exclusive);
    out.count(syncs_passive, 1);
    out.leave(enter + call_length);
  }
  void unlock(std::uint64_t enter, std::uint64_t record, std::uint64_t target, std::uint64_t first) {
    out.enter(region_win_unlock, enter);
    complete_from(first, record);
    out.release_lock(record, target);
    out.count(syncs_passive, 1);
  }

  // Two ranks lock the part of the one with the even number. The second one waits for the first one's release in its
  // put, or in its unlock if that comes before the release.
  void lock_competition() {
    const std::uint64_t pair = rank / 2, target = 2 * pair, begin = schedule.rma_locks(k), first_operation = match;
    const bool first = schedule.choose(pair, k, 2, 2) == rank % 2;
    const std::uint64_t held_until = begin + 660 + 200 * schedule.choose(pair, k, 3, 10);
    const std::uint64_t released = held_until + before_record;
    if (first) {
      lock(begin, target, true);
      put(out.now() + gap, target);
      unlock(held_until, released, target, first_operation);
      out.leave(out.now() + after_record);
      return;
    }
    lock(begin + 200, target, true);
    const std::uint64_t access = begin + 280;
    if (schedule.choose(pair, k, 4, 2) == 0) {
      out.enter(region_put, access);
      out.put(access + before_record, target, schedule.length(rank, k, match % 8), match);
      ++match;
      out.count(comm_lock_competition, released - access);
      out.leave(released + latency + after_record);
      unlock(out.now() + gap, out.now() + gap + before_record, target, first_operation);
    } else {
      put(access, target);
      const std::uint64_t enter = begin + 360 + 200 * schedule.choose(pair, k, 5, 15);
      unlock(enter, std::max(enter + before_record, released > enter ? released + latency : 0), target,
             first_operation);
      if (released > enter) out.count(sync_lock_competition, released - enter);
    }
    out.leave(out.now() + after_record);
  }

  // The rank with the even number accesses the other one's part, and waits until that one comes to MPI if it is late.
  void progress() {
    const std::uint64_t pair = rank / 2, begin = schedule.rma_progress(k), first_operation = match;
    const bool late = schedule.late(pair, k, 6);
    const std::uint64_t comes = begin + 500 + 200 * schedule.choose(pair, k, 7, 10);
    if (rank % 2 == 1) {
      out.enter(region_win_sync, late ? comes : begin - 100);
      out.count(syncs_passive, 1);
      out.leave(late ? comes + call_length : begin + 400);
      return;
    }
    lock(begin, rank + 1, false);
    get(out.now() + gap, rank + 1);
    const std::uint64_t enter = out.now() + gap;
    unlock(enter, late ? comes + before_record : enter + before_record, rank + 1, first_operation);
    if (late) out.count(wait_for_progress, comes - enter);
    out.leave(out.now() + after_record);
  }

  // A put and a get right before the fence; a rank that comes to the fence before its lower neighbour has done so waits
  // for these first.
  void fence() {
    const std::uint64_t begin = schedule.meet(rank, k), first = match;
    put(begin - 2 * call_ticks, up);
    get(begin - call_ticks, up);
    out.enter(region_win_fence, begin);
    out.rma_collective_begin(begin);
    complete_from(first, schedule.meeting_end(k));
    out.rma_collective_end(schedule.meeting_end(k), OTF2_COLLECTIVE_OP_BARRIER);
    out.count(syncs_active, 1);
    out.count(pairsync_count, ranks);
    out.count(unneeded_count, ranks - (up == down ? 1 : 2));
    out.count(wait_at_fence, schedule.last_meets(k) - begin);
    if (const std::uint64_t accessed = schedule.meet(down, k) - gap; accessed > begin)
      out.count(early_fence, accessed - begin);
    out.leave(out.now() + after_record);
  }

  void run() {
    active_target();
    if ((rank ^ 1) < ranks) {
      lock_competition();
      progress();
    }
    fence();
  }
};

// All at the same time: nobody waits.
void handle(LocationWriter& out, Region region, std::uint64_t time) {
  out.enter(region, time);
  out.rma_collective_begin(time);
  if (region == region_win_free) out.win_destroy(time + before_record);
  if (region == region_win_create) out.win_create(time + before_record);
  out.rma_collective_end(time + before_record, region == region_win_create ? OTF2_COLLECTIVE_OP_CREATE_HANDLE
                                                                           : OTF2_COLLECTIVE_OP_DESTROY_HANDLE);
  out.leave(time + call_length);
}

}  // namespace

void create_window(LocationWriter& out) { handle(out, region_win_create, out.now() + gap); }
void free_window(LocationWriter& out, std::uint64_t time) { handle(out, region_win_free, time); }

void rma_exchange(LocationWriter& out, const Schedule& schedule, std::uint64_t rank, std::uint64_t ranks,
                  std::uint64_t k) {
  RmaExchange{out, schedule, rank, ranks, k}.run();
}

}  // namespace generate
