#include "record/mpi/requests.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "record/core/node_lists.hpp"
#include "record/core/pending.hpp"
#include "record/core/probe_records.hpp"
#include "record/mpi/communicators.hpp"
#include "record/mpi/messages.hpp"
#include "record/mpi/windows.hpp"
#include "record/mpi/world.hpp"

namespace waitstate::record::mpi {

namespace {

using Kind = Operation::Kind;

std::atomic<std::uint64_t> freed{0};

std::int64_t or_any(int value, int wildcard) { return value == wildcard ? -1 : value; }

// An operation, and where it is to be seen if the process is killed.
struct Shown {
  Operation operation;
  PendingOperation* place = nullptr;

  void show(std::uintptr_t key) {
    if (place == nullptr) place = take_pending_operation();
    if (place == nullptr) return;
    PendingOperation& p = *place;
    const Operation& o = operation;
    p.request = key;
    p.id = o.id;
    p.peer = p.tag = -1;
    p.what.store(Waiting::What::nothing, std::memory_order_relaxed);
    if (!o.active || (o.kind == Kind::one_sided ? o.window == nullptr : o.comm == nullptr)) return;
    p.communicator = o.kind == Kind::one_sided ? o.window->number : o.comm->number;
    switch (o.kind) {
      case Kind::send:
        p.peer = o.peer;
        p.tag = o.tag;
        return p.what.store(Waiting::What::send, std::memory_order_relaxed);
      case Kind::receive:
      case Kind::both:
        p.peer = or_any(o.peer, MPI_ANY_SOURCE);
        p.tag = or_any(o.tag, MPI_ANY_TAG);
        return p.what.store(Waiting::What::receive, std::memory_order_relaxed);
      case Kind::collective:
      case Kind::duplicate:
        return p.what.store(Waiting::What::collective, std::memory_order_relaxed);
      case Kind::one_sided:
        return p.what.store(Waiting::What::window, std::memory_order_relaxed);
      case Kind::none:
        return;
    }
  }
  void hide() {
    if (place != nullptr) place->what.store(Waiting::What::nothing, std::memory_order_relaxed);
  }
};

// Open operations by handle, first in, first out for equal handles. Nodes are used again, so nothing is asked for in
// the steady state.
class RequestTable {
 public:
  void add(std::uintptr_t key, const Operation& operation) {
    Shard& s = shard(key);
    const std::lock_guard guard(s.lock);
    Node* const node = s.take(key);
    node->value.operation = operation;
    node->value.show(key);
    Node** at = &list(s, key);
    while (*at != nullptr) at = &(*at)->next;
    *at = node;
  }

  /// The oldest active operation of a handle, which is out of the table now unless it is persistent; nothing if there
  /// is none. If there are some that this thread began, one of these: another one's may have begun after this call has
  /// ended.
  std::optional<Operation> complete(std::uintptr_t key, const Thread& thread) {
    std::optional<Operation> out;
    const auto take = [&](Operation& o) {
      out.emplace(o);
      o.active = o.cancelled = false;
      return !o.persistent;
    };
    if (!find(
            key, [&](Operation& o) { return o.active && begun_by(o, thread); }, take))
      find(
          key, [](Operation& o) { return o.active; }, take);
    return out;
  }
  /// f(operation) of the oldest one; true from it: take it out.
  template <class F>
  bool with(std::uintptr_t key, F&& f) {
    return find(
        key, [](Operation&) { return true; }, f);
  }

  /// f(operation) of the oldest one, which is started once more.
  template <class F>
  void restart(std::uintptr_t key, F&& f) {
    Shard& s = shard(key);
    const std::lock_guard guard(s.lock);
    for (Node* n = list(s, key); n != nullptr; n = n->next)
      if (n->key == key) {
        f(n->value.operation);
        return n->value.show(key);
      }
  }

 private:
  using Shard = NodeLists<Shown>;
  using Node = Shard::Node;
  static Node*& list(Shard& s, std::uintptr_t key) {
    return s.lists[(key >> 8 ^ key >> 4 ^ key >> 16) % s.lists.size()];
  }
  Shard& shard(std::uintptr_t key) { return shards_[(key >> 4 ^ key >> 12 ^ key) % shards_.size()]; }

  template <class Is, class F>
  bool find(std::uintptr_t key, Is&& is, F&& f) {
    Shard& s = shard(key);
    const std::lock_guard guard(s.lock);
    for (Node** at = &list(s, key); *at != nullptr; at = &(*at)->next) {
      Shown& found = (*at)->value;
      if ((*at)->key != key || !is(found.operation)) continue;
      const bool ends = f(found.operation);
      if (ends || !found.operation.active) found.hide();
      if (ends) s.remove(at);
      return true;
    }
    return false;
  }

  std::array<Shard, 16> shards_;
};

RequestTable& table() {
  static auto* const t = new RequestTable;
  return *t;
}

// MPICH 4.0 leaves in the status of MPI_Isendrecv that of some other message. Tried once, with this process itself;
// without MPI_Init there is no communicator to try it with.
bool has_status_of_isendrecv() {
#if MPI_VERSION >= 4
  if (!has_world()) return false;
  static const bool right = [] {
    constexpr int tag = 1;
    char out[3] = {}, in[5];
    int rank = 0;
    MPI_Request request{};
    MPI_Status status{};
    if (real::Comm_rank(own_comm, &rank) != MPI_SUCCESS ||
        real::Isendrecv(out, sizeof out, MPI_BYTE, rank, tag, in, sizeof in, MPI_BYTE, rank, tag, own_comm, &request) !=
            MPI_SUCCESS ||
        real::Wait(&request, &status) != MPI_SUCCESS)
      return false;
    return status.MPI_SOURCE == rank && status.MPI_TAG == tag && received_bytes(&status) == sizeof out;
  }();
  return right;
#else
  return true;
#endif
}

// Without a status the arguments tell, unless they leave it open.
void receive(MpiCall& c, const Operation& o, std::uint64_t id, const MPI_Status* status) {
  if (o.kind == Kind::both && !has_status_of_isendrecv()) {
    if (o.peer != MPI_ANY_SOURCE && o.tag != MPI_ANY_TAG)
      c.t.record(OTF2_EvtWriter_MpiIrecv, c.end, static_cast<std::uint32_t>(o.peer), o.comm->number,
                 static_cast<std::uint32_t>(o.tag), o.bytes, id);
    return;
  }
  if (o.partitioned)
    return c.t.record(OTF2_EvtWriter_MpiIrecv, c.end, static_cast<std::uint32_t>(o.peer), o.comm->number,
                      static_cast<std::uint32_t>(o.tag), o.bytes, id);
  if (status->MPI_SOURCE < 0) return;
  if (o.is_of_found) return write_imrecv(c.t, c.end, id, received_bytes(status));
  c.t.record(OTF2_EvtWriter_MpiIrecv, c.end, static_cast<std::uint32_t>(status->MPI_SOURCE), o.comm->number,
             static_cast<std::uint32_t>(status->MPI_TAG), received_bytes(status), id);
}

// A message that came to nothing has no record but this.
void fail(MpiCall& c, const Operation& o) {
  if (o.kind != Kind::send && o.kind != Kind::receive && o.kind != Kind::both) return;
  c.t.record(OTF2_EvtWriter_MpiRequestCancelled, c.end, o.id);
  if (o.kind == Kind::both) c.t.record(OTF2_EvtWriter_MpiRequestCancelled, c.end, o.id + 1);
}

// The error of one of the requests of a call, if it is known.
int error_of(const MpiCall& c, const MPI_Status* status) {
  return c.result == MPI_ERR_IN_STATUS ? status->MPI_ERROR : c.result;
}

// The operation was begun while recording was off.
void note_unrecorded_end(const Operation& o, const MPI_Status* status) {
  if (o.partitioned && o.kind == Kind::receive)
    note_unrecorded({Unrecorded::Kind::receive, o.comm->number, static_cast<std::uint32_t>(o.peer),
                     static_cast<std::uint32_t>(o.tag)});
  else if ((o.kind == Kind::receive || o.kind == Kind::both) && status->MPI_SOURCE >= 0)
    note_unrecorded(received_as(*o.comm, *status));
  if (o.kind == Kind::collective) note_unrecorded({Unrecorded::Kind::collective, o.comm->number});
}

// One request of a call is complete, or has failed.
void complete(MpiCall& c, std::uintptr_t handle, const MPI_Status* status) {
  const int error = error_of(c, status);
  if (handle == key_of(MPI_REQUEST_NULL) || error == MPI_ERR_PENDING) return;
  const std::optional<Operation> completed = table().complete(handle, c.t);
  if (!completed) return;
  const Operation& o = *completed;
  if (!o.recorded) [[unlikely]]
    return note_unrecorded_end(o, status);
  c.record_anyway();
  if (error != MPI_SUCCESS && !is_truncation(error)) return fail(c, o);
  if (o.cancelled) {
    int cancelled = 0;
    if (real::Test_cancelled(status, &cancelled) == MPI_SUCCESS && cancelled != 0) {
      c.t.record(OTF2_EvtWriter_MpiRequestCancelled, c.end, o.id);
      return;
    }
  }
  switch (o.kind) {
    case Kind::none:
      break;
    case Kind::send:
      c.t.record(OTF2_EvtWriter_MpiIsendComplete, c.end, o.id);
      break;
    case Kind::receive:
      receive(c, o, o.id, status);
      break;
    case Kind::both:
      c.t.record(OTF2_EvtWriter_MpiIsendComplete, c.end, o.id);
      receive(c, o, o.id + 1, status);
      break;
    case Kind::collective:
      c.t.record(OTF2_EvtWriter_NonBlockingCollectiveComplete, c.end, o.collective.op, o.collective.comm->number,
                 o.collective.root, o.collective.sent, o.collective.received, o.id);
      break;
    case Kind::one_sided:
      if (completed_here(*o.window, o.id))
        c.t.record(OTF2_EvtWriter_RmaOpCompleteNonBlocking, c.end, o.window->number, o.id);
      break;
    case Kind::duplicate:
      duplicated(c, o);
      break;
  }
}

void in_vain(MpiCall& c) {
  if (!c.entered()) return;
  for (std::size_t i = 0; i < c.count; ++i)
    if (c.requests[i] != key_of(MPI_REQUEST_NULL))
      table().with(c.requests[i], [&](const Operation& o) {
        if (!o.recorded) return false;
        if (o.active && o.kind == Kind::one_sided)
          c.t.record(OTF2_EvtWriter_RmaOpTest, c.end, o.window->number, o.id);
        else if (o.active && o.kind != Kind::duplicate && o.kind != Kind::collective)
          c.t.record(OTF2_EvtWriter_MpiRequestTest, c.end, o.id);
        return false;
      });
}

}  // namespace

void started(MpiCall& c, const MPI_Request* request) {
  if (!c.operation) return;
  c.operation->recorded = !c.t.muted;
  table().add(key_of(*request), *c.operation);
}

void prepared_send(MpiCall&, std::int64_t count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   const MPI_Request* request) {
  Operation o;
  o.comm = to == MPI_PROC_NULL ? nullptr : find_comm(comm);
  if (o.comm == nullptr) return;
  o.kind = Kind::send;
  o.persistent = true;
  o.active = false;
  o.peer = to;
  o.tag = tag;
  o.bytes = bytes_of(count, type);
  table().add(key_of(*request), o);
}

void prepared_receive(MpiCall&, int from, int tag, MPI_Comm comm, const MPI_Request* request) {
  Operation o;
  o.comm = from == MPI_PROC_NULL ? nullptr : find_comm(comm);
  if (o.comm == nullptr) return;
  o.kind = Kind::receive;
  o.persistent = true;
  o.active = false;
  o.peer = from;
  o.tag = tag;
  table().add(key_of(*request), o);
}

// All members prepare such operations in the same order, and start them in any.
void prepared_collective(MpiCall& c, const MPI_Request* request) {
  if (c.collective.comm == nullptr) return;
  const std::string number = std::to_string(c.collective.comm->persistent++);
  c.collective.comm = alias_of(*c.collective.comm, "p" + number, "persistent " + number);
  Operation o;
  o.kind = Kind::collective;
  o.persistent = true;
  o.active = false;
  o.collective = c.collective;
  o.comm = c.collective.comm;
  table().add(key_of(*request), o);
}

// The n-th one that a process prepares for another pairs with the n-th one that this prepares for it, in their order in
// one communicator with one tag, and with nothing else: so it has a communicator of its own.
void prepared_parts(MpiCall&, bool sends, std::int64_t partitions, std::int64_t count, MPI_Datatype type, int peer,
                    int tag, MPI_Comm comm, const MPI_Request* request) {
  const Comm* const known = peer == MPI_PROC_NULL ? nullptr : find_comm(comm);
  if (known == nullptr) return;
  const std::string own = std::to_string(process_rank()), other = std::to_string(world_rank(*known, peer));
  const std::string pair = "m" + std::to_string(tag) + "/" + (sends ? own + "-" + other : other + "-" + own);
  const std::uint64_t number = count_of(known->identity + "." + pair + (sends ? "s" : "r"));
  Operation o;
  o.comm = alias_of(*known, pair + "/" + std::to_string(number), "partitioned " + pair.substr(1));
  o.kind = sends ? Kind::send : Kind::receive;
  o.persistent = o.partitioned = true;
  o.active = false;
  o.peer = peer;
  o.tag = tag;
  o.bytes = static_cast<std::uint64_t>(partitions) * bytes_of(count, type);
  table().add(key_of(*request), o);
}

void restarts(MpiCall& c, int count, const MPI_Request* requests) {
  for (int i = 0; i < count; ++i)
    table().restart(key_of(requests[i]), [&](Operation& o) {
      if (!o.persistent) return;
      o.active = true;
      o.id = c.new_id();
      o.recorded = !c.t.muted;
      if (!o.recorded) {
        if (o.kind == Kind::send)
          note_unrecorded({Unrecorded::Kind::send, o.comm->number, static_cast<std::uint32_t>(o.peer),
                           static_cast<std::uint32_t>(o.tag)});
      } else if (o.kind == Kind::send)
        c.t.record(OTF2_EvtWriter_MpiIsend, c.begin, static_cast<std::uint32_t>(o.peer), o.comm->number,
                   static_cast<std::uint32_t>(o.tag), o.bytes, o.id);
      else if (o.kind == Kind::receive)
        c.t.record(OTF2_EvtWriter_MpiIrecvRequest, c.begin, o.id);
      else
        c.t.record(OTF2_EvtWriter_NonBlockingCollectiveRequest, c.begin, o.id);
    });
}

namespace {

[[gnu::noinline, gnu::cold]] void copy_many(MpiCall& c, const MPI_Request* requests) {
  std::vector<std::uint64_t>& copy = scratch(c.t).requests;
  if (copy.size() < c.count) copy.resize(c.count);
  std::transform(requests, requests + c.count, copy.begin(), [](MPI_Request r) { return key_of(r); });
  c.requests = copy.data();
}

void copy_requests(MpiCall& c, int count, const MPI_Request* requests) {
  c.count = count > 0 ? static_cast<std::size_t>(count) : 0;
  Waiting& w = c.t.tail->waiting;
  w.requests = static_cast<std::uint32_t>(std::min(c.count, Waiting::most_requests));
  for (std::size_t i = 0; i < w.requests; ++i) w.request[i] = key_of(requests[i]);
  c.requests = w.request;
  if (c.count > Waiting::most_requests) copy_many(c, requests);
  c.wait_for(Waiting::What::requests, undefined);
}

}  // namespace

void waits(MpiCall& c, int count, const MPI_Request* requests, MPI_Status*& status) {
  copy_requests(c, count, requests);
  own_status(c, status);
}

void waits_all(MpiCall& c, int count, const MPI_Request* requests, MPI_Status*& statuses) {
  copy_requests(c, count, requests);
  if (statuses == MPI_STATUSES_IGNORE) {
    Scratch& s = scratch(c.t);
    if (s.statuses.size() <= c.count) s.statuses.resize(c.count + 1);
    statuses = s.statuses.data();
  }
}

void completed(MpiCall& c, int, const MPI_Request*, const MPI_Status* statuses) {
  for (std::size_t i = 0; i < c.count; ++i) complete(c, c.requests[i], statuses + i);
}

void completed_one(MpiCall& c, const int* index, const MPI_Request*, const MPI_Status* status) {
  if (*index >= 0 && static_cast<std::size_t>(*index) < c.count)
    complete(c, c.requests[static_cast<std::size_t>(*index)], status);
}

void completed_some(MpiCall& c, const int* count, const int* indices, const MPI_Request*, const MPI_Status* statuses) {
  if (*count == MPI_UNDEFINED) return;
  for (int i = 0; i < *count; ++i)
    if (indices[i] >= 0 && static_cast<std::size_t>(indices[i]) < c.count)
      complete(c, c.requests[static_cast<std::size_t>(indices[i])], statuses + i);
}

void tested(MpiCall& c, const int* flag, int count, const MPI_Request* requests, const MPI_Status* statuses) {
  if (*flag == 0) return in_vain(c);
  c.enter_now();
  completed(c, count, requests, statuses);
}

void tested_one(MpiCall& c, const int* flag, const int* index, const MPI_Request* requests, const MPI_Status* status) {
  if (*flag == 0) return in_vain(c);
  c.enter_now();
  completed_one(c, index, requests, status);
}

void tested_some(MpiCall& c, const int* count, const int* indices, const MPI_Request* requests,
                 const MPI_Status* statuses) {
  if (*count == 0) return in_vain(c);
  c.enter_now();
  completed_some(c, count, indices, requests, statuses);
}

void frees(MpiCall& c, const MPI_Request* request) {
  table().with(key_of(*request), [&](const Operation& o) {
    if (!o.active || !o.recorded) return true;
    c.record_anyway();
    if (o.kind == Kind::send)
      c.t.record(OTF2_EvtWriter_MpiIsendComplete, c.begin, o.id);
    else
      freed.fetch_add(1);
    return true;
  });
}

void cancels(MpiCall&, const MPI_Request* request) {
  table().with(key_of(*request), [](Operation& o) {
    o.cancelled = true;
    return false;
  });
}

namespace {

int class_of(int code) {
  int known = MPI_ERR_UNKNOWN;
  return real::Error_class(code, &known) == MPI_SUCCESS ? known : MPI_ERR_UNKNOWN;
}

}  // namespace

bool is_truncation(int code) { return class_of(code) == MPI_ERR_TRUNCATE; }

void note_error(MpiCall& c, int code) {
  c.result = class_of(code);
  c.has_outcome = c.result == MPI_ERR_TRUNCATE || c.result == MPI_ERR_IN_STATUS;
  if (c.live()) count_error(c.t.region);
}

std::uint64_t freed_receives() { return freed.load(); }

}  // namespace waitstate::record::mpi
