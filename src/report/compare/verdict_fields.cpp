#include "report/compare/verdict_fields.hpp"

#include "report/compare/declared_json.hpp"

namespace waitstate::report {

void write_verdicts_json(const std::vector<std::string>& runs, const std::vector<Verdict>& verdicts,
                         std::ostream& out) {
  write_declared_json(VerdictsDocument{runs, verdicts}, out);
}

}  // namespace waitstate::report
