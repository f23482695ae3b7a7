// Runs the walks in their order, and checks their result.
#include "otf2/definitions/reader.hpp"

#include <cerrno>
#include <cstring>

#include "otf2/definitions/markers.hpp"
#include "otf2/definitions/raw.hpp"
#include "otf2/file_check.hpp"
#include "otf2/library.hpp"
#include "waitstate/error.hpp"

namespace waitstate::otf2 {

// Communicators beyond the limit of members are treated as if their groups were not defined.
void DefinitionsBuilder::limit_members() {
  std::uint64_t members = 0;
  for (Comm& comm : d_.comms) {
    std::uint64_t of_comm = 0;
    for (const GroupId group : {comm.group, comm.group_b})
      if (group.index() < d_.groups.size()) of_comm += d_.groups[group.index()].members.size();
    if (members + of_comm > most_members) {
      comm.group = comm.group_b = GroupId::none();
      ++dropped_comms_;
    } else {
      members += of_comm;
    }
  }
}

// Cuts each cycle of parents in one place, so that nobody who follows parents runs in circles.
template <class T>
void DefinitionsBuilder::break_cycles(std::vector<T>& table, const char* what) {
  std::vector<std::size_t> visited_from(table.size(), table.size());  // the walk that visited each entry last
  for (std::size_t start = 0; start < table.size(); ++start)
    for (std::size_t at = start; visited_from[at] == table.size();) {
      visited_from[at] = start;
      const std::size_t parent = table[at].parent.index();
      if (parent >= table.size()) break;
      if (visited_from[parent] == start) {
        table[at].parent = {};
        diagnostics_.add(DiagnosticId::definitions_damaged,
                         {{}, ~Time{0}, std::string("a ") + what + " is its own ancestor"});
        break;
      }
      at = parent;
    }
}

void DefinitionsBuilder::finish(const std::string& path) {
  break_cycles(d_.system_tree, "system tree node");
  break_cycles(d_.recorded_call_paths, "call path");
  break_cycles(d_.calling_contexts, "calling context");
  break_cycles(d_.comms, "communicator");
  break_cycles(d_.io_handles, "I/O handle");
  diagnostics_.add(DiagnosticId::duplicate_definition, {{}, ~Time{0}, path}, 0, duplicates_);
  diagnostics_.add(DiagnosticId::undefined_reference, {{}, ~Time{0}, first_undefined_}, 0, undefined_);
  diagnostics_.add(DiagnosticId::rank_without_process, {{}, ~Time{0}, path}, 0, ranks_apart_);
  if (misfits_ != 0)
    diagnostics_.add(DiagnosticId::definitions_damaged,
                     {{}, ~Time{0}, path + ": " + std::to_string(misfits_) + " coordinates do not fit their topology"});
  limit_members();
  if (dropped_comms_ != 0)
    diagnostics_.add(DiagnosticId::definitions_damaged,
                     {{},
                      ~Time{0},
                      path + ": communicators with more than " + std::to_string(most_members >> 20) +
                          " million members in all, those of " + std::to_string(dropped_comms_) + " left out"});
  if (shortened_texts_ != 0)
    diagnostics_.add(DiagnosticId::definitions_damaged,
                     {{},
                      ~Time{0},
                      path + ": definitions with " + std::to_string(most_text >> 20) + " MiB of names, " +
                          std::to_string(shortened_texts_) + " of them shortened"});
  if (!has_clock_) diagnostics_.add(DiagnosticId::clock_without_resolution, {{}, ~Time{0}, path});
  d_.finish();
}

void read_definitions(const Anchor& anchor, Definitions& definitions, References& references,
                      Diagnostics& diagnostics) {
  const auto path = std::filesystem::path(anchor.base) += ".def";
  using K = DefinitionsBuilder::K;
  using Fields = DefinitionsBuilder::Fields;
  DefinitionsBuilder builder(definitions, references, diagnostics);
  definitions.recorder = anchor.recorder;

  CheckedFile file = check_file(path, anchor.definition_chunk_size, FileKind::global_definitions);
  if (file.open_error == ENOENT)
    throw TraceError(path.string(), "the global definitions are missing; expected this file beside the anchor " +
                                        anchor.path.filename().string() + ": copy the whole trace");
  if (file.open_error != 0)
    throw TraceError(path.string(),
                     std::string("the global definitions cannot be opened (") + std::strerror(file.open_error) + ")");
  const LibraryReader library(anchor.path);
  const RecordedDefinitions recorded(library.get(), file.records);
  if (!recorded.damage().empty()) file.damage = recorded.damage();

  recorded.for_each([&](K kind, Fields in) { builder.collect(kind, in); });
  builder.number();
  recorded.for_each([&](K kind, Fields in) { builder.fill(kind, in); });
  recorded.for_each([&](K kind, Fields in) { builder.attach(kind, in); });
  if (definitions.locations.empty())
    throw TraceError(path.string(), "the global definitions contain no location, so there are no events to read" +
                                        (file.damage.empty() ? std::string() : ": " + file.damage));
  if (file.damage.empty() && file.records != anchor.definitions)
    diagnostics.add(DiagnosticId::definitions_damaged,
                    {{},
                     ~Time{0},
                     path.string() + ": " + std::to_string(file.records) + " definitions, where the anchor announces " +
                         std::to_string(anchor.definitions)});
  if (!file.damage.empty())
    diagnostics.add(DiagnosticId::definitions_damaged,
                    {{},
                     ~Time{0},
                     path.string() + ": after " + std::to_string(recorded.read()) + " of " +
                         std::to_string(anchor.definitions) + " definitions: " + file.damage});
  diagnostics.add(DiagnosticId::unknown_definition, {{}, ~Time{0}, path.string()}, 0, recorded.unknown());
  builder.finish(path.string());
  read_markers(anchor, library.get(), definitions, diagnostics);
}

}  // namespace waitstate::otf2
