// Sound, but in no order: each pattern stands before the one that it needs, each metric before the one above it.
//
// severity    counted_receives: +1 per receive; seen_receives: +1 per receive that counted_receives publishes; the
// other
//             metrics are 0
#include <waitstate/pattern/plugin.hpp>

namespace {

using namespace waitstate;

struct Received {};

class SeenReceives : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "seen_receives", .parent = "counted_receives", .unit = Unit::occurrences}},
            .needs = {"counted_receives"}};
  }
  void published_callback(const Published& p, Context& c) override {
    if (const auto* call = p.as<Call>()) c.add(*call, 1);
  }
};

/// Its first metric lies below its second, and that below one of the pattern that needs this one.
class CountedReceives : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {
                {.id = "counted_receives", .parent = "all_receives", .unit = Unit::occurrences, .within_parent = false},
                {.id = "all_receives", .parent = "backwards", .unit = Unit::occurrences, .within_parent = false}}};
  }
  void completed_receives_callback(const CompletedReceives& r, Context& c) override {
    c.add(r.call, static_cast<std::int64_t>(r.messages.size()));
    for (std::size_t i = 0; i < r.messages.size(); ++i) c.publish(r.call);
  }
};

class Backwards : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "backwards", .unit = Unit::occurrences}}, .needs = {"seen_receives"}};
  }
  void wrapup(Context&) override {}
};

}  // namespace

WAITSTATE_PLUGIN(SeenReceives, CountedReceives, Backwards)
