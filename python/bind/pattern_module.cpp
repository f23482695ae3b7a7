// All that patterns and analyses add to the module, in an order in which what is referred to is there.
#include "bind/bind.hpp"
#include "bind/patterns/compound_forms.hpp"

namespace waitstate::python {

void bind_pattern_enums(py::module_& module);
void bind_compound_events(py::module_& module);
void bind_team_events(py::module_& module);
void bind_rma_events(py::module_& module);
void bind_pattern_context(py::module_& module);
void bind_run_trace(py::module_& module);
void bind_evidence(py::module_& module);
void bind_wait_graph(py::module_& module);
void bind_analysis_result(py::module_& module);
void bind_analysis(py::module_& module);

void bind_patterns(py::module_& module) {
  bind_pattern_enums(module);
  bind_compound_events(module);
  bind_team_events(module);
  bind_rma_events(module);
  bind_field_objects(module);
  bind_pattern_context(module);
  bind_run_trace(module);
  bind_evidence(module);
  bind_wait_graph(module);
  bind_analysis_result(module);
  bind_analysis(module);
}

}  // namespace waitstate::python
