// Asks, again and again in long work, whether its caller wants it to end.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <stop_token>
#include <thread>
#include <utility>

#include "waitstate/error.hpp"

namespace waitstate::util {

class StopCheck {
 public:
  /// Nobody wants it.
  StopCheck() = default;
  /// `look`, unless it is empty, is called now and then, only by the thread that makes this: it may show the progress,
  /// or throw to end the work.
  StopCheck(std::stop_token token, std::function<void()> look) : token_(std::move(token)), look_(std::move(look)) {}
  StopCheck(const StopCheck&) = delete;
  StopCheck& operator=(const StopCheck&) = delete;

  /// Throws Stopped if a stop has been requested. Cost: some loads.
  void operator()() const {
    if (token_.stop_requested()) throw Stopped();
    if (look_ && std::this_thread::get_id() == caller_ && ++asked_ % asked_before_look == 0) look();
  }
  /// Throws again what it has thrown, if it has: where others may have made something else of it. Only for the thread
  /// that makes this.
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
    if (token_.stop_requested()) throw Stopped();
  }

  static const StopCheck& never() {
    static const StopCheck nobody_asks;
    return nobody_asks;
  }

 private:
  static constexpr std::uint32_t asked_before_look = 16;

  void look() const {
    try {
      look_();
    } catch (...) {
      thrown_ = std::current_exception();
      throw;
    }
  }

  std::stop_token token_{};
  std::function<void()> look_{};
  std::thread::id caller_ = std::this_thread::get_id();
  // Changed by the caller's thread only.
  mutable std::uint32_t asked_ = 0;
  mutable std::exception_ptr thrown_{};  ///< by look_
};

}  // namespace waitstate::util
