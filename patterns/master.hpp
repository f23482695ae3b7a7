// The parameter of patterns about a master that hands out work. How large it may be depends on the trace.
#pragma once

#include <cstdint>
#include <string>

#include "waitstate/error.hpp"
#include "waitstate/pattern/late_sender.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

class MasterPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  void configure(const Parameters& p) override { master_ = p.integer("master"); }

  void init(Context& c) override {
    const auto locations = static_cast<std::int64_t>(c.definitions().locations.size());
    if (locations != 0 && master_ >= locations)
      throw UsageError("parameter master is " + std::to_string(master_) + ", but locations are numbered from 0 to " +
                       std::to_string(locations - 1));
  }

 protected:
  static ParameterSpec parameter() {
    return {"master", std::int64_t{0}, "", "Number of the master's location, in rank and thread order.", 0};
  }
  bool is_master(LocationId location) const { return location.value == master_; }

 private:
  std::int64_t master_ = 0;
};

}  // namespace waitstate::patterns
