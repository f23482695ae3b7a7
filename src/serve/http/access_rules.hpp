// The rules that decide whether a request is looked at: whoever has the token, and asks the server by its own name from
// its own page.
//
// Listening on loopback only does not keep other people's pages out: a name that a stranger's DNS server first answers
// with its own address, and then with 127.0.0.1, lets their page talk to us from the user's browser (DNS rebinding). So
// Host has to be a name of this computer, with our port, and Origin, if there is one, the same. The token keeps out
// other users of the computer. It is 128 bits of the system's random source, stands in the fragment of the address,
// which no browser sends, and comes back in a header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/http/exchange.hpp"

namespace waitstate::serve {

/// 32 hexadecimal digits. Throws OutputError if the system gives no random numbers.
std::string new_token();

class AccessRules {
 public:
  AccessRules(std::uint16_t port, std::string token) : port_(port), token_(std::move(token)) {}

  /// Headers of a request that matter here; a header that is missing or repeated is one of the errors.
  struct Headers {
    std::vector<std::string> host, origin, authorization;
  };
  /// The answer that refuses the request; nothing if it is allowed.
  std::optional<Answer> refusal(std::string_view path, const Headers& headers) const;

 private:
  bool is_own(std::string_view host) const;
  bool has_token(std::string_view authorization) const;

  std::uint16_t port_;
  std::string token_;
};

/// Headers of every answer.
const std::vector<std::pair<std::string, std::string>>& safe_headers();

/// The page as this server sends it: its policy lets it ask this server, and nobody else. `policy` becomes the same as
/// a header, with what only a header can say.
struct ServedPage {
  std::string html, policy;
};
ServedPage served_page(std::string_view html);

}  // namespace waitstate::serve
