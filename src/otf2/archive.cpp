#include "otf2/archive.hpp"

#include <string>
#include <system_error>

#include "otf2/definitions/local.hpp"
#include "otf2/definitions/reader.hpp"

namespace waitstate::otf2 {

Archive::Archive(const std::filesystem::path& trace) : anchor_(read_anchor(trace)) {
  read_definitions(anchor_, definitions_, references_, diagnostics_);
  std::error_code error;  // an unreadable folder shows itself at the event files
  folder_ = std::filesystem::current_path(error);
  for (std::filesystem::directory_iterator it(anchor_.base, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".def") {
      has_local_definitions_ = true;
      break;
    }
}

bool Archive::local_definitions_matter() const {
  std::call_once(seen_->once, [&] {
    for (std::size_t l = 0; l < definitions_.locations.size() && !seen_->matter; ++l) {
      LocalDefinitions local;
      read_local_definitions(on_disk(local_definition_file(LocationId{l})), anchor_.definition_chunk_size, local);
      seen_->matter = local.change_events();
    }
  });
  return seen_->matter;
}

std::filesystem::path Archive::event_file(LocationId location) const { return location_file(location, ".evt"); }
std::filesystem::path Archive::local_definition_file(LocationId location) const {
  return location_file(location, ".def");
}
std::filesystem::path Archive::location_file(LocationId location, const char* suffix) const {
  return anchor_.base / (std::to_string(definitions_[location].ref) + suffix);
}

}  // namespace waitstate::otf2
