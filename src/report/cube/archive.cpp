// Plain ustar headers, as every reader of CUBE files knows them; libarchive adds a pax record where a member is larger
// than the 8 GiB that a ustar header can express, and nowhere else ("pax restricted").
#include "report/cube/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <ostream>

#include "waitstate/error.hpp"

namespace waitstate::report {

struct FreeWriter {
  void operator()(archive* a) const { archive_write_free(a); }
};
struct FreeReader {
  void operator()(archive* a) const { archive_read_free(a); }
};
struct FreeEntry {
  void operator()(archive_entry* e) const { archive_entry_free(e); }
};

namespace {

constexpr std::size_t block = 1 << 20;
constexpr const char* expected = "expected a CUBE 4 report (.cubex), which is a tar archive";

}  // namespace

struct CubeArchiveWriter::Library {
  explicit Library(std::ostream& to) : stream(&to) {}
  std::ostream*
      stream;  // null: given up; libarchive pads an unfinished member when it is freed, and that must go nowhere
  std::exception_ptr thrown;
  std::unique_ptr<archive, FreeWriter> out{archive_write_new()};
  std::unique_ptr<archive_entry, FreeEntry> entry{archive_entry_new()};

  /// Called from C, through which no exception may pass.
  static la_ssize_t write(archive* a, void* self, const void* bytes, std::size_t size) {
    Library& l = *static_cast<Library*>(self);
    try {
      if (l.stream != nullptr && l.stream->write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size)))
        return static_cast<la_ssize_t>(size);
    } catch (...) {
      l.thrown = std::current_exception();
    }
    archive_set_error(a, EIO, "the stream cannot be written to");
    return -1;
  }
};

CubeArchiveWriter::CubeArchiveWriter(std::ostream& out) : library_(std::make_unique<Library>(out)) {
  Library& l = *library_;
  archive* const a = l.out.get();
  if (a == nullptr || l.entry == nullptr) throw std::bad_alloc();
  if (archive_write_set_format_pax_restricted(a) != ARCHIVE_OK || archive_write_add_filter_none(a) != ARCHIVE_OK ||
      archive_write_set_bytes_per_block(a, block) != ARCHIVE_OK ||
      archive_write_set_bytes_in_last_block(a, 1) != ARCHIVE_OK ||
      archive_write_open(a, &l, nullptr, Library::write, nullptr) != ARCHIVE_OK)
    fail();
}

CubeArchiveWriter::~CubeArchiveWriter() { library_->stream = nullptr; }

void CubeArchiveWriter::fail() {
  library_->stream = nullptr;
  if (library_->thrown) std::rethrow_exception(library_->thrown);
  const char* text = archive_error_string(library_->out.get());
  throw OutputError(fmt::format("cannot write a CUBE report: {}", text != nullptr ? text : "libarchive failed"));
}

void CubeArchiveWriter::begin(const std::string& name, std::uint64_t size) {
  archive_entry* const e = library_->entry.get();
  archive_entry_clear(e);
  archive_entry_set_pathname(e, name.c_str());
  archive_entry_set_filetype(e, AE_IFREG);
  archive_entry_set_perm(e, 0644);
  archive_entry_set_size(e, static_cast<la_int64_t>(size));
  archive_entry_set_mtime(e, 0, 0);
  if (archive_write_header(library_->out.get(), e) != ARCHIVE_OK) fail();
}

void CubeArchiveWriter::write(std::string_view bytes) {
  if (archive_write_data(library_->out.get(), bytes.data(), bytes.size()) != static_cast<la_ssize_t>(bytes.size()))
    fail();
}

void CubeArchiveWriter::finish() {
  if (archive_write_close(library_->out.get()) != ARCHIVE_OK) fail();
}

namespace {

class TarReader final : public CubeMember {
 public:
  explicit TarReader(const std::filesystem::path& file) : path_(file.string()), in_(archive_read_new()) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) throw TraceError(path_, std::strerror(errno));
    if (!S_ISREG(status.st_mode)) throw TraceError(path_, fmt::format("is no regular file; {}", expected));
    file_size_ = static_cast<std::uint64_t>(status.st_size);
    if (in_ == nullptr) throw std::bad_alloc();
    archive_read_support_format_tar(in_.get());
    if (archive_read_open_filename(in_.get(), file.c_str(), 1 << 16) != ARCHIVE_OK) fail();
  }

  bool next() {
    for (;;) {
      const int status = archive_read_next_header(in_.get(), &entry_);
      if (status == ARCHIVE_EOF) {
        if (!any_) throw TraceError(path_, fmt::format("is empty; {}", expected));
        return false;
      }
      if (status != ARCHIVE_OK && status != ARCHIVE_WARN) fail();
      any_ = true;
      const char* name = archive_entry_pathname(entry_);
      if (name == nullptr || archive_entry_filetype(entry_) != AE_IFREG) continue;
      name_ = std::string_view(name).starts_with("./") ? name + 2 : name;
      return true;
    }
  }

  const std::string& name() const override { return name_; }

  std::string read() override {
    const la_int64_t size = archive_entry_size_is_set(entry_) != 0 ? archive_entry_size(entry_) : 0;
    if (size < 0 || static_cast<std::uint64_t>(size) > file_size_)
      throw TraceError(path_, fmt::format("member {} says to have {} bytes, but the file has only {}: it is damaged",
                                          name_, size, file_size_));
    std::string bytes(static_cast<std::size_t>(size), '\0');
    std::size_t got = 0;
    while (got < bytes.size()) {
      const la_ssize_t n = archive_read_data(in_.get(), bytes.data() + got, std::min(bytes.size() - got, block));
      if (n <= 0) fail();
      got += static_cast<std::size_t>(n);
    }
    return bytes;
  }

 private:
  [[noreturn]] void fail() const {
    if (archive_errno(in_.get()) == ENOMEM) throw std::bad_alloc();
    const char* text = archive_error_string(in_.get());
    const std::string reason = text != nullptr ? text : "libarchive failed";
    if (!any_) throw TraceError(path_, fmt::format("is no tar archive ({}); {}", reason, expected));
    throw TraceError(path_, fmt::format("is a damaged tar archive{} ({}); copy it again",
                                        name_.empty() ? "" : " at or after member " + name_, reason));
  }

  std::string path_;
  std::unique_ptr<archive, FreeReader> in_;
  archive_entry* entry_ = nullptr;
  std::uint64_t file_size_ = 0;
  std::string name_;
  bool any_ = false;
};

}  // namespace

void for_each_member(const std::filesystem::path& file, const std::function<void(CubeMember&)>& f) {
  TarReader reader(file);
  while (reader.next()) f(reader);
}

std::optional<std::string> member_of(const std::filesystem::path& file, std::string_view name) {
  try {
    TarReader reader(file);
    while (reader.next())
      if (reader.name() == name) return reader.read();
  } catch (const TraceError&) {
  }
  return std::nullopt;
}

}  // namespace waitstate::report
