// Has no callbacks.
#include <waitstate/pattern/plugin.hpp>

namespace {
class Idle : public waitstate::Pattern {
 public:
  waitstate::PatternInfo info() const override { return {.metrics = {{.id = "idle"}}}; }
  void init(waitstate::Context&) override {}
};
}  // namespace

WAITSTATE_PLUGIN(Idle)
