// See location_writer.hpp. Late Sender here: the sender's enter, at most the call's exit, minus the call's enter; the
// largest of the call's receives (only Waitall has several; the first of equal ones), booked once, at the exit.
#include "location_writer.hpp"

#include <algorithm>
#include <stdexcept>

namespace generate {
namespace {
constexpr OTF2_CommRef world = 0;
constexpr std::uint32_t program_region = ~0u;
}  // namespace

void check(OTF2_ErrorCode code, const char* doing) {
  if (code != OTF2_SUCCESS)
    throw std::runtime_error(std::string(doing) + ": " + OTF2_Error_GetDescription(code) +
                             ", check space and permissions");
}

std::string region_name(std::uint32_t region) {
  static constexpr std::array<const char*, region_level_1> names{
      "main",          "exchange",         "work",           "worker",       "MPI_Init",       "MPI_Finalize",
      "MPI_Send",      "MPI_Recv",         "MPI_Isend",      "MPI_Irecv",    "MPI_Wait",       "MPI_Waitall",
      "MPI_Barrier",   "MPI_Allreduce",    "MPI_Win_create", "MPI_Win_free", "MPI_Win_fence",  "MPI_Win_post",
      "MPI_Win_start", "MPI_Win_complete", "MPI_Win_wait",   "MPI_Win_lock", "MPI_Win_unlock", "MPI_Win_sync",
      "MPI_Put",       "MPI_Get"};
  if (region == program_region) return program_name;
  return region < region_level_1 ? names[region] : "level_" + std::to_string(region - region_level_1 + 1);
}

bool is_time(const std::string& metric) {
  static constexpr std::array<Counter, 10> times{
      latesender, wait_at_fence, early_fence,           sync_late_post,        comm_late_post,
      early_wait, late_complete, sync_lock_competition, comm_lock_competition, wait_for_progress};
  return metric == "time" ||
         std::any_of(times.begin(), times.end(), [&](Counter c) { return metric == counter_names[c]; });
}

LocationWriter::LocationWriter(OTF2_EvtWriter* writer, const Schedule& schedule, std::uint64_t rank,
                               std::uint64_t region_count)
    : writer_(writer), schedule_(schedule), rank_(rank), region_count_(region_count) {
  nodes_.push_back({program_region, 0});  // the sentinel above all roots, and the program itself
  children_.resize(region_count_);
}

std::uint64_t LocationWriter::tick(std::uint64_t time) {
  if (time < now_) throw std::logic_error("the schedule is too short: time would run backwards");
  now_ = time;
  clock_ = schedule_.clock(rank_, time);
  if (!first_) first_ = clock_;
  return clock_;
}

void LocationWriter::push(std::uint32_t region, std::uint64_t clock) {
  const std::uint32_t parent = stack_.empty() ? 0 : stack_.back().node;
  std::uint32_t node = 0;
  if (region != program_region) {
    node = children_[parent * region_count_ + region];
    if (!node) {
      node = static_cast<std::uint32_t>(nodes_.size());
      children_[parent * region_count_ + region] = node;
      nodes_.push_back({region, parent});
      children_.resize(children_.size() + region_count_);
    }
  }
  ++nodes_[node].visits;
  stack_.push_back({node, clock, 0});
}

void LocationWriter::pop(std::uint64_t clock) {
  const Frame frame = stack_.back();
  Node& node = nodes_[frame.node];
  stack_.pop_back();
  node.time += clock - frame.enter - frame.in_callees;
  if (!stack_.empty()) stack_.back().in_callees += clock - frame.enter;
  if (received_.empty()) return;
  std::uint64_t largest = 0, length = 0;
  for (const Received& r : received_) {
    const std::uint64_t until = std::min(r.send_enter, clock);
    if (until > frame.enter && until - frame.enter > largest) largest = until - frame.enter, length = r.length;
  }
  received_.clear();
  node.counters[latesender] += largest;
  if (largest) ++node.counters[length == 0 ? sls_count : cls_count];
}

void LocationWriter::program_begin(std::uint64_t time) {
  check(OTF2_EvtWriter_ProgramBegin(writer_, nullptr, tick(time), string_program, 0, nullptr), "writing an event");
  push(program_region, clock_);
}
void LocationWriter::program_end(std::uint64_t time) {
  check(OTF2_EvtWriter_ProgramEnd(writer_, nullptr, tick(time), 0), "writing an event");
  pop(clock_);
}
void LocationWriter::enter(std::uint32_t region, std::uint64_t time) {
  check(OTF2_EvtWriter_Enter(writer_, nullptr, tick(time), region), "writing an event");
  push(region, clock_);
}
void LocationWriter::leave(std::uint64_t time) {
  check(OTF2_EvtWriter_Leave(writer_, nullptr, tick(time), top().region), "writing an event");
  pop(clock_);
}

void LocationWriter::count_send(std::uint64_t length) {
  ++top().counters[length == 0 ? syncs_send : comms_send];
  top().counters[bytes_sent] += length;
}
void LocationWriter::count_recv(std::uint64_t from, std::uint64_t length, std::uint64_t send_enter) {
  ++top().counters[length == 0 ? syncs_recv : comms_recv];
  top().counters[bytes_rcvd] += length;
  received_.push_back({schedule_.clock(from, send_enter), length});
}

void LocationWriter::send(std::uint64_t time, std::uint64_t to, std::uint32_t tag, std::uint64_t length) {
  check(OTF2_EvtWriter_MpiSend(writer_, nullptr, tick(time), static_cast<std::uint32_t>(to), world, tag, length),
        "writing an event");
  count_send(length);
}
void LocationWriter::isend(std::uint64_t time, std::uint64_t to, std::uint32_t tag, std::uint64_t length,
                           std::uint64_t request) {
  check(OTF2_EvtWriter_MpiIsend(writer_, nullptr, tick(time), static_cast<std::uint32_t>(to), world, tag, length,
                                request),
        "writing an event");
  count_send(length);
}
void LocationWriter::isend_complete(std::uint64_t time, std::uint64_t request) {
  check(OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, tick(time), request), "writing an event");
}
void LocationWriter::irecv_request(std::uint64_t time, std::uint64_t request) {
  check(OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, tick(time), request), "writing an event");
}
void LocationWriter::recv(std::uint64_t time, std::uint64_t from, std::uint32_t tag, std::uint64_t length,
                          std::uint64_t send_enter) {
  check(OTF2_EvtWriter_MpiRecv(writer_, nullptr, tick(time), static_cast<std::uint32_t>(from), world, tag, length),
        "writing an event");
  count_recv(from, length, send_enter);
}
void LocationWriter::irecv(std::uint64_t time, std::uint64_t from, std::uint32_t tag, std::uint64_t length,
                           std::uint64_t request, std::uint64_t send_enter) {
  check(OTF2_EvtWriter_MpiIrecv(writer_, nullptr, tick(time), static_cast<std::uint32_t>(from), world, tag, length,
                                request),
        "writing an event");
  count_recv(from, length, send_enter);
}
void LocationWriter::collective(std::uint64_t begin, std::uint64_t end, OTF2_CollectiveOp op, std::uint64_t bytes) {
  check(OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, tick(begin)), "writing an event");
  check(
      OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, tick(end), op, world, OTF2_COLLECTIVE_ROOT_NONE, bytes, bytes),
      "writing an event");
}

// --- one-sided communication -----------------------------------------------------------------------------------------

namespace {
constexpr OTF2_RmaWinRef window = 0;
constexpr OTF2_RmaSyncLevel all_levels = OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY;
}  // namespace

void LocationWriter::win_create(std::uint64_t time) {
  check(OTF2_EvtWriter_RmaWinCreate(writer_, nullptr, tick(time), window), "writing an event");
}
void LocationWriter::win_destroy(std::uint64_t time) {
  check(OTF2_EvtWriter_RmaWinDestroy(writer_, nullptr, tick(time), window), "writing an event");
}
void LocationWriter::put(std::uint64_t time, std::uint64_t to, std::uint64_t length, std::uint64_t match) {
  check(OTF2_EvtWriter_RmaPut(writer_, nullptr, tick(time), window, static_cast<std::uint32_t>(to), length, match),
        "writing an event");
  count(comms_puts, 1);
  count(bytes_put, length);
}
void LocationWriter::get(std::uint64_t time, std::uint64_t from, std::uint64_t length, std::uint64_t match) {
  check(OTF2_EvtWriter_RmaGet(writer_, nullptr, tick(time), window, static_cast<std::uint32_t>(from), length, match),
        "writing an event");
  count(comms_gets, 1);
  count(bytes_get, length);
}
void LocationWriter::operation_complete(std::uint64_t time, std::uint64_t match) {
  check(OTF2_EvtWriter_RmaOpCompleteNonBlocking(writer_, nullptr, tick(time), window, match), "writing an event");
}
void LocationWriter::rma_collective_begin(std::uint64_t time) {
  check(OTF2_EvtWriter_RmaCollectiveBegin(writer_, nullptr, tick(time)), "writing an event");
}
void LocationWriter::rma_collective_end(std::uint64_t time, OTF2_CollectiveOp op) {
  check(OTF2_EvtWriter_RmaCollectiveEnd(writer_, nullptr, tick(time), op, all_levels, window, OTF2_COLLECTIVE_ROOT_NONE,
                                        0, 0),
        "writing an event");
}
void LocationWriter::group_sync(std::uint64_t time, std::uint64_t partner, bool completes) {
  check(OTF2_EvtWriter_RmaGroupSync(writer_, nullptr, tick(time),
                                    completes ? all_levels : OTF2_RmaSyncLevel{OTF2_RMA_SYNC_LEVEL_PROCESS}, window,
                                    group_of(partner)),
        "writing an event");
}
void LocationWriter::request_lock(std::uint64_t time, std::uint64_t target, bool exclusive) {
  check(OTF2_EvtWriter_RmaRequestLock(writer_, nullptr, tick(time), window, static_cast<std::uint32_t>(target), 0,
                                      exclusive ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED),
        "writing an event");
}
void LocationWriter::release_lock(std::uint64_t time, std::uint64_t target) {
  check(OTF2_EvtWriter_RmaReleaseLock(writer_, nullptr, tick(time), window, static_cast<std::uint32_t>(target), 0),
        "writing an event");
}

std::string LocationWriter::path(std::uint32_t node) const {
  const Node& n = nodes_[node];
  const bool below_program = n.parent != 0 || nodes_[0].visits != 0;
  return node == 0 || !below_program ? region_name(n.region) : path(n.parent) + "/" + region_name(n.region);
}

std::map<std::pair<std::string, std::string>, std::uint64_t> LocationWriter::sums() const {
  std::map<std::pair<std::string, std::string>, std::uint64_t> sums;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.time) sums[{"time", path(i)}] = node.time;
    if (node.visits) sums[{"visits", path(i)}] = node.visits;
    for (std::size_t c = 0; c < counter_names.size(); ++c)
      if (node.counters[c]) sums[{counter_names[c], path(i)}] = node.counters[c];
  }
  return sums;
}

}  // namespace generate
