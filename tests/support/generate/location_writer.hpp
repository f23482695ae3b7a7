// Writes one location's events and adds up what an analysis must find there.
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
  cls_count
};
inline constexpr std::array<const char*, 9> counter_names{"syncs_send",     "syncs_recv",    "comms_send",
                                                          "comms_recv",     "bytes_sent",    "bytes_rcvd",
                                                          "mpi_latesender", "mpi_sls_count", "mpi_cls_count"};

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
  std::vector<Received> received_;  // in the open call: communication calls do not nest
  std::uint64_t now_ = 0, clock_ = 0, first_ = 0;
};

/// Throws with OTF2's own words if a call of OTF2 failed.
void check(OTF2_ErrorCode code, const char* doing);

}  // namespace generate
