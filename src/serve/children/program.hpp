// A command of waitstate in a process of its own, as if a user had started it: so its options, its errors and its
// reports are those of the command line, and nothing that happens in it - a damaged trace, a crash, memory that runs
// out - happens to the server.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "serve/http/descriptor.hpp"
#include "serve/http/loop.hpp"

namespace waitstate::serve {

/// The descriptor at which a program finds a pipe for lines about its progress (--progress-fd), and the first of those
/// of files that it is given.
inline constexpr int progress_fd = 3, first_file_fd = 4;

struct ProgramEnd {
  int exit_code = -1;   ///< -1: a signal ended it
  std::string error{};  ///< its errors, as sentences; "" if there were none
  std::vector<std::string> notes{};
};

struct ProgramStart {
  std::string file;                                  ///< the program
  std::vector<std::string> arguments;                ///< without its name
  std::shared_ptr<Descriptor> output;                ///< its standard output; null: none
  std::vector<std::shared_ptr<Descriptor>> files{};  ///< open in the program, from first_file_fd on
  std::function<void(std::string_view line)> progress{};
  std::function<void(const ProgramEnd&)> ended{};
};

class Program {
 public:
  Program(Loop& loop, ProgramStart start);
  /// Kills it, and does not call `ended`.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Asks it to end, and ends it if it has not done so after a third of a second.
  void stop();

 private:
  void launch();
  void read_progress();
  void read_errors();
  void finish();

  Loop& loop_;
  ProgramStart start_;
  pid_t pid_ = -1;
  Descriptor process_, errors_, progress_;
  Loop::HandlePtr on_process_, on_errors_, on_progress_, late_;
  std::string error_text_, progress_text_;
};

/// Opens an address with the desktop's browser; nothing happens where there is none.
void open_in_browser(const std::string& address);

/// A file without a name, which is gone when nobody has it open. Throws OutputError.
std::shared_ptr<Descriptor> nameless_file();

}  // namespace waitstate::serve
