#include "otf2/library.hpp"

#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <system_error>

#include "waitstate/error.hpp"

namespace waitstate::otf2 {
namespace {

namespace fs = std::filesystem;

thread_local std::string message;

OTF2_ErrorCode keep_message(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char* format,
                            va_list arguments) {
  if (!message.empty()) return code;
  char text[256] = "";
  if (format) std::vsnprintf(text, sizeof text, format, arguments);
  message = text;
  // Warnings and assertions come with a text only, and so do codes that the library does not know.
  const char* description = code > OTF2_SUCCESS ? OTF2_Error_GetDescription(code) : "";
  if (!description || !*description) return code;
  if (!message.empty()) message += ": ";
  message += description;
  return code;
}

void keep_messages() {
  static std::once_flag once;
  std::call_once(once, [] { OTF2_Error_RegisterCallback(&keep_message, nullptr); });
}

}  // namespace

fs::path archive_base(const fs::path& anchor) {
  fs::path first = fs::path(anchor).replace_extension();
  std::error_code error;
  for (fs::path base = first;; base.replace_extension()) {
    if (fs::exists(fs::path(base) += ".def", error)) return base;
    if (!base.has_extension()) return first;
  }
}

std::string last_library_message() {
  std::string last = std::move(message);
  message.clear();
  return last;
}

LibraryReader::LibraryReader(const fs::path& anchor) {
  keep_messages();
  last_library_message();
  const fs::path base = archive_base(anchor);
  fs::path opened = fs::path(base) += ".otf2";
  if (opened != anchor) {
    try {
      make_links(anchor, base);
    } catch (const fs::filesystem_error& error) {
      throw TraceError(anchor.string(),
                       "the anchor has another name than the rest of its archive, and the temporary folder that would "
                       "give it the right name cannot be created (" +
                           error.code().message() + "): rename it to " + opened.filename().string());
    }
    opened = links_->path() / "traces.otf2";
  }
  reader_ = OTF2_Reader_Open(opened.c_str());
  if (!reader_ || OTF2_Reader_SetSerialCollectiveCallbacks(reader_) != OTF2_SUCCESS) {
    const std::string reason = last_library_message();
    if (reader_) OTF2_Reader_Close(reader_);
    throw TraceError(anchor.string(), "the OTF2 library cannot open it (" + reason + "); check that it is complete");
  }
}

LibraryReader::~LibraryReader() {
  OTF2_Reader_Close(reader_);
  last_library_message();
}

void LibraryReader::make_links(const fs::path& anchor, const fs::path& base) {
  links_.emplace();
  links_->link(".otf2", fs::absolute(anchor));
  links_->link("", fs::absolute(base));
  for (const char* suffix : {".def", ".marker"}) links_->link(suffix, fs::absolute(fs::path(base) += suffix));
}

}  // namespace waitstate::otf2
