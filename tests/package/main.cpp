// Links and runs against the installed library: every public header in one source, and one call into it.
#include "all_headers.hpp"

int main() {
  waitstate::Diagnostics diagnostics;
  diagnostics.add(waitstate::DiagnosticId::send_unmatched, {}, 0, 2);
  return diagnostics[waitstate::DiagnosticId::send_unmatched].count == 2 ? 0 : 1;
}
