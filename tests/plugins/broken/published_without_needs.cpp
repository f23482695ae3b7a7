// Listens to nobody.
#include <waitstate/pattern/plugin.hpp>

namespace {
class Listens : public waitstate::Pattern {
 public:
  waitstate::PatternInfo info() const override { return {.metrics = {{.id = "listens"}}}; }
  void published_callback(const waitstate::Published&, waitstate::Context& c) override {
    c.add({waitstate::CallPathId{0}, waitstate::LocationId{0}}, 1);
  }
};
}  // namespace

WAITSTATE_PLUGIN(Listens)
