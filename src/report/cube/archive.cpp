// Written are plain ustar headers, as every reader of CUBE files knows them; libarchive adds a pax record where a
// member is larger than the 8 GiB that a ustar header can express, and nowhere else ("pax restricted"). Read is what
// the CUBE library itself writes, which libarchive refuses or takes for the end, and what a report becomes that
// somebody has packed again with GNU tar or Python: long names and pax records.
#include "report/cube/archive.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <exception>
#include <new>
#include <ostream>
#include <system_error>
#include <utility>

#include "report/format/layout.hpp"
#include "waitstate/error.hpp"

namespace waitstate::report {

struct FreeWriter {
  void operator()(archive* a) const { archive_write_free(a); }
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

// A header is taken as it stands, as the CUBE library takes it: some of its versions write wrong checksums, and an
// empty block behind a member that fills its last one. What is wrong in a header shows in what follows: no header is
// where the size of its member says, or a name is not known. Without the magic of ustar the checksum decides.
class TarReader final : public CubeMember {
 public:
  explicit TarReader(const std::filesystem::path& file) : path_(file.string()) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) throw TraceError(path_, std::strerror(errno));
    if (!S_ISREG(status.st_mode)) throw TraceError(path_, fmt::format("is not a regular file; {}", expected));
    file_size_ = static_cast<std::uint64_t>(status.st_size);
    fd_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd_ < 0) throw TraceError(path_, std::strerror(errno));
  }
  TarReader(const TarReader&) = delete;
  TarReader& operator=(const TarReader&) = delete;
  ~TarReader() override { ::close(fd_); }

  bool next() {
    std::string long_name;
    std::uint64_t long_size = none;
    for (bool empty_before = false; next_ < file_size_;) {
      const std::string head = bytes(next_, header_size, "");
      if (head == std::string(header_size, '\0')) {
        if (std::exchange(empty_before, true)) break;
        next_ += header_size;
        continue;
      }
      empty_before = false;
      const Header header(head);
      if (!header.valid()) fail("there is no header of a member where one has to be");
      any_ = true;
      const bool about_next = header.kind() == Header::extended || header.kind() == Header::long_name;
      size_ = about_next || long_size == none ? header.size() : long_size;
      data_ = next_ + header_size;
      name_ = long_name.empty() ? header.name() : long_name;
      if (size_ > file_size_ && header.kind() == Header::regular)
        throw TraceError(path_,
                         fmt::format("member {} claims to have {} bytes, but the file has only {}: it is damaged",
                                     printable(name_), size_, file_size_));
      if (size_ > file_size_ - data_)
        fail(fmt::format("the file ends after {} of its {} bytes", file_size_ - data_, size_));
      next_ = data_ + (size_ + header_size - 1) / header_size * header_size;
      switch (header.kind()) {
        case Header::long_name:
          long_name = small();
          long_name.resize(std::min(long_name.size(), long_name.find('\0')));
          continue;
        case Header::extended:
          extended(long_name, long_size);
          continue;
        case Header::other:
          break;
        case Header::regular:
          if (name_.starts_with("./")) name_.erase(0, 2);
          return true;
      }
      long_name.clear();
      long_size = none;
    }
    if (!any_) throw TraceError(path_, fmt::format("is empty; {}", expected));
    return false;
  }

  const std::string& name() const override { return name_; }

  std::string read() override { return bytes(data_, size_, name_); }

 private:
  static constexpr std::size_t header_size = 512;
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  class Header {
   public:
    enum Kind { regular, extended, long_name, other };

    explicit Header(std::string_view bytes) : block_(bytes) {}

    bool valid() const {
      if (!size_field()) return false;
      if (block_.substr(257, 5) == "ustar") return true;
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < block_.size(); ++i)
        sum += i >= 148 && i < 156 ? std::uint8_t{' '} : static_cast<std::uint8_t>(block_[i]);
      return octal(block_.substr(148, 8)) == sum;
    }
    std::string name() const {
      const std::string own = text(0, 100),
                        prefix = block_.substr(257, 6) == std::string_view("ustar\0", 6) ? text(345, 155) : "";
      return prefix.empty() ? own : prefix + "/" + own;
    }
    std::uint64_t size() const { return size_field().value_or(0); }
    Kind kind() const {
      switch (block_[156]) {
        case '\0':
        case '0':
        case '7':
          return regular;
        case 'x':
          return extended;
        case 'L':
          return long_name;
        default:
          return other;
      }
    }

   private:
    std::string text(std::size_t begin, std::size_t size) const {
      const std::string_view field = block_.substr(begin, size);
      return std::string(field.substr(0, field.find('\0')));
    }
    static std::optional<std::uint64_t> octal(std::string_view field) {
      const auto begin = field.find_first_not_of(' ');
      if (begin == field.npos) return std::nullopt;
      field.remove_prefix(begin);
      std::uint64_t value = 0;
      const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value, 8);
      const bool ended = end == field.data() + field.size() || *end == '\0' || *end == ' ';
      return error == std::errc{} && ended ? std::optional(value) : std::nullopt;
    }
    /// Octal digits, or where these are too few a binary number behind a byte of 0x80.
    std::optional<std::uint64_t> size_field() const {
      const std::string_view field = block_.substr(124, 12);
      if (static_cast<std::uint8_t>(field[0]) != 0x80) return octal(field);
      std::uint64_t value = 0;
      for (std::size_t i = 1; i < field.size(); ++i) {
        if (value >> 56 != 0) return std::nullopt;
        value = value << 8 | static_cast<std::uint8_t>(field[i]);
      }
      return value;
    }

    std::string_view block_;
  };

  /// Records "LENGTH KEY=VALUE\n" about the next member.
  void extended(std::string& name, std::uint64_t& size) {
    const std::string all = small();
    for (std::string_view rest = all; !rest.empty();) {
      std::size_t length = 0;
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
      const auto used = static_cast<std::size_t>(end - rest.data());
      if (error != std::errc{} || length <= used + 1 || length > rest.size() || *end != ' ')
        fail("an extended header is damaged");
      std::string_view record = rest.substr(used + 1, length - used - 1);
      rest.remove_prefix(length);
      if (record.ends_with('\n')) record.remove_suffix(1);
      if (record.starts_with("path=")) name = record.substr(5);
      if (!record.starts_with("size=")) continue;
      std::uint64_t value = 0;
      record.remove_prefix(5);
      if (std::from_chars(record.data(), record.data() + record.size(), value).ec != std::errc{})
        fail("an extended header is damaged");
      size = value;
    }
  }
  std::string small() {
    constexpr std::uint64_t most = 1 << 20;
    if (size_ > most) fail("an extended header is damaged");
    return bytes(data_, size_, name_);
  }

  std::string bytes(std::uint64_t begin, std::uint64_t size, const std::string& member) {
    if (begin > file_size_ || size > file_size_ - begin)
      fail(fmt::format("the file ends after {} of {} bytes of a header", file_size_ - std::min(begin, file_size_),
                       size));
    std::string all(static_cast<std::size_t>(size), '\0');
    for (std::size_t got = 0; got < all.size();) {
      const ssize_t n =
          ::pread(fd_, all.data() + got, std::min(all.size() - got, block), static_cast<off_t>(begin + got));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw TraceError(path_, fmt::format("cannot be read ({})", std::strerror(errno)));
      if (n == 0)
        throw TraceError(path_,
                         fmt::format("became shorter while {} was read", member.empty() ? "it" : printable(member)));
      got += static_cast<std::size_t>(n);
    }
    return all;
  }

  [[noreturn]] void fail(const std::string& reason) const {
    if (!any_) throw TraceError(path_, fmt::format("is not a tar archive; {}", expected));
    throw TraceError(path_, fmt::format("is a damaged tar archive at or after member {} ({}); copy it again",
                                        printable(name_), reason));
  }

  std::string path_;
  int fd_ = -1;
  std::uint64_t file_size_ = 0;
  std::uint64_t next_ = 0;             ///< where the next header is
  std::uint64_t data_ = 0, size_ = 0;  ///< the current member
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
