// Which request means what: the one list of routes. src/serve/README.md describes their answers.
#pragma once

#include <string>

#include "serve/http/exchange.hpp"
#include "serve/runs.hpp"
#include "serve/trace_view.hpp"

namespace waitstate::serve {

class Api {
 public:
  /// `page`: the HTML of GET /; `patterns`: the JSON of GET patterns.
  Api(Runs& runs, TraceView& view, std::string page, std::string patterns);

  void handle(const ExchangePtr& exchange) const;

 private:
  void timeline(const ExchangePtr& exchange) const;
  void handle_run(const std::string& rest, const ExchangePtr& exchange) const;

  Runs& runs_;
  TraceView& view_;
  const Answer page_, patterns_;
};

}  // namespace waitstate::serve
