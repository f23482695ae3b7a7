// A coroutine for each connection: it reads a request, checks it, hands it on, and waits for pieces of the answer. All
// run in the loop's one thread.
// Long because all that sees Boost.Beast is here.
#include "serve/http/http_server.hpp"

#include <fmt/format.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <deque>
#include <exception>
#include <list>
#include <optional>
#include <string_view>
#include <utility>

#include "waitstate/error.hpp"

// GCC 12 takes the memory of a coroutine that Asio allocates and frees for two kinds.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

namespace waitstate::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

auto into(error_code& error) { return asio::redirect_error(asio::use_awaitable, error); }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Nothing if there is a '%' without two digits.
std::optional<std::string> decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1, low = high < 0 ? -1 : hex_digit(text[i + 2]);
    if (low < 0) return std::nullopt;
    plain += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return plain;
}

/// Sets path and query; false if the target is none of ours.
bool set_target(Request& request, std::string_view target) {
  if (!target.starts_with('/')) return false;
  const auto question = target.find('?');
  request.path = target.substr(0, question);
  if (question == std::string_view::npos) return true;
  std::string_view rest = target.substr(question + 1);
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const auto equals = part.find('=');
    const auto name = decoded(part.substr(0, equals));
    const auto value = equals == std::string_view::npos ? std::string() : decoded(part.substr(equals + 1));
    if (!name || !value) return false;
    request.query.emplace_back(*name, *value);
  }
  return true;
}

/// The answer to a request that could not be read; nothing if the client just went away.
std::optional<Answer> answer_to(const error_code& error, const HttpLimits& limits) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow)
    return error_answer(431, fmt::format("the headers are larger than {} bytes", limits.header_bytes));
  if (error == http::error::body_limit)
    return error_answer(413, fmt::format("the body is larger than {} bytes", limits.body_bytes));
  if (error == beast::error::timeout) return error_answer(408, "the request did not come in time");
  if (error == http::error::end_of_stream || error == http::error::partial_message) return std::nullopt;
  if (error.category() == make_error_code(http::error::bad_target).category())
    return error_answer(400, "this is no request of HTTP/1.1");
  return std::nullopt;
}

AccessRules::Headers headers_of(const http::request<http::string_body>& message) {
  AccessRules::Headers headers;
  const auto all = [&](http::field name, std::vector<std::string>& values) {
    const auto [begin, end] = message.equal_range(name);
    for (auto i = begin; i != end; ++i) values.emplace_back(i->value().data(), i->value().size());
  };
  all(http::field::host, headers.host);
  all(http::field::origin, headers.origin);
  all(http::field::authorization, headers.authorization);
  return headers;
}

}  // namespace

/// The answer as it comes about. The connection waits for `changed`.
class HttpServer::PendingExchange final : public Exchange {
 public:
  PendingExchange(asio::io_context& context, Request request)
      : changed(context, Clock::time_point::max()), request_(std::move(request)) {}

  const Request& request() const override { return request_; }
  void answer(Answer a) override {
    if (given()) return;
    whole = std::move(a);
    changed.cancel();
  }
  void answer_file(std::shared_ptr<Descriptor> f, std::string type, std::string name) override {
    if (given()) return;
    file = std::move(f);
    whole = Answer{.type = std::move(type)};
    if (!name.empty())
      whole->headers.emplace_back("Content-Disposition", fmt::format("attachment; filename=\"{}\"", name));
    changed.cancel();
  }
  void begin_stream(std::string type) override {
    if (given()) return;
    stream_type = std::move(type);
    changed.cancel();
  }
  void write(std::string piece) override {
    if (gone || ended || piece.empty()) return;
    pieces.push_back(std::move(piece));
    changed.cancel();
  }
  void end() override {
    ended = true;
    changed.cancel();
  }
  bool is_gone() const override { return gone; }
  bool given() const { return whole.has_value() || stream_type.has_value(); }

  asio::steady_timer changed;
  std::optional<Answer> whole;
  std::shared_ptr<Descriptor> file;
  std::optional<std::string> stream_type;
  std::deque<std::string> pieces;
  bool ended = false, gone = false;

 private:
  const Request request_;
};

struct HttpServer::Connection : std::enable_shared_from_this<HttpServer::Connection> {
  explicit Connection(tcp::socket socket) : stream(std::move(socket)) {}
  beast::tcp_stream stream;
  bool is_idle = false;  ///< has had an answer, and asks nothing more
  Clock::time_point since = Clock::now();
};

struct HttpServer::State : std::enable_shared_from_this<HttpServer::State> {
  State(Loop& of, HttpLimits given) : context(of.context()), limits(given), acceptor(context) {}

  asio::io_context& context;
  const HttpLimits limits;
  tcp::acceptor acceptor;
  std::optional<AccessRules> rules;
  std::string policy;
  Handler handler;
  std::list<std::shared_ptr<Connection>> open;
  struct Waiting {
    tcp::socket socket;
    Clock::time_point until;
  };
  std::deque<Waiting> waiting;
  Clock::time_point last_request = Clock::now();

  void listen(std::uint16_t port) {
    const tcp::endpoint place(asio::ip::address_v4::loopback(), port);
    error_code error;
    acceptor.open(place.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(place, error);
    if (!error) acceptor.listen(128, error);
    if (error == asio::error::address_in_use)
      throw UsageError(
          fmt::format("port {} is in use: choose another one, or leave --port out, which takes a free one", port));
    if (error) throw UsageError(fmt::format("cannot listen on port {}: {}", port, error.message()));
  }

  asio::awaitable<void> accept() {
    const auto self = shared_from_this();
    for (;;) {
      error_code error;
      tcp::socket socket = co_await acceptor.async_accept(into(error));
      if (error == asio::error::operation_aborted) co_return;
      if (error) {  // no descriptor is left: others have to be closed first
        asio::steady_timer pause(context, std::chrono::milliseconds(100));
        co_await pause.async_wait(into(error));
        continue;
      }
      take(std::move(socket));
    }
  }

  void take(tcp::socket socket) {
    if (open.size() >= limits.connections) close_idle();
    if (open.size() < limits.connections) return begin(std::move(socket));
    if (waiting.size() >= limits.waiting) return refuse(std::move(socket));
    waiting.push_back({std::move(socket), Clock::now() + limits.to_wait});
    if (waiting.size() == 1)
      asio::co_spawn(
          context, [self = shared_from_this()] { return self->refuse_late(); }, asio::detached);
  }

  void close_idle() {
    const auto oldest = std::min_element(open.begin(), open.end(), [](const auto& a, const auto& b) {
      return std::pair(!a->is_idle, a->since) < std::pair(!b->is_idle, b->since);
    });
    if (oldest == open.end() || !(*oldest)->is_idle) return;
    const std::shared_ptr<Connection> connection = *oldest;
    open.erase(oldest);
    connection->stream.close();
  }

  void begin(tcp::socket socket) {
    open.push_back(std::make_shared<Connection>(std::move(socket)));
    asio::co_spawn(
        context, [self = shared_from_this(), connection = open.back()] { return self->serve(connection); },
        asio::detached);
  }

  asio::awaitable<void> refuse_late() {
    const auto self = shared_from_this();
    while (!waiting.empty()) {
      asio::steady_timer until(context, waiting.front().until);
      error_code error;
      co_await until.async_wait(into(error));
      while (!waiting.empty() && waiting.front().until <= Clock::now()) {
        tcp::socket socket = std::move(waiting.front().socket);
        waiting.pop_front();
        refuse(std::move(socket));
      }
    }
  }

  void refuse(tcp::socket socket) {
    auto connection = std::make_shared<Connection>(std::move(socket));
    asio::co_spawn(
        context,
        [self = shared_from_this(), connection]() -> asio::awaitable<void> {
          Answer answer = error_answer(
              503, fmt::format("{} connections are open already: close other windows", self->limits.connections));
          answer.headers.emplace_back("Retry-After", "1");
          co_await self->send(*connection, answer, true, false);
          co_await self->close_slowly(*connection);
        },
        asio::detached);
  }

  asio::awaitable<void> serve(std::shared_ptr<Connection> connection) {
    const auto self = shared_from_this();
    co_await requests(*connection);
    const auto found = std::find(open.begin(), open.end(), connection);
    if (found != open.end()) open.erase(found);
    if (open.size() < limits.connections && !waiting.empty()) {
      tcp::socket next = std::move(waiting.front().socket);
      waiting.pop_front();
      begin(std::move(next));
    }
  }

  asio::awaitable<void> requests(Connection& connection) {
    beast::flat_buffer buffer(std::size_t{limits.header_bytes} + limits.body_bytes + 4096);
    for (bool again = true; again;) {
      connection.since = Clock::now();
      if (buffer.size() == 0 && connection.is_idle) {
        connection.stream.expires_after(limits.idle);
        error_code error;
        const std::size_t n = co_await connection.stream.async_read_some(buffer.prepare(4096), into(error));
        if (error || !connection.stream.socket().is_open()) co_return;
        buffer.commit(n);
      }
      connection.is_idle = false;
      connection.stream.expires_never();
      again = co_await one_request(connection, buffer);
      connection.is_idle = true;
    }
  }

  /// Whether the connection stays open.
  asio::awaitable<bool> one_request(Connection& connection, beast::flat_buffer& buffer) {
    http::request_parser<http::string_body> parser;
    parser.header_limit(limits.header_bytes);
    parser.body_limit(limits.body_bytes);
    // The stream's own limit of time would close it, without an answer.
    const auto is_late = std::make_shared<bool>(false);
    asio::steady_timer limit(context, limits.to_send);
    limit.async_wait([is_late, weak = connection.weak_from_this()](error_code e) {
      const auto late_one = weak.lock();
      if (e || !late_one) return;
      *is_late = true;
      late_one->stream.cancel();
    });
    error_code error;
    co_await http::async_read_header(connection.stream, buffer, parser, into(error));
    if (*is_late) error = beast::error::timeout;
    if (error) {
      limit.cancel();
      if (const auto answer = answer_to(error, limits)) {
        co_await send(connection, *answer, true, false);
        co_await close_slowly(connection);
      }
      co_return false;
    }
    // A client that may not ask is told so before a body has come.
    const auto& message = parser.get();
    Request request;
    request.method = std::string(message.method_string());
    std::optional<Answer> refusal;
    if (!set_target(request, std::string_view(message.target().data(), message.target().size())))
      refusal = error_answer(400,
                             "the target of a request is a path that begins with '/', in which each % is followed "
                             "by two hexadecimal digits");
    else
      refusal = rules->refusal(request.path, headers_of(message));
    if (!refusal) {
      last_request = Clock::now();
      if (message.find(http::field::expect) != message.end() && !parser.is_done()) {
        http::response<http::empty_body> go_on(http::status::continue_, 11);
        co_await http::async_write(connection.stream, go_on, into(error));
      }
      co_await http::async_read(connection.stream, buffer, parser, into(error));
      if (*is_late) error = beast::error::timeout;
      if (error) {
        refusal = answer_to(error, limits);
        if (!refusal) co_return false;
      }
    }
    limit.cancel();
    const bool close = refusal.has_value() || !parser.keep_alive();
    if (refusal) {
      co_await send(connection, *refusal, true, request.method == "HEAD");
      co_await close_slowly(connection);
      co_return false;
    }
    request.body = std::move(parser.get().body());
    co_return co_await handle(connection, std::move(request), close) && !close;
  }

  /// Whether the whole answer was sent.
  asio::awaitable<bool> handle(Connection& connection, Request request, bool close) {
    const bool only_head = request.method == "HEAD";
    const auto exchange = std::make_shared<PendingExchange>(context, std::move(request));
    connection.stream.expires_never();
    watch_for_end(connection, exchange);
    try {
      handler(exchange);
    } catch (const std::exception& e) {
      exchange->answer(error_answer(500, fmt::format("internal error, please report it: {}", e.what())));
    }
    while (!exchange->given() && !exchange->gone) co_await changes(*exchange);
    if (exchange->gone) co_return false;
    if (exchange->stream_type) co_return co_await send_stream(connection, *exchange, close);
    if (exchange->file) co_return co_await send_file(connection, *exchange, close, only_head);
    co_return co_await send(connection, *exchange->whole, close, only_head);
  }

  asio::awaitable<void> changes(PendingExchange& exchange) {
    error_code ignored;
    co_await exchange.changed.async_wait(into(ignored));
  }

  /// Notices that a client has gone while it waits for an answer.
  void watch_for_end(Connection& connection, const std::shared_ptr<PendingExchange>& exchange) {
    connection.stream.socket().async_wait(
        tcp::socket::wait_read, [weak = std::weak_ptr(exchange), &socket = connection.stream.socket()](error_code e) {
          const auto waiting_one = weak.lock();
          if (!waiting_one) return;
          char byte = 0;
          if (!e && ::recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0) return;
          waiting_one->gone = true;
          waiting_one->changed.cancel();
        });
  }

  template <class Body>
  void set_head(http::response<Body>& response, const Answer& answer, bool close) const {
    response.version(11);
    response.result(answer.status);
    response.set(http::field::content_type, answer.type);
    response.set("Content-Security-Policy", policy);
    for (const auto& [name, value] : safe_headers()) response.set(name, value);
    for (const auto& [name, value] : answer.headers) response.set(name, value);
    response.keep_alive(!close);
  }

  asio::awaitable<bool> send(Connection& connection, const Answer& answer, bool close, bool only_head) {
    http::response<http::span_body<const char>> response;
    set_head(response, answer, close);
    const std::string_view text = answer.body ? std::string_view(*answer.body) : std::string_view();
    response.content_length(text.size());
    if (!only_head) response.body() = {text.data(), text.size()};
    connection.stream.expires_after(limits.to_take);
    error_code error;
    co_await http::async_write(connection.stream, response, into(error));
    co_return !error;
  }

  asio::awaitable<bool> send_file(Connection& connection, PendingExchange& exchange, bool close, bool only_head) {
    struct stat status {};
    if (::fstat(exchange.file->get(), &status) != 0 || !S_ISREG(status.st_mode))
      co_return co_await send(connection, error_answer(500, "the file cannot be read"), close, only_head);
    http::response<http::empty_body> response;
    set_head(response, *exchange.whole, close);
    response.content_length(static_cast<std::uint64_t>(status.st_size));
    http::response_serializer<http::empty_body> serializer(response);
    connection.stream.expires_after(limits.to_take);
    error_code error;
    co_await http::async_write_header(connection.stream, serializer, into(error));
    if (error || only_head) co_return !error;
    std::vector<char> piece(std::size_t{1} << 18);
    for (off_t at = 0; at < status.st_size;) {
      const ssize_t n = ::pread(exchange.file->get(), piece.data(),
                                std::min<std::size_t>(piece.size(), static_cast<std::size_t>(status.st_size - at)), at);
      if (n <= 0) co_return false;
      connection.stream.expires_after(limits.to_take);
      co_await asio::async_write(connection.stream, asio::buffer(piece.data(), static_cast<std::size_t>(n)),
                                 into(error));
      if (error) co_return false;
      at += n;
    }
    co_return true;
  }

  asio::awaitable<bool> send_stream(Connection& connection, PendingExchange& exchange, bool close) {
    http::response<http::empty_body> response;
    set_head(response, {.type = *exchange.stream_type}, close);
    response.chunked(true);
    http::response_serializer<http::empty_body> serializer(response);
    connection.stream.expires_after(limits.to_take);
    error_code error;
    co_await http::async_write_header(connection.stream, serializer, into(error));
    while (!error) {
      if (exchange.gone) co_return false;
      if (exchange.pieces.empty()) {
        if (exchange.ended) break;
        co_await changes(exchange);
        continue;
      }
      const std::string piece = std::move(exchange.pieces.front());
      exchange.pieces.pop_front();
      connection.stream.expires_after(limits.to_take);
      co_await asio::async_write(connection.stream, http::make_chunk(asio::buffer(piece)), into(error));
    }
    if (!error) co_await asio::async_write(connection.stream, http::make_chunk_last(), into(error));
    exchange.gone = exchange.gone || error;
    co_return !error;
  }

  /// A client that is still sending would lose the answer if the connection were closed at once.
  asio::awaitable<void> close_slowly(Connection& connection) {
    error_code error;
    connection.stream.socket().shutdown(tcp::socket::shutdown_send, error);
    std::array<char, 4096> lost;
    connection.stream.expires_after(std::chrono::milliseconds(500));
    for (int i = 0; !error && i < 64; ++i) co_await connection.stream.async_read_some(asio::buffer(lost), into(error));
    connection.stream.close();
  }
};

HttpServer::HttpServer(Loop& loop, std::uint16_t port, HttpLimits limits)
    : state_(std::make_shared<State>(loop, limits)) {
  state_->listen(port);
}

HttpServer::~HttpServer() {
  error_code ignored;
  state_->acceptor.close(ignored);
  for (const auto& connection : state_->open) connection->stream.close();
  state_->waiting.clear();
}

std::uint16_t HttpServer::port() const { return state_->acceptor.local_endpoint().port(); }

void HttpServer::start(AccessRules rules, std::string policy, Handler handler) {
  state_->rules.emplace(std::move(rules));
  state_->policy = std::move(policy);
  state_->handler = std::move(handler);
  asio::co_spawn(
      state_->context, [state = state_] { return state->accept(); }, asio::detached);
}

std::size_t HttpServer::connections() const { return state_->open.size() + state_->waiting.size(); }
std::chrono::steady_clock::time_point HttpServer::last_request() const { return state_->last_request; }

}  // namespace waitstate::serve
