// The trace as the page shows it beside runs: its definitions, the names of its regions, its timeline. All of it is
// found by a process of its own, which may crash over a damaged file; the server keeps only texts.
//
// If somebody replaces the trace, that process starts anew, and `version` counts up.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "serve/children/helper.hpp"
#include "serve/children/program.hpp"
#include "serve/http/descriptor.hpp"
#include "serve/http/exchange.hpp"
#include "serve/http/loop.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::serve {

class TraceView {
 public:
  struct Files {
    std::string program;      ///< waitstate itself
    std::string trace;        ///< as the user named it
    bool is_offline = false;  ///< the page is to lead to no other site
  };
  /// `opened` is called once: with "" when the trace has been opened, else with the reason why it cannot be.
  TraceView(Loop& loop, Files files, std::function<void(const std::string& error)> opened);

  /// The time of the last event, in ticks; nothing as long as the events have not been read.
  std::optional<Time> last_event() const { return last_event_; }

  // Each answers the exchange, now or later.
  void trace(const ExchangePtr& exchange);    ///< GET trace
  void version(const ExchangePtr& exchange);  ///< GET trace/version
  void regions(const ExchangePtr& exchange);  ///< GET regions?q=
  /// GET timeline. `waits`: file with the waits of the run that is shown too; null if none is.
  void timeline(const ExchangePtr& exchange, const std::shared_ptr<Descriptor>& waits);

 private:
  void start();
  void hear(bool good, const std::string& text);
  void look_for_change();
  void find_transfers();

  Loop& loop_;
  const Files files_;
  std::function<void(const std::string&)> opened_;
  std::unique_ptr<Helper> helper_, ended_helper_;
  Loop::HandlePtr later_;
  std::string json_;                  ///< the answer of GET trace, without what changes
  std::string answer_;                ///< with it; "": it is to be made
  std::vector<std::string> regions_;  ///< sorted
  std::string error_;                 ///< why there is no trace, or no timeline
  std::string waits_for_;             ///< why the timeline is not there yet; "": it is
  /// The analysis that finds messages and one-sided transfers, which begins when somebody looks at few of them.
  struct Transfers {
    std::unique_ptr<Program> program{};
    std::shared_ptr<Descriptor> file{};
    bool is_complete = false;
    std::string progress = "messages are being matched", error{};
  };
  Transfers transfers_;
  std::optional<Time> last_event_;
  std::string identity_;
  std::chrono::steady_clock::time_point looked_{};
  std::uint64_t version_ = 1;
};

}  // namespace waitstate::serve
