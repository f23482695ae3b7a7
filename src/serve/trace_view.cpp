#include "serve/trace_view.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "pass/trace_input.hpp"
#include "pass/trace_probe.hpp"
#include "serve/timeline/pyramid.hpp"
#include "serve/timeline/timeline.hpp"
#include "serve/trace_facts.hpp"
#include "util/text.hpp"
#include "waitstate/error.hpp"

namespace waitstate::serve {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t most_regions = 50;
constexpr std::string_view numbers[] = {"from", "to", "first", "rows", "width"};  // parameters of GET timeline

/// A whole number; one with a fraction is cut, since pages compute times in floating point.
std::optional<std::uint64_t> number_of(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !(number >= 0 && number < 0x1p63))
    return std::nullopt;
  return static_cast<std::uint64_t>(number);
}

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

/// Not an error: browsers show these to their users.
Answer later(const std::string& waits_for) {
  Answer answer = text_answer(json{{"waits_for", waits_for}}.dump());
  answer.status = 202;
  return answer;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

TimelineQuestion question_of(const json& asked) {
  TimelineQuestion question;
  question.messages_wait_for = asked.value("messages_wait_for", "");
  question.messages_note = asked.value("messages_note", "");
  question.from = asked.value("from", question.from);
  question.to = asked.value("to", question.to);
  question.first = asked.value("first", question.first);
  question.rows = asked.value("rows", question.rows);
  question.bins = asked.value("width", question.bins);
  question.level = asked.value("level", question.level);
  question.counter = asked.value("counter", question.counter);
  return question;
}

/// A file that stays open while questions name it.
template <class File>
class Opened {
 public:
  template <class... Arguments>
  void open(const std::string& path, const Arguments&... arguments) {
    if (path == path_) return;
    file_.reset(), path_.clear();
    if (!path.empty()) file_.emplace(path, arguments...);
    path_ = path;
  }
  const File* get() const { return file_ ? &*file_ : nullptr; }

 private:
  std::string path_;
  std::optional<File> file_;
};

/// All that the process of a view does.
void look_at(const std::string& trace, const HelperEnd& server) {
  const pass::TraceStart start = pass::trace_start(trace);
  pass::TraceInput input{fs::path(trace)};
  const Clock& clock = input.definitions().clock;
  const Time last = std::max(start.first, clock.offset + static_cast<Time>(std::max<Ticks>(clock.length, 0)));
  server.say(json{{"trace", trace_json(input, start.first, last)}, {"regions", region_names(input.definitions())}}.dump(
      -1, ' ', false, json::error_handler_t::replace));
  if (input.definitions().locations.size() > Pyramid::most_locations) {
    server.say(json{{"waits_for", fmt::format("a timeline has at most {} locations", Pyramid::most_locations)}}.dump());
  } else {
    const auto announced = static_cast<double>(std::max<std::uint64_t>(input.announced_events(), 1));
    const Pyramid pyramid(
        input, start.first, last, std::clamp(std::thread::hardware_concurrency(), 1U, 8U), [&](std::uint64_t events) {
          const double part = std::min(99.0, 100 * static_cast<double>(events) / announced);
          server.say(json{{"waits_for", fmt::format("the timeline is being made: {:.0f} %", part)}}.dump());
        });
    server.say(json{{"waits_for", ""},
                    {"end", pyramid.last()},
                    {"events", pyramid.events()},
                    {"programs", pyramid.programs(input.definitions())}}
                   .dump(-1, ' ', false, json::error_handler_t::replace));
    Timeline timeline(input, pyramid);
    const std::size_t locations = input.definitions().locations.size();
    Opened<WaitFile> waits;
    Opened<TransferFile> transfers;
    bool has_asked = false;
    for (;;) {
      const HelperEnd::Question question = server.next();
      try {
        const json asked = json::parse(question.text);
        waits.open(asked.value("waits", ""), locations,
                   WaitBins{pyramid.start(), pyramid.finest_width(), pyramid.finest_bins()});
        transfers.open(asked.value("transfers", ""), locations);
        const std::string answer = timeline.answer(question_of(asked), {waits.get(), transfers.get()});
        if (timeline.wants_transfers() && !std::exchange(has_asked, true))
          server.say(json{{"wants_transfers", true}}.dump());
        server.answer(question, true, deflated(answer));
      } catch (const Error& e) {
        server.answer(question, false, e.what());
      }
    }
  }
  for (;;) server.answer(server.next(), false, "there is no timeline");
}

}  // namespace

TraceView::TraceView(Loop& loop, Files files, std::function<void(const std::string&)> opened)
    : loop_(loop), files_(std::move(files)), opened_(std::move(opened)) {
  start();
}

void TraceView::start() {
  identity_ = identity_of(files_.trace);
  error_.clear(), json_.clear(), answer_.clear(), regions_.clear();
  waits_for_ = "the timeline is being made";
  transfers_ = {};
  last_event_.reset();
  helper_ = std::make_unique<Helper>(
      loop_, [trace = files_.trace](const HelperEnd& server) { look_at(trace, server); },
      [this](bool good, const std::string& text) { hear(good, text); });
}

void TraceView::hear(bool good, const std::string& text) {
  answer_.clear();
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
  if (said.contains("end")) {
    last_event_ = said["end"].get<Time>();  // the true end, which the recorder may not have known
    json facts = json::parse(json_, nullptr, false);
    facts["end"] = said["end"], facts["events"] = said["events"], facts["programs"] = said["programs"];
    const auto ticks = static_cast<double>(facts["end"].get<Time>() - facts["begin"].get<Time>());
    facts["seconds"] = ticks / facts["ticks_per_second"].get<double>();
    json_ = facts.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  if (said.contains("wants_transfers")) find_transfers();
  if (said.contains("waits_for")) waits_for_ = said["waits_for"].get<std::string>();
}

void TraceView::find_transfers() {
  if (transfers_.file) return;
  const auto number = [](int descriptor) { return std::to_string(descriptor); };
  try {
    transfers_.file = nameless_file();
    transfers_.program = std::make_unique<Program>(
        loop_, ProgramStart{.file = files_.program,
                            .arguments = {"analyze", files_.trace, "--transfers-fd", number(first_file_fd),
                                          "--progress-fd", number(progress_fd)},
                            .output = nullptr,
                            .files = {transfers_.file},
                            .progress =
                                [this](std::string_view line) {
                                  const json said = json::parse(line, nullptr, false);
                                  if (!said.is_object() || said.value("of", 0.0) <= 0) return;
                                  const double part =
                                      std::min(99.0, 100 * said.value("events", 0.0) / said.value("of", 1.0));
                                  transfers_.progress = fmt::format("messages are being matched: {:.0f} %", part);
                                },
                            .ended =
                                [this](const ProgramEnd& end) {
                                  const auto ended = std::move(transfers_.program);
                                  transfers_.is_complete = end.exit_code == 0;
                                  if (transfers_.is_complete) return;
                                  transfers_.error =
                                      end.error.empty() ? "the analysis that matches them ended early" : end.error;
                                }});
  } catch (const Error& e) {
    transfers_.error = e.what();
  }
}

/// At most every second: an archive may have thousands of files.
void TraceView::look_for_change() {
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ < std::chrono::seconds(1)) return;
  looked_ = now;
  if (identity_of(files_.trace) == identity_) return;
  ++version_;
  start();
}

void TraceView::trace(const ExchangePtr& exchange) {
  look_for_change();
  if (json_.empty())
    return exchange->answer(error_.empty() ? later("the trace is being opened") : error_answer(503, error_));
  if (answer_.empty()) {  // it may have megabytes
    json facts = json::parse(json_, nullptr, false);
    facts["version"] = version_;
    facts["offline"] = files_.is_offline;
    if (!error_.empty()) facts["notices"].push_back(error_);
    answer_ = util::printable_json(facts.dump(-1, ' ', false, json::error_handler_t::replace));
  }
  exchange->answer(text_answer(answer_));
}

void TraceView::version(const ExchangePtr& exchange) {
  look_for_change();
  exchange->answer(text_answer(json{{"version", version_}}.dump()));
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

void TraceView::timeline(const ExchangePtr& exchange, const std::shared_ptr<Descriptor>& waits) {
  look_for_change();
  if (!error_.empty()) return exchange->answer(error_answer(503, error_));
  if (!waits_for_.empty()) return exchange->answer(later(waits_for_));
  json question = json::object();
  for (const auto& [name, value] : exchange->request().query) {
    if (name == "run") continue;
    if (name == "level" || name == "counter") {
      question[name] = value;
      continue;
    }
    if (std::find(std::begin(numbers), std::end(numbers), name) == std::end(numbers))
      return exchange->answer(error_answer(400, fmt::format("unknown parameter '{}'", name)));
    const std::optional<std::uint64_t> number = number_of(value);
    if (!number) return exchange->answer(error_answer(400, fmt::format("{}: '{}' is not a whole number", name, value)));
    question[name] = *number;
  }
  // The helper opens files by the server's own names for them.
  const auto path_of = [](const Descriptor& file) { return fmt::format("/proc/{}/fd/{}", ::getpid(), file.get()); };
  if (waits) question["waits"] = path_of(*waits);
  if (transfers_.is_complete) question["transfers"] = path_of(*transfers_.file);
  question["messages_wait_for"] = transfers_.progress;
  question["messages_note"] = transfers_.error;
  helper_->ask(question.dump(-1, ' ', false, json::error_handler_t::replace),
               [this, exchange, waits](bool good, std::string text) {
                 if (!good) return exchange->answer(error_answer(helper_->is_alive() ? 400 : 503, text));
                 Answer answer = text_answer(std::move(text), "application/octet-stream");
                 answer.headers.emplace_back("Content-Encoding", "deflate");
                 exchange->answer(std::move(answer));
               });
}

}  // namespace waitstate::serve
