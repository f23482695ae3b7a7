// Links and runs against the installed library: every public header in one source, one call into it, and a plug-in that
// uses functions of the library that this program does not.
#include "all_headers.hpp"

int main(int argc, char** argv) {
  waitstate::Diagnostics diagnostics;
  diagnostics.add(waitstate::DiagnosticId::send_unmatched, {}, 0, 2);
  if (diagnostics[waitstate::DiagnosticId::send_unmatched].count != 2 || argc != 2) return 1;
  waitstate::PatternRegistry patterns;
  patterns.load_plugin(argv[1]);
  return patterns.at("huge_messages").origin == argv[1] ? 0 : 1;
}
