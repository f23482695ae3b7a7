#include "cli/errors.hpp"

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "cli/output.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {

void print_error(std::string_view message) {
  std::string line = ::isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "";
  line.append("waitstate: error: ").append(message).append("\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

int with_errors_reported(const std::function<int()>& body) {
  const auto report = [](const char* message, ExitCode code) {
    print_error(message);
    return code;
  };
  try {
    return body();
  } catch (const ClosedPipe&) {
    return ok;
  } catch (const OutputError& e) {
    return report(e.what(), usage);
  } catch (const UsageError& e) {
    return report(e.what(), usage);
  } catch (const TraceError& e) {
    return report(e.what(), unreadable);
  } catch (const PatternError& e) {
    return report(e.what(), failed);
  } catch (const std::bad_alloc&) {
    return report("out of memory: run it on a machine with more, or on a part of the trace", unreadable);
  } catch (const std::exception& e) {
    return report((std::string("internal error, please report it: ") + e.what()).c_str(), unreadable);
  }
}

}  // namespace waitstate::cli
