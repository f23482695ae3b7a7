#include "serve/serve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "serve/api.hpp"
#include "serve/children/helper.hpp"
#include "serve/http/access_rules.hpp"
#include "serve/http/loop.hpp"
#include "serve/page.hpp"
#include "serve/trace_view.hpp"
#include "waitstate/error.hpp"

namespace waitstate::serve {
namespace {

/// The JSON of the patterns. Throws UsageError.
std::string loaded_patterns(Loop& loop, const Settings& settings) {
  std::string patterns, error;
  bool said = false;
  Helper helper(
      loop, [&](const HelperEnd& server) { server.say(settings.patterns()); },
      [&](bool good, const std::string& text) {
        if (!std::exchange(said, true)) (good ? patterns : error) = text;
        loop.stop();
      });
  loop.run();
  loop.restart();
  if (!patterns.empty()) return patterns;
  const std::string why = settings.why_no_patterns ? settings.why_no_patterns() : "";
  throw UsageError(why.empty() ? error : why);
}

}  // namespace

int serve(const Settings& settings) {
  Loop loop;
  HttpServer server(loop, settings.port, settings.limits);
  int ended_by = 0;
  const Loop::HandlePtr signals = loop.on_ending_signal([&](int signal) {
    ended_by = signal;
    loop.stop();
  });
  std::string patterns = loaded_patterns(loop, settings);
  if (ended_by != 0) return ended_by;
  std::optional<std::string> problem;
  TraceView view(loop, {settings.runs.program, settings.runs.trace, settings.is_offline},
                 [&](const std::string& error) {
                   problem = error;
                   loop.stop();
                 });
  loop.run();
  loop.restart();
  if (ended_by != 0) return ended_by;
  if (!problem->empty()) throw TraceProblem(*problem);

  RunSettings of_runs = settings.runs;
  of_runs.last_event = [&view] { return view.last_event(); };
  Runs runs(loop, std::move(of_runs));
  ServedPage page = served_page(serve::page());
  const Api api(runs, view, std::move(page.html), std::move(patterns));
  const std::string token = new_token();
  server.start(AccessRules(server.port(), token), std::move(page.policy),
               [&](const ExchangePtr& exchange) { api.handle(exchange); });
  if (settings.ready) settings.ready(fmt::format("http://127.0.0.1:{}/#token={}", server.port(), token));

  Loop::HandlePtr idle;
  std::function<void()> look = [&] {
    const auto quiet = std::chrono::steady_clock::now() - server.last_request();
    if (quiet >= *settings.idle && !runs.is_busy()) return loop.stop();
    const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(*settings.idle - quiet);
    idle = loop.after(std::max(rest, std::chrono::milliseconds(200)), look);
  };
  if (settings.idle) look();
  loop.run();
  return ended_by;
}

}  // namespace waitstate::serve
