#include "serve/api.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace waitstate::serve {
namespace {

using Methods = std::map<std::string, std::function<void(const ExchangePtr&)>>;

void by_method(const ExchangePtr& exchange, const Methods& methods) {
  const std::string& method = exchange->request().method;
  const auto found = methods.find(method == "HEAD" && methods.contains("GET") ? "GET" : method);
  if (found != methods.end()) return found->second(exchange);
  std::vector<std::string> known;
  for (const auto& [name, call] : methods) known.push_back(name);
  Answer answer = error_answer(405, fmt::format("{} takes {}", exchange->request().path, fmt::join(known, " and ")));
  answer.headers.emplace_back("Allow", fmt::format("{}", fmt::join(known, ", ")));
  exchange->answer(std::move(answer));
}

}  // namespace

Api::Api(Runs& runs, TraceView& view, std::string page, std::string patterns)
    : runs_(runs),
      view_(view),
      page_(text_answer(std::move(page), "text/html; charset=utf-8")),
      patterns_(text_answer(std::move(patterns))) {}

void Api::handle(const ExchangePtr& exchange) const {
  const std::string& path = exchange->request().path;
  using E = const ExchangePtr&;
  const std::map<std::string, Methods> routes = {
      {"/", {{"GET", [&](E e) { e->answer(page_); }}}},
      {"/api/trace", {{"GET", [&](E e) { view_.trace(e); }}}},
      {"/api/trace/version", {{"GET", [&](E e) { view_.version(e); }}}},
      {"/api/patterns", {{"GET", [&](E e) { e->answer(patterns_); }}}},
      {"/api/regions", {{"GET", [&](E e) { view_.regions(e); }}}},
      {"/api/timeline", {{"GET", [&](E e) { timeline(e); }}}},
      {"/api/command", {{"POST", [&](E e) { runs_.command(e); }}}},
      {"/api/runs", {{"GET", [&](E e) { runs_.list(e); }}, {"POST", [&](E e) { runs_.begin(e); }}}},
      {"/api/export.pftrace", {{"GET", [&](E e) { runs_.export_window(e); }}}},
      {"/api/compare", {{"GET", [&](E e) { runs_.compare(false, e); }}}},
      {"/api/compare/page", {{"GET", [&](E e) { runs_.compare(true, e); }}}},
  };
  if (const auto found = routes.find(path); found != routes.end()) return by_method(exchange, found->second);
  constexpr std::string_view of_run = "/api/runs/";
  if (path.starts_with(of_run)) return handle_run(path.substr(of_run.size()), exchange);
  exchange->answer(error_answer(404, "there is nothing of that name"));
}

void Api::timeline(const ExchangePtr& exchange) const {
  std::shared_ptr<Descriptor> waits;
  if (const std::string* const run = exchange->request().value("run")) {
    std::uint64_t id = 0;
    const char* const end = run->data() + run->size();
    if (std::from_chars(run->data(), end, id).ptr != end)
      return exchange->answer(error_answer(400, fmt::format("run: '{}' is not the number of a run", *run)));
    waits = runs_.waits(id, exchange);
    if (!waits) return;
  }
  view_.timeline(exchange, waits);
}

/// `rest`: "7", "7/progress", "7/report.json"
void Api::handle_run(const std::string& rest, const ExchangePtr& exchange) const {
  std::uint64_t id = 0;
  const char* const end = rest.data() + rest.size();
  const auto [at, error] = std::from_chars(rest.data(), end, id);
  const std::string what(at, end);
  constexpr std::string_view report = "/report.";
  using E = const ExchangePtr&;
  if (error == std::errc{}) {
    if (what.empty()) return by_method(exchange, {{"DELETE", [&](E e) { runs_.cancel(id, e); }}});
    if (what == "/progress") return by_method(exchange, {{"GET", [&](E e) { runs_.progress(id, e); }}});
    if (what == "/page") return by_method(exchange, {{"GET", [&](E e) { runs_.report(id, "page", e); }}});
    if (what.starts_with(report) && what.substr(report.size()) != "page")
      return by_method(exchange, {{"GET", [&](E e) { runs_.report(id, what.substr(report.size()), e); }}});
  }
  exchange->answer(error_answer(404, "there is nothing of that name"));
}

}  // namespace waitstate::serve
