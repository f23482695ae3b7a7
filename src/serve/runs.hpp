// The analyses that were asked for: one at a time, each a `waitstate analyze` of its own, which writes all its reports
// into nameless files. They stay until the server ends, those of old runs until there are too many. What a run does not
// write itself - timelines and profiles for other tools, comparisons - is made when it is first asked for.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "serve/children/program.hpp"
#include "serve/http/exchange.hpp"
#include "serve/http/loop.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::serve {

/// A kind of file that `waitstate export` writes.
struct ExportKind {
  std::string ending;       ///< ".pftrace"
  bool is_profile = false;  ///< made from a report, for one metric
  bool is_folder = false;   ///< comes as a tar archive
};

struct RunSettings {
  std::string program;  ///< file of the program waitstate
  std::string trace;    ///< as the user named it
  std::vector<std::string>
      options;  ///< words that each command gets that analyses: --plugin, --config with their values
  std::vector<ExportKind> exports;
  /// The time of the last event of the trace, in ticks; nothing as long as that is not known.
  std::function<std::optional<Time>()> last_event = [] { return std::nullopt; };
};

class Runs {
 public:
  Runs(Loop& loop, RunSettings settings);
  ~Runs();

  // Each answers the exchange, now or later.
  void command(const ExchangePtr& exchange);                     ///< POST command
  void begin(const ExchangePtr& exchange);                       ///< POST runs
  void list(const ExchangePtr& exchange) const;                  ///< GET runs
  void progress(std::uint64_t id, const ExchangePtr& exchange);  ///< GET runs/N/progress
  void cancel(std::uint64_t id, const ExchangePtr& exchange);    ///< DELETE runs/N
  void export_window(const ExchangePtr& exchange);               ///< GET export.pftrace?from=&to=
  /// GET runs/N/report.KIND; "page": that of the page.
  void report(std::uint64_t id, const std::string& kind, const ExchangePtr& exchange);
  /// The file with the waits of a finished run, for the timeline. Null, and an answer, if there is none.
  std::shared_ptr<Descriptor> waits(std::uint64_t id, const ExchangePtr& exchange) const;
  /// GET compare, compare/page
  void compare(bool page, const ExchangePtr& exchange);

  bool is_busy() const;

 private:
  class WorkFolder;
  struct Run;
  struct Made;

  void check(const ExchangePtr& exchange, const std::function<void(std::shared_ptr<Run>)>& good);
  void launch(const std::shared_ptr<Run>& run);
  void hear(Run& run, std::string_view line);
  void ended(Run& run, const ProgramEnd& end);
  void tell(Run& run, bool last);
  void finish(Run& run, const char* state);
  void drop_old();
  std::string json_of(const Run& run) const;
  std::string progress_line(const Run& run) const;
  std::shared_ptr<Run> run_of(std::uint64_t id, const ExchangePtr& exchange) const;
  std::shared_ptr<Run> done_run(std::uint64_t id, const ExchangePtr& exchange) const;
  void make(const std::string& key, const std::function<std::shared_ptr<Made>()>& how, const std::string& type,
            const std::string& name, const ExchangePtr& exchange);
  void start_next();
  void made(const std::string& key, const ProgramEnd& end);

  Loop& loop_;
  const RunSettings settings_;
  std::vector<std::shared_ptr<Run>> runs_;
  std::map<std::uint64_t, std::unique_ptr<Program>> checks_;
  std::uint64_t last_check_ = 0;
  std::uint64_t beginning_ = 0;  ///< the check of a run that is about to begin; 0: none is
  std::map<std::string, std::shared_ptr<Made>> made_;
  std::deque<std::string> queue_;
  Loop::HandlePtr sweep_;
};

}  // namespace waitstate::serve
