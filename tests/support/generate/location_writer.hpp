// Writes one location's events and adds up the values that an analysis must find there.
//
// The caller speaks in ideal time; the location's clock is applied here. Call paths are a small tree whose children are
// found by index, so an event costs its OTF2 record and a few additions. Invariant: ideal time never runs backwards (an
// exception otherwise: the schedule was too short).
#pragma once

#include <otf2/otf2.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "schedule.hpp"

namespace generate {

/// Regions of every generated trace, by OTF2 reference; user regions `level_1`… follow.
enum Region : std::uint32_t {
  region_main,
  region_exchange,
  region_work,
  region_worker,
  region_init,
  region_finalize,
  region_send,
  region_recv,
  region_isend,
  region_irecv,
  region_wait,
  region_waitall,
  region_barrier,
  region_allreduce,
  region_win_create,
  region_win_free,
  region_win_fence,
  region_win_post,
  region_win_start,
  region_win_complete,
  region_win_wait,
  region_win_lock,
  region_win_unlock,
  region_win_sync,
  region_put,
  region_get,
  region_level_1,
};
inline constexpr std::uint32_t string_program = 1;  // the OTF2 string of the program's name
inline constexpr const char* program_name = "synthetic";

std::string region_name(std::uint32_t region);

/// Sums of one call path, besides time and visits; the order of `counter_names`.
enum Counter {
  syncs_send,
  syncs_recv,
  comms_send,
  comms_recv,
  bytes_sent,
  bytes_rcvd,
  latesender,
  sls_count,
  cls_count,
  syncs_active,
  syncs_passive,
  comms_puts,
  comms_gets,
  bytes_put,
  bytes_get,
  pairsync_count,
  unneeded_count,
  wait_at_fence,
  early_fence,
  sync_late_post,
  comm_late_post,
  early_wait,
  late_complete,
  sync_lock_competition,
  comm_lock_competition,
  wait_for_progress,
  counters
};
inline constexpr std::array<const char*, counters> counter_names{"syncs_send",
                                                                 "syncs_recv",
                                                                 "comms_send",
                                                                 "comms_recv",
                                                                 "bytes_sent",
                                                                 "bytes_rcvd",
                                                                 "mpi_latesender",
                                                                 "mpi_sls_count",
                                                                 "mpi_cls_count",
                                                                 "syncs_rma_active",
                                                                 "syncs_rma_passive",
                                                                 "comms_rma_puts",
                                                                 "comms_rma_gets",
                                                                 "bytes_put",
                                                                 "bytes_get",
                                                                 "mpi_rma_pairsync_count",
                                                                 "mpi_rma_pairsync_unneeded_count",
                                                                 "mpi_rma_wait_at_fence",
                                                                 "mpi_rma_early_fence",
                                                                 "mpi_rma_sync_late_post",
                                                                 "mpi_rma_comm_late_post",
                                                                 "mpi_rma_early_wait",
                                                                 "mpi_rma_late_complete",
                                                                 "mpi_rma_sync_lock_competition",
                                                                 "mpi_rma_comm_lock_competition",
                                                                 "mpi_rma_sync_wait_for_progress"};
/// True if it is a time, in ticks; else bytes or occurrences.
bool is_time(const std::string& metric);

/// OTF2 reference of the group whose only member is this rank, as MPI_Win_post and MPI_Win_start name it.
inline constexpr std::uint32_t group_of(std::uint64_t rank) { return static_cast<std::uint32_t>(3 + rank); }

class LocationWriter {
 public:
  LocationWriter(OTF2_EvtWriter* writer, const Schedule& schedule, std::uint64_t rank, std::uint64_t region_count);

  void program_begin(std::uint64_t time);
  void program_end(std::uint64_t time);
  void enter(std::uint32_t region, std::uint64_t time);
  void leave(std::uint64_t time);

  void send(std::uint64_t time, std::uint64_t to, std::uint32_t tag, std::uint64_t length);
  void isend(std::uint64_t time, std::uint64_t to, std::uint32_t tag, std::uint64_t length, std::uint64_t request);
  void isend_complete(std::uint64_t time, std::uint64_t request);
  void irecv_request(std::uint64_t time, std::uint64_t request);
  /// `send_enter`: ideal time at which the sender entered the call that started the message.
  void recv(std::uint64_t time, std::uint64_t from, std::uint32_t tag, std::uint64_t length, std::uint64_t send_enter);
  void irecv(std::uint64_t time, std::uint64_t from, std::uint32_t tag, std::uint64_t length, std::uint64_t request,
             std::uint64_t send_enter);
  void collective(std::uint64_t begin, std::uint64_t end, OTF2_CollectiveOp op, std::uint64_t bytes);

  // Records of the window, which is the only one and has all ranks.
  void win_create(std::uint64_t time);
  void win_destroy(std::uint64_t time);
  void put(std::uint64_t time, std::uint64_t to, std::uint64_t length, std::uint64_t match);
  void get(std::uint64_t time, std::uint64_t from, std::uint64_t length, std::uint64_t match);
  void operation_complete(std::uint64_t time, std::uint64_t match);
  void rma_collective_begin(std::uint64_t time);
  void rma_collective_end(std::uint64_t time, OTF2_CollectiveOp op);
  void group_sync(std::uint64_t time, std::uint64_t partner, bool completes);
  void request_lock(std::uint64_t time, std::uint64_t target, bool exclusive);
  void release_lock(std::uint64_t time, std::uint64_t target);
  /// Adds to what must be found in the call that is open.
  void count(Counter counter, std::uint64_t value) { top().counters[counter] += value; }

  std::uint64_t now() const { return now_; }
  std::uint64_t first_time() const { return first_; }
  std::uint64_t last_time() const { return clock_; }

  /// (metric, call path) → ticks, bytes or occurrences; no zeros.
  std::map<std::pair<std::string, std::string>, std::uint64_t> sums() const;

 private:
  struct Node {
    std::uint32_t region, parent;
    std::uint64_t time = 0, visits = 0;
    std::array<std::uint64_t, counter_names.size()> counters{};
  };
  struct Frame {
    std::uint32_t node;
    std::uint64_t enter, in_callees;
  };
  struct Received {
    std::uint64_t send_enter, length;  // by the sender's clock
  };

  std::uint64_t tick(std::uint64_t time);
  void push(std::uint32_t region, std::uint64_t clock);
  void pop(std::uint64_t clock);
  void count_send(std::uint64_t length);
  void count_recv(std::uint64_t from, std::uint64_t length, std::uint64_t send_enter);
  Node& top() { return nodes_[stack_.back().node]; }
  std::string path(std::uint32_t node) const;

  OTF2_EvtWriter* writer_;
  const Schedule& schedule_;
  std::uint64_t rank_, region_count_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> children_;  // [node][region] → node, 0: none yet
  std::vector<Frame> stack_;
  std::vector<Received> received_;  // receives of the open call; communication calls do not nest
  std::uint64_t now_ = 0, clock_ = 0, first_ = 0;
};

/// Throws with OTF2's own words if a call of OTF2 failed.
void check(OTF2_ErrorCode code, const char* doing);

}  // namespace generate
