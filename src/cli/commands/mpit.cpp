// `waitstate mpit`: lists the variables and events that the MPI at hand offers through MPI_T, by category, and says
// what is missing and why.
//
// The library is queried by a program built for it (record/mpit/list.cpp), under its own launcher and in two processes,
// as a program of the user's would run: some variables are registered only there. That program and its output depend on
// the library and are not trusted: it gets a minute and 64 MiB, and its lines are checked one by one
// (record/launch/tool_listing.hpp).
//
// The file is long because each kind of listed thing has its own columns, as text and as JSON.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <map>
#include <memory>
#include <ostream>
#include <regex>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/commands/mpit.hpp"
#include "cli/output.hpp"
#include "cli/recorder_files.hpp"
#include "record/launch/command.hpp"
#include "record/launch/tool_listing.hpp"
#include "util/text.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

using Json = nlohmann::ordered_json;
using record::ToolListing;

constexpr std::size_t longest_answer = 64 << 20, longest_complaint = 1 << 16;
constexpr std::chrono::seconds longest_time(60);

struct MpitSettings {
  std::string what, mpi = "auto", match, output;
  unsigned verbosity = 9;
  bool json = false;
  std::regex matching;
};

const std::vector<std::string> mpis = {"auto", "openmpi", "mpich"};

// --- asking the library ---------------------------------------------------------------------------------------------

std::string program_for(const std::string& mpi) { return recorder_file("waitstate-mpit-" + mpi); }

std::string chosen(const std::string& mpi) {
  if (mpi != "auto") return mpi;
  const std::string by_launcher = record::mpi_of_launcher(record::find_executable("mpirun"));
  if (!by_launcher.empty() && !program_for(by_launcher).empty()) return by_launcher;
  for (const char* const other : {"openmpi", "mpich"})
    if (!program_for(other).empty()) return other;
  throw UsageError("this waitstate was built without MPI: install libopenmpi-dev or libmpich-dev and build it again");
}

// The command that runs the program under its launcher, or alone if there is no launcher.
std::vector<std::string> command_for(const std::string& mpi) {
  const std::string program = program_for(mpi);
  if (program.empty())
    throw UsageError(fmt::format("this waitstate was built without {}: install {} and build it again", mpi,
                                 record::debian_package(mpi)));
  std::string launcher;
  for (const std::string& name : {"mpirun." + mpi, std::string(mpi == "mpich" ? "mpiexec.hydra" : "orterun")})
    if (launcher.empty()) launcher = record::find_executable(name);
  if (const std::string usual = record::find_executable("mpirun");
      launcher.empty() && record::mpi_of_launcher(usual) == mpi)
    launcher = usual;
  if (launcher.empty()) return {program};
  if (mpi == "mpich") return {launcher, "-n", "2", program};
  std::vector<std::string> command = {launcher, "--oversubscribe"};
  if (geteuid() == 0) command.emplace_back("--allow-run-as-root");
  command.insert(command.end(), {"-n", "2", program});
  return command;
}

struct Answer {
  std::string out, err;
  bool in_time = true;
};

pid_t start(const std::vector<std::string>& command, int out, int err) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  setpgid(0, 0);
  if (const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  execv(words[0], words.data());
  _exit(127);
}

// Reads the program's streams to their ends, or to the limits, and then kills any process of it that is left.
Answer ask(const std::vector<std::string>& command) {
  std::array<int, 2> out{}, err{};
  if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0)
    throw UsageError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  const pid_t child = start(command, out[1], err[1]);
  close(out[1]);
  close(err[1]);
  if (child < 0) throw UsageError(fmt::format("cannot start a process: {}", std::strerror(errno)));
  Answer answer;
  std::array<pollfd, 2> streams{pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
  const auto end = std::chrono::steady_clock::now() + longest_time;
  std::vector<char> piece(65536);
  while ((streams[0].fd >= 0 || streams[1].fd >= 0) && answer.in_time) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    const int ready = left.count() > 0 ? poll(streams.data(), streams.size(), static_cast<int>(left.count())) : 0;
    if (ready < 0 && errno == EINTR) continue;
    answer.in_time = ready > 0;
    for (std::size_t i = 0; ready > 0 && i < streams.size(); ++i) {
      if (streams[i].revents == 0) continue;
      const ssize_t n = read(streams[i].fd, piece.data(), piece.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        streams[i].fd = -1;
        continue;
      }
      std::string& text = i == 0 ? answer.out : answer.err;
      text.append(piece.data(), static_cast<std::size_t>(n));
      if (i == 1 && text.size() > longest_complaint) text.resize(longest_complaint);
      if (answer.out.size() > longest_answer) answer.in_time = false;
    }
  }
  if (!answer.in_time) kill(-child, SIGKILL);
  close(out[0]);
  close(err[0]);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return answer;
}

ToolListing listing_of(const std::string& mpi) {
  const std::vector<std::string> command = command_for(mpi);
  const Answer answer = ask(command);
  ToolListing listing = record::read_tool_listing(answer.out);
  if (!listing.library.empty()) return listing;
  std::string complaint = util::printable(answer.err.substr(0, std::min<std::size_t>(answer.err.find('\n'), 200)));
  if (complaint.empty()) complaint = answer.in_time ? "it printed nothing" : "it did not end within a minute";
  throw TraceError(fmt::format("{} -n 2 {}", command.front(), command.back()),
                   fmt::format("cannot list the variables of its MPI: {}", complaint));
}

// --- what is shown --------------------------------------------------------------------------------------------------

bool shown(const MpitSettings& s, const std::string& name, unsigned verbosity = 0) {
  return verbosity <= s.verbosity && (s.match.empty() || std::regex_search(name, s.matching));
}
bool shown(const MpitSettings& s, const record::ToolEntry& entry) { return shown(s, entry.name, entry.verbosity); }
bool asked_for(const MpitSettings& s, const char* what) { return s.what.empty() || s.what == what; }

std::string plain(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return util::printable(text);
}

std::string first_line(const std::string& text) { return plain(text.substr(0, text.find('\n'))); }

std::string verbosity_name(unsigned verbosity) {
  static constexpr const char* who[] = {"user", "tuner", "MPI developer"};
  static constexpr const char* how[] = {"basic", "detail", "all"};
  if (verbosity == 0) return "verbosity unknown";
  return fmt::format("verbosity {} ({}, {})", verbosity, who[(verbosity - 1) / 3], how[(verbosity - 1) % 3]);
}

std::string binding_text(const std::string& binding) {
  return binding == "none" ? "bound to no object" : fmt::format("bound to a {}", plain(binding));
}

/// Empty if the library gives no name: the enumeration of an event names its elements, one after the other.
std::string element_name(const record::ToolEvent& e, std::size_t i) {
  return e.enumeration && i < e.enumeration->items.size() ? e.enumeration->items[i].second : std::string();
}

class Text {
 public:
  Text(std::ostream& out, const ToolListing& l, const MpitSettings& s) : out_(out), l_(l), s_(s) {}

  void print() {
    header();
    for (const auto& [index, c] : l_.categories) category(c);
    rest();
    if (asked_for(s_, "events")) sources();
    const std::vector<std::string> missing = record::missing(l_);
    std::string all;
    for (const std::string& clause : missing) all += (all.empty() ? "" : "; ") + plain(clause);
    out_ << (missing.empty() ? "\nNothing is missing.\n" : "\nMissing: " + all + "\n");
  }

 private:
  void header() {
    out_ << first_line(l_.library) << " (MPI " << plain(l_.standard)
         << "): " << util::count(static_cast<std::int64_t>(l_.cvars.size()), "control variable", "control variables")
         << ", "
         << util::count(static_cast<std::int64_t>(l_.pvars.size()), "performance variable", "performance variables")
         << ", " << util::count(static_cast<std::int64_t>(l_.events.size()), "event", "events") << ", "
         << util::count(static_cast<std::int64_t>(l_.categories.size()), "category", "categories") << '\n';
  }

  void category(const record::ToolCategory& c) {
    const std::string title = "\n" + plain(c.name) + (c.description.empty() ? "" : ": " + plain(c.description)) + "\n";
    if (s_.what == "categories") {
      if (!shown(s_, c.name)) return;
      out_ << title << fmt::format("  {} cvars, {} pvars, {} events", c.cvars.size(), c.pvars.size(), c.events.size());
      std::string within;
      for (const std::uint64_t i : c.categories)
        if (const auto at = l_.categories.find(i); at != l_.categories.end())
          within += (within.empty() ? "; in it: " : ", ") + plain(at->second.name);
      out_ << within << '\n';
      return;
    }
    title_ = title;
    // An empty category is listed too, since the library has it.
    if (s_.what.empty() && s_.match.empty() && s_.verbosity == 9) begin();
    each(c.cvars, l_.cvars, "cvars", seen_[0]);
    each(c.pvars, l_.pvars, "pvars", seen_[1]);
    each(c.events, l_.events, "events", seen_[2]);
  }

  void rest() {
    if (s_.what == "categories") return;
    title_ = "\nIn no category\n";
    left(l_.cvars, "cvars", seen_[0]);
    left(l_.pvars, "pvars", seen_[1]);
    left(l_.events, "events", seen_[2]);
  }

  void begin() {
    out_ << title_;
    title_.clear();
  }

  template <class Map>
  void each(const std::vector<std::uint64_t>& indices, const Map& entries, const char* what,
            std::vector<std::uint64_t>& seen) {
    for (const std::uint64_t i : indices)
      if (const auto at = entries.find(i); at != entries.end()) {
        seen.push_back(i);
        if (asked_for(s_, what) && shown(s_, at->second)) entry(at->second);
      }
  }
  template <class Map>
  void left(const Map& entries, const char* what, std::vector<std::uint64_t>& seen) {
    std::sort(seen.begin(), seen.end());
    for (const auto& [index, e] : entries)
      if (asked_for(s_, what) && shown(s_, e) && !std::binary_search(seen.begin(), seen.end(), index)) entry(e);
  }

  void entry(const record::ControlVariable& v) {
    begin();
    const std::string value = v.why_not.empty() ? plain(v.value) : "";
    out_ << "  cvar " << plain(v.name) << (v.why_not.empty() ? " = " + value : "") << item(v) << '\n';
    about(v, plain(v.type) + ", " + binding_text(v.binding) + ", scope " + plain(v.scope));
    if (!v.why_not.empty()) out_ << "       no value: " << plain(v.why_not) << '\n';
  }
  void entry(const record::PerformanceVariable& v) {
    begin();
    out_ << "  pvar " << plain(v.name) << '\n';
    about(v, "class " + plain(v.kind) + ", " + plain(v.type) + ", " + binding_text(v.binding) +
                 (v.readonly ? ", readonly" : "") + (v.continuous ? ", continuous" : "") +
                 (v.atomic ? ", atomic" : ""));
  }
  void entry(const record::ToolEvent& e) {
    begin();
    out_ << "  event " << plain(e.name) << '\n';
    std::string elements;
    for (std::size_t i = 0; i < e.elements.size(); ++i)
      elements += fmt::format("{}{}{} at {}", i == 0 ? "" : ", ",
                              element_name(e, i).empty() ? "" : plain(element_name(e, i)) + ' ',
                              plain(e.elements[i].first), e.elements[i].second);
    about(e, binding_text(e.binding) + (elements.empty() ? ", no elements" : ", elements " + elements), false);
  }

  // The meaning of a value that has a name.
  static std::string item(const record::ControlVariable& v) {
    if (v.enumeration && v.why_not.empty())
      for (const auto& [number, name] : v.enumeration->items)
        if (std::to_string(number) == v.value) return " (" + plain(name) + ")";
    return "";
  }

  void about(const record::ToolEntry& e, const std::string& properties, bool has_values = true) {
    out_ << "       " << properties << ", " << verbosity_name(e.verbosity) << '\n';
    if (e.enumeration && has_values) {
      std::string items;
      for (const auto& [number, name] : e.enumeration->items)
        items += fmt::format("{}{} {}", items.empty() ? "" : ", ", number, plain(name));
      out_ << "       values of " << plain(e.enumeration->name) << ": " << items << '\n';
    }
    if (!e.description.empty()) out_ << "       " << plain(e.description) << '\n';
  }

  void sources() {
    for (const auto& [index, source] : l_.sources) {
      if (!shown(s_, source.name)) continue;
      out_ << "\nSource of events " << plain(source.name) << ": " << (source.ordered ? "ordered" : "unordered")
           << fmt::format(", {} ticks a second, up to {}\n", source.ticks, source.last);
      if (!source.description.empty()) out_ << "  " << plain(source.description) << '\n';
    }
  }

  std::ostream& out_;
  const ToolListing& l_;
  const MpitSettings& s_;
  std::string title_;  // not printed yet
  std::array<std::vector<std::uint64_t>, 3> seen_;
};

// --- JSON -----------------------------------------------------------------------------------------------------------

template <class T>
bool take(std::string_view word, Json& to) {
  T n{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (error != std::errc{} || end != word.data() + word.size()) return false;
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(n)) return false;
  to = n;
  return true;
}

Json number(std::string_view word) {
  Json n;
  if (take<std::int64_t>(word, n) || take<std::uint64_t>(word, n) || take<double>(word, n)) return n;
  return std::string(word);
}

Json value(const record::ControlVariable& v) {
  if (!v.why_not.empty()) return nullptr;
  if (v.type == "MPI_CHAR" || v.type == "MPI_BYTE") return v.value;
  if (v.value.find(',') == std::string::npos) return v.value.empty() ? Json::array() : number(v.value);
  Json all = Json::array();
  for (std::string_view rest = v.value; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    all.push_back(number(word));
  }
  return all;
}

Json common(const record::ToolEntry& e, std::vector<std::string> categories) {
  Json j = {{"name", e.name},
            {"categories", std::move(categories)},
            {"verbosity", e.verbosity == 0 ? Json() : Json(e.verbosity)},
            {"binding", e.binding},
            {"description", e.description},
            {"enumeration", nullptr}};
  if (!e.type.empty()) j["type"] = e.type;
  if (e.enumeration) {
    Json items = Json::array();
    for (const auto& [number, name] : e.enumeration->items) items.push_back({{"value", number}, {"name", name}});
    j["enumeration"] = {{"name", e.enumeration->name}, {"items", std::move(items)}};
  }
  return j;
}

template <class Map>
Json names(const std::vector<std::uint64_t>& indices, const Map& entries) {
  Json all = Json::array();
  for (const std::uint64_t i : indices)
    if (const auto at = entries.find(i); at != entries.end()) all.push_back(at->second.name);
  return all;
}

class JsonListing {
 public:
  JsonListing(const ToolListing& l, const MpitSettings& s) : l_(l), s_(s) {
    for (const auto& [index, c] : l.categories) {
      for (const std::uint64_t i : c.cvars) of_cvar_[i].push_back(c.name);
      for (const std::uint64_t i : c.pvars) of_pvar_[i].push_back(c.name);
      for (const std::uint64_t i : c.events) of_event_[i].push_back(c.name);
    }
  }

  Json all(const std::string& mpi) {
    Json j = {{"mpi", mpi}, {"library", l_.library}, {"standard", l_.standard}};
    if (asked_for(s_, "categories")) j["categories"] = categories();
    if (asked_for(s_, "cvars"))
      j["cvars"] = listed(l_.cvars, of_cvar_, [](Json& o, const record::ControlVariable& v) {
        o["scope"] = v.scope;
        o["value"] = value(v);
        o["no_value"] = v.why_not.empty() ? Json() : Json(v.why_not);
      });
    if (asked_for(s_, "pvars"))
      j["pvars"] = listed(l_.pvars, of_pvar_, [](Json& o, const record::PerformanceVariable& v) {
        o["class"] = v.kind;
        o["readonly"] = v.readonly;
        o["continuous"] = v.continuous;
        o["atomic"] = v.atomic;
      });
    if (asked_for(s_, "events")) {
      j["events"] = listed(l_.events, of_event_, [](Json& o, const record::ToolEvent& e) {
        o["elements"] = Json::array();
        for (std::size_t i = 0; i < e.elements.size(); ++i) {
          const std::string name = element_name(e, i);
          o["elements"].push_back({{"name", name.empty() ? Json() : Json(name)},
                                   {"type", e.elements[i].first},
                                   {"displacement", e.elements[i].second}});
        }
      });
      j["sources"] = sources();
    }
    j["missing"] = record::missing(l_);
    return j;
  }

 private:
  using Names = std::map<std::uint64_t, std::vector<std::string>>;

  template <class Entry, class More>
  Json listed(const std::map<std::uint64_t, Entry>& entries, const Names& categories, More more) const {
    Json all = Json::array();
    for (const auto& [index, e] : entries) {
      if (!shown(s_, e)) continue;
      const auto at = categories.find(index);
      Json o = common(e, at == categories.end() ? std::vector<std::string>{} : at->second);
      more(o, e);
      all.push_back(std::move(o));
    }
    return all;
  }

  Json categories() const {
    Json all = Json::array();
    for (const auto& [index, c] : l_.categories)
      if (s_.what.empty() || shown(s_, c.name))
        all.push_back({{"name", c.name},
                       {"description", c.description},
                       {"cvars", names(c.cvars, l_.cvars)},
                       {"pvars", names(c.pvars, l_.pvars)},
                       {"events", names(c.events, l_.events)},
                       {"categories", names(c.categories, l_.categories)}});
    return all;
  }

  Json sources() const {
    Json all = Json::array();
    for (const auto& [index, source] : l_.sources)
      if (shown(s_, source.name))
        all.push_back({{"name", source.name},
                       {"description", source.description},
                       {"order", source.ordered ? "ordered" : "unordered"},
                       {"ticks_per_second", source.ticks},
                       {"max_ticks", source.last}});
    return all;
  }

  const ToolListing& l_;
  const MpitSettings& s_;
  Names of_cvar_, of_pvar_, of_event_;
};

}  // namespace

const std::vector<std::string>& mpit_lists() {
  static const std::vector<std::string> lists = {"cvars", "pvars", "categories", "events"};
  return lists;
}

void add_mpit(CLI::App& app, Commands& commands) {
  Command& command =
      add_command(app, commands, "mpit", "List the variables and events that the MPI library offers to tools",
                  "  waitstate mpit --verbosity 3\n"
                  "  waitstate mpit pvars --mpi mpich\n"
                  "  waitstate mpit cvars --match eager --json",
                  {}, false);
  const auto settings = std::make_shared<MpitSettings>();
  CLI::App& options = *command.options;
  options
      .add_option("LIST", settings->what,
                  "cvars (control variables), pvars (performance variables), categories or events (default: all)")
      ->type_name("");
  add_choice(options, "--mpi", settings->mpi, mpis,
             "the MPI library to ask (default: auto, the one that mpirun belongs to)");
  options
      .add_option("--verbosity", settings->verbosity,
                  "level of detail: for users (1 to 3), for tuners (up to 6), for developers of MPI (up to 9, the "
                  "default)")
      ->type_name("N");
  options.add_option("--match", settings->match, "list only names that match this regular expression")
      ->type_name("REGEX");
  options.add_flag("--json", settings->json, "write JSON");
  add_output(command, settings->output);
  command.check = [settings] {
    check_word("MPI", settings->mpi, mpis);
    if (!settings->what.empty() &&
        std::find(mpit_lists().begin(), mpit_lists().end(), settings->what) == mpit_lists().end())
      throw UsageError(
          fmt::format("there is no list '{}'{}", settings->what, did_you_mean(settings->what, mpit_lists())));
    if (settings->verbosity < 1 || settings->verbosity > 9)
      throw UsageError("--verbosity: expected a number from 1 to 9, the levels of MPI");
    try {
      settings->matching = std::regex(settings->match);
    } catch (const std::regex_error&) {
      throw UsageError(fmt::format("--match: '{}' is not a regular expression", settings->match));
    }
  };
  command.body = [settings] {
    const std::string mpi = chosen(settings->mpi);
    const ToolListing listing = listing_of(mpi);
    Output output(settings->output);
    if (settings->json)
      output.stream()
          << util::printable_json(
                 JsonListing(listing, *settings).all(mpi).dump(1, ' ', false, Json::error_handler_t::replace))
          << '\n';
    else
      Text(output.stream(), listing, *settings).print();
    output.commit();
    return 0;
  };
}

}  // namespace waitstate::cli
