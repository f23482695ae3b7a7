// What only results with details or series have, and the problems of the summary: as arrays and tuples, in the order in
// which waitstate/result.py names their parts.
#include <pybind11/numpy.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "bind/results/analysis_result.hpp"
#include "report/words/waits/problems.hpp"

namespace waitstate::python {

namespace {

/// Problems, and what is said where there is none.
py::tuple problems(const ResultObject& self) {
  const AnalysisResult& r = *self.result;
  const report::ToldProblems found = report::told_problems(r, self.run(), report::most_problems);
  py::list all;
  for (const report::ToldProblem& p : found.listed) {
    py::object metric = py::none(), place = py::none(), share = py::none();
    if (p.metric != no_metric) metric = py::int_(p.metric);
    if (p.worst != nullptr) {
      const std::vector<SevereInstance>& there = r.waits.at(p.metric).severe.at(p.callpath);
      place = py::int_(p.worst - there.data());
    }
    if (p.of > 0) share = py::float_(static_cast<double>(p.ticks) / static_cast<double>(p.of));
    all.append(py::make_tuple(metric, id_or_none(p.callpath), place, to_str(p.title), to_str(p.sentence),
                              to_str(p.advice), p.ticks, share, p.at_least, p.callpath_ticks));
  }
  return py::make_tuple(all, to_str(found.note));
}

py::array_t<std::int64_t> row_of(const std::vector<Ticks>& ticks) {
  return py::array_t<std::int64_t>(static_cast<py::ssize_t>(ticks.size()), ticks.data());
}

py::object series(const ResultObject& self) {
  if (!self.result->series) return py::none();
  const WaitSeries& s = *self.result->series;
  py::list groups;
  for (const auto& [first, last] : s.groups) groups.append(py::make_tuple(first.value, last.value));
  py::dict metrics;
  for (const auto& [metric, of_metric] : s.metrics) {
    py::array_t<std::int64_t> by_group(
        {static_cast<py::ssize_t>(s.groups.size()), static_cast<py::ssize_t>(s.group_bins())});
    std::fill_n(by_group.mutable_data(), by_group.size(), 0);
    for (const auto& [group, ticks] : of_metric.groups)
      for (std::size_t i = 0; i < ticks.size(); ++i)
        by_group.mutable_at(static_cast<py::ssize_t>(group), static_cast<py::ssize_t>(i)) = ticks[i];
    metrics[to_str(self.result->metrics[metric].id)] =
        py::make_tuple(row_of(of_metric.ticks), by_group, of_metric.without_time);
  }
  return py::make_tuple(s.start, s.bin_ticks, s.bins_per_group_bin, groups, metrics);
}

/// An array of rows, one for each element: what `cells` gives.
template <std::size_t columns, class T, class Cells>
py::array_t<std::int64_t> rows_of(const std::vector<T>& elements, Cells&& cells) {
  py::array_t<std::int64_t> rows({static_cast<py::ssize_t>(elements.size()), static_cast<py::ssize_t>(columns)});
  auto* to = rows.mutable_data();
  for (const T& element : elements)
    for (const std::uint64_t cell : std::array<std::uint64_t, columns>(cells(element)))
      *to++ = static_cast<std::int64_t>(cell);
  return rows;
}

py::list contexts(const ResultObject& self) {
  py::list all;
  for (const WaitContext& c : self.result->contexts) {
    py::list locations, regions, messages, transfers;
    for (const LocationId l : c.locations) locations.append(l.value);
    for (const WaitContext::Interval& i : c.regions)
      regions.append(py::make_tuple(i.location.value, id_or_none(i.region), i.enter, i.exit, i.depth));
    for (const WaitContext::Message& m : c.messages)
      messages.append(
          py::make_tuple(m.sender.value, m.receiver.value, m.sent, m.received, m.bytes, m.tag, id_or_none(m.comm)));
    for (const WaitContext::Transfer& t : c.transfers)
      transfers.append(py::make_tuple(
          t.origin.value, t.target.value, std::string(enum_name(t.kind)), t.started,
          t.completed == WaitContext::Transfer::unknown ? py::object(py::none()) : py::object(py::int_(t.completed)),
          t.bytes));
    all.append(py::make_tuple(c.from, c.to, locations, regions, c.shortest, messages, c.messages_left_out, transfers,
                              c.transfers_left_out));
  }
  return all;
}

/// In the order of waitstate.result_types.CriticalPath; None if there is none.
py::object critical_path(const ResultObject& self) {
  if (!self.result->critical_path) return py::none();
  const CriticalPath& p = *self.result->critical_path;
  py::list segments;
  for (const CriticalSegment& s : p.segments)
    segments.append(py::make_tuple(s.location.value, s.from, s.to, s.ticks, id_or_none(s.callpath), s.callpath_ticks,
                                   std::string(enum_name(s.crossing)), id_or_none(s.waited_in)));
  return py::make_tuple(p.ticks, segments, p.left_out, p.ticks_left_out);
}

py::object phases(const ResultObject& self) {
  if (!self.result->phases) return py::none();
  const Phases& p = *self.result->phases;
  py::list all;
  for (const Phases::Phase& phase : p.phases) {
    const auto known = [&](double value) {
      return phase.has_efficiency() ? py::object(py::float_(value)) : py::object(py::none());
    };
    py::dict waits;
    for (const auto& [metric, ticks] : phase.waits) waits[to_str(self.result->metrics[metric].id)] = ticks;
    py::dict places;
    for (const auto& [metric, most] : phase.places) {
      py::list paths, locations;
      for (const auto& [path, ticks] : most.callpaths) paths.append(py::make_tuple(path.value, ticks));
      for (const auto& [location, ticks] : most.locations) locations.append(py::make_tuple(location.value, ticks));
      places[to_str(self.result->metrics[metric].id)] = py::make_tuple(paths, locations, most.exact);
    }
    all.append(py::make_tuple(phase.begin, phase.end, phase.locations, phase.ticks, phase.longest, phase.computation,
                              phase.largest_computation, known(phase.parallel_efficiency()),
                              known(phase.load_balance()), known(phase.communication_efficiency()), waits, places));
  }
  const py::object region = p.region.valid() ? py::object(py::int_(p.region.value)) : py::object(py::none());
  return py::make_tuple(region, p.visits, p.visits_per_phase, all);
}

py::object communication(const ResultObject& self) {
  if (!self.result->communication) return py::none();
  const Communication& c = *self.result->communication;
  py::list collectives;
  for (const Communication::Operations& o : c.collectives)
    collectives.append(py::make_tuple(id_or_none(o.comm), std::string(enum_name(o.operation)), o.operations, o.calls,
                                      o.bytes_sent, o.bytes_received, o.ticks, o.wait_ticks));
  return py::make_tuple(c.processes_per_block,
                        rows_of<8>(c.pairs,
                                   [](const Communication::Pair& p) {
                                     return std::array<std::uint64_t, 8>{p.sender, p.receiver, p.messages,
                                                                         p.bytes,  p.puts,     p.bytes_put,
                                                                         p.gets,   p.bytes_got};
                                   }),
                        rows_of<4>(c.sizes,
                                   [](const Communication::Sizes& s) {
                                     return std::array<std::uint64_t, 4>{s.from, s.to, s.messages, s.bytes};
                                   }),
                        collectives);
}

}  // namespace

void bind_details(py::class_<ResultObject>& c) {
  c.def("problems", &problems);
  c.def("series", &series);
  c.def("contexts", &contexts);
  c.def("phases", &phases);
  c.def("critical_path", &critical_path);
  c.def("communication", &communication);
}

}  // namespace waitstate::python
