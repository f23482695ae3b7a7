#include "record/mpi/requests.hpp"

#include <array>
#include <atomic>
#include <mutex>

#include "record/core/node_lists.hpp"
#include "record/core/probe_records.hpp"
#include "record/mpi/communicators.hpp"
#include "record/mpi/messages.hpp"
#include "record/mpi/windows.hpp"

namespace waitstate::record::mpi {

namespace {

using Kind = Operation::Kind;

std::atomic<std::uint64_t> freed{0};

// Open operations by handle, first in, first out for equal handles. Nodes are used again, so nothing is asked for in
// the steady state.
class RequestTable {
 public:
  void add(std::uintptr_t key, const Operation& operation) {
    Shard& s = shard(key);
    const std::lock_guard guard(s.lock);
    Node* const node = s.take(key);
    node->value = operation;
    Node** at = &list(s, key);
    while (*at != nullptr) at = &(*at)->next;
    *at = node;
  }

  /// The oldest active operation of a handle: into `out`, and out of the table unless it is persistent. If there are
  /// some that this thread began, one of these: another one's may have begun after this call has ended.
  bool complete(std::uintptr_t key, const Thread& thread, Operation& out) {
    const auto take = [&](Operation& o) {
      out = o;
      o.active = o.cancelled = false;
      return !o.persistent;
    };
    return find(
               key, [&](Operation& o) { return o.active && begun_by(o, thread); }, take) ||
           find(
               key, [](Operation& o) { return o.active; }, take);
  }
  /// f(operation) of the oldest one; true from it: take it out.
  template <class F>
  bool with(std::uintptr_t key, F&& f) {
    return find(
        key, [](Operation&) { return true; }, f);
  }

  /// Without waiting for the lock: in a signal handler.
  template <class F>
  void look(std::uintptr_t key, F&& f) {
    for (Node* n = list(shard(key), key); n != nullptr; n = n->next)
      if (n->key == key && n->value.active) return f(n->value);
  }

 private:
  using Shard = NodeLists<Operation>;
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
      if ((*at)->key != key || !is((*at)->value)) continue;
      if (f((*at)->value)) s.remove(at);
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

void receive(MpiCall& c, const Operation& o, std::uint64_t id, const MPI_Status* status) {
  if (status->MPI_SOURCE < 0) return;
  if (o.is_of_found) return write_imrecv(c.t.writer, c.end, id, received_bytes(status));
  OTF2_EvtWriter_MpiIrecv(c.t.writer, nullptr, c.end, static_cast<std::uint32_t>(status->MPI_SOURCE), o.comm->number,
                          static_cast<std::uint32_t>(status->MPI_TAG), received_bytes(status), id);
}

// One request of a call is complete.
void complete(MpiCall& c, MPI_Request handle, const MPI_Status* status) {
  Operation o;
  if (handle == MPI_REQUEST_NULL || !table().complete(key_of(handle), c.t, o)) return;
  if (o.cancelled) {
    int cancelled = 0;
    if (real::Test_cancelled(status, &cancelled) == MPI_SUCCESS && cancelled != 0) {
      OTF2_EvtWriter_MpiRequestCancelled(c.t.writer, nullptr, c.end, o.id);
      return;
    }
  }
  switch (o.kind) {
    case Kind::none:
      break;
    case Kind::send:
      OTF2_EvtWriter_MpiIsendComplete(c.t.writer, nullptr, c.end, o.id);
      break;
    case Kind::receive:
      receive(c, o, o.id, status);
      break;
    case Kind::both:
      OTF2_EvtWriter_MpiIsendComplete(c.t.writer, nullptr, c.end, o.id);
      receive(c, o, o.id + 1, status);
      break;
    case Kind::collective:
      OTF2_EvtWriter_NonBlockingCollectiveComplete(c.t.writer, nullptr, c.end, o.collective.op,
                                                   o.collective.comm->number, o.collective.root, o.collective.sent,
                                                   o.collective.received, o.id);
      break;
    case Kind::one_sided:
      if (completed_here(*o.window, o.id))
        OTF2_EvtWriter_RmaOpCompleteNonBlocking(c.t.writer, nullptr, c.end, o.window->number, o.id);
      break;
    case Kind::duplicate:
      duplicated(c, o);
      break;
  }
}

void in_vain(MpiCall& c) {
  if (!c.entered()) return;
  const std::vector<MPI_Request>& requests = scratch(c.t).requests;
  for (std::size_t i = 0; i < c.count; ++i)
    if (requests[i] != MPI_REQUEST_NULL)
      table().with(key_of(requests[i]), [&](const Operation& o) {
        if (o.active && o.kind == Kind::one_sided)
          OTF2_EvtWriter_RmaOpTest(c.t.writer, nullptr, c.end, o.window->number, o.id);
        else if (o.active && o.kind != Kind::duplicate && o.kind != Kind::collective)
          OTF2_EvtWriter_MpiRequestTest(c.t.writer, nullptr, c.end, o.id);
        return false;
      });
}

}  // namespace

void started(MpiCall& c, const MPI_Request* request) {
  if (c.operation.kind != Kind::none) table().add(key_of(*request), c.operation);
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

void prepared_collective(MpiCall& c, const MPI_Request* request) {
  if (c.collective.comm == nullptr) return;
  Operation o;
  o.kind = Kind::collective;
  o.persistent = true;
  o.active = false;
  o.collective = c.collective;
  o.comm = c.collective.comm;
  table().add(key_of(*request), o);
}

void restarts(MpiCall& c, int count, const MPI_Request* requests) {
  for (int i = 0; i < count; ++i)
    table().with(key_of(requests[i]), [&](Operation& o) {
      if (!o.persistent) return false;
      o.active = true;
      o.id = c.new_id();
      if (o.kind == Kind::send)
        OTF2_EvtWriter_MpiIsend(c.t.writer, nullptr, c.begin, static_cast<std::uint32_t>(o.peer), o.comm->number,
                                static_cast<std::uint32_t>(o.tag), o.bytes, o.id);
      else if (o.kind == Kind::receive)
        OTF2_EvtWriter_MpiIrecvRequest(c.t.writer, nullptr, c.begin, o.id);
      else
        OTF2_EvtWriter_NonBlockingCollectiveRequest(c.t.writer, nullptr, c.begin, o.id);
      return false;
    });
}

namespace {

void copy_requests(MpiCall& c, int count, const MPI_Request* requests) {
  Scratch& s = scratch(c.t);
  c.count = count > 0 ? static_cast<std::size_t>(count) : 0;
  if (s.requests.size() < c.count) s.requests.resize(c.count);
  for (std::size_t i = 0; i < c.count; ++i) s.requests[i] = requests[i];
  c.t.waiting.requests = s.requests.data();
  c.t.waiting.count = c.count;
  c.t.waiting.what = Waiting::What::requests;
}

}  // namespace

void waits(MpiCall& c, int count, const MPI_Request* requests, MPI_Status*& status) {
  copy_requests(c, count, requests);
  own_status(c, status);
}

void waits_all(MpiCall& c, int count, const MPI_Request* requests, MPI_Status*& statuses) {
  copy_requests(c, count, requests);
  if (statuses != MPI_STATUSES_IGNORE) return;
  Scratch& s = scratch(c.t);
  if (s.statuses.size() <= c.count) s.statuses.resize(c.count + 1);
  statuses = s.statuses.data();
}

void completed(MpiCall& c, int, const MPI_Request*, const MPI_Status* statuses) {
  for (std::size_t i = 0; i < c.count; ++i) complete(c, scratch(c.t).requests[i], statuses + i);
}

void completed_one(MpiCall& c, const int* index, const MPI_Request*, const MPI_Status* status) {
  if (*index >= 0 && static_cast<std::size_t>(*index) < c.count)
    complete(c, scratch(c.t).requests[static_cast<std::size_t>(*index)], status);
}

void completed_some(MpiCall& c, const int* count, const int* indices, const MPI_Request*, const MPI_Status* statuses) {
  if (*count == MPI_UNDEFINED) return;
  for (int i = 0; i < *count; ++i)
    if (indices[i] >= 0 && static_cast<std::size_t>(indices[i]) < c.count)
      complete(c, scratch(c.t).requests[static_cast<std::size_t>(indices[i])], statuses + i);
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
    if (!o.active) return true;
    if (o.kind == Kind::send)
      OTF2_EvtWriter_MpiIsendComplete(c.t.writer, nullptr, c.begin, o.id);
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

void for_each_pending(const Thread& thread, void (*use)(const Thread&, const Operation&)) {
  const auto* const requests = static_cast<const MPI_Request*>(thread.waiting.requests);
  for (std::size_t i = 0; i < thread.waiting.count; ++i)
    if (requests[i] != MPI_REQUEST_NULL) table().look(key_of(requests[i]), [&](const Operation& o) { use(thread, o); });
}

std::uint64_t freed_receives() { return freed.load(); }

}  // namespace waitstate::record::mpi
