// HTTP for one page on one's own computer: listens on 127.0.0.1, checks each request by the rules of access_rules.hpp
// and its limits, and hands it on. The implementation is the only file that sees Boost.Beast, whose templates take
// seconds to compile.
//
// Everything from outside has a limit: the size of headers and body, the time to send them, the number of connections.
// A connection beyond that number waits a moment, since most are short or idle: of idle ones the oldest is closed for
// it. What is wrong with a request is said in a sentence, as {"error": "…"} with a status of 4xx or 503.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "serve/http/access_rules.hpp"
#include "serve/http/exchange.hpp"
#include "serve/http/loop.hpp"

namespace waitstate::serve {

struct HttpLimits {
  std::uint32_t header_bytes = 8 * 1024;
  std::uint64_t body_bytes = 64 * 1024;
  std::size_t connections = 16;
  std::size_t waiting = 64;                   ///< connections that wait for one of these to end
  std::chrono::milliseconds to_wait{2'000};   ///< how long they wait
  std::chrono::milliseconds to_send{10'000};  ///< until a request has come
  std::chrono::milliseconds to_take{60'000};  ///< until a client has taken a piece of an answer
  std::chrono::milliseconds idle{60'000};     ///< until a connection that asks nothing more is closed
};

class HttpServer {
 public:
  /// Listens at once; port 0: one that is free. Throws UsageError if that is not possible. The handler must answer each
  /// exchange once; if it throws, the answer is 500.
  HttpServer(Loop& loop, std::uint16_t port, HttpLimits limits = {});
  ~HttpServer();

  std::uint16_t port() const;
  /// From now on, requests are answered. Call it once.
  void start(AccessRules rules, std::string policy, Handler handler);
  /// Connections that are open, or wait.
  std::size_t connections() const;
  /// Time of the last request, or the start.
  std::chrono::steady_clock::time_point last_request() const;

 private:
  class PendingExchange;
  struct Connection;
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace waitstate::serve
