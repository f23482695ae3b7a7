#include "bind/patterns/batches.hpp"

#include <bit>

#include "waitstate/wait_summary.hpp"

namespace waitstate::python {

namespace {

Call call_or_empty(const Call* call) { return call != nullptr ? *call : Call{}; }

template <class Row>
void fill_message(Row& row, std::int64_t number, const Message& m) {
  row.number = number;
  row.sender = m.sender, row.receiver = m.receiver;
  row.comm = m.comm;
  row.tag = m.tag;
  row.bytes = m.bytes;
  row.send_time = m.send_time, row.recv_time = m.recv_time;
  row.send = *m.send, row.recv_post = *m.recv_post, row.recv = *m.recv;
}

MemberRow member_row(std::int64_t number, const Collective& c, std::size_t i) {
  const CollectiveMember& m = c.members[i];
  return {number,
          c.kind,
          c.op,
          c.neighbourhood,
          c.comm,
          static_cast<std::uint32_t>(i),
          static_cast<std::uint32_t>(c.members.size()),
          c.root,
          c.group_a,
          m.begin,
          m.end,
          m.bytes_sent,
          m.bytes_received,
          *m.call};
}

void fill_event(EventRow& row, const Event& e) {
  const bool moves = e.type == EventType::enter || e.type == EventType::exit;
  row = {static_cast<std::int64_t>(e.pos),
         e.time,
         e.loc,
         e.type,
         e.callpath,
         moves ? e.region() : RegionId{},
         e.enterptr,
         e.sendptr,
         e.requestptr,
         e.beginptr,
         e.startptr,
         e.originptr,
         {}};
  for (std::size_t i = 0; i < e.attributes.size(); ++i) row.attributes[i] = static_cast<std::int64_t>(e.attributes[i]);
}

MetricValueRow value_row(Position pos, std::size_t index, const Value& v) {
  MetricValueRow row{pos, static_cast<std::uint32_t>(index), 0, static_cast<std::int64_t>(v.bits), 0};
  switch (v.type) {
    case ValueType::float_:
    case ValueType::double_:
      row.real = 1, row.whole = 0, row.value = std::bit_cast<double>(v.bits);
      break;
    case ValueType::int8:
    case ValueType::int16:
    case ValueType::int32:
    case ValueType::int64:
      row.value = static_cast<double>(row.whole);
      break;
    default:
      row.value = static_cast<double>(v.bits);
      break;
  }
  return row;
}

}  // namespace

void fill(Batch<ReceiveRow>& batch, const CompletedReceives& r) {
  const std::int64_t number = batch.next++;
  for (const Message& m : r.messages) fill_message(batch.add(), number, m);
}

void fill(Batch<SendRow>& batch, const CompletedSends& s) {
  const std::int64_t number = batch.next++;
  for (const Message& m : s.messages) {
    SendRow& row = batch.add();
    fill_message(row, number, m);
    row.call = s.call;
    row.receive_wait = s.receive_wait;
  }
}

void fill(Batch<OvertakenRow>& batch, const Overtaken& o) {
  batch.add() = {batch.next++, o.wait, o.source, o.bytes, o.overtaker};
}

void fill(Batch<MemberRow>& batch, const Collective& c) {
  const std::int64_t number = batch.next++;
  batch.members.push_back(static_cast<std::uint32_t>(c.members.size()));
  for (std::size_t i = 0; i < c.members.size(); ++i) batch.add() = member_row(number, c, i);
}

void fill(Batch<CompletionRow>& batch, const CompletedCollectives& completed) {
  const std::int64_t number = batch.next++;
  for (const CollectiveCompletion& one : completed.completions)
    batch.add() = {number,   one.kind,       one.op,       one.awaited != nullptr,
                   one.comm, completed.call, *one.started, call_or_empty(one.awaited)};
}

void fill(Batch<ThreadRow>& batch, const TeamBarrier& barrier) {
  const std::int64_t number = batch.next++;
  batch.members.push_back(static_cast<std::uint32_t>(barrier.members.size()));
  for (const Call* call : barrier.members) batch.add() = {number, barrier.region_class, *call};
}

void fill(Batch<IdleRow, IdlePartRow>& batch, const TaskIdle& idle) {
  const std::int64_t number = batch.next++;
  batch.add() = {number, idle.call};
  for (const TaskIdle::Part& p : idle.parts)
    batch.add<1>() = {number, p.begin, p.end, p.created, p.culprit, p.culprit_callpath};
}

void fill(Batch<DeviceWaitRow, DevicePartRow>& batch, const DeviceWait& wait) {
  const std::int64_t number = batch.next++;
  batch.add() = {number, wait.call};
  for (const DeviceWait::Part& p : wait.parts) batch.add<1>() = {number, p.begin, p.end, p.copy, p.stream, p.callpath};
}

void fill(Batch<UnusedRow, TeamMemberRow>& batch, const UnusedThreads& unused) {
  const std::int64_t number = batch.next++;
  batch.members.push_back(WaitSummary::most_told_apart);  // as many as there are: one process has few threads
  batch.add() = {number, unused.master, unused.begin, unused.end, unused.callpath, unused.parallel};
  for (const LocationId member : unused.team) batch.add<1>() = {number, member};
}

void fill(Batch<LockRow>& batch, const LockAcquired& l) {
  batch.add() = {batch.next++, l.call, l.acquire_time, l.released, l.release_time};
}

void fill(Batch<RmaOperationRow>& batch, const RmaOperation& o) {
  batch.add() = {batch.next++, o.kind, o.win,   o.origin,    o.target,    o.bytes_put,
                 o.bytes_got,  o.call, o.start, o.completed, o.completion};
}

void fill(Batch<RmaMemberRow, AccessRow>& batch, const RmaCollective& r) {
  const std::int64_t number = batch.next++;
  batch.members.push_back(static_cast<std::uint32_t>(r.collective.members.size()));
  for (std::size_t i = 0; i < r.collective.members.size(); ++i)
    batch.add() = {member_row(number, r.collective, i), r.kind, r.win, r.paradigm};
  for (const RmaAccess& a : r.accesses) batch.add<1>() = {number, access_part(a)};
}

void fill(Batch<AccessEpochRow, AccessTargetRow, EpochOperationRow>& batch, const RmaAccessEpoch& e) {
  const std::int64_t number = batch.next++;
  batch.add() = {number, e.win, e.start, e.complete};
  for (const RmaAccessTarget& t : e.targets) batch.add<1>() = {number, t.target, t.post, access_part(t.access)};
  for (const RmaEpochOperation& o : e.operations)
    batch.add<2>() = {number, o.target < e.targets.size() ? e.targets[o.target].target : LocationId{}, o.target,
                      o.call};
}

void fill(Batch<ExposureEpochRow, ExposureOriginRow>& batch, const RmaExposureEpoch& e) {
  const std::int64_t number = batch.next++;
  batch.add() = {number, e.win, e.post, e.wait};
  for (const RmaExposureOrigin& o : e.origins)
    batch.add<1>() = {number, o.origin, o.start, o.complete, access_part(o.access)};
}

void fill(Batch<LockEpochRow, AccessRow>& batch, const RmaLockEpoch& e) {
  const std::int64_t number = batch.next++;
  batch.add() = {number, e.win, e.target, e.lock, e.type, e.locked, e.unlocked, e.release_time};
  for (const RmaAccess& a : e.accesses) batch.add<1>() = {number, access_part(a)};
}

void fill(Batch<PassiveCallRow, GapRow>& batch, const RmaPassiveCall& c) {
  const std::int64_t number = batch.next++;
  batch.add() = {
      number,        c.call, c.win, c.paradigm, c.released != nullptr, c.lock_known, call_or_empty(c.released),
      c.release_time};
  for (const RmaProgressGap& g : c.gaps) batch.add<1>() = {number, g.begin, g.end, g.next};
}

void fill(Batch<WaitChangeRow>& batch, const RmaWaitChange& c) {
  batch.add() = {batch.next++, c.call, c.win, c.changed != nullptr, call_or_empty(c.changed)};
}

void fill(Batch<PublishedRow>& batch, const PublishedWait& p) {
  PublishedRow& row = batch.add();
  fill_message(row, batch.next++, p.message);
  row.wait = p.wait;
  row.late_receiver = p.late_receiver;
}

void fill(Batch<EventRow>& batch, const Event& e) { fill_event(batch.add(), e); }

void fill(Batch<EventRow, MetricValueRow>& batch, const MetricRecord& record) {
  const Event& e = record.event;
  fill_event(batch.add(), e);
  for (std::size_t i = 0; i < e.tail.size(); ++i) batch.add<1>() = value_row(e.pos, i, e.tail[i]);
}

}  // namespace waitstate::python
