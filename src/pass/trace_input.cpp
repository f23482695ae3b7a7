#include "pass/trace_input.hpp"

#include <fstream>

namespace waitstate::pass {

namespace {
// The beginning of a regular file: enough to tell a notation file from an OTF2 anchor.
std::string first_bytes(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  std::ifstream in(path, std::ios::binary);
  std::string bytes(4096, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
}
}  // namespace

bool is_notation(const std::filesystem::path& path) { return notation::Document::looks_like(first_bytes(path)); }

void TraceInput::read_document() { document_ = std::make_unique<notation::Document>(notation::Document::read(path_)); }

TraceInput::TraceInput(const std::filesystem::path& path) : path_(path.string()) {
  if (is_notation(path)) {
    read_document();
    for (std::size_t i = 0; i < definitions().locations.size(); ++i)
      if (document_->event_count(LocationId{i}) == 0)
        diagnostics_.add(DiagnosticId::empty_location, {LocationId{i}, ~Time{0}, {}});
  } else {
    archive_ = std::make_unique<otf2::Archive>(path);
    path_ = archive_->anchor().path.string();
    diagnostics_ = archive_->diagnostics();
  }
  for (std::size_t i = 0; i < definitions().locations.size(); ++i) {
    const LocationType type = definitions().locations[i].type;
    if (type == LocationType::accelerator_stream || type == LocationType::metric)
      diagnostics_.add(DiagnosticId::device_location, {LocationId{i}, ~Time{0}, std::string(enum_name(type))});
  }
}

const Definitions& TraceInput::definitions() const {
  return archive_ ? archive_->definitions() : document_->definitions();
}

std::uint64_t TraceInput::announced_events() const {
  std::uint64_t n = 0;
  for (std::size_t i = 0; i < definitions().locations.size(); ++i)
    n += document_ ? document_->event_count(LocationId{i}) : definitions().locations[i].announced_events;
  return n;
}

}  // namespace waitstate::pass
