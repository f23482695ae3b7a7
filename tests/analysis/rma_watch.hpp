// A pattern that writes down the compound events of one-sided communication that it receives, and the rows of a trace.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::one_sided {

using Rows = std::vector<std::string>;

inline const std::string mpi_window = "comm 0 name=MPI_COMM_WORLD members=all\nrma_win 0 comm=0\n";

/// Writes down the locations and times of the events that it sees.
class Watch : public Pattern {
 public:
  explicit Watch(Rows& rows) : rows_(rows) {}
  PatternInfo info() const override {
    return {.metrics = {{"watch", "", Unit::occurrences, true, "Watch", "Nothing."}}};
  }

  void rma_operation_callback(const RmaOperation& o, Context& c) override {
    static constexpr const char* kinds[] = {"put", "get", "atomic"};
    rows_.push_back(fmt::format("{} {} -> {} put {} got {} at {} in {}, complete at {} in {}",
                                kinds[static_cast<int>(o.kind)], o.origin.value, o.target.value, o.bytes_put,
                                o.bytes_got, o.start, name(o.call, c), o.completion, name(o.completed, c)));
  }
  void rma_collective_callback(const RmaCollective& r, Context&) override {
    std::string row = fmt::format("collective {} of {}:", static_cast<int>(r.kind), r.collective.members.size());
    for (const RmaAccess& a : r.accesses)
      row += fmt::format(" {}->{} {}p {}g {}a {}/{} last {}", a.origin_member, a.target_member, a.puts, a.gets,
                         a.atomics, a.bytes_put, a.bytes_got, a.last->exit);
    rows_.push_back(row);
  }
  void rma_access_epoch_callback(const RmaAccessEpoch& e, Context&) override {
    std::string row = fmt::format("access {} {}-{}:", e.start.location.value, e.start.enter, e.complete.exit);
    for (const RmaAccessTarget& t : e.targets)
      row += fmt::format(" {} posted {} {} operations", t.target.value, t.post.enter, t.access.operations());
    for (const RmaEpochOperation& o : e.operations) row += fmt::format(", {} on #{}", o.call.enter, o.target);
    rows_.push_back(row);
  }
  void rma_exposure_epoch_callback(const RmaExposureEpoch& e, Context&) override {
    std::string row = fmt::format("exposure {} {}-{}:", e.post.location.value, e.post.enter, e.wait.exit);
    for (const RmaExposureOrigin& o : e.origins)
      row +=
          fmt::format(" {} {}-{} {} operations", o.origin.value, o.start.enter, o.complete.exit, o.access.operations());
    rows_.push_back(row);
  }
  void rma_wait_change_callback(const RmaWaitChange& w, Context& c) override {
    rows_.push_back(fmt::format("change {} {}-{}: {}", w.call.location.value, w.call.enter, w.call.exit,
                                w.changed == nullptr ? "by nobody"
                                                     : fmt::format("by {} in {} at {}", w.changed->location.value,
                                                                   name(*w.changed, c), w.changed->enter)));
  }
  void rma_lock_epoch_callback(const RmaLockEpoch& e, Context&) override {
    std::string row = fmt::format("lock {} of {} {}-{} released {}:", enum_name(e.type),
                                  static_cast<int>(e.target.value), e.locked.enter, e.unlocked.exit, e.release_time);
    for (const RmaAccess& a : e.accesses) row += fmt::format(" {}: {} operations", a.target.value, a.operations());
    rows_.push_back(row);
  }

 private:
  static std::string name(const Call& call, Context& c) {
    return call.region.valid() ? c.definitions()[call.region].name : "nothing";
  }
  Rows& rows_;
};

/// The events in the order of their delivery, and the anomalies of the trace.
inline Rows seen_in_order(const std::string& text, RmaModel model, std::size_t chunk_events, Diagnostics& diagnostics) {
  const support::TraceFile file(text);
  Rows rows;
  AnalysisOptions options;
  options.built_in = false;
  options.rma_model = model;
  options.chunk_events = chunk_events;
  options.patterns.push_back(make_pattern<Watch>(rows));
  diagnostics = analyze(file.path(), options).diagnostics;
  return rows;
}

/// Sorted.
inline Rows seen(const std::string& text, RmaModel model = RmaModel::automatic, std::size_t chunk_events = 0) {
  Diagnostics diagnostics;
  Rows rows = seen_in_order(text, model, chunk_events, diagnostics);
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace waitstate::one_sided
