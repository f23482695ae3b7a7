// The common part of the wait states of calls that look for a message: what they have in common with Late Sender, and
// what they count where nothing was found.
#pragma once

#include <cstdint>
#include <string>

#include "waitstate/pattern/pattern.hpp"
#include "waitstate/pattern/undetermined.hpp"

namespace waitstate::patterns {

class MessageSearchWait : public Pattern {
 public:
  static constexpr bool in_parts = true;

  void message_search_callback(const MessageSearch& s, Context& c) override {
    for (const SearchingCall& looked : s.calls) {
      if (!is_of(looked.call->function)) continue;
      if (s.send != nullptr)
        c.add_wait(make_wait(*looked.call, looked.begin, looked.ticks, *s.send));
      else
        ++lost_;
    }
  }

  void merge(Pattern& other) override { lost_ += static_cast<MessageSearchWait&>(other).lost_; }
  std::string state() override { return std::to_string(lost_); }
  void restore(const std::string& state) override { lost_ = std::stoll(state); }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    if (lost_ > 0)
      u.because(first_metric, e.count(lost_, "call looked for a message", "calls looked for messages") +
                                  ": it is not known what was found, or whether anybody was late");
  }

 private:
  virtual bool is_of(MpiFunction f) const = 0;

  std::int64_t lost_ = 0;
};

}  // namespace waitstate::patterns
