#include "serve/http/loop.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <csignal>
#include <utility>

namespace waitstate::serve {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// Each kind shares its state with the call that is under way, which looks whether it is still wanted.

class TimerHandle final : public Loop::Handle {
 public:
  TimerHandle(asio::io_context& context, std::chrono::milliseconds time, Loop::Call call)
      : timer_(std::make_shared<asio::steady_timer>(context, time)) {
    timer_->async_wait([timer = std::weak_ptr(timer_), call = std::move(call)](error_code error) {
      if (!error && !timer.expired()) call();
    });
  }

 private:
  std::shared_ptr<asio::steady_timer> timer_;
};

class ReadableHandle final : public Loop::Handle {
  struct State {
    State(asio::io_context& context, int fd, Loop::Call wanted) : descriptor(context, fd), call(std::move(wanted)) {}
    ~State() { descriptor.release(); }  // it belongs to the caller
    asio::posix::stream_descriptor descriptor;
    Loop::Call call;
  };
  static void wait(const std::shared_ptr<State>& state) {
    state->descriptor.async_wait(asio::posix::stream_descriptor::wait_read,
                                 [weak = std::weak_ptr(state)](error_code error) {
                                   const auto alive = weak.lock();
                                   if (error || !alive) return;
                                   alive->call();
                                   if (alive.use_count() > 1) wait(alive);
                                 });
  }

 public:
  ReadableHandle(asio::io_context& context, int fd, Loop::Call call)
      : state_(std::make_shared<State>(context, fd, std::move(call))) {
    wait(state_);
  }

 private:
  std::shared_ptr<State> state_;
};

class SignalHandle final : public Loop::Handle {
 public:
  SignalHandle(asio::io_context& context, std::function<void(int)> call)
      : signals_(std::make_shared<asio::signal_set>(context, SIGINT, SIGTERM, SIGHUP)) {
    signals_->async_wait([signals = std::weak_ptr(signals_), call = std::move(call)](error_code error, int signal) {
      if (!error && !signals.expired()) call(signal);
    });
  }

 private:
  std::shared_ptr<asio::signal_set> signals_;
};

}  // namespace

Loop::Loop() : context_(std::make_unique<asio::io_context>(1)) {}
Loop::~Loop() = default;

void Loop::run() { context_->run(); }
void Loop::stop() { context_->stop(); }
void Loop::restart() { context_->restart(); }

Loop::HandlePtr Loop::after(std::chrono::milliseconds time, Call call) {
  return std::make_unique<TimerHandle>(*context_, time, std::move(call));
}
Loop::HandlePtr Loop::when_readable(int fd, Call call) {
  return std::make_unique<ReadableHandle>(*context_, fd, std::move(call));
}
Loop::HandlePtr Loop::on_ending_signal(std::function<void(int)> call) {
  return std::make_unique<SignalHandle>(*context_, std::move(call));
}

}  // namespace waitstate::serve
