#include "report/unanswered.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/units.hpp"

namespace waitstate::report {
namespace {

bool receives(MpiFunction f) {
  return f == MpiFunction::recv || f == MpiFunction::mrecv || f == MpiFunction::irecv || f == MpiFunction::imrecv ||
         f == MpiFunction::sendrecv || f == MpiFunction::sendrecv_replace;
}
bool sends(MpiFunction f) { return f >= MpiFunction::send && f <= MpiFunction::sendrecv_replace; }

/// Name of a region that was called and is one of those functions, "" if there is none.
std::string called(const AnalysisResult& result, bool (*is)(MpiFunction)) {
  for (std::size_t i = 0; i < result.call_tree.size(); ++i) {
    const RegionId region = result.call_tree[CallPathId{i}].region;
    if (region.valid() && is(result.definitions[region].mpi_function)) return result.definitions[region].name;
  }
  return {};
}

}  // namespace

std::vector<Unanswered> unanswered(const AnalysisResult& result) {
  const auto events = [&](EventType type) {
    return static_cast<std::int64_t>(result.events_by_type[static_cast<std::size_t>(type)]);
  };
  const auto damage = [&](DiagnosticId id) { return static_cast<std::int64_t>(result.diagnostics[id].count); };
  const auto of = [](std::int64_t part, std::int64_t whole, const char* what) {
    return fmt::format("{} of {}", grouped(part),
                       count(whole, fmt::format("{}", what).c_str(), fmt::format("{}s", what).c_str()));
  };
  std::vector<Unanswered> all;
  const auto add = [&](const char* id, std::string sentence) {
    if (const MetricIndex metric = result.metrics.find(id); metric != no_metric)
      all.push_back({metric, std::move(sentence)});
  };

  const std::int64_t posted = events(EventType::irecv_request);
  const std::int64_t open_receives = posted - events(EventType::irecv) - events(EventType::request_cancelled);
  const std::int64_t receive_records = events(EventType::recv) + events(EventType::irecv);
  if (open_receives > 0)
    add("mpi_latesender", of(open_receives, posted, "non-blocking receive") +
                              " never complete in the trace: how long they waited is not known");
  if (const std::int64_t n = damage(DiagnosticId::recv_unmatched); n > 0)
    add("mpi_latesender",
        of(n, receive_records, "receive") + " have no send in the trace: whether their sender was late is not known");
  if (receive_records == 0 && posted == 0)
    if (const std::string name = called(result, receives); !name.empty())
      add("mpi_latesender", name + " is called, but the trace has no record of a receive");

  const std::int64_t started = events(EventType::isend);
  const std::int64_t open_sends = started - events(EventType::isend_complete);
  const std::int64_t send_records = events(EventType::send) + started;
  if (open_sends > 0)
    add("mpi_latereceiver", of(open_sends, started, "non-blocking send") +
                                " never complete in the trace: how long they waited is not known");
  if (const std::int64_t n = damage(DiagnosticId::send_unmatched); n > 0)
    add("mpi_latereceiver",
        of(n, send_records, "send") + " have no receive in the trace: whether their receiver was late is not known");
  if (send_records == 0)
    if (const std::string name = called(result, sends); !name.empty())
      add("mpi_latereceiver", name + " is called, but the trace has no record of a send");
  return all;
}

bool is_unanswered(const std::vector<Unanswered>& all, const MetricTree& metrics, MetricIndex metric) {
  for (; metric != no_metric; metric = metrics[metric].parent)
    if (std::any_of(all.begin(), all.end(), [&](const Unanswered& u) { return u.metric == metric; })) return true;
  return false;
}

}  // namespace waitstate::report
