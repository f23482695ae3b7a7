#include "bind/patterns/batches.hpp"

#include <bit>

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

void fill(Batch<RmaMemberRow, AccessRow>& batch, const RmaCollective& r) {
  const std::int64_t number = batch.next++;
  batch.members.push_back(static_cast<std::uint32_t>(r.collective.members.size()));
  for (std::size_t i = 0; i < r.collective.members.size(); ++i)
    batch.add() = {member_row(number, r.collective, i), r.kind, r.win, r.paradigm};
  for (const RmaAccess& a : r.accesses) batch.add<1>().set(number, a);
}

void fill(Batch<FieldRow<RmaAccessEpoch>, FieldRow<RmaAccessTarget>, EpochOperationRow>& batch,
          const RmaAccessEpoch& e) {
  const std::int64_t number = batch.next++;
  batch.add().set(number, e);
  for (const RmaAccessTarget& t : e.targets) batch.add<1>().set(number, t);
  for (const RmaEpochOperation& o : e.operations)
    batch.add<2>() = {number, o.target < e.targets.size() ? e.targets[o.target].target : LocationId{}, o.target,
                      o.call};
}

void fill(Batch<PassiveCallRow, FieldRow<RmaProgressGap>>& batch, const RmaPassiveCall& c) {
  const std::int64_t number = batch.next++;
  batch.add() = {
      number,        c.call, c.win, c.paradigm, c.released != nullptr, c.lock_known, call_or_empty(c.released),
      c.release_time};
  for (const RmaProgressGap& g : c.gaps) batch.add<1>().set(number, g);
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
