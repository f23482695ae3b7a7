#include "serve/http/access_rules.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "util/text.hpp"
#include "waitstate/error.hpp"

namespace waitstate::serve {
namespace {

constexpr std::string_view bearer = "Bearer ";

}  // namespace

std::string new_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw OutputError(fmt::format("no random numbers for a token: {}", std::strerror(errno)));
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool AccessRules::is_own(std::string_view host) const {
  for (const char* const name : {"127.0.0.1", "localhost", "[::1]"})
    if (host == fmt::format("{}:{}", name, port_)) return true;
  return false;
}

/// Takes equally long wherever a wrong token differs.
bool AccessRules::has_token(std::string_view authorization) const {
  if (!authorization.starts_with(bearer)) return false;
  authorization.remove_prefix(bearer.size());
  if (authorization.size() != token_.size()) return false;
  unsigned char differences = 0;
  for (std::size_t i = 0; i < token_.size(); ++i)
    differences = static_cast<unsigned char>(differences | (authorization[i] ^ token_[i]));
  return differences == 0;
}

std::optional<Answer> AccessRules::refusal(std::string_view path, const Headers& headers) const {
  if (headers.host.size() != 1 || !is_own(headers.host[0]))
    return error_answer(421, fmt::format("this server answers only requests to 127.0.0.1:{0} or localhost:{0}", port_));
  constexpr std::string_view scheme = "http://";
  for (const std::string& origin : headers.origin)
    if (headers.origin.size() != 1 || !origin.starts_with(scheme) ||
        !is_own(std::string_view(origin).substr(scheme.size())))
      return error_answer(403, "this server answers only its own page");
  if (!path.starts_with("/api/")) return std::nullopt;
  if (headers.authorization.size() != 1 || !has_token(headers.authorization[0]))
    return error_answer(401, "the token is missing or wrong: open the address that 'waitstate serve' has printed");
  return std::nullopt;
}

const std::vector<std::pair<std::string, std::string>>& safe_headers() {
  static const std::vector<std::pair<std::string, std::string>> headers = {
      {"X-Content-Type-Options", "nosniff"}, {"Referrer-Policy", "no-referrer"},
      {"Cache-Control", "no-store"},         {"Cross-Origin-Resource-Policy", "same-origin"},
      {"X-Frame-Options", "DENY"},
  };
  return headers;
}

ServedPage served_page(std::string_view html) {
  constexpr std::string_view before = "http-equiv=\"Content-Security-Policy\" content=\"", own = "connect-src 'self'";
  ServedPage page{std::string(html), {}};
  const auto begin = page.html.find(before);
  const auto end = begin == std::string::npos ? begin : page.html.find('"', begin + before.size());
  if (end == std::string::npos) throw std::logic_error("the page has no policy");
  page.policy = page.html.substr(begin + before.size(), end - begin - before.size());
  if (page.policy.find(own) == std::string::npos) {
    page.policy.append("; ").append(own);
    page.html.replace(begin + before.size(), end - begin - before.size(), page.policy);
  }
  page.policy += "; frame-ancestors 'none'";
  return page;
}

const std::string* Request::value(std::string_view name) const {
  const auto found = std::find_if(query.begin(), query.end(), [&](const auto& q) { return q.first == name; });
  return found == query.end() ? nullptr : &found->second;
}

Answer error_answer(unsigned status, std::string_view sentence) {
  Answer answer = text_answer(util::printable_json(
      nlohmann::json{{"error", sentence}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
  answer.status = status;
  return answer;
}

Answer text_answer(std::string text, std::string type) {
  return {.type = std::move(type), .body = std::make_shared<const std::string>(std::move(text))};
}

}  // namespace waitstate::serve
