// A process of the server that looks at the trace and keeps what it has found: it answers questions, one after the
// other. A trace that makes it crash costs an answer, not the server.
//
// Both sides send frames: the number of bytes (u64), the number of the question (u64; 0: what the helper says unasked),
// a byte that is 1 for an answer and 0 for an error, and the bytes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "serve/http/descriptor.hpp"
#include "serve/http/loop.hpp"

namespace waitstate::serve {

/// The helper's end, in its process. Functions end the process if the server has gone.
class HelperEnd {
 public:
  explicit HelperEnd(int fd) : fd_(fd) {}
  void say(std::string_view text) const { send(0, true, text); }
  void say_error(std::string_view sentence) const { send(0, false, sentence); }
  struct Question {
    std::uint64_t number;
    std::string text;
  };
  Question next() const;
  void answer(const Question& question, bool good, std::string_view text) const { send(question.number, good, text); }

 private:
  void send(std::uint64_t number, bool good, std::string_view text) const;
  int fd_;
};

class Helper {
 public:
  using Reply = std::function<void(bool good, std::string text)>;
  /// `work` is all that the new process does. `said` hears what it says unasked, and an error if it ends.
  Helper(Loop& loop, const std::function<void(const HelperEnd&)>& work, Reply said);
  /// Ends it. Questions without answers are answered by an error.
  ~Helper();
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  void ask(std::string_view question, Reply reply);
  bool is_alive() const { return socket_.is_open(); }

 private:
  void read();
  void end(const std::string& why);

  Loop& loop_;
  pid_t pid_ = -1;
  Descriptor socket_;
  Loop::HandlePtr on_socket_;
  Reply said_;
  std::map<std::uint64_t, Reply> asked_;
  std::uint64_t last_ = 0;
  std::string bytes_;
};

}  // namespace waitstate::serve
