// Linker: records, calls, messages and requests. Longer than other files because all of them share the lifetimes of
// calls and messages: see the holds in drop_call() and drop().
#include "link/linker.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "link/rma/rma.hpp"
#include "util/prefetch.hpp"

namespace waitstate::link {

namespace {
// Up to so many, the messages in flight and their calls stay in the processor's caches.
constexpr std::size_t cached_messages = 4096;

bool communicates(const Location& l) {
  return l.type != LocationType::accelerator_stream && l.type != LocationType::metric;
}
}  // namespace

Linker::Linker(const Definitions& definitions, CallTree& call_tree, Diagnostics& diagnostics, Listener* listener,
               MergeFeed* feed, CancelledSends cancelled)
    : definitions_(definitions),
      diagnostics_(diagnostics),
      listener_(listener),
      feed_(feed),
      cancelled_(std::move(cancelled)),
      paths_(call_tree, definitions.locations.size()),
      locations_(definitions.locations.size()),
      processes_(definitions.processes.size() + 1),
      ended_(processes_.size()),
      first_receives_(locations_.size(), none),
      blocked_on_(locations_.size()),
      incoming_(processes_.size()),
      most_waiting_(std::max(most_waiting / std::max<std::size_t>(locations_.size(), 1), most_waiting_of_each)),
      collectives_(definitions, diagnostics, calls_, listener, feed),
      threads_(definitions, paths_, calls_, diagnostics, listener, feed != nullptr),
      wanted_(listener != nullptr ? listener->wanted() : Wanted{.interests = 0}) {
  in_memory_ = aside_from_ = std::max(most_in_memory, most_in_memory_of_each * locations_.size());
  if (listener != nullptr && !definitions.rma_wins.empty())
    rma_ = std::make_unique<Rma>(definitions, diagnostics, calls_, *listener);
  if (listener != nullptr && listener->wanted().any(interest_device_wait) && Devices::any(definitions))
    devices_ = std::make_unique<Devices>(definitions, *listener);
  for (std::size_t i = 0; i < locations_.size(); ++i) {
    const Location& l = definitions.locations[i];
    // Locations without a process share one entry at the end.
    process_ids_.push_back(l.process.valid() ? l.process : ProcessId{definitions.processes.size()});
    if (communicates(l)) processes_[process_ids_[i].index()].threads.push_back(LocationId{i});
  }
}

Linker::~Linker() = default;

bool Linker::wants_library_calls() const { return rma_ != nullptr && rma_->wants_library_calls(); }

// --- chunks, and the order of records within a process ---------------------------------------------------------------

bool Linker::scan(const replay::Chunk& chunk) {
  for (const replay::NewCallPath& p : chunk.call_paths) paths_.add(chunk.location, p);
  threads_.scan(chunk);
  ++state(chunk.location).scanned;
  return threads_.resolved(chunk.location);
}

void Linker::process(const replay::Chunk& chunk) {
  const LocationId l = chunk.location;
  LocationState& location = state(l);
  if (location.scanned == 0) scan(chunk);
  --location.scanned;
  while (!threads_.resolved(l)) threads_.give_up(l);
  if (wanted_.watermarks() && until_watermark_-- == 0) update_watermark();
  ProcessState& process = process_of(l);
  if (!process.started) {
    process.started = true;
    process.first_time = chunk.first_time;
  }
  location.progress = static_cast<Ticks>(chunk.last_time - process.first_time);
  const auto read_up_to_here = [&] {
    location.processed = chunk.last_time;
    location.at_end = chunk.last;
  };

  if (messages_.alive() >= aside_from_) set_aside();
  const bool in_order = process.threads.size() == 1;
  if (!in_order) read_up_to_here();  // what the order among the threads is decided by
  call_ids_.assign(chunk.calls.size(), none);
  if (rma_ != nullptr)  // all calls, in their order, whatever records they have
    for (std::size_t i = 0; i < chunk.calls.size(); ++i) {
      call_ids_[i] = new_call(l, chunk.calls[i]);
      if (chunk.calls[i].records != 0) calls_.hold(call_ids_[i]);  // until its one-sided records have been seen too
    }
  const bool ignored = !communicates(definitions_[l]);
  if (ignored) ignore_records(chunk);
  far_ = messages_.alive() > cached_messages;
  for (std::size_t i = ignored ? chunk.records.size() : 0; i < chunk.records.size(); ++i) {
    if (far_) look_ahead(chunk, i);
    const replay::CommRecord& r = chunk.records[i];
    std::uint32_t& call = call_ids_[r.call];
    if (call == none) call = new_call(l, chunk.calls[r.call]);
    if (in_order)
      link(l, r, call);
    else
      location.waiting.push_back({r, call});
  }
  if (rma_ != nullptr) process_one_sided(chunk);
  if (in_order)
    read_up_to_here();  // only now: while its records were linked, earlier sends were still to come
  else
    link_in_time_order(process);
  for (const replay::CallRecord& c : chunk.world_calls) {
    Call call;
    fill(call, l, c);
    collectives_.world_call(call);
  }
  if (devices_ != nullptr) process_device_records(chunk);
  threads_.process(chunk);
  if (chunk.last &&
      std::all_of(process.threads.begin(), process.threads.end(), [&](LocationId t) { return state(t).at_end; }))
    end_process(process);
}

// With many messages in flight, a message's other half is long out of the processor's caches when it is met, and each
// step on the way to it - channel, message, call - would wait for the memory. So the steps are taken in advance for the
// records to come, each some records after the one before; for the first ones of a chunk before anything is linked.
// What is asked for in vain, as an earlier record has met it, does no harm.
inline void Linker::look_ahead(const replay::Chunk& chunk, std::size_t record) {
  constexpr std::size_t to_channel = 24, to_message = 16, to_call = 8;
  if (record == 0) {
    for (std::size_t i = 0; i < to_channel; ++i) ask_for_channel(chunk, i);
    for (std::size_t i = 0; i < to_message; ++i) ask_for_message(chunk, i);
    for (std::size_t i = 0; i < to_call; ++i) ask_for_call(chunk, i);
  }
  ask_for_channel(chunk, record + to_channel);
  ask_for_message(chunk, record + to_message);
  ask_for_call(chunk, record + to_call);
}

inline void Linker::ask_for_channel(const replay::Chunk& chunk, std::size_t record) {
  if (record >= chunk.records.size()) return;
  const replay::CommRecord& r = chunk.records[record];
  Ahead& a = ahead_[record % ahead_.size()];
  a.sends = r.type == EventType::send || r.type == EventType::isend;
  a.partner = r.peer.valid() && (a.sends || r.type == EventType::recv || r.type == EventType::irecv);
  if (!a.partner) return;
  a.key = channel_key(a.sends ? chunk.location : r.peer, a.sends ? r.peer : chunk.location, r.comm, r.tag);
  channels_.prefetch(a.key);
  if (a.sends && wanted_.watermarks()) util::prefetch(&incoming_[process_id(r.peer).index()]);
}

inline void Linker::ask_for_message(const replay::Chunk& chunk, std::size_t record) {
  Ahead& a = ahead_[record % ahead_.size()];
  if (record >= chunk.records.size() || !a.partner) return;
  const Channel* const channel = channels_.find(a.key);
  a.message = channel == nullptr ? none : channel->head;
  if (a.message != none) util::prefetch(&messages_[a.message], sizeof(MessageState));
  if (a.sends && wanted_.watermarks()) {
    const std::vector<Sent>& sent = incoming_[process_id(chunk.records[record].peer).index()].sent;
    util::prefetch<true>(sent.data() + sent.size());
  }
}

inline void Linker::ask_for_call(const replay::Chunk& chunk, std::size_t record) {
  const Ahead& a = ahead_[record % ahead_.size()];
  if (record >= chunk.records.size() || !a.partner || a.message == none) return;
  const MessageState& m = messages_[a.message];
  const std::uint32_t calls[] = {m.send_call, m.send_done_call, m.recv_call, m.recv_post};
  for (std::size_t i = 0; i < std::size(calls); ++i)
    if (calls[i] != none && (i % 2 == 0 || calls[i] != calls[i - 1]))
      util::prefetch(&calls_[calls[i]], sizeof(CallState));
  if (m.has_recv && first_receives_[m.receiver.index()] == m.recv_call) util::prefetch(&state(m.receiver));
}

// The same for calls that complete receives and are now delivered one after the other.
inline void Linker::look_ahead(const util::FrontQueue<std::uint32_t>& calls) {
  constexpr std::size_t to_call = 6, to_message = 4, to_send = 2;
  const std::size_t n = calls.size();
  if (n > to_call) util::prefetch(&calls_[calls[to_call]], sizeof(CallState));
  if (n > to_message)
    if (const std::uint32_t m = calls_[calls[to_message]].first_receive; m != none)
      util::prefetch(&messages_[m], sizeof(MessageState));
  if (n > to_send)
    if (const std::uint32_t m = calls_[calls[to_send]].first_receive; m != none)
      for (const std::uint32_t call : {messages_[m].send_call, messages_[m].send_done_call})
        if (call != none) util::prefetch(&calls_[call], sizeof(CallState));
}

void Linker::process_one_sided(const replay::Chunk& chunk) {
  library_enters_.clear();
  for (const replay::CallRecord& r : chunk.library_enters) {
    fill(library_enters_.emplace_back(), chunk.location, r);
    library_enters_.back().previous = {};  // that of the chunk's first call
  }
  rma_->process(chunk, call_ids_, library_enters_);
  for (const std::uint32_t call : call_ids_) drop_call(call);
}

// Streams of accelerators and recorders of metrics are nobody's partners, whatever stands in their events.
void Linker::ignore_records(const replay::Chunk& chunk) {
  const LocationId l = chunk.location;
  for (const replay::CommRecord& r : chunk.records) {
    if (r.type == EventType::send || r.type == EventType::isend)
      diagnostics_.add(DiagnosticId::send_unmatched, {l, r.time, {}});
    else if (r.type == EventType::recv || r.type == EventType::irecv)
      diagnostics_.add(DiagnosticId::recv_unmatched, {l, r.time, {}});
    else if (r.type == EventType::collective_end || r.type == EventType::nonblocking_collective_complete)
      diagnostics_.add(DiagnosticId::collective_stranger, {l, r.time, {}});
    if (feed_ != nullptr) feed_->link(l, {});
    if (call_ids_[r.call] != none) close_record(call_ids_[r.call]);
  }
}

void Linker::process_device_records(const replay::Chunk& chunk) {
  const LocationId l = chunk.location;
  if (definitions_[l].type == LocationType::accelerator_stream) {
    std::vector<Devices::Activity> done;
    for (const replay::DeviceRecord& r : chunk.device_records) {
      if (r.call == replay::DeviceRecord::no_call) {
        done.push_back({r.begin, r.end, paths_.at(l, r.callpath), true});
        continue;
      }
      const replay::CallRecord& c = chunk.sync_calls[r.call];
      done.push_back({c.enter, c.exit, paths_.at(l, threads_.attachment(l, c.segment), c.callpath), false});
    }
    devices_->activities(l, std::move(done));
  } else {
    for (std::size_t i = 0; i < chunk.device_records.size(); ++i) {
      const replay::CallRecord& c = chunk.sync_calls[chunk.device_records[i].call];
      // Calls stand in the order of their enters: one that the next is inside of waits by that one.
      if (i + 1 < chunk.device_records.size() && chunk.sync_calls[chunk.device_records[i + 1].call].enter < c.exit)
        continue;
      Call call;
      call.location = l;
      call.callpath = paths_.at(l, threads_.attachment(l, c.segment), c.callpath);
      call.region = c.region;
      call.enter = c.enter;
      call.exit = c.exit;
      devices_->call(call);
    }
  }
  devices_->read_up_to(l, chunk.last_time, chunk.last);
}

// Takes records in order of time as long as no thread of the process can still bring an earlier one. Ties go to the
// thread that comes first.
void Linker::link_in_time_order(ProcessState& process) {
  for (;;) {
    LocationState* next = nullptr;
    LocationId next_id;
    Time bound = ~Time{0};  // no record later than this may be taken
    for (LocationId t : process.threads) {
      LocationState& thread = state(t);
      if (thread.waiting.empty()) {
        if (!thread.at_end) bound = std::min(bound, thread.processed);
      } else if (next == nullptr || thread.waiting.front().record.time < next->waiting.front().record.time) {
        next = &thread;
        next_id = t;
      }
    }
    // A thread that has been read up to `bound` may still bring a record of exactly that time; it then comes later.
    if (next == nullptr || next->waiting.front().record.time > bound) return;
    const Waiting w = next->waiting.front();
    next->waiting.pop_front();
    link(next_id, w.record, w.call);
  }
}

void Linker::end_process(ProcessState& process) {
  const ProcessId id{static_cast<std::size_t>(&process - processes_.data())};
  ended_[id.index()] = 1;
  ++losses_;
  collectives_.end_process(id);
  if (rma_ != nullptr) rma_->end_process(id);
  std::vector<LocationId> waiters;
  waiters.swap(process.waiters);
  for (LocationId l : waiters) {
    blocked_on_[l.index()] = ProcessId::none();
    deliver_receives(l);
  }
}

// --- records ---------------------------------------------------------------------------------------------------------

inline void Linker::fill(Call& call, LocationId l, const replay::CallRecord& r) {
  if (r.segment == 0) [[likely]] {
    const CallPathId* const paths = paths_.all(l);
    call.callpath = paths[r.callpath];
    call.before.callpath = paths[r.before];
  } else {
    const std::uint32_t attachment = threads_.attachment(l, r.segment);
    call.callpath = paths_.at(l, attachment, r.callpath);
    call.before.callpath = paths_.at(l, attachment, r.before);
  }
  call.location = l;
  call.region = r.region;
  call.function = r.function;
  call.enter = r.enter;
  call.exit = r.exit;
  call.before.begin = r.before_begin;
  call.before.end = r.before_end;
  call.previous = state(l).last_call;
}

std::uint32_t Linker::new_call(LocationId l, const replay::CallRecord& record) {
  const std::uint32_t id = calls_.add(record.records);
  Call& call = calls_[id].call;
  fill(call, l, record);
  state(l).last_call = {call.callpath, call.enter, call.exit};
  return id;
}

void Linker::link(LocationId l, const replay::CommRecord& r, std::uint32_t call) {
  link_ = Link{};
  switch (r.type) {
    case EventType::send: {
      const std::uint32_t m = start_send(l, r, call);
      if (m != none) complete_send(m, call);
      break;
    }
    case EventType::isend:
      put_request(l, r, cancelled_.contains(l, r.time, r.request) ? none : start_send(l, r, call));
      break;
    case EventType::isend_complete:
      if (Request* q = find_request(l, r)) {
        const std::uint32_t m = q->state;
        if (q->type == EventType::isend && m != none) complete_send(m, call);
        forget_request(l, *q);
      }
      break;
    case EventType::irecv_request:
      hold(call);
      put_request(l, r, call);
      break;
    case EventType::recv:
      complete_receive(l, r, call, call);
      break;
    case EventType::irecv: {
      std::uint32_t post = call;
      Request* const q = find_request(l, r);
      if (q != nullptr && q->type == EventType::irecv_request) post = q->state;
      complete_receive(l, r, call, post);
      if (q != nullptr) forget_request(l, *q);
      break;
    }
    case EventType::request_cancelled:
      if (Request* q = find_request(l, r)) {
        if (q->type == EventType::isend) cancelled_.found(q->location, q->time, r.request);
        if (q->type == EventType::nonblocking_collective_request) collectives_.cancel(q->state);
        forget_request(l, *q);
      }
      break;
    case EventType::request_test:
      if (feed_ != nullptr) {
        if (Request* q = process_of(l).requests.find({r.request}); q != nullptr && q->place != none) {
          link_.request = q->place;
          feed_->hold_place(q->place);
        }
      }
      break;
    case EventType::nonblocking_collective_request:
      put_request(l, r, collectives_.start(l, r.time, call));
      break;
    case EventType::nonblocking_collective_complete:
      if (Request* q = find_request(l, r)) {
        if (q->type == EventType::nonblocking_collective_request) collectives_.complete(q->state, l, r, call);
        forget_request(l, *q);
      }
      break;
    case EventType::collective_begin:
      link_.member = collectives_.begin(l, r);
      break;
    case EventType::collective_end:
      link_.member = collectives_.end(l, r, call);
      break;
    default:
      break;
  }
  if (feed_ != nullptr) feed_->link(l, link_);
  close_record(call);
}

// The message whose other half waits longest in the channel (`met`), or a new one that now waits there itself.
std::uint32_t Linker::meet(const ChannelKey& key, const replay::CommRecord& r, bool receive, bool& met) {
  Channel& channel = channels_.find_or_insert(key, [](const Channel& c) { return c.head != none; });
  met = channel.head != none && channel.of_receives != receive;
  if (met) {
    if (messages_[channel.head].aside) [[unlikely]]
      bring_back(channel);
    const std::uint32_t id = channel.head;
    channel.head = messages_[id].next_in_channel;
    return id;
  }
  const std::uint32_t id = messages_.acquire();
  channel.of_receives = receive;
  append(channel, id);
  MessageState& m = messages_[id];
  m.holds = 2;  // its send is to complete, its receive to be delivered
  if (feed_ != nullptr) m.place = feed_->new_place();
  m.comm = r.comm;
  m.tag = r.tag;
  return id;
}

std::uint32_t Linker::start_send(LocationId l, const replay::CommRecord& r, std::uint32_t call) {
  if (!r.peer.valid()) return none;  // counted by the replay
  bool met = false;
  const std::uint32_t id = meet(channel_key(l, r.peer, r.comm, r.tag), r, false, met);
  MessageState& m = messages_[id];
  if (!met) m.receiver = r.peer;
  m.sender = l;
  m.send_time = r.time;
  m.bytes = r.bytes;
  m.send_call = call;
  hold(call);
  m.has_send = true;
  link_.message = m.place;
  if (wanted_.watermarks()) {
    Incoming& incoming = incoming_[process_id(r.peer).index()];
    if (incoming.sent.size() >= incoming.limit) tell_bound(process_id(r.peer));
    incoming.sent.push_back({id, r.time});
  }
  if (met) resolved(id);
  return id;
}

std::uint32_t Linker::complete_receive(LocationId l, const replay::CommRecord& r, std::uint32_t call,
                                       std::uint32_t post) {
  CallState& c = calls_[call];
  if (!c.has_receives) {
    c.has_receives = true;
    if (state(l).receives.empty()) first_receives_[l.index()] = call;
    state(l).receives.push_back(call);
  }
  if (!r.peer.valid()) return none;  // counted by the replay
  bool met = false;
  const std::uint32_t id = meet(channel_key(r.peer, l, r.comm, r.tag), r, true, met);
  MessageState& m = messages_[id];
  if (!met) m.sender = r.peer;
  m.receiver = l;
  m.recv_time = r.time;
  m.recv_call = call;
  m.recv_post = post;
  hold(call);
  hold(post);
  m.has_recv = true;
  link_.message = m.place;
  (c.last_receive == none ? c.first_receive : messages_[c.last_receive].next_receive) = id;
  c.last_receive = id;
  ++c.open_receives;
  if (met) resolved(id);
  return id;
}

void Linker::complete_send(std::uint32_t message, std::uint32_t call) {
  MessageState& m = messages_[message];
  if (m.send_done_call != none) return;
  CallState& c = calls_[call];
  m.send_done_call = call;
  hold(call);
  (c.last_send == none ? c.first_send : messages_[c.last_send].next_send) = message;
  c.last_send = message;
  if (!m.has_recv) ++c.open_sends;
}

// Both halves of a message are known.
void Linker::resolved(std::uint32_t message) {
  MessageState& m = messages_[message];
  ++messages_matched_;
  if (m.recv_time < m.send_time)
    diagnostics_.add_between(DiagnosticId::clock_violation, definitions_[m.sender].process,
                             definitions_[m.receiver].process, {m.receiver, m.recv_time, {}},
                             static_cast<Ticks>(m.send_time - m.recv_time));
  const std::uint32_t done = m.send_done_call;
  const LocationId receiver = m.receiver;
  const std::uint32_t received = m.recv_call;
  CallState& c = calls_[received];
  --c.open_receives;
  const bool receive_ready = c.open_receives == 0 && c.records_left == 0;
  if (done != none) --calls_[done].open_sends;
  if (receive_ready)
    deliver_receives_if_first(receiver, received);
  else if (first_receives_[receiver.index()] == received && blocked_on_[receiver.index()] == process_id(m.sender))
    blocked_on_[receiver.index()] = ProcessId::none();  // waits for somebody else now, who may have ended
  if (done != none) deliver_sends_if_ready(done);
}

inline void Linker::close_record(std::uint32_t call) {
  CallState& c = calls_[call];
  if (--c.records_left != 0) return;
  collectives_.call_closed(call);
  if (c.has_receives)
    deliver_receives_if_first(c.call.location, call);
  else
    finish_call(call);
}

// --- deliveries ------------------------------------------------------------------------------------------------------

// If the call is not the location's first, and that one still waits for whom it did, it need not be looked at.
inline void Linker::deliver_receives_if_first(LocationId l, std::uint32_t call) {
  if (first_receives_[l.index()] == call || !blocked_on_[l.index()].valid()) deliver_receives(l);
}

// Delivers the completed receives of a location in order, up to the first that still waits for a sender.
void Linker::deliver_receives(LocationId l) {
  LocationState& location = state(l);
  while (!location.receives.empty()) {
    const std::uint32_t call = location.receives.front();
    if (far_ && location.receives.size() > 1) look_ahead(location.receives);
    CallState& c = calls_[call];
    if (c.records_left != 0) return;
    if (c.open_receives != 0) {
      for (std::uint32_t m = c.first_receive; m != none; m = messages_[m].next_receive) {
        const MessageState& message = messages_[m];
        if (message.has_send || message.missing) continue;
        const ProcessId sender = process_id(message.sender);
        if (ended_[sender.index()] != 0) {
          mark_missing(m);
          continue;
        }
        wait_for(l, sender);
        return;
      }
    }
    location.receives.pop_front();
    first_receives_[l.index()] = location.receives.empty() ? none : location.receives.front();
    deliver_receives_of(call);
  }
}

// Most waits end when the send is read: that the location is among the waiters is only of use if the sender ends first.
// Those that wait for somebody else by now are thrown out when there are many.
void Linker::wait_for(LocationId l, ProcessId sender) {
  if (blocked_on_[l.index()] == sender) return;
  blocked_on_[l.index()] = sender;
  ProcessState& process = processes_[sender.index()];
  std::vector<LocationId>& waiters = process.waiters;
  if (waiters.size() >= process.waiters_limit) {
    const auto over = [&](LocationId w) { return blocked_on_[w.index()].valid() && blocked_on_[w.index()] != sender; };
    std::erase_if(waiters, [&](LocationId w) { return w == l || over(w); });
    std::sort(waiters.begin(), waiters.end());
    waiters.erase(std::unique(waiters.begin(), waiters.end()), waiters.end());
    process.waiters_limit = std::max(fewest_waiters, waiters.size() * 2);
  }
  waiters.push_back(l);
}

void Linker::deliver_receives_of(std::uint32_t call) {
  CallState& c = calls_[call];
  if (wanted_.receives()) {
    views_.clear();
    for (std::uint32_t m = c.first_receive; m != none; m = messages_[m].next_receive)
      if (!messages_[m].missing) views_.push_back(view(messages_[m]));
    listener_->completed_receives({c.call, views_, call, c.first_send != none});
  }
  c.receives_delivered = true;
  for (std::uint32_t m = c.first_receive; m != none;) {
    const std::uint32_t next = messages_[m].next_receive;
    messages_[m].delivered = true;
    drop(m);
    m = next;
  }
  finish_call(call);
}

void Linker::deliver_sends_if_ready(std::uint32_t call) {
  const CallState& c = calls_[call];
  if (c.records_left == 0 && (!c.has_receives || c.receives_delivered)) finish_call(call);
}

// True if the receive of one of the sends that the call completes was posted during the call.
bool Linker::has_late_receive(const CallState& c) const {
  for (std::uint32_t m = c.first_send; m != none; m = messages_[m].next_send) {
    if (!messages_[m].has_recv) continue;
    const Time posted = calls_[messages_[m].recv_post].call.enter;
    if (posted > c.call.enter && posted < c.call.exit) return true;
  }
  return false;
}

// Everything of the call but its sends has been delivered.
void Linker::finish_call(std::uint32_t call) {
  CallState& c = calls_[call];
  if (c.open_sends != 0) return;
  if (c.first_send != none) {
    if (wanted_.sends() && (c.receives_delivered || !wanted_.late_receives_only || has_late_receive(c))) {
      views_.clear();
      for (std::uint32_t m = c.first_send; m != none; m = messages_[m].next_send)
        if (messages_[m].has_recv) views_.push_back(view(messages_[m]));
      if (!views_.empty() || c.receives_delivered) listener_->completed_sends({c.call, views_, 0, call});
    }
    for (std::uint32_t m = c.first_send; m != none;) {
      const std::uint32_t next = messages_[m].next_send;
      drop(m);
      m = next;
    }
    c.first_send = none;
  }
  drop_call(call);
}

Message Linker::view(const MessageState& m) const {
  Message v;
  v.sender = m.sender;
  v.receiver = m.receiver;
  v.comm = m.comm;
  v.tag = m.tag;
  v.bytes = m.bytes;
  v.send_time = m.send_time;
  v.recv_time = m.recv_time;
  v.send = &calls_[m.send_call].call;
  v.recv_post = &calls_[m.recv_post].call;
  v.recv = &calls_[m.recv_call].call;
  return v;
}

// --- which messages are still on their way ---------------------------------------------------------------------------

// Tells before which time no message can have been sent that is on its way, received and not yet delivered, or still to
// be read; forgets those that have been delivered meanwhile. The number of such a message may have been given to
// another one: then that is looked at instead, if it is to this process and as old, and rightly so.
void Linker::tell_bound(ProcessId receiver) {
  Incoming& incoming = incoming_[receiver.index()];
  Time bound = watermark_;
  constexpr std::ptrdiff_t ahead = 8;
  const Sent* const end = incoming.sent.data() + incoming.sent.size();
  std::erase_if(incoming.sent, [&](const Sent& sent) {
    if (end - &sent > ahead) util::prefetch(&messages_[(&sent)[ahead].message], sizeof(MessageState));
    const MessageState& m = messages_[sent.message];
    if (!m.has_send || m.send_time != sent.time || m.delivered || process_id(m.receiver) != receiver) return true;
    bound = std::min(bound, sent.time);
    return false;
  });
  incoming.limit = std::max(fewest_incoming, incoming.sent.size() * 2);
  listener_->watermark(receiver, bound);
}

// As often as there are locations, so that it costs little for each chunk.
void Linker::update_watermark() {
  watermark_ = ~Time{0};
  for (const ProcessState& p : processes_)
    for (LocationId t : p.threads)
      if (!state(t).at_end || !state(t).waiting.empty())
        watermark_ =
            std::min(watermark_, state(t).waiting.empty() ? state(t).processed : state(t).waiting.front().record.time);
  until_watermark_ = locations_.size() / 2;
}

// --- requests --------------------------------------------------------------------------------------------------------

Linker::Request* Linker::find_request(LocationId l, const replay::CommRecord& r) {
  Request* q = process_of(l).requests.find({r.request});
  if (q == nullptr) report(DiagnosticId::request_unknown, l, r.time);
  return q;
}

void Linker::put_request(LocationId l, const replay::CommRecord& r, std::uint32_t started) {
  auto& requests = process_of(l).requests;
  Request* q = &requests.find_or_insert({r.request});
  if (q->location.valid()) {
    report(DiagnosticId::request_never_completed, l, r.time);
    const Link link = link_;
    if (feed_ != nullptr) feed_->drop_place(q->place);
    forget_request(l, *q);
    link_ = link;
    q = &requests.find_or_insert({r.request});
  }
  *q = {r.type, started, none, l, r.time};
  if (feed_ != nullptr) link_.request = q->place = feed_->new_place();
}

// Ends a request; with links, its hold on the start's place goes over to the completion's link.
void Linker::forget_request(LocationId l, Request& q) {
  if (q.type == EventType::irecv_request && q.state != none) drop_call(q.state);
  if (feed_ != nullptr) link_.request = q.place;
  process_of(l).requests.erase(q);
}

// --- channels and lifetimes ------------------------------------------------------------------------------------------

Linker::ChannelKey Linker::channel_key(LocationId sender, LocationId receiver, CommId comm, std::uint32_t tag) const {
  return {std::uint64_t{comm.value} << 32 | tag,
          std::uint64_t{process_id(sender).value} << 32 | process_id(receiver).value};
}

void Linker::append(Channel& channel, std::uint32_t message) {
  (channel.head == none ? channel.head : messages_[channel.tail].next_in_channel) = message;
  channel.tail = message;
}

void Linker::unlink(const MessageState& m, std::uint32_t message) {
  Channel* const channel = channels_.find(channel_key(m.sender, m.receiver, m.comm, m.tag));
  std::uint32_t previous = none;
  for (std::uint32_t id = channel->head; id != message; id = messages_[id].next_in_channel) previous = id;
  (previous == none ? channel->head : messages_[previous].next_in_channel) = m.next_in_channel;
  if (channel->tail == message) channel->tail = previous;
}

void Linker::drop(std::uint32_t message) {
  MessageState& m = messages_[message];
  if (--m.holds != 0) return;
  for (std::uint32_t call : {m.send_call, m.recv_post, m.recv_call, m.send_done_call})
    if (call != none) drop_call(call);
  messages_.release(message);
}

void Linker::report(DiagnosticId id, LocationId l, Time t) { diagnostics_.add(id, {l, t, {}}); }

}  // namespace waitstate::link
