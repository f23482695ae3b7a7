// Long because runs, and what is made from them, share who waits for what.
#include "serve/runs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "report/form.hpp"
#include "serve/parameters.hpp"
#include "util/text.hpp"
#include "waitstate/error.hpp"

namespace waitstate::serve {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_kept_runs = 32, most_made = 64;
/// A run is done when these are written; the others follow.
constexpr std::string_view first_forms[] = {"json", "html"};
constexpr const char* bytes_type = "application/octet-stream";

std::string dumped(const json& value) {
  return util::printable_json(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

/// ".txt" of "text", without the dot.
std::string kind_of(const report::Form& form) { return std::string(form.endings.front().substr(1)); }

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

std::string fd_path(std::size_t file) { return fmt::format("/dev/fd/{}", first_file_fd + static_cast<int>(file)); }

constexpr std::string_view folder_begin = "waitstate-serve-";

/// Removes folders of servers that were killed.
void remove_left_folders(const fs::path& in) {
  std::error_code error;
  for (fs::directory_iterator i(in, error), end; !error && i != end; i.increment(error)) {
    const std::string name = i->path().filename().string();
    if (!name.starts_with(folder_begin)) continue;
    pid_t maker = 0;
    std::from_chars(name.data() + folder_begin.size(), name.data() + name.size(), maker);
    struct stat status {};
    if (maker <= 0 || ::kill(maker, 0) == 0 || errno != ESRCH) continue;
    if (::lstat(i->path().c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid()) continue;
    std::error_code ignored;
    fs::remove_all(i->path(), ignored);
  }
}

}  // namespace

/// A folder for what a program makes, removed with it.
class Runs::WorkFolder {
 public:
  WorkFolder() {
    std::string name = (fs::temp_directory_path() / fmt::format("{}{}-XXXXXX", folder_begin, ::getpid())).string();
    if (::mkdtemp(name.data()) == nullptr)
      throw OutputError(fmt::format("cannot make a folder like {}: {}", name, std::strerror(errno)));
    path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Runs::Run {
  std::uint64_t id = 0;
  json parameters;
  std::vector<std::string> options;
  std::string state = "running", error;
  json summary = json::object();
  std::vector<std::string> notes;
  std::uint64_t events = 0, of = 0;
  Clock::time_point begin = Clock::now();
  double seconds = 0;
  bool is_cancelled = false, is_dropped = false;
  struct Report {
    std::string form;
    std::shared_ptr<Descriptor> file;
    bool is_written = false;
    std::vector<std::function<void()>> waiting;
  };
  std::map<std::string, Report> reports;  ///< by kind
  std::shared_ptr<Descriptor> waits;
  std::vector<ExchangePtr> listeners;
  std::unique_ptr<Program> program;

  bool is_running() const { return state == "running"; }
  bool is_done() const { return state == "done"; }
  /// Its files are kept no more.
  void drop() {
    is_dropped = true;
    waits = nullptr;
    for (auto& [kind, report] : reports) report.file = nullptr;
  }
};

/// Something that is made of finished runs, once, for everybody who asks.
struct Runs::Made {
  std::vector<std::string> arguments;
  std::vector<std::shared_ptr<Descriptor>> files;
  std::shared_ptr<Descriptor> output;  ///< the file, once it is made
  std::string output_name;             ///< in the folder; "": it is written to standard output
  bool is_folder = false;
  std::unique_ptr<WorkFolder> folder;
  std::string error;
  bool is_made = false;
  struct Waiting {
    ExchangePtr exchange;
    std::string type, name;
  };
  std::vector<Waiting> waiting;
  std::unique_ptr<Program> program;

  bool is_wanted() const {
    return std::any_of(waiting.begin(), waiting.end(), [](const Waiting& w) { return !w.exchange->is_gone(); });
  }
};

Runs::Runs(Loop& loop, RunSettings settings) : loop_(loop), settings_(std::move(settings)) {
  remove_left_folders(fs::temp_directory_path());
}
Runs::~Runs() = default;

bool Runs::is_busy() const {
  return beginning_ != 0 || !queue_.empty() ||
         std::any_of(runs_.begin(), runs_.end(), [](const auto& run) { return run->program != nullptr; });
}

// ---- parameters ----

/// Calls `good` with a run that has not begun, if `waitstate analyze` takes the parameters of the body for this trace.
/// A trace that cannot be read, and a crash, are left to the run.
void Runs::check(const ExchangePtr& exchange, const std::function<void(std::shared_ptr<Run>)>& good) {
  if (checks_.size() >= 16)
    return exchange->answer(error_answer(503, "too many command lines are being checked: ask again"));
  auto run = std::make_shared<Run>();
  try {
    const std::string& body = exchange->request().body;
    run->parameters = body.empty() ? json::object() : json::parse(body);
    run->options = options_of(run->parameters);
  } catch (const json::exception&) {
    return exchange->answer(error_answer(400, "the body is not JSON"));
  } catch (const UsageError& e) {
    return exchange->answer(error_answer(400, e.what()));
  }
  std::vector<std::string> arguments{"analyze", settings_.trace, "--check-only"};
  if (const std::optional<Time> last = settings_.last_event()) {
    arguments.emplace_back("--last-event");
    arguments.push_back(std::to_string(*last));
  }
  arguments.insert(arguments.end(), settings_.options.begin(), settings_.options.end());
  arguments.insert(arguments.end(), run->options.begin(), run->options.end());
  const std::uint64_t number = ++last_check_;
  checks_[number] = std::make_unique<Program>(
      loop_, ProgramStart{.file = settings_.program,
                          .arguments = std::move(arguments),
                          .output = nullptr,
                          .ended = [this, exchange, good, run, number](const ProgramEnd& end) {
                            const auto check_done = std::move(checks_[number]);
                            checks_.erase(number);
                            if (number == beginning_) beginning_ = 0;
                            if (end.exit_code != 1 && end.exit_code != 2) return good(run);
                            exchange->answer(error_answer(400, end.error));
                          }});
}

void Runs::command(const ExchangePtr& exchange) {
  check(exchange, [this, exchange](const std::shared_ptr<Run>& run) {
    exchange->answer(text_answer(dumped({{"command", [&] {
                                            std::vector<std::string> words{"waitstate", "analyze", settings_.trace};
                                            words.insert(words.end(), settings_.options.begin(),
                                                         settings_.options.end());
                                            words.insert(words.end(), run->options.begin(), run->options.end());
                                            return shell_line(words);
                                          }()}})));
  });
}

// ---- runs ----

void Runs::begin(const ExchangePtr& exchange) {
  const bool is_running = std::any_of(runs_.begin(), runs_.end(), [](const auto& r) { return r->is_running(); });
  if (beginning_ != 0 || is_running)
    return exchange->answer(error_answer(409, "a run is under way: wait for its end, or cancel it"));
  const std::uint64_t before = last_check_;
  check(exchange, [this, exchange](const std::shared_ptr<Run>& run) {
    run->id = runs_.size() + 1;
    try {
      launch(run);
    } catch (const Error& e) {
      return exchange->answer(error_answer(503, e.what()));
    }
    runs_.push_back(run);
    drop_old();
    Answer answer = text_answer(json_of(*run));
    answer.status = 202;
    exchange->answer(std::move(answer));
  });
  if (checks_.contains(before + 1)) beginning_ = before + 1;
}

void Runs::launch(const std::shared_ptr<Run>& run) {
  ProgramStart start{.file = settings_.program, .arguments = {"analyze", settings_.trace}, .output = nullptr};
  start.arguments.insert(start.arguments.end(), settings_.options.begin(), settings_.options.end());
  start.arguments.insert(start.arguments.end(), run->options.begin(), run->options.end());
  const auto more = [&](const std::string& word, const std::string& value) {
    start.arguments.push_back(word);
    start.arguments.push_back(value);
  };
  more("--progress-fd", std::to_string(progress_fd));
  const auto add = [&](const report::Form& form) {
    more("--also", fmt::format("{}:{}", form.name, first_file_fd + static_cast<int>(start.files.size())));
    start.files.push_back(nameless_file());
    run->reports[kind_of(form)] = {std::string(form.name), start.files.back(), false, {}};
  };
  for (const std::string_view name : first_forms) add(*report::form_of_name(name));
  for (const report::Form& form : report::forms())
    if (form.write != nullptr &&
        std::find(std::begin(first_forms), std::end(first_forms), form.name) == std::end(first_forms))
      add(form);
  more("--waits-fd", std::to_string(first_file_fd + static_cast<int>(start.files.size())));
  start.files.push_back(run->waits = nameless_file());
  start.progress = [this, weak = std::weak_ptr(run)](std::string_view line) {
    if (const auto alive = weak.lock()) hear(*alive, line);
  };
  start.ended = [this, weak = std::weak_ptr(run)](const ProgramEnd& end) {
    if (const auto alive = weak.lock()) ended(*alive, end);
  };
  run->program = std::make_unique<Program>(loop_, std::move(start));
}

void Runs::hear(Run& run, std::string_view line) {
  const json said = json::parse(line, nullptr, false);
  if (!said.is_object()) return;
  if (said.contains("events")) {
    run.events = said["events"].get<std::uint64_t>();
    run.of = said["of"].get<std::uint64_t>();
    if (run.is_running()) tell(run, false);
  } else if (said.contains("summary")) {
    run.summary = said["summary"];
  } else if (said.contains("written")) {
    bool has_first = true;
    for (auto& [kind, report] : run.reports) {
      if (report.form == said["written"]) {
        report.is_written = true;
        for (auto waiting = std::exchange(report.waiting, {}); const auto& call : waiting) call();
      }
      if (std::find(std::begin(first_forms), std::end(first_forms), report.form) != std::end(first_forms))
        has_first = has_first && report.is_written;
    }
    if (has_first && run.is_running() && !run.is_cancelled) finish(run, "done");
  }
}

void Runs::finish(Run& run, const char* state) {
  run.state = state;
  run.seconds = seconds_since(run.begin);
  tell(run, true);
  run.listeners.clear();
}

void Runs::ended(Run& run, const ProgramEnd& end) {
  const auto program = std::move(run.program);
  run.notes = end.notes;
  if (run.is_running()) {
    run.error = run.is_cancelled ? "" : end.error.empty() ? "the analysis ended early" : end.error;
    finish(run, run.is_cancelled ? "cancelled" : "failed");
  }
  for (auto& [kind, report] : run.reports)
    for (auto waiting = std::exchange(report.waiting, {}); const auto& call : waiting) call();
  if (!run.is_done()) run.drop();
}

void Runs::cancel(std::uint64_t id, const ExchangePtr& exchange) {
  const auto run = run_of(id, exchange);
  if (!run) return;
  if (!run->is_running()) return exchange->answer(text_answer(json_of(*run)));
  run->is_cancelled = true;
  run->program->stop();
  finish(*run, "cancelled");
  exchange->answer(text_answer(json_of(*run)));
}

void Runs::drop_old() {
  std::size_t kept = 0;
  for (auto i = runs_.rbegin(); i != runs_.rend(); ++i) {
    Run& run = **i;
    if (run.is_dropped || run.program != nullptr || ++kept <= most_kept_runs) continue;
    run.drop();
    std::erase_if(made_, [&](const auto& entry) {
      return entry.second->is_made && entry.first.starts_with(fmt::format("{}:", run.id));
    });
  }
}

// ---- what is known about them ----

std::string Runs::progress_line(const Run& run) const {
  json line = {{"events", run.events}, {"of", run.of}, {"state", run.state}};
  const double seconds = run.is_running() ? seconds_since(run.begin) : run.seconds;
  if (seconds > 0) line["events_per_second"] = static_cast<double>(run.events) / seconds;
  line["seconds"] = seconds;
  if (run.is_running() && run.events != 0 && run.of >= run.events)
    line["seconds_left"] = seconds * static_cast<double>(run.of - run.events) / static_cast<double>(run.events);
  if (!run.error.empty()) line["error"] = run.error;
  return dumped(line) + '\n';
}

void Runs::tell(Run& run, bool last) {
  std::erase_if(run.listeners, [](const ExchangePtr& exchange) { return exchange->is_gone(); });
  if (run.listeners.empty()) return;
  const std::string line = progress_line(run);
  for (const ExchangePtr& exchange : run.listeners) {
    exchange->write(line);
    if (last) exchange->end();
  }
}

std::string Runs::json_of(const Run& run) const {
  std::vector<std::string> words{"waitstate", "analyze", settings_.trace};
  words.insert(words.end(), settings_.options.begin(), settings_.options.end());
  words.insert(words.end(), run.options.begin(), run.options.end());
  json one = {{"id", run.id},
              {"parameters", run.parameters},
              {"command", shell_line(words)},
              {"state", run.state},
              {"events", run.events},
              {"of", run.of},
              {"seconds", run.is_running() ? seconds_since(run.begin) : run.seconds},
              {"severities", run.summary.value("severities", json::array())},
              {"notes", run.notes}};
  one["error"] = run.error.empty() ? json() : json(run.error);
  json reports = json::array();
  if (run.is_done() && !run.is_dropped) {
    for (const auto& [kind, report] : run.reports) reports.push_back(kind);
    for (const ExportKind& kind : settings_.exports) {
      const std::string name = kind.ending.substr(1) + (kind.is_folder ? ".tar" : "");
      reports.push_back(name);
      if (!kind.is_folder) reports.push_back(name + ".gz");
    }
  }
  one["reports"] = std::move(reports);
  return dumped(one);
}

void Runs::list(const ExchangePtr& exchange) const {
  std::string all = "[";
  for (const auto& run : runs_) all += (all.size() > 1 ? ",\n" : "") + json_of(*run);
  exchange->answer(text_answer(all + "]"));
}

std::shared_ptr<Runs::Run> Runs::run_of(std::uint64_t id, const ExchangePtr& exchange) const {
  if (id == 0 || id > runs_.size()) {
    exchange->answer(error_answer(404, fmt::format("there is no run {}", id)));
    return nullptr;
  }
  return runs_[id - 1];
}

void Runs::progress(std::uint64_t id, const ExchangePtr& exchange) {
  const auto run = run_of(id, exchange);
  if (!run) return;
  exchange->begin_stream("application/x-ndjson");
  exchange->write(progress_line(*run));
  if (!run->is_running()) return exchange->end();
  run->listeners.push_back(exchange);
}

// ---- files ----

/// The run, if it has reports.
std::shared_ptr<Runs::Run> Runs::done_run(std::uint64_t id, const ExchangePtr& exchange) const {
  auto run = run_of(id, exchange);
  if (!run) return nullptr;
  std::string why;
  if (run->is_running())
    why = fmt::format("run {} is under way", id);
  else if (!run->is_done())
    why = fmt::format("run {} has no report: it {}", id, run->state == "failed" ? "failed" : "was cancelled");
  if (!why.empty()) {
    exchange->answer(error_answer(409, why));
    return nullptr;
  }
  if (run->is_dropped) {
    exchange->answer(error_answer(410, fmt::format("the reports of run {} are kept no more, since there are many newer "
                                                   "runs: run it again",
                                                   id)));
    return nullptr;
  }
  return run;
}

std::shared_ptr<Descriptor> Runs::waits(std::uint64_t id, const ExchangePtr& exchange) const {
  const auto run = done_run(id, exchange);
  return run ? run->waits : nullptr;
}

void Runs::report(std::uint64_t id, const std::string& kind, const ExchangePtr& exchange) {
  const auto run = done_run(id, exchange);
  if (!run) return;
  const bool page = kind == "page";
  const std::string file_name = fmt::format("run-{}.{}", id, kind);
  if (const auto found = run->reports.find(page ? "html" : kind); found != run->reports.end()) {
    Run::Report& report = found->second;
    const char* const type = page ? "text/plain; charset=utf-8" : kind == "json" ? "application/json" : bytes_type;
    const auto give = [run, &report, exchange, type, name = page ? "" : file_name] {
      if (!report.is_written || !report.file)
        return exchange->answer(error_answer(500, "this report could not be written"));
      exchange->answer_file(report.file, type, name);
    };
    if (report.is_written || !run->program) return give();
    report.waiting.emplace_back(give);
    return;
  }
  for (const ExportKind& known : settings_.exports) {
    const std::string plain = known.ending.substr(1) + (known.is_folder ? ".tar" : "");
    const bool compressed = !known.is_folder && kind == plain + ".gz";
    if (kind != plain && !compressed) continue;
    const std::string* const metric = known.is_profile ? exchange->request().value("metric") : nullptr;
    const std::string chosen = metric == nullptr ? "" : *metric;
    if (chosen.find('\0') != std::string::npos || chosen.size() > 1000)
      return exchange->answer(error_answer(400, "there is no such metric"));
    return make(
        fmt::format("{}:{}:{}", id, kind, chosen),
        [&] {
          auto made = std::make_shared<Made>();
          made->is_folder = known.is_folder;
          made->output_name = fmt::format("run{}{}", known.ending, compressed ? ".gz" : "");
          made->arguments = {"export"};
          if (known.is_profile) {
            made->files = {run->reports.at("json").file};
            made->arguments.push_back(fd_path(0));
            if (!chosen.empty()) made->arguments.push_back("--metric=" + chosen);
          } else {
            made->arguments.push_back(settings_.trace);
            made->arguments.insert(made->arguments.end(), settings_.options.begin(), settings_.options.end());
            for (std::string& word : options_of(run->parameters, true)) made->arguments.push_back(std::move(word));
          }
          return made;
        },
        bytes_type, file_name, exchange);
  }
  exchange->answer(error_answer(404, fmt::format("there is no report of kind '{}'", kind)));
}

void Runs::export_window(const ExchangePtr& exchange) {
  json window = json::object();
  for (const char* const name : {"from", "to"}) {
    const std::string* const text = exchange->request().value(name);
    double seconds = 0;
    if (text == nullptr) continue;
    const char* const end = text->data() + text->size();
    if (std::from_chars(text->data(), end, seconds).ptr != end || text->empty() || !std::isfinite(seconds))
      return exchange->answer(error_answer(400, fmt::format("{}: '{}' is not a number of seconds", name, *text)));
    window[name] = seconds;
  }
  make(
      "window:" + window.dump(),
      [&] {
        auto made = std::make_shared<Made>();
        made->output_name = "run.pftrace";
        made->arguments = {"export", settings_.trace};
        made->arguments.insert(made->arguments.end(), settings_.options.begin(), settings_.options.end());
        for (std::string& word : options_of(window, true)) made->arguments.push_back(std::move(word));
        return made;
      },
      bytes_type, "part.pftrace", exchange);
}

void Runs::compare(bool page, const ExchangePtr& exchange) {
  std::shared_ptr<Run> runs[2];
  for (const std::size_t i : {0U, 1U}) {
    const std::string* const text = exchange->request().value(i == 0 ? "a" : "b");
    std::uint64_t id = 0;
    if (text == nullptr ||
        std::from_chars(text->data(), text->data() + text->size(), id).ptr != text->data() + text->size())
      return exchange->answer(error_answer(400, "a comparison needs the numbers of two runs: ?a=1&b=2"));
    runs[i] = done_run(id, exchange);
    if (!runs[i]) return;
  }
  const char* const format = page ? "html" : "json";
  make(
      fmt::format("{}:{}:{}", runs[0]->id, runs[1]->id, format),
      [&] {
        auto made = std::make_shared<Made>();
        made->arguments = {"diff", fd_path(0), fd_path(1), "--format", format};
        made->files = {runs[0]->reports.at("json").file, runs[1]->reports.at("json").file};
        return made;
      },
      page ? "text/plain; charset=utf-8" : "application/json", "", exchange);
}

void Runs::make(const std::string& key, const std::function<std::shared_ptr<Made>()>& how, const std::string& type,
                const std::string& name, const ExchangePtr& exchange) {
  if (made_.size() >= most_made && !made_.contains(key)) {  // each has a file open
    const auto old = std::find_if(made_.begin(), made_.end(), [](const auto& entry) { return entry.second->is_made; });
    if (old == made_.end())
      return exchange->answer(error_answer(503, "too many files are being made: wait until some are there"));
    made_.erase(old);
  }
  std::shared_ptr<Made>& made = made_[key];
  if (!made) {
    made = how();
    queue_.push_back(key);
  }
  if (made->is_made) return exchange->answer_file(made->output, type, name);
  made->waiting.push_back({exchange, type, name});
  start_next();
}

/// One after the other, and only what somebody still waits for.
void Runs::start_next() {
  while (!queue_.empty()) {
    const std::string key = queue_.front();
    const std::shared_ptr<Made> made = made_[key];
    if (made->program) break;
    if (!made->is_wanted()) {
      queue_.pop_front();
      made_.erase(key);
      continue;
    }
    ProgramStart start{
        .file = settings_.program, .arguments = made->arguments, .output = nullptr, .files = made->files};
    try {
      if (made->output_name.empty()) {
        made->output = start.output = nameless_file();
      } else {
        made->folder = std::make_unique<WorkFolder>();
        start.arguments.emplace_back("-o");
        start.arguments.push_back((made->folder->path() / made->output_name).string());
      }
      start.ended = [this, key](const ProgramEnd& end) { this->made(key, end); };
      made->program = std::make_unique<Program>(loop_, std::move(start));
    } catch (const Error& e) {
      this->made(key, {.exit_code = 2, .error = e.what()});
    }
  }
  if (queue_.empty()) return sweep_.reset();
  sweep_ = loop_.after(std::chrono::milliseconds(500), [this] {  // a file that nobody waits for any more is not made
    const std::shared_ptr<Made> made = made_[queue_.front()];
    if (made->program && !made->is_wanted()) made->program->stop();
    start_next();
  });
}

void Runs::made(const std::string& key, const ProgramEnd& end) {
  const std::shared_ptr<Made> made = made_[key];
  const auto program = std::move(made->program);
  made->error = end.error;
  if (end.exit_code == 0 && made->folder) {
    fs::path file = made->folder->path() / made->output_name;
    if (made->is_folder) {
      // In a process of its own, since an archive may be large.
      if (!program) return;
      made->is_folder = false;
      const std::string folder = made->output_name;
      made->output_name += ".tar";
      try {
        made->program = std::make_unique<Program>(
            loop_, ProgramStart{.file = "tar",
                                .arguments = {"-C", made->folder->path().string(), "-cf",
                                              (made->folder->path() / made->output_name).string(), folder},
                                .output = nullptr,
                                .ended = [this, key](const ProgramEnd& of_tar) { this->made(key, of_tar); }});
      } catch (const Error& e) {
        this->made(key, {.exit_code = 2, .error = e.what()});
      }
      return;
    }
    made->output = std::make_shared<Descriptor>(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  }
  made->folder.reset();
  made->is_made = end.exit_code == 0 && made->output && made->output->is_open();
  queue_.erase(std::find(queue_.begin(), queue_.end(), key));
  for (auto waiting = std::exchange(made->waiting, {}); const Made::Waiting& w : waiting) {
    if (made->is_made)
      w.exchange->answer_file(made->output, w.type, w.name);
    else
      w.exchange->answer(error_answer(end.exit_code == 2 ? 400 : 500,
                                      made->error.empty() ? "the file could not be made" : made->error));
  }
  if (!made->is_made) made_.erase(key);
  start_next();
}

}  // namespace waitstate::serve
