// Writes waits to a timeline: each as a slice on a track beside its thread, an instant on the thread of the culprit
// where the wait ended, with an arrow from the wait to it; and how many locations wait at a time, as a counter.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analysis/focus.hpp"
#include "export/perfetto/tracks.hpp"
#include "export/shown_waits.hpp"
#include "export/time_scale.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::exports {

/// Times of a location, both included.
struct TimeSpan {
  Time from = 0, to = 0;
};
using SpansByLocation = std::map<LocationId, std::vector<TimeSpan>>;

/// True if the metric is no share of another wait state, whose waits contain its own.
bool is_outermost_wait(const MetricTree& metrics, MetricIndex metric);

class WaitWriter {
 public:
  /// Shows those waits only that overlap `around`, unless that is null. `next_flow`: number of the next flow.
  WaitWriter(const AnalysisResult& result, const TimeScale& time, TrackEvents& out, Tracks& tracks,
             const SpansByLocation* around, std::uint64_t& next_flow);

  void write(ShownWaits& waits);
  std::uint64_t written() const { return written_; }
  std::uint64_t left_out() const { return left_out_; }

 private:
  struct Open {
    Time end;
    MetricIndex metric;
  };
  struct Edge {
    Time time;
    LocationId location;
    bool begins;
  };
  struct EdgeOrder {
    bool operator()(const Edge& a, const Edge& b) const {
      return std::tuple(a.time, a.location.value, a.begins) < std::tuple(b.time, b.location.value, b.begins);
    }
  };
  using Edges = SpilledSort<Edge, EdgeOrder>;

  void write(const ShownWait& w, const CulpritWait& own);
  void close_until(LocationId l, std::size_t lane, Time t);
  void close_all();
  bool is_chosen(LocationId l) const;
  std::size_t lane_for(const ShownWait& w);
  void annotate(const ShownWait& w, const CulpritWait& own);
  void annotate_culprit(const ShownWait& w, const CulpritWait& own);
  std::uint32_t path_text(CallPathId path);
  void write_culprit(const ShownWait& w, std::uint64_t flow);
  void note_edges(const ShownWait& w);
  void write_waiting_locations();

  const AnalysisResult& result_;
  const TimeScale& time_;
  TrackEvents& out_;
  Tracks& tracks_;
  const SpansByLocation* const around_;
  std::vector<LocationId> chosen_;  ///< sorted; empty: all
  std::uint64_t& next_flow_;
  std::vector<bool> outermost_;               ///< by metric
  std::vector<std::uint32_t> titles_, ids_;   ///< by metric
  std::vector<std::uint32_t> paths_, makes_;  ///< by call path, and by location that waits; or no_text
  LocationId location_;                       ///< the location whose waits are being written
  std::vector<std::vector<Open>> lanes_;
  TimeSpan waited_{};  ///< time in which the location has waited so far, without a gap
  bool has_waited_ = false;
  Edges edges_;
  std::uint64_t written_ = 0, left_out_ = 0;
  const std::uint32_t wait_, culprit_category_;
  const std::uint32_t metric_, callpath_, culprit_, culprit_callpath_, cause_, bytes_, tag_, communicator_, waiters_;
  const std::uint32_t culprit_waited_, culprit_waited_for_, culprit_waited_in_;
};

}  // namespace waitstate::exports
