// The reasons why a trace cannot tell a wait state, as far as several patterns share them (Pattern::undetermined()).
// All follow from the names and classes of functions that were called, from the numbers of records, and from missing
// records.
#pragma once

#include <string>

#include "rules/names_with.hpp"
#include "waitstate/pattern/undetermined.hpp"

namespace waitstate::patterns {

/// Reasons about messages; `side` is true for the functions on the waiting side.
inline void partner_reasons(const TraceEvidence& e, Undetermined& u, MetricHandle metric,
                            const TraceEvidence::Is& side) {
  if (const auto n = e.warnings(DiagnosticId::received_more); n > 0 && !e.called(side).empty())
    u.because(metric, e.count(n, "receive is longer than its send", "receives are longer than their sends") +
                          ": it is not known which messages they received");
  if (const auto n = e.warnings(DiagnosticId::peer_unknown); n > 0 && !e.called(side).empty())
    u.because(metric, e.count(n, "communication record names", "communication records name") +
                          " a partner that the trace does not define: it is not known who waited for whom there");
}

/// Reason: records that do not say when their call was entered. `records` is the number of records that the wait state
/// is computed from.
inline void records_outside_calls(const TraceEvidence& e, Undetermined& u, MetricHandle metric, std::int64_t records) {
  if (const auto n = e.warnings(DiagnosticId::record_outside_call); n > 0 && records > 0)
    u.because(metric, e.count(n, "communication record lies", "communication records lie") +
                          " outside of every call of its library: it is not known whether anybody waited there");
}

inline bool is_receive(const Region& region) {
  using enum MpiFunction;
  const MpiFunction f = region.mpi_function;
  return f == recv || f == mrecv || f == irecv || f == imrecv || f == sendrecv || f == sendrecv_replace ||
         f == isendrecv || f == isendrecv_replace;
}
inline bool is_send(const Region& region) {
  return region.mpi_function >= MpiFunction::send && region.mpi_function <= MpiFunction::isendrecv_replace;
}

/// Reasons for patterns about calls that wait for a send.
inline void receive_reasons(const TraceEvidence& e, Undetermined& u, MetricHandle metric) {
  const std::int64_t posted = e.events(EventType::irecv_request),
                     records = e.events(EventType::recv) + e.events(EventType::irecv);
  if (const auto n = e.open_receives(); n > 0)
    u.because(metric, e.of(n, posted, "non-blocking receive") +
                          " without a completion in the trace: it is not known how long they waited");
  const std::int64_t unmatched = e.warnings(DiagnosticId::recv_unmatched);
  if (unmatched > 0)
    u.because(metric, e.of(unmatched, records, "receive") +
                          " without a send in the trace: it is not known whether the sender was late");
  if (records == 0 && posted == 0) {
    const auto in_vain = [&e](const Region& r) { return is_receive(r) && !e.for_nobody(r.name); };
    if (const std::string name = e.called(in_vain); !name.empty())
      u.because(metric, name + " is called, but the trace has no record of a receive");
  } else if (unmatched + e.warnings(DiagnosticId::peer_unknown) == 0) {
    const auto in_the_call = [](const Region& r) { return is_receive(r) && !starts_nonblocking(r); };
    if (const std::string name = e.called_without({"comms_recv", "syncs_recv"}, in_the_call); !name.empty())
      u.because(metric, name + " is called, but none of its calls has a record of a receive");
  }
  partner_reasons(e, u, metric, is_receive);
  records_outside_calls(e, u, metric, records);
}

/// Reason: messages that may have been in the queue while younger ones were received.
inline void never_received(const TraceEvidence& e, Undetermined& u, MetricHandle metric) {
  if (const auto n = e.warnings(DiagnosticId::send_unmatched); n > 0)
    u.because(metric, e.of(n, e.events(EventType::send) + e.events(EventType::isend), "send") +
                          " without a receive in the trace: younger messages may have been received before them");
}

/// Reasons for patterns about calls that wait for a receive.
inline void send_reasons(const TraceEvidence& e, Undetermined& u, MetricHandle metric) {
  const std::int64_t started = e.events(EventType::isend), records = e.events(EventType::send) + started,
                     received = e.events(EventType::irecv);
  if (const auto n = e.open_sends(); n > 0)
    u.because(metric, e.of(n, started, "non-blocking send") +
                          " without a completion in the trace: it is not known how long they waited");
  if (const auto n = e.warnings(DiagnosticId::send_unmatched); n > 0)
    u.because(metric, e.of(n, records, "send") +
                          " without a receive in the trace: it is not known whether the receiver was late");
  if (const auto n = received - e.events(EventType::irecv_request); n > 0)
    u.because(metric, e.of(n, received, "non-blocking receive") +
                          " without a record of where they were posted: it is not known whether they were late");
  if (records == 0) {
    const auto in_vain = [&e](const Region& r) { return is_send(r) && !e.for_nobody(r.name); };
    if (const std::string name = e.called(in_vain); !name.empty())
      u.because(metric, name + " is called, but the trace has no record of a send");
  } else {
    const auto waits_for_receiver = [](const Region& region) {
      using enum MpiFunction;
      const MpiFunction f = region.mpi_function;
      return f == send || f == ssend || f == isend || f == issend;
    };
    if (const std::string name = e.called_without({"comms_send", "syncs_send"}, waits_for_receiver); !name.empty())
      u.because(metric, name + " is called, but none of its calls has a record of a send");
  }
  partner_reasons(e, u, metric, is_send);
  records_outside_calls(e, u, metric, records);
}

inline void incomplete_collectives(const TraceEvidence& e, Undetermined& u, MetricHandle metric) {
  if (const auto n = e.warnings(DiagnosticId::collective_incomplete); n > 0)
    u.because(metric, e.count(n, "collective operation lacks", "collective operations lack") +
                          " a member: it is not known how long the others waited");
}

/// Reasons about collective operations of MPI, found by the names of their functions.
inline void collective_reasons(const TraceEvidence& e, Undetermined& u, MetricHandle metric, const NamesWith& names) {
  const std::int64_t records =
      e.events(EventType::collective_end) + e.events(EventType::nonblocking_collective_complete);
  records_outside_calls(e, u, metric, records);
  const auto has = [&](const Region& r) {
    return (r.region_class == RegionClass::mpi_collective || r.region_class == RegionClass::mpi_sync_collective) &&
           names(r);
  };
  const std::string name = e.called(has);
  if (name.empty()) return;
  // The data of a persistent operation is recorded where the operation is started.
  const std::string without =
      e.called_without({"syncs_coll", "comms_cxch", "comms_csrc", "comms_cdst"},
                       [&](const Region& r) { return has(r) && r.name.find("_init") == std::string::npos; });
  if (records == 0)
    u.because(metric, name + " is called, but the trace has no record of a collective operation");
  else if (!without.empty())
    u.because(metric, without + " is called, but none of its calls has a record of a collective operation");
  incomplete_collectives(e, u, metric);
  if (const auto n = e.warnings(DiagnosticId::collective_mismatch); n > 0)
    u.because(metric, "the members of " + e.count(n, "collective operation", "collective operations") +
                          " disagree on what it is: it is not known how long they waited");
  if (const auto n = e.warnings(DiagnosticId::collective_stranger); n > 0)
    u.because(metric, "the trace does not define the members of " +
                          e.count(n, "part of a collective operation", "parts of collective operations") +
                          ": it is not known how long they waited");
  if (const auto n = e.open_collectives();
      n > 0 && !e.called([&](const Region& r) { return has(r) && starts_nonblocking(r); }).empty())
    u.because(metric,
              e.of(n, e.events(EventType::nonblocking_collective_request), "non-blocking collective operation") +
                  " without a completion in the trace: it is not known how long they waited");
}

/// Reasons about missing records of one-sided communication.
inline void one_sided_losses(const TraceEvidence& e, Undetermined& u, MetricHandle metric) {
  if (const auto n = e.warnings(DiagnosticId::rma_incomplete); n > 0)
    u.because(metric,
              e.count(n, "one-sided epoch, lock or collective lacks", "one-sided epochs, locks or collectives lack") +
                  " a part: it is not known how long the others waited");
  if (const auto n = e.warnings(DiagnosticId::rma_unplaced); n > 0)
    u.because(metric, e.count(n, "one-sided record belongs", "one-sided records belong") +
                          " to nothing in the trace: it is not known whether anybody waited there");
}

/// Reasons about one-sided communication: functions of class `of_class` that can have the wait state.
inline void one_sided_reasons(const TraceEvidence& e, Undetermined& u, MetricHandle metric, RegionClass of_class,
                              const NamesWith& names = {}) {
  const std::string name = e.called([&](const Region& r) { return r.region_class == of_class && names(r); });
  if (name.empty()) return;
  std::int64_t records = 0;
  for (auto type = static_cast<std::size_t>(EventType::rma_collective_begin);
       type <= static_cast<std::size_t>(EventType::rma_op_complete_remote); ++type)
    records += e.events(static_cast<EventType>(type));
  if (records == 0) u.because(metric, name + " is called, but the trace has no record of one-sided communication");
  one_sided_losses(e, u, metric);
}

/// Reasons about locks of threads: functions of class `of_class` that wait for a lock.
inline void lock_reasons(const TraceEvidence& e, Undetermined& u, MetricHandle metric, RegionClass of_class,
                         const NamesWith& names) {
  if (e.events(EventType::omp_acquire_lock) + e.events(EventType::thread_acquire_lock) != 0) return;
  const std::string name = e.called([&](const Region& r) { return r.region_class == of_class && names(r); });
  if (!name.empty()) u.because(metric, name + " is called, but the trace has no record of who gets a lock");
}

/// Reasons about barriers of thread teams.
inline void team_reasons(const TraceEvidence& e, Undetermined& u, MetricHandle metric, RegionClass of_class) {
  // Recorders that write no team records put a number of the parallel region into each implicit task.
  const auto is_implicit_task = [](const Region& r) {
    return r.region_class != RegionClass::omp_ibarrier && r.name.find("implicit") != std::string::npos;
  };
  if (e.events(EventType::thread_team_begin) + e.events(EventType::omp_fork) > 0 || !e.called(is_implicit_task).empty())
    return;
  const std::string name = e.called([&](const Region& r) { return r.region_class == of_class; });
  if (!name.empty()) u.because(metric, name + " is called, but the trace has no record of which threads are a team");
}

}  // namespace waitstate::patterns
