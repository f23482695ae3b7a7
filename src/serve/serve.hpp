// `waitstate serve TRACE`: the server, from its start to its end.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "serve/http/http_server.hpp"
#include "serve/runs.hpp"
#include "waitstate/error.hpp"

namespace waitstate::serve {

struct Settings {
  RunSettings runs{};
  std::uint16_t port = 0;
  std::optional<std::chrono::seconds> idle{};  ///< ends after so long without a request
  HttpLimits limits{};
  bool is_offline = false;  ///< the page is to lead to no other site
  /// Makes the JSON of the patterns, in a process of its own, since plug-ins are code that may crash. Throws
  /// UsageError.
  std::function<std::string()> patterns{};
  /// Explains why that process ended before it had an answer.
  std::function<std::string()> why_no_patterns{};
  /// Told the address once the server answers, with its token.
  std::function<void(const std::string& address)> ready{};
};

/// The trace cannot be opened; the message says which and why.
class TraceProblem : public Error {
 public:
  using Error::Error;
};

/// Serves until a signal ends it. Returns the signal, or 0 if it ended for lack of requests. Throws UsageError if it
/// cannot listen or the patterns cannot be loaded, TraceProblem if the trace cannot be read.
int serve(const Settings& settings);

}  // namespace waitstate::serve
