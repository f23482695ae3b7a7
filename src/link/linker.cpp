// Long because every kind of record comes here, and goes on to its part.
#include "link/linker.hpp"

#include <algorithm>
#include <utility>

#include "link/rma/rma.hpp"

namespace waitstate::link {

Linker::Linker(const Definitions& definitions, CallTree& call_tree, Diagnostics& diagnostics, Listener* listener,
               MergeFeed* feed, CancelledSends cancelled, Port* port)
    : definitions_(definitions),
      diagnostics_(diagnostics),
      port_(port),
      feed_(feed),
      listener_(listener),
      cancelled_(std::move(cancelled)),
      accounts_(listener != nullptr && listener->wanted().accounts()
                    ? std::make_optional<CallAccounts>(listener->wanted().from, listener->wanted().to)
                    : std::nullopt),
      calls_(accounts_ ? &*accounts_ : nullptr),
      paths_(call_tree, definitions.locations.size(), port == nullptr ? nullptr : &port->shared_call_tree()),
      processes_(definitions, port == nullptr ? nullptr : &port->homes(), port == nullptr ? 0 : port->worker()),
      order_(processes_),
      threads_(definitions, processes_, paths_, calls_, diagnostics, listener, feed != nullptr),
      call_builder_(paths_, threads_, calls_, definitions.locations.size()),
      event_call_paths_(paths_, threads_, definitions.locations.size()),
      messages_(calls_),
      spilled_(messages_, calls_,
               std::max(std::max(most_in_memory, most_in_memory_of_each * definitions.locations.size()) /
                            (port == nullptr ? 1 : port->workers()),
                        most_in_memory_of_worker)),
      away_(spilled_),
      in_flight_(listener != nullptr && listener->wanted().watermarks()
                     ? std::make_optional<MessagesInFlight>(messages_, processes_, *listener)
                     : std::nullopt),
      channels_(processes_, calls_, messages_, spilled_, in_flight_ ? &*in_flight_ : nullptr, feed),
      presence_(listener != nullptr && listener->wanted().message_queues
                    ? std::make_optional<MpiPresence>(
                          processes_, MpiPresence::bytes_in_memory / (port == nullptr ? 1 : port->workers()))
                    : std::nullopt),
      searches_(MessageSearches::wanted(listener) ? std::make_optional<MessageSearches>(processes_, calls_, *listener)
                                                  : std::nullopt),
      delivery_(processes_, calls_, messages_, channels_, away_, diagnostics, listener,
                in_flight_ ? &*in_flight_ : nullptr, presence_ ? &*presence_ : nullptr,
                searches_ ? &*searches_ : nullptr, port),
      prefetch_(processes_, calls_, messages_, channels_, delivery_, in_flight_ ? &*in_flight_ : nullptr),
      requests_(processes_.size(), calls_, diagnostics, feed),
      found_messages_(processes_, diagnostics),
      collectives_(definitions, diagnostics, calls_, listener, feed, port),
      scanned_(definitions.locations.size()),
      wants_work_(listener != nullptr && listener->wanted().work),
      wants_steps_(listener != nullptr && listener->wanted().steps) {
  if (listener != nullptr && !definitions.rma_wins.empty())
    rma_ = std::make_unique<Rma>(definitions, diagnostics, calls_, *listener, port);
  if (listener != nullptr && listener->wanted().any(interest_device_wait) && Devices::any(definitions))
    devices_ = std::make_unique<Devices>(definitions, *listener);
}

Linker::~Linker() = default;

bool Linker::wants_mpi_calls() const { return presence_ || (rma_ != nullptr && listener_->wanted().passive()); }

// --- chunks ----------------------------------------------------------------------------------------------------------

bool Linker::scan(const replay::Chunk& chunk) {
  for (const replay::NewCallPath& p : chunk.call_paths) paths_.add(chunk.location, p);
  threads_.scan(chunk);
  ++scanned_[chunk.location.index()];
  return threads_.resolved(chunk.location);
}

void Linker::process(const replay::Chunk& chunk) {
  const LocationId l = chunk.location;
  if (scanned_[l.index()] == 0) scan(chunk);
  --scanned_[l.index()];
  while (!threads_.resolved(l)) threads_.give_up(l);
  if (in_flight_) update_watermark();
  if (spilled_.due()) {
    delivery_.spill();
    spilled_.begin();
    away_.spill();
    channels_.spill();
    spilled_.end();
  }

  const ProcessId process = processes_.of(l);
  const bool in_order = processes_.threads(process).size() == 1;
  // The order among threads is decided by this. With one thread, it is told when its records have been linked: until
  // then, earlier sends are still to come.
  if (!in_order) processes_.read(l, chunk.first_time, chunk.last_time, chunk.last);
  add_calls(chunk);
  if (presence_) presence_->read(l, chunk.mpi_enters, chunk.mpi_exits);
  if (wants_steps_) tell_steps(chunk);
  if (Processes::communicates(definitions_[l]))
    process_records(chunk, in_order);
  else
    ignore_records(chunk);
  if (rma_ != nullptr) process_one_sided(chunk);
  if (in_order)
    processes_.read(l, chunk.first_time, chunk.last_time, chunk.last);
  else
    order_.take(process, [&](LocationId t, const replay::CommRecord& record, CallRef call) { link(t, record, call); });
  for (const replay::CallRecord& c : chunk.init_finalize_calls) {
    Call call;
    call_builder_.fill(call, l, c);
    collectives_.init_finalize_call(call, c.exclusive);
  }
  for (const replay::OpenCallRecord& c : chunk.open_calls) {
    OpenCall& open = open_calls_.emplace_back(OpenCall{{}, c.receiver, c.comm, c.tag});
    call_builder_.fill(open.call, l, c.call);
  }
  if (devices_ != nullptr) devices_->process(chunk, call_builder_);
  if (wants_work_) tell_work(chunk);
  threads_.process(chunk);
  if (chunk.last && processes_.all_at_end(process)) end_process(process);
}

// This runs once per number of locations, so that it costs little for each chunk.
void Linker::update_watermark() {
  if (until_watermark_-- != 0) return;
  until_watermark_ = processes_.locations() / 2;
  in_flight_->all_linked_until(port_ == nullptr ? order_.watermark() : std::min(order_.watermark(), port_->promise()));
}

// One-sided records need all calls, in their order, whatever records these have. Without, a call is added when its
// first record is met.
void Linker::add_calls(const replay::Chunk& chunk) {
  call_ids_.assign(chunk.calls.size(), none);
  if (rma_ == nullptr) return;
  for (std::size_t i = 0; i < chunk.calls.size(); ++i) {
    call_ids_[i] = call_builder_.add(chunk.location, chunk.calls[i]);
    if (chunk.calls[i].records != 0) calls_.keep(call_ids_[i]);  // until its one-sided records have been seen too
  }
}

void Linker::process_records(const replay::Chunk& chunk, bool in_order) {
  const LocationId l = chunk.location;
  const bool far = messages_.exceed_caches();
  for (std::size_t i = 0; i < chunk.records.size(); ++i) {
    if (far) prefetch_.before(chunk, i);
    const replay::CommRecord& r = chunk.records[i];
    CallRef& call = call_ids_[r.call];
    if (call == none) call = call_builder_.add(l, chunk.calls[r.call]);
    if (wants_steps_) [[unlikely]] {
      replay::CommRecord with_step = r;
      with_step.step += first_step_;
      in_order ? link(l, with_step, call) : order_.add(l, with_step, call);
    } else if (in_order) {
      link(l, r, call);
    } else {
      order_.add(l, r, call);
    }
  }
}

// Streams of accelerators and recorders of metrics are nobody's partners, whatever stands in their events.
void Linker::ignore_records(const replay::Chunk& chunk) {
  const LocationId l = chunk.location;
  for (const replay::CommRecord& r : chunk.records) {
    if (r.search) {
      if (call_ids_[r.call] != none) close_record(call_ids_[r.call]);
      continue;
    }
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

void Linker::process_one_sided(const replay::Chunk& chunk) {
  mpi_enters_.clear();
  for (const replay::CallRecord& r : chunk.mpi_enters) {
    call_builder_.fill(mpi_enters_.emplace_back(), chunk.location, r);
    mpi_enters_.back().previous = mpi_enters_.back().earlier = {};  // as of the chunk's last call, which means nothing
  }
  rma_->process({chunk, call_ids_, mpi_enters_});
  for (const CallRef call : call_ids_) calls_.release(call);
}

void Linker::tell_work(const replay::Chunk& chunk) {
  const LocationId l = chunk.location;
  work_shares_.clear(), work_marks_.clear();
  for (const replay::WorkShareRecord& s : chunk.work_shares)
    work_shares_.push_back({call_builder_.call_path(l, s.segment, s.callpath), s.ticks});
  for (const replay::WorkMarkRecord& m : chunk.work_marks)
    work_marks_.push_back({l, m.kind, m.number, m.time, call_builder_.call_path(l, m.segment, m.callpath), m.team});
  listener_->work({l, chunk.work_cuts, work_shares_, work_marks_});
}

void Linker::tell_steps(const replay::Chunk& chunk) {
  steps_ = chunk.steps;
  for (replay::StepRecord& s : steps_)
    s.callpath = call_builder_.call_path(chunk.location, s.segment, s.callpath).value;
  first_step_ = static_cast<std::uint32_t>(listener_->steps(chunk.location, steps_));
}

void Linker::end_process(ProcessId process) {
  processes_.end(process);
  ++ended_processes_;
  collectives_.end_process(process);
  if (port_ != nullptr && processes_.is_own(process)) port_->post_to_others(ProcessEnd{process});
  if (rma_ != nullptr) rma_->end_process(process);
  delivery_.process_ended(process);
}

std::vector<HeldLock> Linker::held_locks() const {
  std::vector<HeldLock> all = windows_held_by_others_;
  if (rma_ != nullptr) all.insert(all.end(), rma_->held_locks().begin(), rma_->held_locks().end());
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<HeldThreadLock> Linker::held_thread_locks() const {
  std::vector<HeldThreadLock> all = threads_.held_locks();
  all.insert(all.end(), held_by_others_.begin(), held_by_others_.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const HeldThreadLock& a, const HeldThreadLock& b) { return a.location < b.location; });
  return all;
}

void Linker::finish() {
  finish_messages();
  collectives_.finish();
  finish_rest();
  if (accounts_) deliver_accounts();
}

void Linker::finish_messages() {
  threads_.finish();
  const bool queues = listener_ != nullptr && listener_->wanted().message_queues;
  if (queues || !open_calls_.empty() || others_have_open_calls_)
    finish_with_leftovers(queues);
  else
    delivery_.finish();
}

void Linker::finish_rest() {
  if (rma_ != nullptr) rma_->finish();
  if (searches_) {
    searches_->finish();
    requests_.for_each_open([&](const Request& q) {
      if (const auto* const posted = std::get_if<PostedReceive>(&q.operation)) searches_->give_up(posted->searches);
    });
  }
  requests_.finish();
  if (wants_work_)
    requests_.for_each_open([&](const Request& q) {
      const replay::WorkMark mark{q.location, replay::WorkMark::Kind::never_completed, 0, q.time, CallPathId::none()};
      listener_->work({q.location, {}, {}, {&mark, 1}});
    });
}

void Linker::finish_with_leftovers(bool posted) {
  delivery_.finish([&](const MessageState& m, const Call& send) {
    leftovers_.push_back(
        {processes_.recorded(m.receiver), m.comm, processes_.recorded(m.sender), send.enter, true, m.sender, m.tag});
  });
  if (!posted) return;
  requests_.for_each_posted([&](const Request& q, const Call& post) {
    leftovers_.push_back({processes_.recorded(q.location), CommId::none(), ProcessId::none(), post.enter, false});
  });
}

// Some calls are still kept: those that posted operations which never completed.
void Linker::close_accounts() {
  for (CallRef call = 0; call < accounts_->size(); ++call)
    if (accounts_->is_open(call)) accounts_->close(call, calls_[call].call);
}

void Linker::deliver_accounts() {
  close_accounts();
  for (const MpiAccount& account : accounts_->take()) listener_->mpi_account(account);
}

// --- several workers -------------------------------------------------------------------------------------------------

template <class Record>
void Linker::posted(WorkerId from, const Record& r) {
  if constexpr (std::is_same_v<Record, SendRecord>) {
    const CallRef call = calls_.adopt(r.call);
    replay::CommRecord send;
    send.time = r.time;
    send.bytes = r.bytes;
    send.peer = r.receiver;
    send.tag = r.tag;
    send.comm = r.comm;
    send.step = r.step;
    const auto [message, is_matched] = channels_.send(r.call.location, send, call);
    messages_[message].slot = r.slot;
    messages_[message].sender_home = from;
    messages_[message].at_once = r.at_once;
    calls_.release(call);
    messages_.release(message);  // its send completes elsewhere
    if (is_matched) matched(message);
  } else if constexpr (std::is_same_v<Record, SendAnswer> || std::is_same_v<Record, ReceiveAnswer>) {
    delivery_.answered(r);
  } else if constexpr (std::is_same_v<Record, MemberRecord>) {
    collectives_.arrived(from, r, nullptr);
  } else if constexpr (std::is_same_v<Record, NonblockingMember>) {
    collectives_.arrived(from, r.member, &r.completion);
  } else if constexpr (std::is_same_v<Record, CompletionAnswer> || std::is_same_v<Record, MemberAnswer>) {
    collectives_.answered(r);
  } else if constexpr (std::is_same_v<Record, CommCount>) {
    collectives_.counted(r);
  } else if constexpr (requires(Rma & rma) { rma.posted(from, r); }) {
    rma_->posted(from, r);
  } else if constexpr (std::is_same_v<Record, ProcessEnd>) {
    end_process(r.process);
  } else {
    static_assert(std::is_same_v<Record, StageEnd>);
    others_have_open_calls_ |= r.has_open_calls;
    ++told_by_others_[r.stage];
  }
}

bool Linker::take_posted() {
  return port_->take([&](WorkerId from, const auto& record) { posted(from, record); });
}

// Sends the record to the home of the receiver; here a message stands for it, whose receive comes with the answer.
MessageRef Linker::send_away(LocationId l, const replay::CommRecord& r, CallRef call) {
  const MessageRef id = messages_.add();
  MessageState& m = messages_[id];
  m.sender = l;
  m.receiver = r.peer;
  m.comm = r.comm;
  m.tag = r.tag;
  m.send_time = r.time;
  m.bytes = r.bytes;
  m.send_call = call;
  calls_.keep(call);
  m.has_send = true;
  port_->post(processes_.home(processes_.of(r.peer)),
              SendRecord{away_.add(id), r.peer, r.comm, r.tag, r.step, r.type == EventType::send, r.time, r.bytes,
                         calls_[call].call});
  return id;
}

void Linker::end_reading() {
  port_->post_to_others(StageEnd{0, !open_calls_.empty()});
  ++told_;
  send_batches(0);
}

void Linker::answer_rest() {
  finish_messages();
  collectives_.finish_own();
  if (rma_ != nullptr) rma_->settle();
  end_stage();
}

unsigned Linker::more_stages() const { return rma_ == nullptr ? 0 : rma_->stages_of_answers(); }

void Linker::end_stage() {
  port_->post_to_others(StageEnd{told_, false});
  ++told_;
  send_batches(0);
}

void Linker::close() {
  delivery_.finish_away();
  finish_rest();
  if (accounts_) close_accounts();
}

void Linker::join(Linker& other) {
  collectives_.join(other.collectives_);
  if (accounts_) accounts_->join(*other.accounts_);
  delivery_.join(other.delivery_);
  open_calls_.insert(open_calls_.end(), other.open_calls_.begin(), other.open_calls_.end());
  leftovers_.insert(leftovers_.end(), other.leftovers_.begin(), other.leftovers_.end());
  const std::vector<HeldThreadLock> held = other.held_thread_locks();
  held_by_others_.insert(held_by_others_.end(), held.begin(), held.end());
  const std::vector<HeldLock> windows_held = other.held_locks();
  windows_held_by_others_.insert(windows_held_by_others_.end(), windows_held.begin(), windows_held.end());
  cancelled_.join(other.cancelled_);
}

void Linker::finish_joined() {
  collectives_.finish_joined();
  if (accounts_) deliver_accounts();
}

// --- records ---------------------------------------------------------------------------------------------------------

// True for records of data that moves.
static bool moves_data(EventType type) {
  return type == EventType::send || type == EventType::isend || type == EventType::recv || type == EventType::irecv ||
         type == EventType::collective_end || type == EventType::nonblocking_collective_complete;
}

void Linker::link(LocationId l, const replay::CommRecord& r, CallRef call) {
  if (r.search) {
    if (searches_) searches_->add(l, call);
    return close_record(call);
  }
  link_ = Link{};
  const ProcessId process = processes_.of(l);
  switch (r.type) {
    case EventType::send:
      if (const MessageRef m = send(l, r, call); m != none) messages_.complete_send(m, call);
      break;
    case EventType::isend: {
      const bool cancelled = cancelled_.contains(l, r.time, r.request);
      link_.request = requests_.start(process, l, r, PendingSend{cancelled ? none : send(l, r, call)});
      if (cancelled) link_.message = Link::cancelled;
      break;
    }
    case EventType::isend_complete:
      end_request<PendingSend>(l, r, call, [&](const PendingSend& s) {
        if (s.message != none) messages_.complete_send(s.message, call);
      });
      break;
    case EventType::probe:
      found_messages_.add(process, r);
      if (searches_) searches_->found_by_record(l, r, call);
      break;
    case EventType::irecv_request:
      calls_.keep(call);
      link_.request =
          requests_.start(process, l, r, PostedReceive{call, calls_[call].posted++, take_searches(l, r, call)});
      break;
    case EventType::recv: {
      const replay::CommRecord& named = found_messages_.with_partner(process, l, r);
      receive(l, named, call, PostedReceive{call, 0, take_searches(l, named, call)});
      break;
    }
    case EventType::irecv: {
      Request* const q = requests_.find(process, l, r);
      auto* const posted = q == nullptr ? nullptr : std::get_if<PostedReceive>(&q->operation);
      if (searches_ && posted != nullptr && is_test(calls_[call].call.function))
        searches_->test(posted->searches, call);
      receive(l, found_messages_.with_partner(process, l, r), call, posted == nullptr ? PostedReceive{call} : *posted);
      if (q != nullptr) link_.request = requests_.end(process, *q);
      break;
    }
    case EventType::request_cancelled:
      if (Request* const q = requests_.find(process, l, r)) {
        if (std::holds_alternative<PendingSend>(q->operation)) cancelled_.found(q->location, q->time, r.request);
        if (const auto* const c = std::get_if<StartedCollective>(&q->operation)) collectives_.cancel(c->number);
        if (const auto* const receive = std::get_if<PostedReceive>(&q->operation); receive != nullptr && searches_)
          searches_->give_up(receive->searches);
        link_.request = requests_.end(process, *q);
      }
      break;
    case EventType::request_test:
      if (searches_)
        if (Request* const q = requests_.look_up(process, r.request))
          if (auto* const posted = std::get_if<PostedReceive>(&q->operation)) searches_->test(posted->searches, call);
      if (feed_ == nullptr) break;
      if (const Request* const q = requests_.look_up(process, r.request); q != nullptr && q->place != none) {
        link_.request = q->place;
        feed_->keep_slot(q->place);
      }
      break;
    case EventType::nonblocking_collective_request:
      link_.request = requests_.start(process, l, r, StartedCollective{collectives_.start(l, r, call), r.step});
      break;
    case EventType::nonblocking_collective_complete:
      end_request<StartedCollective>(l, r, call,
                                     [&](const StartedCollective& c) { collectives_.complete(c.number, l, r, call); });
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
  if (searches_ && searches_->any() && moves_data(r.type)) searches_->data_moved(l);
  if (feed_ != nullptr) feed_->link(l, link_);
  close_record(call);
}

// Calls in which the location looked for the message that it receives.
std::uint32_t Linker::take_searches(LocationId l, const replay::CommRecord& r, CallRef receive) {
  return searches_ && searches_->any() ? searches_->take(l, r, calls_[receive].call) : MessageSearches::none;
}

void Linker::lacks(CallRef call, CallAccounts::Lack what, replay::WorkMark::Kind kind) {
  if (accounts_) accounts_->lacks(call, what);
  if (wants_work_) tell_of_lack(listener_, kind, calls_[call].call);
}

inline MessageRef Linker::send(LocationId l, const replay::CommRecord& r, CallRef call) {
  if (!r.peer.valid()) {  // counted by the replay
    if (r.type == EventType::send) lacks(call, CallAccounts::Lack::partner, replay::WorkMark::Kind::without_partner);
    return none;
  }
  if (port_ != nullptr && !processes_.is_own(processes_.of(r.peer))) return send_away(l, r, call);
  const auto [message, is_matched] = channels_.send(l, r, call);
  link_.message = messages_[message].place;
  if (is_matched) matched(message);
  return message;
}

inline void Linker::receive(LocationId l, const replay::CommRecord& r, CallRef call, const PostedReceive& post) {
  delivery_.completes_receives(l, call);
  if (!r.peer.valid()) {  // counted by the replay
    lacks(call, CallAccounts::Lack::partner, replay::WorkMark::Kind::without_partner);
    if (searches_) searches_->give_up(post.searches);
    return;
  }
  const auto [message, is_matched] = channels_.receive(l, r, call, post);
  link_.message = messages_[message].place;
  if (is_matched) matched(message);
}

inline void Linker::matched(MessageRef message) {
  if (wants_steps_) [[unlikely]] {
    const MessageState& m = messages_[message];
    listener_->other_of_step(m.receive_step, replay::StepRecord::name(m.sender, m.send_step));
  }
  delivery_.matched(message);
}

// The request is over, whatever its kind; but only an operation of the right kind is used.
template <class Operation, class Use>
void Linker::end_request(LocationId l, const replay::CommRecord& r, CallRef call, Use&& use) {
  const ProcessId process = processes_.of(l);
  Request* const q = requests_.find(process, l, r);
  const auto* const operation = q == nullptr ? nullptr : std::get_if<Operation>(&q->operation);
  if (operation == nullptr) lacks(call, CallAccounts::Lack::start, replay::WorkMark::Kind::without_start);
  if (q == nullptr) return;
  if constexpr (std::is_same_v<Operation, StartedCollective>)
    if (wants_steps_ && operation != nullptr)
      listener_->other_of_step(r.step, replay::StepRecord::name(q->location, operation->step));
  if (operation != nullptr) use(*operation);
  link_.request = requests_.end(process, *q);
}

inline void Linker::close_record(CallRef call) {
  if (--calls_[call].records_left != 0) return;
  collectives_.call_closed(call);
  delivery_.call_closed(call);
}

}  // namespace waitstate::link
