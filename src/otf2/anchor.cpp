// Finds and reads an anchor file. Every fault gets a sentence of its own, because this is where users meet the program:
// a wrong path, a folder of several traces, a file that is something else.
#include "otf2/anchor.hpp"

#include <otf2/otf2.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <system_error>
#include <vector>

#include "otf2/format.hpp"
#include "otf2/library.hpp"
#include "waitstate/error.hpp"

namespace waitstate::otf2 {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_anchor = 16 * 1024 * 1024;  // hundreds of bytes in practice
constexpr std::uint8_t newest_trace_format = 2;

[[noreturn]] void fail(const fs::path& path, const std::string& what) { throw TraceError(path.string(), what); }

[[noreturn]] void fail_to_open(const fs::path& path, int error) {
  if (error == ENOENT || error == ENOTDIR)
    fail(path, "no such file or folder; expected the anchor file of an OTF2 trace (traces.otf2) or its folder");
  if (error == EACCES || error == EPERM)
    fail(path, "no permission to read it; ask its owner, or copy the whole trace to a folder of yours");
  fail(path, std::string("cannot be read (") + std::strerror(error) + ")");
}

// Finds the one anchor in a folder.
fs::path anchor_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> found;
  fs::directory_iterator entries(folder, error);
  if (error) fail_to_open(folder, error.value());
  for (; entries != fs::directory_iterator(); entries.increment(error)) {
    if (error) fail_to_open(folder, error.value());
    if (entries->path().extension() == ".otf2" && !entries->is_directory(error)) found.push_back(entries->path());
  }
  std::sort(found.begin(), found.end());
  if (found.empty()) fail(folder, "the folder holds no anchor file; expected one file *.otf2 in it");
  if (found.size() > 1) {
    const std::string more = found.size() > 2 ? " and " + std::to_string(found.size() - 2) + " more" : "";
    fail(folder, "the folder holds several traces, " + found[0].filename().string() + ", " +
                     found[1].filename().string() + more + "; name one of them");
  }
  return found.front();
}

std::string version(unsigned major, unsigned minor, unsigned bugfix) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(bugfix);
}

bool starts(const std::string& bytes, std::string_view magic) { return std::string_view(bytes).starts_with(magic); }

std::string looks_like(const std::string& bytes) {
  if (bytes.empty()) return "it is empty";
  if (starts(bytes, "\x1f\x8b")) return "it looks like a gzip file: unpack it first";
  if (starts(bytes, "BZh")) return "it looks like a bzip2 file: unpack it first";
  if (starts(bytes, std::string_view("\xfd"
                                     "7zXZ",
                                     5)))
    return "it looks like an xz file: unpack it first";
  if (starts(bytes, "\x28\xb5\x2f\xfd")) return "it looks like a zstd file: unpack it first";
  if (starts(bytes, "PK\x03\x04")) return "it looks like a zip file: unpack it first";
  if (bytes.size() > 262 && bytes.compare(257, 5, "ustar") == 0) return "it looks like a tar file: unpack it first";
  if (starts(bytes,
             "\x7f"
             "ELF"))
    return "it looks like a program";
  if (bytes[0] == mark::chunk_header && bytes.size() > 1 &&
      (bytes[1] == mark::big_endian || bytes[1] == mark::little_endian))
    return "it looks like another file of an OTF2 trace: name the anchor, which is beside the folder of .evt files";
  const std::size_t n = std::min<std::size_t>(bytes.size(), 512);
  const bool text = std::all_of(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n), [](unsigned char c) {
    return (c >= 32 && c != 127) || c == '\n' || c == '\r' || c == '\t';
  });
  return text ? "it looks like text" : "it holds other binary data";
}

bool begins_as_anchor(const std::string& bytes) {
  return bytes.size() >= 7 && static_cast<std::uint8_t>(bytes[0]) == mark::chunk_header &&
         bytes.compare(2, 5, std::string_view("OTF2\0", 5)) == 0;
}

// Reads a file; if it is too large to be an anchor, only the part that shows what it is.
std::string read_file(const fs::path& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    fail(path, "not a regular file; expected the anchor file of an OTF2 trace");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) fail_to_open(path, errno == 0 ? EIO : errno);
  constexpr std::uintmax_t enough_to_tell = 512;
  const std::uintmax_t size = fs::file_size(path);
  std::string bytes(static_cast<std::size_t>(size > largest_anchor ? enough_to_tell : size), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (in.bad()) fail_to_open(path, EIO);
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  if (size > largest_anchor && begins_as_anchor(bytes))
    fail(path, "the anchor file is damaged: it has " + std::to_string(size) + " bytes; expected a few hundred");
  return bytes;
}

// Checks the anchor file before the library reads it: damage, and content that the library cannot read, gets a sentence
// that says so, and the library meets no counts that its file does not hold.
void check(const fs::path& path, const std::string& bytes) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  if (!begins_as_anchor(bytes)) fail(path, "not the anchor file of an OTF2 trace: " + looks_like(bytes));

  ByteReader in(data + 7, data + bytes.size(), data[1] == mark::big_endian);
  const auto damaged = [&](const std::string& what) { fail(path, "the anchor file is damaged: " + what); };
  const std::uint8_t anchor_format = in.u8(), trace_format = in.u8();
  const unsigned major = in.u8(), minor = in.u8(), bugfix = in.u8();
  if (in.ok() && trace_format > newest_trace_format)
    fail(path, "written by OTF2 " + version(major, minor, bugfix) + " in trace format " + std::to_string(trace_format) +
                   "; this program reads formats up to " + std::to_string(newest_trace_format) +
                   " (OTF2 1 to 3): use a newer version of waitstate");
  const std::uint64_t event_chunk_size = in.full64(), definition_chunk_size = in.full64();
  const std::uint8_t substrate = in.u8(), compression = in.u8();
  in.full64(), in.full64();         // locations, definitions
  in.text(), in.text(), in.text();  // machine, creator, description
  if (anchor_format > 1) {
    const std::uint32_t properties = in.full32();
    for (std::uint32_t i = 0; i < properties && in.ok(); ++i) in.text(), in.text();
    in.full64();  // trace id
  }

  if (!in.ok()) damaged("it ends after " + std::to_string(bytes.size()) + " bytes");
  if (substrate == OTF2_SUBSTRATE_SION)
    fail(path,
         "the trace is stored in SIONlib files; expected a file for each location: record it again with a recorder "
         "that uses the POSIX substrate");
  if (substrate != OTF2_SUBSTRATE_POSIX) damaged("it names the unknown file substrate " + std::to_string(substrate));
  constexpr std::uint8_t zlib = 2;  // deprecated in the library's headers
  if (compression == zlib)
    fail(path,
         "the trace is compressed inside OTF2, which OTF2 itself dropped in version 3; expected uncompressed files: "
         "rewrite it with the tools of OTF2 2");
  for (const std::uint64_t size : {event_chunk_size, definition_chunk_size})
    if (size < min_chunk_size || size > max_chunk_size)
      damaged("it gives a chunk size of " + std::to_string(size) + " bytes; expected 256 KiB to 16 MiB");
}

// The text that a function of the library returns; empty if it fails.
template <class F>
std::string text_from(F&& get) {
  char* text = nullptr;
  if (get(&text) != OTF2_SUCCESS) return {};
  const std::unique_ptr<char, decltype(&std::free)> owned(text, &std::free);
  return text;
}

std::vector<std::pair<std::string, std::string>> properties_of(OTF2_Reader* reader) {
  std::vector<std::pair<std::string, std::string>> properties;
  std::uint32_t count = 0;
  char** names = nullptr;
  if (OTF2_Reader_GetPropertyNames(reader, &count, &names) != OTF2_SUCCESS) return properties;
  const std::unique_ptr<char*, decltype(&std::free)> owned(names, &std::free);  // the names lie behind the pointers
  for (std::uint32_t i = 0; i < count; ++i) {
    properties.emplace_back(names[i],
                            text_from([&](char** value) { return OTF2_Reader_GetProperty(reader, names[i], value); }));
  }
  return properties;
}

}  // namespace

Anchor read_anchor(const fs::path& trace) {
  std::error_code error;
  const fs::file_status status = fs::status(trace, error);
  if (error && status.type() != fs::file_type::not_found) fail_to_open(trace, error.value());
  if (status.type() == fs::file_type::not_found) fail_to_open(trace, ENOENT);

  Anchor anchor;
  anchor.path = status.type() == fs::file_type::directory ? anchor_in(trace) : trace;
  anchor.base = archive_base(anchor.path);
  check(anchor.path, read_file(anchor.path));

  const LibraryReader library(anchor.path);
  OTF2_Reader* const reader = library.get();
  std::uint8_t major = 0, minor = 0, bugfix = 0;
  OTF2_Reader_GetVersion(reader, &major, &minor, &bugfix);
  anchor.recorder.version = version(major, minor, bugfix);
  OTF2_Reader_GetChunkSize(reader, &anchor.event_chunk_size, &anchor.definition_chunk_size);
  OTF2_Reader_GetNumberOfLocations(reader, &anchor.locations);
  OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &anchor.definitions);
  OTF2_Reader_GetTraceId(reader, &anchor.recorder.trace_id);
  anchor.recorder.properties = properties_of(reader);
  anchor.recorder.machine = text_from([&](char** text) { return OTF2_Reader_GetMachineName(reader, text); });
  anchor.recorder.creator = text_from([&](char** text) { return OTF2_Reader_GetCreator(reader, text); });
  anchor.recorder.description = text_from([&](char** text) { return OTF2_Reader_GetDescription(reader, text); });
  return anchor;
}

}  // namespace waitstate::otf2
