// A pattern with one metric and no value, to be registered wrongly.
#pragma once

#include <waitstate/pattern/plugin.hpp>

namespace waitstate::test {

class SingleMetric : public Pattern {
 public:
  explicit SingleMetric(std::string id, std::string parent = "time", std::vector<std::string> needs = {})
      : id_(std::move(id)), parent_(std::move(parent)), needs_(std::move(needs)) {}
  PatternInfo info() const override {
    return {.metrics = {{id_, parent_, Unit::seconds, true, "Title", "Summary."}}, .needs = needs_};
  }
  void wrapup(Context&) override {}

 private:
  std::string id_, parent_;
  std::vector<std::string> needs_;
};

}  // namespace waitstate::test
