#include "report/words/waits/accounts.hpp"

#include "report/facts/origin.hpp"
#include "report/format/layout.hpp"

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

std::string advice(const Remainder& r, const AnalysisResult& result) {
  switch (r.part) {
    case FunctionAccount::transfer: {
      std::string text =
          "This time was spent after everybody had arrived. Send fewer and larger messages, overlap "
          "them with computation, let partners that compute call MPI now and then, or keep them close to each other.";
      if (const std::string node = only_node(result.definitions); !node.empty())
        text += " All processes ran on one node, " + printable(node) +
                ": more processes than cores slow down every transfer.";
      return text;
    }
    case FunctionAccount::local:
      return "These calls depend on nobody else: call them less often.";
    default:
      return "The trace does not show whether these calls waited for other processes; see mpi_unknown in --full for "
             "the reasons.";
  }
}

}  // namespace waitstate::report
