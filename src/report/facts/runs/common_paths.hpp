// Call paths of several results by their names, since their numbers have nothing to do with each other.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "util/utf8.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Names in a form that reports of all formats share: formats differ in how they replace bytes that are not text, and
/// in how often they say so. A name that many call paths share is converted once.
class KeptNames {
 public:
  /// The result is valid as long as the name and this object.
  std::string_view operator()(std::string_view name) {
    const auto [kept, is_new] = other_.try_emplace(name.data());
    if (is_new)
      if (std::string text = once_each(util::xml_text(name)); text != name) kept->second = std::move(text);
    return kept->second.empty() ? name : kept->second;
  }

 private:
  static std::string once_each(std::string_view text) {
    constexpr std::string_view no_text = "\xef\xbf\xbd";
    std::string result;
    while (!text.empty()) {
      const std::size_t n = text.starts_with(no_text) ? no_text.size() : 1;
      if (n == 1 || !result.ends_with(no_text)) result += text.substr(0, n);
      text.remove_prefix(n);
    }
    return result;
  }

  std::unordered_map<const char*, std::string> other_;  ///< by the address of the name; empty: the name itself
};

class CommonPaths {
 public:
  /// Numbers of the result's call paths, from 0 on: call paths with the same names have the same number in all results
  /// that were added. The result has to live as long as this object.
  std::vector<std::uint32_t> add(const AnalysisResult& r) {
    std::vector<std::uint32_t> paths(r.call_tree.size());
    KeptNames& kept = kept_.emplace_back();
    for (std::size_t i = 0; i < paths.size(); ++i) {  // a parent has a smaller id
      const CallPathId id{i}, parent = r.call_tree[id].parent;
      const auto next = static_cast<std::uint32_t>(numbers_.size());
      const std::uint32_t below = parent.valid() ? paths[parent.index()] : ~std::uint32_t{0};
      paths[i] = numbers_.emplace(std::pair{below, kept(r.call_tree.name(id, r.definitions))}, next).first->second;
    }
    return paths;
  }
  /// The number of different call paths.
  std::size_t size() const { return numbers_.size(); }

 private:
  std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> numbers_;  ///< by number above, and name
  std::list<KeptNames> kept_;
};

}  // namespace waitstate::report
