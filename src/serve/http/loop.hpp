// The one thread of the server: everything that happens - requests, timers, messages of child processes, signals - is
// a call from here, one after the other, so nothing needs a lock. Whatever takes long runs in a child process.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace waitstate::serve {

class Loop {
 public:
  using Call = std::function<void()>;
  /// A call that was asked for does not happen any more once this is gone.
  class Handle {
   public:
    virtual ~Handle() = default;
  };
  using HandlePtr = std::unique_ptr<Handle>;

  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Returns after stop().
  void run();
  void stop();
  /// Makes run() possible again after stop().
  void restart();
  /// Calls once, after a time.
  [[nodiscard]] HandlePtr after(std::chrono::milliseconds time, Call call);
  /// Calls whenever the descriptor can be read without waiting, or has ended. The caller owns it, and keeps it open as
  /// long as the handle lives.
  [[nodiscard]] HandlePtr when_readable(int fd, Call call);
  /// Calls once for the first of these signals.
  [[nodiscard]] HandlePtr on_ending_signal(std::function<void(int signal)> call);

  boost::asio::io_context& context() { return *context_; }

 private:
  std::unique_ptr<boost::asio::io_context> context_;
};

}  // namespace waitstate::serve
