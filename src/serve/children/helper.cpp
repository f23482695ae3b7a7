#include "serve/children/helper.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

#include "serve/children/fork.hpp"
#include "waitstate/error.hpp"

namespace waitstate::serve {
namespace {

struct Head {
  std::uint64_t bytes = 0, number = 0;
  std::uint8_t good = 0;
};
constexpr std::size_t head_size = 17;
constexpr std::uint64_t most_question_bytes = 65'536;

std::array<char, head_size> packed(const Head& head) {
  std::array<char, head_size> bytes{};
  std::memcpy(bytes.data(), &head.bytes, 8);
  std::memcpy(bytes.data() + 8, &head.number, 8);
  std::memcpy(bytes.data() + 16, &head.good, 1);
  return bytes;
}

Head unpacked(const char* bytes) {
  Head head;
  std::memcpy(&head.bytes, bytes, 8);
  std::memcpy(&head.number, bytes + 8, 8);
  std::memcpy(&head.good, bytes + 16, 1);
  return head;
}

bool write_all(int fd, const char* bytes, std::size_t size) {
  while (size != 0) {
    const ssize_t n = ::send(fd, bytes, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n, size -= static_cast<std::size_t>(n);
  }
  return true;
}

bool read_all(int fd, char* bytes, std::size_t size) {
  while (size != 0) {
    const ssize_t n = ::read(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n, size -= static_cast<std::size_t>(n);
  }
  return true;
}

void work_and_end(const std::function<void(const HelperEnd&)>& work, int fd) {
  const rlimit no_core{1, 1};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const HelperEnd end(fd);
  try {
    work(end);
  } catch (const std::bad_alloc&) {
    end.say_error("out of memory: use a machine with more memory");
  } catch (const std::exception& e) {
    end.say_error(e.what());
  }
  ::_exit(0);
}

}  // namespace

void HelperEnd::send(std::uint64_t number, bool good, std::string_view text) const {
  const auto head = packed({text.size(), number, static_cast<std::uint8_t>(good)});
  if (!write_all(fd_, head.data(), head.size()) || !write_all(fd_, text.data(), text.size())) ::_exit(0);
}

HelperEnd::Question HelperEnd::next() const {
  std::array<char, head_size> bytes{};
  if (!read_all(fd_, bytes.data(), bytes.size())) ::_exit(0);
  const Head head = unpacked(bytes.data());
  if (head.bytes > most_question_bytes) ::_exit(1);
  Question question{head.number, std::string(head.bytes, '\0')};
  if (!read_all(fd_, question.text.data(), question.text.size())) ::_exit(0);
  return question;
}

Helper::Helper(Loop& loop, const std::function<void(const HelperEnd&)>& work, Reply said)
    : loop_(loop), said_(std::move(said)) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) throw OutputError(std::strerror(errno));
  socket_ = Descriptor(ends[0]);
  Descriptor other(ends[1]);
  const pid_t server = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) {
    become_child(server);
    constexpr int own = 3;
    if (other.get() != own) ::dup2(other.get(), own);  // nothing else of the server stays open here
    ::close_range(own + 1, ~0U, 0);
    work_and_end(work, own);
  }
  if (pid_ < 0) throw OutputError(fmt::format("cannot start another process: {}", std::strerror(errno)));
  on_socket_ = loop_.when_readable(socket_.get(), [this] { read(); });
}

Helper::~Helper() { end("the trace is being read anew"); }

void Helper::ask(std::string_view question, Reply reply) {
  if (!is_alive()) return reply(false, "the process that looks at the trace has ended");
  const std::uint64_t number = ++last_;
  asked_.emplace(number, std::move(reply));
  const auto head = packed({question.size(), number, 1});
  std::string frame(head.data(), head.size());
  frame += question;
  if (!write_all(socket_.get(), frame.data(), frame.size())) end("the process that looks at the trace has ended");
}

void Helper::read() {
  std::array<char, 65536> piece;
  bool ended = false;
  for (;;) {
    const ssize_t n = ::recv(socket_.get(), piece.data(), piece.size(), MSG_DONTWAIT);
    if (n > 0) {
      bytes_.append(piece.data(), static_cast<std::size_t>(n));
      continue;
    }
    if (n < 0 && errno == EINTR) continue;
    ended = n == 0 || errno != EAGAIN;
    break;
  }
  std::size_t at = 0;
  while (bytes_.size() - at >= head_size) {
    const Head head = unpacked(bytes_.data() + at);
    if (bytes_.size() - at - head_size < head.bytes) break;
    std::string text = bytes_.substr(at + head_size, head.bytes);
    at += head_size + head.bytes;
    if (head.number == 0) {
      said_(head.good != 0, std::move(text));
    } else if (const auto found = asked_.find(head.number); found != asked_.end()) {
      const Reply reply = std::move(found->second);
      asked_.erase(found);
      reply(head.good != 0, std::move(text));
    }
  }
  bytes_.erase(0, at);
  if (!ended) return;
  const std::string why =
      "the process that looks at the trace has ended: files of the trace are damaged in a way that "
      "waitstate cannot detect, or memory ran out";
  end(why);
  said_(false, why);
}

void Helper::end(const std::string& why) {
  on_socket_.reset();
  socket_.reset();
  if (pid_ >= 0) {
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }
  for (auto asked = std::exchange(asked_, {}); auto& [number, reply] : asked) reply(false, why);
}

}  // namespace waitstate::serve
