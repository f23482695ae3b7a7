#include "serve/children/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "serve/children/fork.hpp"
#include "waitstate/error.hpp"

namespace waitstate::serve {
namespace {

constexpr std::size_t most_error_bytes = 65'536, most_line_bytes = 65'536;
constexpr std::chrono::milliseconds patience{300};

/// Appends what can be read; false at the end.
bool read_available(int fd, std::string& text) {
  std::array<char, 16384> piece;
  for (;;) {
    const ssize_t n = ::read(fd, piece.data(), piece.size());
    if (n > 0) {
      text.append(piece.data(), static_cast<std::size_t>(n));
      continue;
    }
    if (n < 0 && errno == EINTR) continue;
    return n < 0 && errno == EAGAIN;
  }
}

/// Takes "waitstate: error: …" and "waitstate: note: …" apart; lines that follow one belong to it.
void explain(std::string_view text, ProgramEnd& end) {
  constexpr std::string_view error = "waitstate: error: ", note = "waitstate: note: ";
  std::string other;
  std::string* current = &other;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with(error)) {
      line.remove_prefix(error.size());
      current = &end.error;
    } else if (line.starts_with(note)) {
      line.remove_prefix(note.size());
      current = &end.notes.emplace_back();
    }
    if (!current->empty()) current->push_back(' ');
    current->append(line);
  }
  if (end.error.empty() && end.exit_code > 1) end.error = other;
}

}  // namespace

std::shared_ptr<Descriptor> nameless_file() {
  std::error_code error;
  const std::string folder = std::filesystem::temp_directory_path(error).string();
  const int fd = ::open(folder.empty() ? "/tmp" : folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return std::make_shared<Descriptor>(fd);
  std::string name = (folder.empty() ? "/tmp" : folder) + "/waitstate-XXXXXX";  // not all file systems can do that
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named < 0)
    throw OutputError(
        fmt::format("cannot make a file in {}: {}; set TMPDIR to a folder with room", folder, std::strerror(errno)));
  ::unlink(name.c_str());
  return std::make_shared<Descriptor>(named);
}

void open_in_browser(const std::string& address) {
  const pid_t server = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    become_child(server);
    if (::fork() != 0) ::_exit(0);  // the browser is nobody's child: it stays when the server ends
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, fd);
    ::close_range(STDERR_FILENO + 1, ~0U, 0);
    ::execlp("xdg-open", "xdg-open", address.c_str(), nullptr);
    ::_exit(1);
  }
  if (child > 0)
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
}

Program::Program(Loop& loop, ProgramStart start) : loop_(loop), start_(std::move(start)) { launch(); }

void Program::launch() {
  std::array<int, 2> errors{}, progress{};
  if (::pipe2(errors.data(), O_CLOEXEC) != 0) throw OutputError(std::strerror(errno));
  errors_ = Descriptor(errors[0]);
  Descriptor error_end(errors[1]);
  if (::pipe2(progress.data(), O_CLOEXEC) != 0) throw OutputError(std::strerror(errno));
  progress_ = Descriptor(progress[0]);
  Descriptor progress_end(progress[1]);
  for (const int fd : {errors_.get(), progress_.get()}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  std::vector<char*> words;
  std::string name = "waitstate";
  words.push_back(name.data());
  for (std::string& word : start_.arguments) words.push_back(word.data());
  words.push_back(nullptr);
  const int output = start_.output ? start_.output->get() : -1;
  const pid_t server = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) {
    become_child(server);
    // First all go where none of their final numbers is, then to these.
    constexpr int above = 64;
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    std::vector<int> wanted{nothing, output >= 0 ? output : nothing, error_end.get(), progress_end.get()};
    for (const auto& file : start_.files) wanted.push_back(file->get());
    for (int& fd : wanted) fd = ::fcntl(fd, F_DUPFD, above);
    for (std::size_t i = 0; i < wanted.size(); ++i) ::dup2(wanted[i], static_cast<int>(i));
    ::close_range(static_cast<unsigned>(wanted.size()), ~0U, 0);
    ::execvp(start_.file.c_str(), words.data());
    const std::string why = fmt::format("waitstate: error: cannot start {}: {}\n", start_.file, std::strerror(errno));
    (void)!::write(STDERR_FILENO, why.data(), why.size());
    ::_exit(2);
  }
  if (pid_ < 0) throw OutputError(fmt::format("cannot start another process: {}", std::strerror(errno)));
  process_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  on_errors_ = loop_.when_readable(errors_.get(), [this] { read_errors(); });
  on_progress_ = loop_.when_readable(progress_.get(), [this] { read_progress(); });
  on_process_ = loop_.when_readable(process_.get(), [this] { finish(); });
}

Program::~Program() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Program::stop() {
  if (pid_ < 0 || late_) return;
  ::kill(pid_, SIGTERM);
  late_ = loop_.after(patience, [this] {
    if (pid_ >= 0) ::kill(pid_, SIGKILL);
  });
}

void Program::read_progress() {
  if (!read_available(progress_.get(), progress_text_)) on_progress_.reset();
  std::string_view rest = progress_text_;
  for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    if (start_.progress) start_.progress(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  progress_text_ = rest.size() > most_line_bytes ? std::string() : std::string(rest);
}

void Program::read_errors() {
  if (!read_available(errors_.get(), error_text_)) on_errors_.reset();
  if (error_text_.size() > most_error_bytes) error_text_.resize(most_error_bytes);
}

void Program::finish() {
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return;
  pid_ = -1;
  read_progress();
  read_errors();
  on_process_.reset(), on_errors_.reset(), on_progress_.reset(), late_.reset();
  ProgramEnd end;
  if (WIFEXITED(status)) end.exit_code = WEXITSTATUS(status);
  explain(error_text_, end);
  if (end.exit_code < 0 && end.error.empty()) end.error = fmt::format("it was ended by signal {}", WTERMSIG(status));
  if (const auto ended = std::move(start_.ended)) ended(end);
}

}  // namespace waitstate::serve
