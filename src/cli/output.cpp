#include "cli/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "util/text.hpp"

namespace waitstate::cli {
namespace {

/// Whether the text consists of printable ASCII characters and line breaks only. Looks at many characters before it
/// decides, so that the compiler can do it for several at once: reports have megabytes.
bool is_plain(std::string_view text) {
  constexpr std::size_t at_once = 256;
  for (; text.size() >= at_once; text.remove_prefix(at_once)) {
    std::uint8_t others = 0;
    for (const char c : text.substr(0, at_once)) {
      const auto from_blank = static_cast<std::uint8_t>(c - 0x20);
      others |= static_cast<std::uint8_t>(static_cast<std::uint8_t>(from_blank >= 0x5f) &
                                          static_cast<std::uint8_t>(c != '\n'));
    }
    if (others != 0) return false;
  }
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= 0x20 && c < 0x7f) || c == '\n'; });
}

[[noreturn]] void refuse(const std::string& name, const std::string& reason) {
  throw UsageError(fmt::format("cannot write {}: {}", name, reason));
}

/// The file, if it can be overwritten: bytes written to anything else (a terminal, a pipe) are gone.
std::optional<struct stat> regular_file(const std::string& path) {
  struct stat status {};
  if ((path.empty() ? ::fstat(STDOUT_FILENO, &status) : ::stat(path.c_str(), &status)) != 0) return std::nullopt;
  return S_ISREG(status.st_mode) ? std::optional(status) : std::nullopt;
}

void check_can_create_in(const std::filesystem::path& parent, const std::string& name) {
  const std::string folder = parent.empty() ? "." : parent.string();
  if (::access(folder.c_str(), F_OK) != 0) refuse(name, fmt::format("{}; make its folder first", std::strerror(errno)));
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse(name, std::strerror(errno));
}

void check_inputs(const std::string& path, const std::string& name, const std::vector<std::string>& inputs) {
  if (!path.empty())
    if (const std::string reason = report::OutputFile::kept(path); !reason.empty()) refuse(name, reason);
  const auto output = regular_file(path);
  if (!output) return;
  for (const std::string& input : inputs)
    if (const auto other = regular_file(input);
        !input.empty() && other && output->st_dev == other->st_dev && output->st_ino == other->st_ino)
      refuse(name, "it is an input of this command; give another name");
}

}  // namespace

PrintableBuffer::int_type PrintableBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char byte = traits_type::to_char_type(c);
  xsputn(&byte, 1);
  return c;
}

std::streamsize PrintableBuffer::xsputn(const char* bytes, std::streamsize count) {
  constexpr std::size_t enough = 1 << 16;
  text_.append(bytes, static_cast<std::size_t>(count));
  if (text_.size() < enough) return count;
  // No character or colour contains a line break.
  if (const auto end = text_.rfind('\n'); end != std::string::npos) hand_on(end + 1);
  return count;
}

int PrintableBuffer::sync() {
  hand_on(text_.size());
  to_.flush();
  return 0;
}

void PrintableBuffer::hand_on(std::size_t bytes) {
  const std::string_view text = std::string_view(text_).substr(0, bytes);
  if (is_plain(text))
    to_.write(text.data(), static_cast<std::streamsize>(text.size()));
  else
    to_ << util::printable_lines(text);
  text_.erase(0, bytes);
}

Output::Output(const std::string& path, Content content) : stream_(nullptr), printable_stream_(nullptr) {
  if (!path.empty())
    file_.emplace(path);
  else
    set_descriptor(STDOUT_FILENO, "standard output");
  set_content(content);
}

Output::Output(int fd, const std::string& name, Content content) : stream_(nullptr), printable_stream_(nullptr) {
  set_descriptor(fd, name);
  set_content(content);
}

void Output::set_descriptor(int fd, const std::string& name) {
  buffer_.emplace(fd, name);
  stream_.rdbuf(&*buffer_);
  stream_.exceptions(std::ios::badbit);  // lets the buffer's own exceptions through
}

void Output::set_content(Content content) {
  if (content == Content::bytes) return;
  printable_.emplace(target());
  printable_stream_.rdbuf(&*printable_);
  printable_stream_.exceptions(std::ios::badbit);
}

void Output::commit() {
  if (printable_) printable_stream_.flush();
  if (file_)
    file_->commit();
  else
    stream_.flush();
}

void check_new_folder(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0) refuse(path, "it exists already; remove it, or give another name");
  check_can_create_in(std::filesystem::path(path).parent_path(), path);
}

void check_output(const std::string& path, const std::vector<std::string>& inputs) {
  const std::string name = path.empty() ? "standard output" : path;
  check_inputs(path, name, inputs);
  if (path.empty()) return;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    if (S_ISDIR(status.st_mode)) refuse(name, fmt::format("{}; give the name of a file", std::strerror(EISDIR)));
    if (::access(path.c_str(), W_OK) != 0) refuse(name, std::strerror(errno));
    return;
  }
  check_can_create_in(report::OutputFile::temporary(path, ::getpid()).parent_path(), name);
}

void reserve_standard_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      (void)::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // opens the lowest free number, which is fd
}

// Open MPI's launcher gives its processes a terminal of their own, whatever it writes to itself. It is one of their
// ancestors, or on another machine.
static bool launcher_has_terminal(int fd) {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) return true;
  long pid = ::getppid();
  for (int generation = 0; generation < 4 && pid > 1; ++generation) {
    const std::string folder = fmt::format("/proc/{}/", pid);
    std::string name;
    std::ifstream(folder + "comm") >> name;
    if (name.starts_with("mpirun") || name.starts_with("mpiexec") || name.starts_with("orterun")) {
      const int stream = ::open(fmt::format("{}fd/{}", folder, fd).c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
      const bool is = stream >= 0 && ::isatty(stream) == 1;
      if (stream >= 0) ::close(stream);
      return is;
    }
    std::string stat;
    std::getline(std::ifstream(folder + "stat"), stat);
    const auto behind_name = stat.rfind(')');  // state and parent follow
    if (behind_name == std::string::npos) return false;
    pid = std::atol(stat.c_str() + std::min(behind_name + 4, stat.size()));
  }
  return false;
}

bool is_terminal(int fd) {
  const char* terminal = std::getenv("TERM");
  return ::isatty(fd) == 1 && launcher_has_terminal(fd) && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

report::Style text_style(bool to_file) {
  report::Style style;
  winsize size{};
  const char* wanted = std::getenv("COLUMNS");
  const long columns = wanted != nullptr ? std::strtol(wanted, nullptr, 10) : 0;
  if (columns > 0)
    style.width = static_cast<unsigned>(std::min(columns, 10'000L));
  else if (!to_file && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = size.ws_col;
  style.width = std::max(style.width, 40u);
  const char* no_colour = std::getenv("NO_COLOR");
  style.colour = !to_file && (no_colour == nullptr || *no_colour == '\0') && is_terminal(STDOUT_FILENO);
  return style;
}

}  // namespace waitstate::cli
