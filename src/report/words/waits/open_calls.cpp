#include "report/words/waits/open_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "report/format/names.hpp"

namespace waitstate::report {
namespace {

constexpr std::size_t most_named = 3;

std::string list_of(const AnalysisResult& result, const std::vector<LocationId>& locations, const char* last) {
  const std::size_t named = locations.size() > most_named + 1 ? most_named : locations.size();
  std::string text;
  for (std::size_t i = 0; i < named; ++i)
    text += (i == 0                                        ? ""
             : i + 1 == named && named == locations.size() ? fmt::format(" {} ", last)
                                                           : ", ") +
            location_label(result.definitions, locations[i]);
  if (named < locations.size())
    text += fmt::format(" {} {} others", last, grouped(static_cast<std::int64_t>(locations.size() - named)));
  return text;
}

/// " and has been in main/endless since 0.1 s", with that conjunction: of a location that is in no call that waits;
/// empty if others are meant too.
std::string whereabouts(const AnalysisResult& result, const std::vector<LocationId>& whom, const char* conjunction) {
  if (whom.size() != 1 || whom[0].index() >= result.locations.size()) return "";
  const LocationSummary& seen = result.locations[whom[0].index()];
  const bool waits = std::any_of(result.open_calls.begin(), result.open_calls.end(),
                                 [&](const OpenCall& call) { return call.location == whom[0]; });
  if (waits || !seen.last_callpath.valid()) return "";
  const Seconds seconds(result.definitions.clock, result.duration());
  return fmt::format("{} has been in {} since {}", conjunction, callpath_label(result, seen.last_callpath),
                     seconds.instant(ticks_since_first(result, seen.last_enter)));
}

std::string comm_label(const AnalysisResult& result, CommId comm) {
  const std::string name = printable(result.definitions[comm].name);
  return name.empty() ? fmt::format("communicator {}", comm.value) : name;
}

/// The communicator is named if messages that nobody received stand beside the wait.
std::string waits_for(const AnalysisResult& result, const OpenWait& wait, bool with_comm = false) {
  std::string tag = wait.tag < 0 ? "" : fmt::format("tag {}", wait.tag);
  if (with_comm && wait.comm.valid()) tag += (tag.empty() ? "on " : " on ") + comm_label(result, wait.comm);
  if (!tag.empty()) tag = fmt::format(" ({})", tag);
  const std::string whom = list_of(result, wait.whom, wait.any ? "or" : "and");
  switch (wait.kind) {
    case OpenWait::Kind::receive:
      return "for a message from " + (wait.any ? "anybody" : whom.empty() ? "somebody" : whom) + tag;
    case OpenWait::Kind::send:
      return whom.empty() ? "for its message to be received" + tag : "for " + whom + " to receive its message" + tag;
    case OpenWait::Kind::collective:
    case OpenWait::Kind::window:
      return whom.empty() ? ""
                          : fmt::format("for {}, which {} not arrived", whom, wait.whom.size() == 1 ? "has" : "have") +
                                whereabouts(result, wait.whom, " and");
    case OpenWait::Kind::lock:
    case OpenWait::Kind::thread_lock:
      return whom.empty() ? "for a lock" : "for a lock held by " + whom + whereabouts(result, wait.whom, ", which");
  }
  return "";
}

/// ", while nobody has received a message from rank 0 (tag 77 on MPI_COMM_WORLD)"
std::string unreceived_text(const AnalysisResult& result, const OpenCall& call) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most_named, call.unreceived.size()); ++i) {
    const UnreceivedMessages& m = call.unreceived[i];
    text += fmt::format("{}{} from {} (tag {}{})", i == 0 ? ", while nobody has received " : ", ",
                        m.count == 1 ? "a message" : count(static_cast<std::int64_t>(m.count), "message", "messages"),
                        location_label(result.definitions, m.sender), m.tag,
                        m.comm.valid() ? " on " + comm_label(result, m.comm) : "");
  }
  if (call.unreceived.size() > most_named)
    text += fmt::format(" and {} others", grouped(static_cast<std::int64_t>(call.unreceived.size() - most_named)));
  return text;
}

/// How long the locations have had no event when the trace ends, by the last event of anybody or what the recorder says
/// of the length of the run; 0 if the trace does not tell.
Ticks stood_still(const AnalysisResult& result, const std::vector<LocationId>& circle) {
  const Clock& clock = result.definitions.clock;
  Time end = 0, last = 0;
  for (std::size_t l = 0; l < result.locations.size(); ++l) {
    if (result.locations[l].events == 0) continue;
    end = std::max(end, result.locations[l].last_time);
    const ProcessId process = result.definitions.locations[l].process;
    if (std::any_of(circle.begin(), circle.end(), [&](LocationId c) {
          return c.index() == l || (process.valid() && result.definitions[c].process == process);
        }))
      last = std::max(last, result.locations[l].last_time);
  }
  if (clock.length > 0 && result.diagnostics[DiagnosticId::time_outside].count == 0)
    end = std::max(end, clock.offset + static_cast<Time>(clock.length));
  return last == 0 ? 0 : static_cast<Ticks>(end - last);
}

class OpenCallsText {
 public:
  OpenCallsText(const AnalysisResult& result, const Seconds& seconds, std::size_t path_width)
      : result_(result), seconds_(seconds), path_width_(path_width) {
    const auto& all = result.definitions.processes;
    of_processes_ = std::all_of(all.begin(), all.end(), [](const LocationGroup& p) { return p.locations.size() <= 1; });
  }

  void add_deadlocks(std::size_t most, std::vector<std::string>& sentences) const {
    const std::vector<std::vector<LocationId>> all = waitstate::deadlocks(result_);
    for (std::size_t i = 0; i < std::min(most, all.size()); ++i)
      sentences.push_back("Deadlock: " + deadlock_sentence(result_, all[i]) + '.' + still(all[i]));
    if (most != 0 && all.size() > most)
      sentences.push_back("and " + number(all.size() - most, "more deadlock", "more deadlocks"));
  }

  std::string calls(std::size_t most) const {
    std::map<std::tuple<CallPathId, RegionId, std::string>, std::vector<const OpenCall*>> by_place;
    for (const OpenCall& call : result_.open_calls)
      by_place[{call.callpath, call.region, report::waits_for(result_, call)}].push_back(&call);
    std::vector<std::pair<std::string, std::vector<const OpenCall*>>> places;
    for (auto& [place, calls] : by_place) places.emplace_back(std::get<std::string>(place), std::move(calls));
    std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
      return a.second.size() != b.second.size() ? a.second.size() > b.second.size()
                                                : a.second.front()->location < b.second.front()->location;
    });
    const std::size_t open = result_.open_calls.size();
    std::string text = number(open, one(), many());
    text += open == 1 ? " still waits in a call when the trace ends" : " still wait in calls when the trace ends";
    for (std::size_t i = 0; i < std::min(most, places.size()); ++i)
      text += (i == 0 ? ": " : "; ") + place(places[i].second) + (places[i].first.empty() ? "" : ' ' + places[i].first);
    if (most != 0 && places.size() > most)
      text +=
          "; and " + number(places.size() - most, "more", "more") + (places.size() - most == 1 ? " place" : " places");
    text += ". No wait state includes that wait, since nothing in the trace ended it.";
    if (waitstate::deadlocks(result_).empty()) text += still_of_all();
    return "Never ended: " + text;
  }

 private:
  std::string still(const std::vector<LocationId>& circle) const {
    const Ticks ticks = stood_still(result_, circle);
    if (ticks <= 0 || ticks < result_.duration() / 100) return "";  // the others ended at about the same time
    return fmt::format(" {} no event in the last {} of the run.", circle.size() == 1 ? "It has" : "They have",
                       seconds_.duration(ticks));
  }
  std::string still_of_all() const {
    std::vector<LocationId> all;
    for (const OpenCall& call : result_.open_calls) all.push_back(call.location);
    return still(all);
  }
  const char* one() const { return of_processes_ ? "process" : "thread"; }
  const char* many() const { return of_processes_ ? "processes" : "threads"; }
  static std::string number(std::size_t n, const char* one, const char* several) {
    return count(static_cast<std::int64_t>(n), one, several);
  }

  /// "rank 0 and rank 1 in main/MPI_Recv, the first since 0.000010 s"
  std::string place(const std::vector<const OpenCall*>& calls) const {
    Time since = ~Time{0};
    std::vector<LocationId> who;
    for (const OpenCall* call : calls) {
      since = std::min(since, call->enter);
      who.push_back(call->location);
    }
    const OpenCall& call = *calls.front();
    const std::string source = callpath_source(result_, call.callpath);
    const std::string where = (call.callpath.valid() ? shorten_path(callpath_label(result_, call.callpath), path_width_)
                                                     : printable(result_.definitions[call.region].name)) +
                              (source.empty() ? "" : " at " + source);
    return fmt::format("{} in {}{} since {}",
                       calls.size() <= most_named ? list_of(result_, who, "and") : number(calls.size(), one(), many()),
                       where, calls.size() == 1 ? "" : ", the first",
                       seconds_.instant(static_cast<Ticks>(since - first_event(result_))));
  }

  const AnalysisResult& result_;
  const Seconds& seconds_;
  std::size_t path_width_;
  bool of_processes_ = true;
};

}  // namespace

std::string waits_for(const AnalysisResult& result, const OpenCall& call) {
  std::string text;
  std::size_t named = 0;
  for (const OpenWait& wait : call.waits) {
    const std::string one = waits_for(result, wait, !call.unreceived.empty());
    if (one.empty()) continue;
    if (named == most_named - 1 && call.waits.size() > most_named)
      return text + fmt::format(" and {} more", grouped(static_cast<std::int64_t>(call.waits.size() - named)));
    text += (named++ == 0 ? "" : waits_for_any(result, call) ? " or " : ", ") + one;
  }
  if (text.empty() && !call.unreceived.empty()) text = "for a message";
  return text + unreceived_text(result, call);
}

std::vector<std::string> mismatched_operations(const AnalysisResult& result, std::size_t most) {
  std::map<CommId, std::map<std::string, std::vector<LocationId>>> functions;
  for (const OpenCall& call : result.open_calls)
    for (const OpenWait& wait : call.waits)
      if (wait.kind == OpenWait::Kind::collective && wait.comm.valid() && wait.whom.empty())
        functions[wait.comm][printable(result.definitions[call.region].name)].push_back(call.location);
  std::vector<std::string> sentences;
  for (const auto& [comm, by_function] : functions) {
    if (by_function.size() < 2 || sentences.size() == most) continue;
    std::string text = "on " + comm_label(result, comm) + ',';
    std::size_t told = 0;
    for (const auto& [function, who] : by_function)
      text += fmt::format("{} {} {} in {}",
                          told++ == 0                  ? ""
                          : told == by_function.size() ? " and"
                                                       : ",",
                          list_of(result, who, "and"), who.size() == 1 ? "is" : "are", function);
    sentences.push_back(text + ": all members have come, but not to the same operation.");
  }
  return sentences;
}

std::string deadlock_sentence(const AnalysisResult& result, const std::vector<LocationId>& circle) {
  const auto name = [&](std::size_t i) { return location_label(result.definitions, circle[i % circle.size()]); };
  if (circle.size() == 1) return name(0) + " waits for itself";
  constexpr std::size_t most = 8;
  std::string text = name(0) + " waits for " + name(1);
  for (std::size_t i = 1; i < std::min(circle.size(), most); ++i)
    text += (i + 1 == circle.size() ? ", and " : ", ") + name(i) + " for " + name(i + 1);
  if (circle.size() > most)
    text += fmt::format(", and so on: a circle of {}", grouped(static_cast<std::int64_t>(circle.size())));
  return text;
}

std::vector<std::string> open_calls_sentences(const AnalysisResult& result, const Seconds& seconds, std::size_t most,
                                              std::size_t path_width) {
  std::vector<std::string> sentences;
  if (result.open_calls.empty()) return sentences;
  const OpenCallsText text(result, seconds, path_width);
  text.add_deadlocks(most, sentences);
  for (const std::string& sentence : mismatched_operations(result, most)) sentences.push_back("Mismatch: " + sentence);
  sentences.push_back(text.calls(most));
  return sentences;
}

std::string open_calls_text(const AnalysisResult& result, const Seconds& seconds, std::size_t most,
                            const Style& style) {
  std::string text;
  for (const std::string& s : open_calls_sentences(result, seconds, most, style.width > 10 ? style.width - 8 : 2)) {
    const std::size_t lead = s.find(':') + 1;  // 0 for "and 2 more deadlocks"
    const std::string lines = paragraph(lead == 0 ? "  " : "", s, style.width);
    text += style.loss(lines.substr(0, lead)) + lines.substr(lead);
  }
  return text;
}

}  // namespace waitstate::report
