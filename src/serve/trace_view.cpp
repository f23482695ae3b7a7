#include "serve/trace_view.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "pass/trace_input.hpp"
#include "pass/trace_probe.hpp"
#include "serve/trace_facts.hpp"
#include "util/text.hpp"

namespace waitstate::serve {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t most_regions = 50;

std::string status_of(const fs::path& file) {
  struct stat s {};
  if (::stat(file.c_str(), &s) != 0) return "-";
  return fmt::format("{}.{}.{}.{}.{}", s.st_dev, s.st_ino, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
}

/// Changes if the trace is replaced: of the file or folder, and of an archive's files beside it.
std::string identity_of(const std::string& trace) {
  std::string text = status_of(trace);
  std::error_code error;
  const fs::path folder = fs::is_directory(trace, error) ? fs::path(trace) : fs::path(trace).parent_path();
  if (!fs::is_directory(trace, error) && fs::path(trace).extension() != ".otf2") return text;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
    if (const auto ending = i->path().extension(); ending == ".otf2" || ending == ".def")
      text += ' ' + i->path().filename().string() + status_of(i->path());
  return text;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// All that the process of a view does.
void look_at(const std::string& trace, const HelperEnd& server) {
  const pass::TraceStart start = pass::trace_start(trace);
  const pass::TraceInput input{fs::path(trace)};
  const Clock& clock = input.definitions().clock;
  const Time last = std::max(start.first, clock.offset + static_cast<Time>(std::max<Ticks>(clock.length, 0)));
  server.say(json{{"trace", trace_json(input, start.first, last)}, {"regions", region_names(input.definitions())}}.dump(
      -1, ' ', false, json::error_handler_t::replace));
  for (;;) {
    const HelperEnd::Question question = server.next();
    server.answer(question, false, "this server has no timeline yet");
  }
}

}  // namespace

TraceView::TraceView(Loop& loop, std::string trace, std::function<void(const std::string&)> opened)
    : loop_(loop), trace_(std::move(trace)), opened_(std::move(opened)) {
  start();
}

void TraceView::start() {
  identity_ = identity_of(trace_);
  error_.clear();
  waits_for_ = "the timeline is being made";
  helper_ = std::make_unique<Helper>(
      loop_, [trace = trace_](const HelperEnd& server) { look_at(trace, server); },
      [this](bool good, const std::string& text) { hear(good, text); });
}

void TraceView::hear(bool good, const std::string& text) {
  if (!good) {
    if (error_.empty()) error_ = text;
    if (const auto opened = std::exchange(opened_, nullptr)) opened(error_);
    return;
  }
  const json said = json::parse(text, nullptr, false);
  if (said.contains("trace")) {
    json_ = said["trace"].get<std::string>();
    regions_ = said["regions"].get<std::vector<std::string>>();
    if (const auto opened = std::exchange(opened_, nullptr)) opened("");
  }
  if (said.contains("waits_for")) waits_for_ = said["waits_for"].get<std::string>();
}

/// At most every second: an archive may have thousands of files.
void TraceView::look_for_change() {
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ < std::chrono::seconds(1)) return;
  looked_ = now;
  if (identity_of(trace_) == identity_) return;
  ++version_;
  start();
}

void TraceView::trace(const ExchangePtr& exchange) {
  look_for_change();
  if (json_.empty()) return exchange->answer(error_answer(503, error_.empty() ? "the trace is being opened" : error_));
  json facts = json::parse(json_, nullptr, false);
  facts["version"] = version_;
  if (!error_.empty()) facts["notices"].push_back(error_);
  exchange->answer(text_answer(util::printable_json(facts.dump(-1, ' ', false, json::error_handler_t::replace))));
}

void TraceView::regions(const ExchangePtr& exchange) {
  look_for_change();
  const std::string* const wanted = exchange->request().value("q");
  const std::string part = wanted == nullptr ? "" : lower(*wanted);
  // Names that begin so come first.
  json found = json::array();
  for (const bool begins : {true, false})
    for (const std::string& name : regions_) {
      if (found.size() >= most_regions) break;
      const auto at = lower(name).find(part);
      if (at != std::string::npos && (at == 0) == begins) found.push_back(name);
    }
  exchange->answer(text_answer(util::printable_json(found.dump(-1, ' ', false, json::error_handler_t::replace))));
}

void TraceView::timeline(const ExchangePtr& exchange) {
  look_for_change();
  exchange->answer(error_answer(503, error_.empty() ? waits_for_ : error_));
}

}  // namespace waitstate::serve
