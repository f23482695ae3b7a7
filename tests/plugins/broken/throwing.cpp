// Throws at its first message, an exception of the plug-in's own type.
#include <stdexcept>

#include <waitstate/pattern/plugin.hpp>

namespace {

struct OwnError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Throws : public waitstate::Pattern {
 public:
  waitstate::PatternInfo info() const override {
    return {.metrics = {{"throws", "time", waitstate::Unit::seconds, true, "Throws", "Throws at its first message."}}};
  }
  void completed_receives_callback(const waitstate::CompletedReceives& r, waitstate::Context&) override {
    throw OwnError("cannot judge " + std::to_string(r.messages.size()) + " message");
  }
};

}  // namespace

WAITSTATE_PLUGIN(Throws)
