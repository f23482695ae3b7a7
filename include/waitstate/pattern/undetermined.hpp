// Says which metrics a trace cannot tell, and why: a zero is an answer only if the trace has the records that would
// show more.
//
//   void undetermined(const waitstate::TraceEvidence& e, waitstate::Undetermined& u) const override {
//     if (const auto n = e.warnings(waitstate::DiagnosticId::recv_unmatched); n > 0)
//       u.because(waitstate::MetricHandle{0}, e.of(n, e.events(waitstate::EventType::recv), "receive") +
//                                                 " without a send in the trace");
//   }
//
// A pattern is asked once, at the end of an analysis (Pattern::undetermined()), and judges from the records: requests
// that were posted and never completed, partners and members that are missing, functions that were called without
// leaving a record. Its answers stand in AnalysisResult::undetermined and in every report.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "waitstate/result/metrics.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"
#include "waitstate/trace/event_type.hpp"

namespace waitstate {

struct AnalysisResult;

/// A metric of which a value - above all a zero - may be too small.
struct UndeterminedMetric {
  MetricIndex metric;    ///< also applies to the metrics below it
  std::string sentence;  ///< says what is missing; begins in lower case or with a name, without a full stop
  bool operator==(const UndeterminedMetric&) const = default;
};

/// The facts that a finished analysis knows about its trace.
class TraceEvidence {
 public:
  /// `result` must outlive this object.
  explicit TraceEvidence(const AnalysisResult& result);

  const Definitions& definitions() const;
  /// Number of events of this type.
  std::int64_t events(EventType type) const;
  /// How often this kind of damage or anomaly was found.
  std::int64_t warnings(DiagnosticId id) const;
  /// Number of non-blocking operations that neither complete in the trace nor are cancelled. The kind of a cancelled
  /// request is not recorded, so it counts for each kind.
  std::int64_t open_receives() const;
  std::int64_t open_sends() const;
  std::int64_t open_collectives() const;
  /// True if a location of this type has events.
  bool has_events_of(LocationType type) const;

  using Is = std::function<bool(const Region&)>;
  /// Name of the first region that was called and for which `is` is true, "" if there is none. The first one by the
  /// order of definitions counts, because the order of call paths depends on threads and chunks.
  std::string called(const Is& is) const;
  /// Like called(), but only for regions that lie below no call to which any of the `counts` (ids of metrics) is
  /// charged: other calls of them may have records, these have none. "" if one of the metrics was not analysed.
  /// Functions called for MPI_PROC_NULL are not among them.
  std::string called_without(const std::vector<std::string_view>& counts, const Is& is) const;

  /// True if the recorder says that calls of a function were for MPI_PROC_NULL: they have no record, and need none.
  bool for_nobody(std::string_view function) const;

  /// Returns "2 of 1,234 receives".
  static std::string of(std::int64_t part, std::int64_t whole, std::string_view what);
  /// Returns "1 receive", "1,234 receives".
  static std::string count(std::int64_t number, const char* one, const char* many);

 private:
  struct Requests {
    std::int64_t receives, sends, collectives;
  };
  Requests open_requests() const;
  const std::vector<RegionId>& without(const std::vector<std::string_view>& counts) const;
  std::string first(const std::vector<RegionId>& regions, const Is& is) const;

  const AnalysisResult& result_;
  std::vector<RegionId> called_;                                               ///< ascending
  mutable std::map<std::vector<std::string>, std::vector<RegionId>> without_;  ///< by counts, so that patterns share
                                                                               ///< the results
};

/// Takes the answers of one pattern.
class Undetermined {
 public:
  explicit Undetermined(std::size_t metrics) : metrics_(metrics) {}

  struct Answer {
    MetricHandle metric;
    std::string sentence;
  };

  /// Says that the value of this metric of the pattern may be too small, and why. Throws UsageError if the pattern has
  /// no such metric.
  void because(MetricHandle metric, std::string sentence);

  const std::vector<Answer>& answers() const { return answers_; }

 private:
  std::size_t metrics_;  ///< number of metrics of the pattern
  std::vector<Answer> answers_;
};

}  // namespace waitstate
