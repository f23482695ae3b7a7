// All patterns that a run may use, of whatever origin - built in, C++ plug-ins, Python plug-ins - in one list, in which
// they are chosen, configured, listed and explained in the same way.
//
//   waitstate::PatternRegistry patterns;                  // the built-in ones
//   patterns.load_plugin("./libtiny_messages.so");
//   patterns.set("tiny_messages.limit", "16");
//   waitstate::AnalysisOptions options;
//   options.built_in = false;
//   options.patterns = patterns.chosen({"mpi_latesender", "tiny_messages"}, {});
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "waitstate/pattern/pattern.hpp"
#include "waitstate/result/metrics.hpp"

namespace waitstate {

/// New objects of the built-in patterns that cost more than others and therefore run only if they are chosen.
std::vector<PatternHandle> patterns_on_request();

class PatternRegistry {
 public:
  struct Entry {
    PatternHandle handle;
    std::string origin;       ///< "built-in", or the path of the plug-in
    bool on_request = false;  ///< true if the pattern runs only if it is named: patterns_on_request()
  };

  /// Contains the built-in patterns.
  PatternRegistry();

  /// Adds patterns behind those that are there. The given order is kept, except that each pattern comes behind those
  /// that it needs; they may build on each other in any order. Throws UsageError that names pattern, class and file if
  /// a pattern has a metric with an id that is taken or a parent that is unknown, needs a pattern that is missing, or
  /// could not do anything, or if patterns need each other in a circle; the registry is then unchanged.
  void add(std::vector<Entry> patterns);
  void add(PatternHandle pattern, std::string origin);
  /// Appends the patterns of a C++ plug-in (plugin.hpp) or of a Python file (its name ends in .py) to `patterns`, to be
  /// added together with others that they may build on; appends nothing if they are in `patterns` or here already. A
  /// NAME without '/' is looked for in search_path(), as NAME and as libNAME.so, a Python file first in the working
  /// directory. A library stays loaded as long as one of its patterns lives. The first Python file starts an
  /// interpreter, which stays. Throws UsageError that names file and reason. A program other than `waitstate` has to
  /// export the symbols of this library: waitstate_enable_plugins(target) in CMake.
  void open_plugin(const std::filesystem::path& library, std::vector<Entry>& patterns) const;
  /// Opens a plug-in and adds all of its patterns, or none.
  void load_plugin(const std::filesystem::path& library);
  /// The directories of the environment variable WAITSTATE_PLUGIN_PATH, separated by ':', and lib/waitstate/plugins of
  /// the installation that the running program belongs to.
  static std::vector<std::filesystem::path> search_path();

  const std::vector<Entry>& entries() const { return entries_; }
  /// The pattern that computes a metric of metrics(); nullptr if the metric needs no pattern.
  const Entry* owner(MetricIndex metric) const {
    return owner_[metric] == no_entry ? nullptr : &entries_[owner_[metric]];
  }
  /// The pattern that has a metric with this id. Throws UsageError with the nearest id, or if the metric needs no
  /// pattern.
  const Entry& at(std::string_view id) const;
  /// The metrics that need no pattern, and those of all patterns here.
  const MetricTree& metrics() const { return metrics_; }

  /// Sets a parameter, named ID.PARAMETER. Throws UsageError with the nearest name.
  void set(std::string_view parameter, std::string_view value);

  /// The patterns to run, in the order of entries(): those of the metric ids in `only` and all that they need, without
  /// those of the ids in `without` and all that need them. An empty `only`, or the word "all" in it, stands for all
  /// patterns except those on request. A pattern needs the patterns that it names, and those that compute the parents
  /// of its metrics. An id of a metric that belongs to no pattern stands for all patterns below it (mpi_collective).
  /// Throws UsageError with the nearest id, or if there is no pattern below it.
  std::vector<PatternHandle> chosen(const std::vector<std::string>& only,
                                    const std::vector<std::string>& without) const;

 private:
  static constexpr std::string_view all_patterns = "all";
  static constexpr std::size_t no_entry = ~std::size_t{0};

  void check(const Entry& entry, const PatternInfo& info, const std::vector<PatternInfo>& others,
             const std::vector<Entry>& of_others) const;
  std::size_t owner_at(std::string_view id) const;
  std::vector<std::size_t> meant(std::string_view id) const;
  std::vector<std::size_t> dependencies(std::size_t entry) const;

  std::vector<Entry> entries_;
  MetricTree metrics_ = MetricTree::base();
  std::vector<std::size_t> owner_ = std::vector(metrics_.size(), no_entry);  ///< index into entries_, for each metric
};

}  // namespace waitstate
