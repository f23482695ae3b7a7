#include "report/words/waits/accounts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "report/facts/origin.hpp"
#include "report/format/layout.hpp"
#include "report/format/units.hpp"
#include "waitstate/trace/region_class.hpp"

namespace waitstate::report {

std::string title(const Remainder& r) {
  switch (r.part) {
    case FunctionAccount::transfer:
      return "Transfer in " + r.function;
    case FunctionAccount::local:
      return "Local time in " + r.function;
    default:
      return "Unknown time in " + r.function;
  }
}

namespace {

/// True of functions that may depend on somebody whom no record names: those that ask whether something has happened,
/// and one-sided communication.
bool may_depend_on_others(const Region& region) {
  static const std::string_view polls[] = {"iprobe", "improbe", "win_test", "parrived"};
  const RegionClass c = region.region_class;
  const std::string name = mpi_base_name(region.name);
  return is_test(region.mpi_function) || std::find(std::begin(polls), std::end(polls), name) != std::end(polls) ||
         c == RegionClass::mpi_rma_sync_active || c == RegionClass::mpi_rma_sync_passive ||
         c == RegionClass::mpi_rma_communication;
}

/// When a transfer was: as far as the trace shows that everybody had come.
std::string when(const Remainder& r) {
  if (r.possible_wait <= 0) return "This time was spent after everybody had arrived.";
  return fmt::format(
      "During {} % of this time a member of the operation had not arrived, for which the others may have waited; the "
      "rest was spent after everybody had arrived.",
      percent(r.possible_wait, r.ticks));
}

}  // namespace

std::string advice(const Remainder& r, const AnalysisResult& result) {
  switch (r.part) {
    case FunctionAccount::transfer: {
      std::string text = when(r) +
                         " Send fewer and larger messages, overlap them with computation, let partners that compute "
                         "call MPI now and then, or keep them close to each other.";
      if (const std::string node = only_node(result.definitions); !node.empty())
        text += " All processes ran on one node, " + printable(node) +
                ": more processes than cores slow down every transfer.";
      return text;
    }
    case FunctionAccount::local: {
      const RegionId region = r.callpath.valid() ? result.call_tree[r.callpath].region : RegionId::none();
      if (region.valid() && may_depend_on_others(result.definitions[region]))
        return "The trace names nobody that these calls waited for, but they may have waited: find out what they ask "
               "for, or call them less often.";
      return "These calls depend on nobody else: call them less often.";
    }
    default:
      return "The trace does not show whether these calls waited for other processes; see mpi_unknown in --full for "
             "the reasons.";
  }
}

}  // namespace waitstate::report
