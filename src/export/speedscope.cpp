#include "export/speedscope.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "export/time_scale.hpp"
#include "report/facts/totals.hpp"
#include "report/format/names.hpp"
#include "report/format/text_stream.hpp"
#include "util/text.hpp"

#ifndef WAITSTATE_VERSION  // the version of the project, from CMakeLists.txt
#define WAITSTATE_VERSION "unknown"
#endif

namespace waitstate::exports {
namespace {

std::string json_quoted(std::string_view text) { return nlohmann::json(util::printable(text)).dump(); }

struct Weight {
  LocationId location;
  std::size_t place;  ///< place of the call path in the order of the call tree
  std::uint64_t value;
};

class SpeedscopeProfile {
 public:
  SpeedscopeProfile(const AnalysisResult& result, MetricIndex metric, std::ostream& out)
      : result_(result), metric_(metric), time_(result.definitions.clock, 0), text_(out) {}

  void write() {
    collect();
    const MetricInfo& metric = result_.metrics[metric_];
    text_.print(
        "{{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\", \"exporter\": {},\n\"name\": {}, "
        "\"activeProfileIndex\": 0,\n\"shared\": {{\"frames\": [",
        json_quoted("waitstate@" WAITSTATE_VERSION), json_quoted(result_.path + ": " + metric.title));
    number_frames();
    text_.print("]}},\n\"profiles\": [");
    std::vector<Weight> sums;  // the sums over all locations
    for (const Weight& w : weights_) sums.push_back({LocationId::none(), w.place, w.value});
    std::sort(sums.begin(), sums.end(), [](const Weight& a, const Weight& b) { return a.place < b.place; });
    std::size_t kept = 0;
    for (const Weight& w : sums)
      if (kept != 0 && sums[kept - 1].place == w.place)
        sums[kept - 1].value += w.value;
      else
        sums[kept++] = w;
    sums.resize(kept);
    write_profile("all locations", sums.data(), sums.data() + sums.size());
    for (std::size_t i = 0; i < weights_.size();) {
      std::size_t end = i;
      while (end < weights_.size() && weights_[end].location == weights_[i].location) ++end;
      text_.print(",");
      write_profile(report::location_label(result_.definitions, weights_[i].location), weights_.data() + i,
                    weights_.data() + end);
      i = end;
    }
    text_.print("\n]}}\n");
    text_.flush();
  }

 private:
  void collect() {
    paths_ = result_.call_tree.depth_first();
    std::vector<std::size_t> places(paths_.size());
    for (std::size_t i = 0; i < paths_.size(); ++i) places[paths_[i].index()] = i;
    for (const MetricIndex m : report::Totals(result_).summed(metric_))
      result_.severities.for_each(m, [&](CallPathId path, LocationId l, std::int64_t value) {
        if (value <= 0) return;
        const auto v = static_cast<std::uint64_t>(value);
        weights_.push_back({l, places[path.index()], is_time() ? time_.nanoseconds(v) : v});
      });
    std::sort(weights_.begin(), weights_.end(), [](const Weight& a, const Weight& b) {
      return std::tuple(a.location.value, a.place) < std::tuple(b.location.value, b.place);
    });
  }

  bool is_time() const { return result_.metrics[metric_].unit == Unit::seconds; }
  std::string_view unit() const {
    return is_time() ? "nanoseconds" : result_.metrics[metric_].unit == Unit::bytes ? "bytes" : "none";
  }

  void number_frames() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> numbers;  // by region and program
    frames_.resize(paths_.size());
    for (const CallPathId path : paths_) {
      const CallPath& p = result_.call_tree[path];
      const auto [found, added] = numbers.try_emplace({p.region.value, p.program.value}, numbers.size());
      frames_[path.index()] = found->second;
      if (!added) continue;
      text_.print("{}\n{{\"name\": {}", found->second == 0 ? "" : ",",
                  json_quoted(result_.call_tree.name(path, result_.definitions)));
      if (p.region.valid()) {
        const Region& region = result_.definitions[p.region];
        if (!region.file.empty()) text_.print(", \"file\": {}", json_quoted(region.file));
        if (!region.file.empty() && region.begin_line != 0) text_.print(", \"line\": {}", region.begin_line);
      }
      text_.print("}}");
    }
  }

  void write_profile(const std::string& name, const Weight* begin, const Weight* end) {
    std::uint64_t sum = 0;
    for (const Weight* w = begin; w != end; ++w) sum += w->value;
    text_.print(
        "\n{{\"type\": \"sampled\", \"name\": {}, \"unit\": \"{}\", \"startValue\": 0, \"endValue\": {},\n\"samples\": "
        "[",
        json_quoted(name), unit(), sum);
    std::vector<std::size_t> stack;
    for (const Weight* w = begin; w != end; ++w) {
      stack.clear();
      for (CallPathId at = paths_[w->place]; at.valid(); at = result_.call_tree[at].parent)
        stack.push_back(frames_[at.index()]);
      text_.print("{}[", w == begin ? "" : ",");
      for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame)
        text_.print("{}{}", frame == stack.rbegin() ? "" : ",", *frame);
      text_.print("]");
    }
    text_.print("],\n\"weights\": [");
    for (const Weight* w = begin; w != end; ++w) text_.print("{}{}", w == begin ? "" : ",", w->value);
    text_.print("]}}");
  }

  const AnalysisResult& result_;
  const MetricIndex metric_;
  const TimeScale time_;
  report::TextStream text_;
  std::vector<CallPathId> paths_;
  std::vector<std::size_t> frames_;  ///< by call path
  std::vector<Weight> weights_;
};

}  // namespace

void write_speedscope(const AnalysisResult& result, MetricIndex metric, std::ostream& out) {
  SpeedscopeProfile(result, metric, out).write();
}

}  // namespace waitstate::exports
