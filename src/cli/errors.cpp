#include "cli/errors.hpp"

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "cli/output.hpp"
#include "peers/peers.hpp"
#include "report/format/output_file.hpp"
#include "util/text.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {

namespace {

std::string* told_instead = nullptr;
std::string place_among_peers;

void print(std::string_view kind, std::string_view message) {
  std::string line = is_terminal(STDERR_FILENO) ? "\r\x1b[K" : "";
  line.append("waitstate: ").append(kind).append(": ");
  line += util::printable_lines(message);  // the message may name a file, and files may have any name
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

void print_error(std::string_view message) {
  if (told_instead != nullptr)
    *told_instead = message;
  else
    print("error", message);
}
void tell_errors_to(std::string* text) { told_instead = text; }
void print_out_of_memory() {
  if (place_among_peers.empty())
    print_error("out of memory: use a machine with more memory, or analyse only a part of the trace");
  else
    print_error("out of memory in " + place_among_peers +
                ": start fewer processes on a node, use more nodes, or analyse only a part of the trace");
}
void set_place_among_peers(std::string place) { place_among_peers = std::move(place); }
void print_note(std::string_view message) { print("note", message); }

int with_errors_reported(const std::function<int()>& body) {
  const auto say = [](const char* message, ExitCode code) {
    print_error(message);
    return code;
  };
  try {
    return body();
  } catch (const report::ClosedPipe&) {
    return ok;
  } catch (const OutputError& e) {
    return say(e.what(), usage);
  } catch (const UsageError& e) {
    return say(e.what(), usage);
  } catch (const TraceError& e) {
    return say(e.what(), unreadable);
  } catch (const PatternError& e) {
    return say(e.what(), failed);
  } catch (const peers::PeerFailed& e) {
    print_error(e.what());
    return e.code;
  } catch (const std::bad_alloc&) {
    print_out_of_memory();
    return unreadable;
  } catch (const std::exception& e) {
    return say((std::string("internal error, please report it: ") + e.what()).c_str(), unreadable);
  }
}

}  // namespace waitstate::cli
