#include "report/compare/flow_changes.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "report/format/names.hpp"

namespace waitstate::report {
namespace {

using Json = nlohmann::ordered_json;
using TableRow = std::vector<std::string>;

/// First and last time of the run; they are equal if it has no events.
std::pair<double, double> span_of(const AnalysisResult& r) {
  double first = 0, last = 0;
  bool any = false;
  for (const LocationSummary& l : r.locations) {
    if (l.events == 0) continue;
    first = any ? std::min(first, static_cast<double>(l.first_time)) : static_cast<double>(l.first_time);
    last = any ? std::max(last, static_cast<double>(l.last_time)) : static_cast<double>(l.last_time);
    any = true;
  }
  return {first, last};
}

/// The waiting time by part of the run; a bin that lies in several parts is divided among them. Bins are a power of two
/// long, so the first may begin before the run and the last end after it: they count in the first and the last part.
std::vector<double> in_parts(const ComparedRun& run, const WaitSeries& series, const std::vector<Ticks>& ticks) {
  std::vector<double> sums(FlowChanges::parts);
  const auto [first, last] = span_of(run.result);
  const double width = std::max(1.0, last - first) / static_cast<double>(FlowChanges::parts);
  for (std::size_t b = 0; b < ticks.size(); ++b) {
    const double length = static_cast<double>(series.bin_ticks),
                 begin = static_cast<double>(series.start) + static_cast<double>(b) * length;
    const double low = std::max(begin, first), high = std::max(low, std::min(begin + length, last));
    for (std::size_t p = 0; p < sums.size() && ticks[b] != 0; ++p) {
      const double from = first + static_cast<double>(p) * width, to = from + width;
      double share = high > low ? std::max(0.0, std::min(high, to) - std::max(low, from)) / (high - low) : 0;
      if (high <= low && (p + 1 == sums.size() ? low >= from : low >= from && low < to)) share = 1;
      sums[p] += share * run.seconds(static_cast<double>(ticks[b]));
    }
  }
  return sums;
}

std::string name_of(const ComparedRun& run, CommId comm) {
  return comm.valid() && comm.index() < run.result.definitions.comms.size() ? run.result.definitions[comm].name : "";
}

template <class T>
double sum_of(const std::vector<T>& all, std::uint64_t T::*member) {
  double sum = 0;
  for (const T& one : all) sum += static_cast<double>(one.*member);
  return sum;
}

/// Changes of the elements that are in one run only; they are 0 in the other.
void fill(Sides& s) {
  if (!s.before) s.before = 0;
  if (!s.after) s.after = 0;
}

void compare_series(const ComparedRun& a, const ComparedRun& b, const std::vector<std::string>& only, FlowChanges& f) {
  if (!a.result.series || !b.result.series) return;
  std::map<std::string, FlowChanges::Course> all;
  for (const ComparedRun* run : {&a, &b})
    for (const auto& [metric, of_metric] : run->result.series->metrics) {
      const std::string& id = run->result.metrics[metric].id;
      if (!only.empty() && std::find(only.begin(), only.end(), id) == only.end()) continue;
      FlowChanges::Course& course = all[id];
      course.metric = id;
      course.parts.resize(FlowChanges::parts);
      const std::vector<double> sums = in_parts(*run, *run->result.series, of_metric.ticks);
      for (std::size_t p = 0; p < sums.size(); ++p) course.parts[p].*(run->side) = sums[p];
    }
  for (auto& [id, course] : all) {
    std::for_each(course.parts.begin(), course.parts.end(), fill);
    f.courses.push_back(std::move(course));
  }
  std::stable_sort(f.courses.begin(), f.courses.end(),
                   [](const auto& x, const auto& y) { return x.size() > y.size(); });
}

void compare_pairs(const ComparedRun& a, const ComparedRun& b, FlowChanges& f) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, FlowChanges::Pair> pairs;
  for (const ComparedRun* run : {&a, &b})
    for (const Communication::Pair& p : run->result.communication->pairs) {
      FlowChanges::Pair& to = pairs[{p.sender, p.receiver}];
      to.sender = p.sender, to.receiver = p.receiver;
      to.messages.*(run->side) = static_cast<double>(p.messages);
      to.bytes.*(run->side) = static_cast<double>(p.bytes);
    }
  for (auto& [key, pair] : pairs) {
    fill(pair.messages), fill(pair.bytes);
    if (pair.messages.size() != 0 || pair.bytes.size() != 0) f.pairs.push_back(pair);
  }
  std::stable_sort(f.pairs.begin(), f.pairs.end(), [](const auto& x, const auto& y) {
    return std::tuple(x.bytes.size(), x.messages.size()) > std::tuple(y.bytes.size(), y.messages.size());
  });
}

void compare_communication(const ComparedRun& a, const ComparedRun& b, FlowChanges& f) {
  if (!a.result.communication || !b.result.communication) return;
  using Pair = Communication::Pair;
  constexpr std::pair<std::string_view, std::uint64_t Pair::*> numbers[] = {
      {"messages", &Pair::messages},   {"bytes", &Pair::bytes}, {"puts", &Pair::puts},
      {"bytes_put", &Pair::bytes_put}, {"gets", &Pair::gets},   {"bytes_got", &Pair::bytes_got}};
  const Communication &of_a = *a.result.communication, &of_b = *b.result.communication;
  for (const auto& [id, member] : numbers)
    f.sent.push_back({id, {sum_of(of_a.pairs, member), sum_of(of_b.pairs, member)}});
  f.has_pairs = of_a.processes_per_block == of_b.processes_per_block;
  f.processes_per_block = of_b.processes_per_block;
  if (f.has_pairs) compare_pairs(a, b, f);

  std::map<std::uint64_t, FlowChanges::Sizes> sizes;
  std::map<std::pair<std::string, std::string>, FlowChanges::Operations> collectives;
  for (const ComparedRun* run : {&a, &b}) {
    const Communication& c = *run->result.communication;
    for (const Communication::Sizes& s : c.sizes) {
      FlowChanges::Sizes& to = sizes[s.from];
      to.from = s.from, to.to = s.to;
      to.messages.*(run->side) = static_cast<double>(s.messages);
    }
    for (const Communication::Operations& o : c.collectives) {
      const std::string comm = name_of(*run, o.comm), operation(enum_name(o.operation));
      FlowChanges::Operations& to = collectives[{comm, operation}];
      to.communicator = comm, to.operation = operation;
      const auto add = [&](Sides& s, double value) { s.*(run->side) = (s.*(run->side)).value_or(0) + value; };
      add(to.operations, static_cast<double>(o.operations));
      add(to.bytes_sent, static_cast<double>(o.bytes_sent));
      add(to.seconds, run->seconds(o.ticks));
      add(to.wait_seconds, run->seconds(o.wait_ticks));
    }
  }
  for (auto& [from, s] : sizes) fill(s.messages), f.sizes.push_back(s);
  for (auto& [key, o] : collectives) {
    for (Sides* s : {&o.operations, &o.bytes_sent, &o.seconds, &o.wait_seconds}) fill(*s);
    f.collectives.push_back(o);
  }
  std::stable_sort(f.collectives.begin(), f.collectives.end(),
                   [](const auto& x, const auto& y) { return x.seconds.size() > y.seconds.size(); });
}

// ---- text ----

std::string count_text(const std::optional<double>& number) { return number ? grouped(std::llround(*number)) : "-"; }
std::string count_change(const Sides& s) {
  const auto by = std::llround(s.change().value_or(0));
  return by == 0 ? "same" : (by > 0 ? "+" : "-") + grouped(std::abs(by));
}

std::string course_rows(const FlowChanges& f, std::size_t top, const Style& style) {
  std::vector<TableRow> rows = {{"waits over time", "changed most at", "A", "B", "change"}};
  for (const FlowChanges::Course& c : f.courses) {
    if (rows.size() > top || c.size() == 0) break;
    const auto most = std::max_element(c.parts.begin(), c.parts.end(),
                                       [](const Sides& x, const Sides& y) { return x.size() < y.size(); });
    const auto part = static_cast<std::size_t>(most - c.parts.begin());
    rows.push_back({c.metric, fmt::format("{} to {} % of the run", part * 100 / f.parts, (part + 1) * 100 / f.parts),
                    seconds_text(most->before), seconds_text(most->after), seconds_change(*most)});
  }
  return rows.size() == 1 ? "" : '\n' + aligned_table(rows, style);
}

std::string communication_rows(const FlowChanges& f, std::size_t top, const Style& style) {
  std::vector<TableRow> rows = {{"communication", "A", "B", "change"}};
  const auto row = [&](std::string name, const Sides& s) {
    rows.push_back({std::move(name), count_text(s.before), count_text(s.after), count_change(s)});
  };
  for (const FlowChanges::Number& n : f.sent) {
    std::string name(n.id);
    std::replace(name.begin(), name.end(), '_', ' ');
    if (n.value.before != 0 || n.value.after != 0) row(name, n.value);
  }
  const char* const what = f.processes_per_block == 1 ? "process" : "block";
  for (std::size_t i = 0; i < std::min(top, f.pairs.size()); ++i) {
    const FlowChanges::Pair& p = f.pairs[i];
    const bool bytes = p.bytes.size() != 0;
    row(fmt::format("  {}, {} {} to {}", bytes ? "bytes" : "messages", what, p.sender, p.receiver),
        bytes ? p.bytes : p.messages);
  }
  std::size_t shown = 0;
  for (const FlowChanges::Operations& o : f.collectives) {
    if (shown == top || o.seconds.size() == 0) break;
    ++shown;
    rows.push_back({printable(o.operation + (o.communicator.empty() ? "" : " of " + o.communicator)),
                    seconds_text(o.seconds.before), seconds_text(o.seconds.after), seconds_change(o.seconds)});
  }
  return rows.size() == 1 ? "" : '\n' + aligned_table(rows, style);
}

}  // namespace

double FlowChanges::Course::size() const {
  double sum = 0;
  for (const Sides& s : parts) sum += s.size();
  return sum;
}

FlowChanges flow_changes(const ComparedRun& before, const ComparedRun& after, const std::vector<std::string>& only) {
  FlowChanges f;
  compare_series(before, after, only, f);
  if (only.empty()) compare_communication(before, after, f);
  return f;
}

std::string flow_text(const FlowChanges& f, std::size_t top, const Style& style) {
  return course_rows(f, std::min<std::size_t>(top, 5), style) +
         communication_rows(f, std::min<std::size_t>(top, 5), style);
}

void add_flow(const FlowChanges& f, Json& json) {
  if (!f.courses.empty()) {
    json["series"] = Json::array();
    for (const FlowChanges::Course& c : f.courses) {
      Json parts = Json::array();
      for (const Sides& s : c.parts) parts.push_back(sides_json(s));
      json["series"].push_back({{"metric", c.metric}, {"parts", std::move(parts)}});
    }
  }
  if (f.sent.empty()) return;
  Json& c = json["communication"];
  for (const FlowChanges::Number& n : f.sent) c[std::string(n.id)] = sides_json(n.value);
  if (f.has_pairs) {
    c["processes_per_block"] = f.processes_per_block;
    c["pairs"] = Json::array();
    for (std::size_t i = 0; i < std::min(f.most_pairs, f.pairs.size()); ++i)
      c["pairs"].push_back({{"sender", f.pairs[i].sender},
                            {"receiver", f.pairs[i].receiver},
                            {"messages", sides_json(f.pairs[i].messages)},
                            {"bytes", sides_json(f.pairs[i].bytes)}});
    c["pairs_left_out"] = f.pairs.size() - std::min(f.most_pairs, f.pairs.size());
  }
  c["sizes"] = Json::array();
  for (const FlowChanges::Sizes& s : f.sizes)
    c["sizes"].push_back({{"from", s.from}, {"to", s.to}, {"messages", sides_json(s.messages)}});
  c["collectives"] = Json::array();
  for (const FlowChanges::Operations& o : f.collectives)
    c["collectives"].push_back({{"communicator", o.communicator},
                                {"operation", o.operation},
                                {"operations", sides_json(o.operations)},
                                {"bytes_sent", sides_json(o.bytes_sent)},
                                {"seconds", sides_json(o.seconds)},
                                {"wait_seconds", sides_json(o.wait_seconds)}});
}

}  // namespace waitstate::report
