#include "record/mpi/messages.hpp"

#include <array>
#include <atomic>
#include <map>
#include <mutex>

#include "record/core/probe_records.hpp"
#include "record/mpi/communicators.hpp"
#include "record/parts/line_kinds.hpp"

namespace waitstate::record::mpi {

namespace {

using What = Waiting::What;

// Messages that a probe has taken out of the queue, by handle.
struct FoundMessage {
  Comm* comm = nullptr;
  std::uint64_t id = 0;
  bool recorded = false;  // its probe has a record
};
SpinLock found_lock;
std::map<std::uintptr_t, FoundMessage>& found_messages() {
  static auto* const all = new std::map<std::uintptr_t, FoundMessage>;
  return *all;
}

FoundMessage take_found(const MPI_Message* message) {
  const std::lock_guard guard(found_lock);
  const auto at = found_messages().find(key_of(*message));
  if (at == found_messages().end()) return {};
  const FoundMessage found = at->second;
  found_messages().erase(at);
  return found;
}

void note_probe(const MpiCall& c, const Comm* comm, const MPI_Status* status, std::uint64_t id) {
  if (has_probe_records && comm != nullptr && status->MPI_SOURCE >= 0)
    write_probe(c.t, c.end, status->MPI_SOURCE, comm->number, status->MPI_TAG, id);
}

std::int64_t any(int value, int wildcard) { return value == wildcard ? -1 : value; }

void wait_for(MpiCall& c, What what, const Comm* comm, int peer, int tag) {
  if (comm != nullptr) c.wait_for(what, comm->number, any(peer, MPI_ANY_SOURCE), any(tag, MPI_ANY_TAG));
}

std::atomic<std::uint64_t> elsewhere{0};  // messages to or from processes of other worlds

// The receiver of a message; null if it is not known, or nobody. A message for nobody has no record, so what the
// function is called for is said once: else a trace of such calls alone would look as if their records were missing.
Comm* partners(const MpiCall& c, int peer, MPI_Comm comm) {
  if (peer != MPI_PROC_NULL) {
    Comm* const known = find_comm(comm);
    if (known == nullptr) elsewhere.fetch_add(1, std::memory_order_relaxed);
    return known;
  }
  static std::array<std::atomic<bool>, 4096> told{};
  if (c.t.region < told.size() && !told[c.t.region].load(std::memory_order_relaxed) && !told[c.t.region].exchange(true))
    define(PropertyLine{.name = std::string("WAITSTATE::MPI_PROC_NULL::") + region_name(c.t.region), .text = "called"});
  return nullptr;
}

}  // namespace

std::uint32_t new_region(unsigned index, const char* name, OTF2_RegionRole role) {
  const std::uint32_t number = define_region(name, OTF2_PARADIGM_MPI, role);
  regions[index] = number + 1;
  return number;
}

Unrecorded received_as(const Comm& comm, const MPI_Status& status) {
  return {Unrecorded::Kind::receive, comm.number, static_cast<std::uint32_t>(status.MPI_SOURCE),
          static_cast<std::uint32_t>(status.MPI_TAG)};
}

std::uint64_t messages_of_other_worlds() { return elsewhere.load(); }

std::uint64_t received_bytes(const MPI_Status* status) {
  int bytes = 0;
  if (real::Get_count(status, MPI_BYTE, &bytes) == MPI_SUCCESS && bytes != MPI_UNDEFINED)
    return static_cast<std::uint64_t>(bytes);
  MPI_Count large = 0;
  if (real::Get_elements_x(status, MPI_BYTE, &large) != MPI_SUCCESS || large < 0) return 0;
  return static_cast<std::uint64_t>(large);
}

void own_status(MpiCall& c, MPI_Status*& status) {
  if (status == MPI_STATUS_IGNORE) status = &c.own;
}

void sends(MpiCall& c, std::int64_t count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  const Comm* const known = partners(c, to, comm);
  if (known == nullptr) return;
  c.start(*known, {.kind = StartRecord::Kind::send,
                   .peer = static_cast<std::uint32_t>(to),
                   .tag = static_cast<std::uint32_t>(tag),
                   .bytes = bytes_of(count, type)});
  c.wait_for(What::send, known->number, to, tag);
}

void receives(MpiCall& c, int from, int tag, MPI_Comm comm, MPI_Status*& status) {
  own_status(c, status);
  c.comm = partners(c, from, comm);
  wait_for(c, What::receive, c.comm, from, tag);
}

void received(MpiCall& c, const MPI_Status* status) {
  if (c.comm == nullptr || status->MPI_SOURCE < 0) return;
  if (c.t.muted) [[unlikely]]
    return note_unrecorded(received_as(*c.comm, *status));
  c.t.record(OTF2_EvtWriter_MpiRecv, c.end, static_cast<std::uint32_t>(status->MPI_SOURCE), c.comm->number,
             static_cast<std::uint32_t>(status->MPI_TAG), received_bytes(status));
}

void sends_and_receives(MpiCall& c, std::int64_t count, MPI_Datatype type, int to, int tag, int from, int receive_tag,
                        MPI_Comm comm, MPI_Status*& status) {
  sends(c, count, type, to, tag, comm);
  receives(c, from, receive_tag, comm, status);
}

void starts_send(MpiCall& c, std::int64_t count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  Comm* const known = partners(c, to, comm);
  if (known == nullptr) return;
  Operation& o = c.operation.emplace();
  o.kind = Operation::Kind::send;
  o.comm = known;
  o.peer = to;
  o.tag = tag;
  o.id = c.new_id();
  c.start(*known, {.kind = StartRecord::Kind::isend,
                   .peer = static_cast<std::uint32_t>(to),
                   .tag = static_cast<std::uint32_t>(tag),
                   .bytes = bytes_of(count, type),
                   .id = o.id});
}

void starts_receive(MpiCall& c, int from, int tag, MPI_Comm comm) {
  Comm* const known = partners(c, from, comm);
  if (known == nullptr) return;
  Operation& o = c.operation.emplace();
  o.kind = Operation::Kind::receive;
  o.comm = known;
  o.peer = from;
  o.tag = tag;
  o.id = c.new_id();
  c.start(*known, {.kind = StartRecord::Kind::irecv, .id = o.id});
}

// Two records are started: that of the send is written before the call in any case.
void starts_both(MpiCall& c, std::int64_t count, MPI_Datatype type, int to, int tag, std::int64_t receive_count,
                 MPI_Datatype receive_type, int from, int receive_tag, MPI_Comm comm) {
  starts_send(c, count, type, to, tag, comm);
  c.write_start();
  const std::optional<Operation> sent = c.operation;
  starts_receive(c, from, receive_tag, comm);
  if (!c.operation) return;
  c.operation->bytes = bytes_of(receive_count, receive_type);
  if (!sent || c.operation->id == sent->id) return;
  c.operation->kind = Operation::Kind::both;
  c.operation->id = sent->id;
}

void probes(MpiCall& c, int from, int tag, MPI_Comm comm, MPI_Status*& status) {
  looks(c, status);
  if (from != MPI_PROC_NULL) wait_for(c, What::probe, find_comm(comm), from, tag);
}

void probed(MpiCall& c, MPI_Comm comm, const MPI_Status* status) {
  note_probe(c, find_comm(comm), status, OTF2_UNDEFINED_UINT64);
}

void looks(MpiCall& c, MPI_Status*& status) {
  if (has_probe_records) own_status(c, status);
}

void looked(MpiCall& c, const int* flag) {
  if (*flag != 0) c.enter_now();
}

void probed_if(MpiCall& c, const int* flag, MPI_Comm comm, const MPI_Status* status) {
  if (*flag != 0) probed(c, comm, status);
}

void found(MpiCall& c, MPI_Comm comm, const MPI_Message* message, const MPI_Status* status) {
  Comm* const known = find_comm(comm);
  if (known == nullptr || *message == MPI_MESSAGE_NO_PROC) return;
  const std::uint64_t id = c.new_id();
  note_probe(c, known, status, id);
  const std::lock_guard guard(found_lock);
  found_messages()[key_of(*message)] = {known, id, has_probe_records && !c.t.muted};
}

void found_if(MpiCall& c, const int* flag, MPI_Comm comm, const MPI_Message* message, const MPI_Status* status) {
  if (*flag != 0) found(c, comm, message, status);
}

void receives_found(MpiCall& c, const MPI_Message* message, MPI_Status*& status) {
  own_status(c, status);
  const FoundMessage found = take_found(message);
  c.comm = found.comm;
  Operation& o = c.operation.emplace();
  o.message = found.id;
  o.is_of_found = found.recorded;
}

void received_found(MpiCall& c, const MPI_Status* status) {
  if (!c.operation->is_of_found || c.t.muted) return received(c, status);
  if (c.comm != nullptr) write_mrecv(c.t, c.end, c.operation->message, received_bytes(status));
}

void starts_found(MpiCall& c, const MPI_Message* message) {
  const FoundMessage found = take_found(message);
  if (found.comm == nullptr) return;
  Operation& o = c.operation.emplace();
  o.kind = Operation::Kind::receive;
  o.comm = found.comm;
  o.message = found.id;
  o.id = c.new_id();
  o.is_of_found = found.recorded;
  if (o.is_of_found)
    write_imrecv_request(c.t, c.begin, o.message, o.id);
  else
    c.t.record(OTF2_EvtWriter_MpiIrecvRequest, c.begin, o.id);
}

}  // namespace waitstate::record::mpi
