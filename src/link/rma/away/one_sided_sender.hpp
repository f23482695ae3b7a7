// Sends another worker what one-sided communication of this one's processes meets there: a call before the first record
// that names it, once in each chunk; or, of what is sent between chunks, once in an answer.
#pragma once

#include <cstdint>
#include <vector>

#include "link/calls.hpp"
#include "link/exchange/port.hpp"
#include "link/exchange/records.hpp"

namespace waitstate::link {

class OneSidedSender {
 public:
  /// `follows`: the other one is to be told of every chunk.
  OneSidedSender(Port& port, const Calls& calls, WorkerId to, bool follows)
      : port_(port), calls_(calls), to_(to), follows_(follows) {}

  /// The number by which records of this chunk name the call.
  std::uint32_t call(CallRef ref) {
    if (numbers_.size() <= ref) numbers_.resize(ref + std::size_t{1});
    Number& number = numbers_[ref];
    if (number.chunk != chunk_) {
      number = {chunk_, sent_++};
      port_.post(to_, OneSidedCall{calls_[ref].call});
    }
    return number.value;
  }
  template <class Record>
  void post(const Record& record) {
    port_.post(to_, record);
  }
  void begin_chunk(const OneSidedBegin& begin) {
    if (follows_) port_.post(to_, begin);
  }
  void end_chunk(const OneSidedEnd& end) {
    if (!follows_ && sent_ == 0) return;
    port_.post(to_, end);
    forget_calls();
  }
  /// An answer that is sent between two chunks is complete: the next one names its calls anew.
  void end_answer() {
    if (sent_ == 0) return;
    port_.post(to_, OneSidedCallsEnd{});
    forget_calls();
  }

 private:
  void forget_calls() {
    ++chunk_;
    sent_ = 0;
  }

  struct Number {
    std::uint64_t chunk = 0;  ///< 0: none
    std::uint32_t value = 0;
  };

  Port& port_;
  const Calls& calls_;
  const WorkerId to_;
  const bool follows_;
  std::vector<Number> numbers_;  ///< by call
  std::uint64_t chunk_ = 1;
  std::uint32_t sent_ = 0;
};

}  // namespace waitstate::link
