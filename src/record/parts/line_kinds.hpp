// The description of a process, which it writes while it is recorded: lines of text in its part,
// FOLDER/parts/PROCESS.def. This file declares the kinds of lines, for the recorder that writes them and for the
// merging that reads them (part_lines.hpp).
//
// A line is written with one call as soon as what it says is so: a process that is killed leaves whole lines. The same
// lines are merged at the end of a run, and by `waitstate recover` after it (merge.hpp).
//
// Each kind is a struct with its word and its fields, in the order of the line; line_of() writes it and read_line()
// reads it. The text above a struct is an example. Members named `number` are the process's own numbers of what the
// line defines, and others refer to these; ranks are those in MPI_COMM_WORLD; times are those of the process's clock.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "record/parts/lines.hpp"

namespace waitstate::record {

/// Object of the MPI library that a name or a metric belongs to. `comms` and `wins`: all those that have no metric of
/// their own.
enum class ObjectKind : std::uint8_t { none, comm, comms, win, wins };
/// Records that were left out while recording was off.
enum class UnrecordedKind : std::uint8_t { send, receive, collective };
/// A location is a thread, or a stream of metrics that are recorded beside the program.
enum class LocationKind : std::uint8_t { thread, metric };

/// `waitstate-record  1` is the first line.
struct FormatLine {
  static constexpr std::string_view word = "waitstate-record";
  static constexpr std::string_view current = "1";
  std::string version{current};
  static constexpr auto fields = std::tuple(&FormatLine::version);
};

/// `process  0  4  host  boot/0  p2p  4711  mpi  1048576`
struct ProcessLine {
  static constexpr std::string_view word = "process";
  std::uint64_t rank = 0, size = 0;  ///< size: number of processes
  std::string host, node, program;   ///< node: processes with the same one have the same clock
  std::uint64_t pid = 0;
  std::string paradigm;           ///< "mpi", "shmem" or "threads"
  std::uint64_t chunk_bytes = 0;  ///< bytes of a chunk of the event files
  static constexpr auto fields =
      std::tuple(&ProcessLine::rank, &ProcessLine::size, &ProcessLine::host, &ProcessLine::node, &ProcessLine::program,
                 &ProcessLine::pid, &ProcessLine::paradigm, &ProcessLine::chunk_bytes);
};

/// `date  7680809465180  1764288000000000000`
struct DateLine {
  static constexpr std::string_view word = "date";
  std::uint64_t time = 0, since_1970 = 0;  ///< the same moment; since_1970: in nanoseconds
  static constexpr auto fields = std::tuple(&DateLine::time, &DateLine::since_1970);
};

/// `location  0  Master thread` or `location  3  MPI_T nic  metric`
struct LocationLine {
  static constexpr std::string_view word = "location";
  std::uint32_t number = 0;
  std::string name;
  LocationKind kind = LocationKind::thread;
  static constexpr auto fields = std::tuple(&LocationLine::number, &LocationLine::name, &LocationLine::kind);
};

/// `clock_of  3  17250000  768080946518  35` is about a stream with a clock of its own.
struct ClockOfLine {
  static constexpr std::string_view word = "clock_of";
  std::uint32_t location = 0;
  std::uint64_t time = 0;       ///< time of the measurement, by the clock of the stream
  std::int64_t offset = 0;      ///< difference to the clock of this process
  std::uint64_t deviation = 0;  ///< greatest error of the offset
  static constexpr auto fields =
      std::tuple(&ClockOfLine::location, &ClockOfLine::time, &ClockOfLine::offset, &ClockOfLine::deviation);
};

/// `events  0  1904  7680809465180  7681329791441` says what of a location is in its file; the last such line holds.
struct EventsLine {
  static constexpr std::string_view word = "events";
  std::uint32_t location = 0;
  std::uint64_t records = 0, first = 0, last = 0;  ///< number of records, time of the first and of the last
  static constexpr auto fields =
      std::tuple(&EventsLine::location, &EventsLine::records, &EventsLine::first, &EventsLine::last);
};

/// `string  0  p2p`
struct StringLine {
  static constexpr std::string_view word = "string";
  std::uint32_t number = 0;
  std::string text;
  static constexpr auto fields = std::tuple(&StringLine::number, &StringLine::text);
};

/// `region  0  MPI_Send  4  28`
struct RegionLine {
  static constexpr std::string_view word = "region";
  std::uint32_t number = 0;
  std::string name;
  std::uint8_t paradigm = 0, role = 0;  ///< values of OTF2_Paradigm and OTF2_RegionRole
  static constexpr auto fields =
      std::tuple(&RegionLine::number, &RegionLine::name, &RegionLine::paradigm, &RegionLine::role);
};

/// `comm  2  W.0/0  MPI_COMM_WORLD_dup  0  4  1  0,1,2,3`
struct CommLine {
  static constexpr std::string_view word = "comm";
  std::uint32_t number = 0;
  std::string identity, name;  ///< identity: the same in all its processes
  std::optional<std::uint32_t> parent{};
  std::uint64_t size = 0, rank = 0;  ///< rank: own rank in it
  Numbers members{};                 ///< empty: other processes know them
  static constexpr auto fields = std::tuple(&CommLine::number, &CommLine::identity, &CommLine::name, &CommLine::parent,
                                            &CommLine::size, &CommLine::rank, &CommLine::members);
};

/// `inter  3  W.1/0  name  0  0,1  2,3` defines an inter-communicator, with a number of a communicator.
struct InterLine {
  static constexpr std::string_view word = "inter";
  std::uint32_t number = 0;
  std::string identity, name;
  std::optional<std::uint32_t> parent{};
  Numbers members{}, members_b{};  ///< members of both groups
  static constexpr auto fields = std::tuple(&InterLine::number, &InterLine::identity, &InterLine::name,
                                            &InterLine::parent, &InterLine::members, &InterLine::members_b);
};

/// `meets  3  7  W.0/0  0  2  1` belongs to an inter-communicator that two groups have made, each of which has given it
/// an identity of its own; what they have in common stands here (identities.hpp). Members that do not lead their group
/// do not know it: their `peer` is empty.
struct MeetsLine {
  static constexpr std::string_view word = "meets";
  std::uint32_t comm = 0;
  std::int64_t tag = 0;
  std::string peer;                     ///< identity of the communicator in which the leaders met
  std::uint64_t leader = 0, other = 0;  ///< ranks of the own and of the other leader
  std::uint32_t thread = 0;             ///< number of the location that called
  static constexpr auto fields = std::tuple(&MeetsLine::comm, &MeetsLine::tag, &MeetsLine::peer, &MeetsLine::leader,
                                            &MeetsLine::other, &MeetsLine::thread);
};

/// `alias  4  W.p0  persistent 0  0` has the members of communicator 0, and a number of a communicator. What a
/// persistent operation does is recorded in one of its own, so that it pairs with its like, in whatever order such
/// operations are started.
struct AliasLine {
  static constexpr std::string_view word = "alias";
  std::uint32_t number = 0;
  std::string identity, name;  ///< name: what follows that of the communicator
  std::uint32_t comm = 0;
  static constexpr auto fields =
      std::tuple(&AliasLine::number, &AliasLine::identity, &AliasLine::name, &AliasLine::comm);
};

/// `team  5  3  0,1,2` defines a team of threads, with a number of a communicator.
struct TeamLine {
  static constexpr std::string_view word = "team";
  std::uint32_t number = 0;
  std::uint8_t paradigm = 0;  ///< a value of OTF2_Paradigm
  Numbers threads{};          ///< empty for POSIX threads: all, because they are created as the process runs
  static constexpr auto fields = std::tuple(&TeamLine::number, &TeamLine::paradigm, &TeamLine::threads);
};

/// `group  0  1,2`
struct GroupLine {
  static constexpr std::string_view word = "group";
  std::uint32_t number = 0;
  Numbers ranks{};
  static constexpr auto fields = std::tuple(&GroupLine::number, &GroupLine::ranks);
};

/// `win  0  W.w0  MPI_Win_allocate  0`
struct WinLine {
  static constexpr std::string_view word = "win";
  std::uint32_t number = 0;
  std::string identity, name;
  std::uint32_t comm = 0;
  static constexpr auto fields = std::tuple(&WinLine::number, &WinLine::identity, &WinLine::name, &WinLine::comm);
};

/// `cart  2  4,2  1,0  3,1  7`
struct CartLine {
  static constexpr std::string_view word = "cart";
  std::uint32_t comm = 0;
  Numbers sizes{}, periodic{}, coordinates{};  ///< one for each dimension; coordinates: own place
  std::uint32_t rank = 0;                      ///< own rank in the communicator
  static constexpr auto fields =
      std::tuple(&CartLine::comm, &CartLine::sizes, &CartLine::periodic, &CartLine::coordinates, &CartLine::rank);
};

/// `sources  2  1,3` says from where a process receives in the graph of a communicator.
struct SourcesLine {
  static constexpr std::string_view word = "sources";
  std::uint32_t comm = 0;
  Numbers sources{};  ///< ranks in the communicator
  static constexpr auto fields = std::tuple(&SourcesLine::comm, &SourcesLine::sources);
};

/// `metric  0  unexpected_msgq_length  #  text  3  5  comm  2`
struct MetricLine {
  static constexpr std::string_view word = "metric";
  std::uint32_t number = 0;
  std::string name, unit, description;
  std::uint8_t mode = 0, type = 0;  ///< values of OTF2_MetricMode and OTF2_Type
  ObjectKind object_kind = ObjectKind::none;
  std::optional<std::uint32_t> object{};  ///< number of the communicator or window
  static constexpr auto fields =
      std::tuple(&MetricLine::number, &MetricLine::name, &MetricLine::unit, &MetricLine::description, &MetricLine::mode,
                 &MetricLine::type, &MetricLine::object_kind, &MetricLine::object);
};

/// `sampled  0  3` says which stream records a metric.
struct SampledLine {
  static constexpr std::string_view word = "sampled";
  std::uint32_t metric = 0, location = 0;
  static constexpr auto fields = std::tuple(&SampledLine::metric, &SampledLine::location);
};

/// `cvar  btl_tcp_eager_limit  65536` is a setting of the MPI library.
struct CvarLine {
  static constexpr std::string_view word = "cvar";
  std::string name, value;
  static constexpr auto fields = std::tuple(&CvarLine::name, &CvarLine::value);
};

/// `name  comm  2  halo` is a later name of a communicator or window.
struct NameLine {
  static constexpr std::string_view word = "name";
  ObjectKind kind = ObjectKind::comm;
  std::uint32_t object = 0;
  std::string name;
  static constexpr auto fields = std::tuple(&NameLine::kind, &NameLine::object, &NameLine::name);
};

/// `clock  7680809465180  -120  35`
struct ClockLine {
  static constexpr std::string_view word = "clock";
  std::uint64_t time = 0;       ///< time of the measurement
  std::int64_t offset = 0;      ///< difference to the clock of rank 0
  std::uint64_t deviation = 0;  ///< greatest error of the offset
  static constexpr auto fields = std::tuple(&ClockLine::time, &ClockLine::offset, &ClockLine::deviation);
};

/// Prefix of the names of properties that count calls which returned an error, followed by the function's name.
inline constexpr std::string_view error_prefix = "WAITSTATE::ERRORS::";
/// Text behind it where the functions are not known one by one.
inline constexpr std::string_view further_functions = "further functions";

/// `property  OPENMP_RUNTIME  libomp` belongs to the process.
struct PropertyLine {
  static constexpr std::string_view word = "property";
  std::string name, text;
  static constexpr auto fields = std::tuple(&PropertyLine::name, &PropertyLine::text);
};

/// `left_out  pthread,io,other` names the groups of calls that are not recorded.
struct LeftOutLine {
  static constexpr std::string_view word = "left_out";
  std::string groups;
  static constexpr auto fields = std::tuple(&LeftOutLine::groups);
};

/// `left_out_called  io` names groups that are not recorded, and of which the program has called something.
struct LeftOutCalledLine {
  static constexpr std::string_view word = "left_out_called";
  std::string groups;
  static constexpr auto fields = std::tuple(&LeftOutCalledLine::groups);
};

/// `unrecorded  receive  2  1  7  3`: three messages were received in communicator 2 from rank 1, with tag 7, while
/// recording was off. Of collective operations, which have neither peer nor tag, these are 0.
struct UnrecordedLine {
  static constexpr std::string_view word = "unrecorded";
  UnrecordedKind kind{};
  std::uint32_t comm = 0, peer = 0, tag = 0;
  std::uint64_t count = 0;
  static constexpr auto fields = std::tuple(&UnrecordedLine::kind, &UnrecordedLine::comm, &UnrecordedLine::peer,
                                            &UnrecordedLine::tag, &UnrecordedLine::count);
};

/// `waits  0  7680809465180  3  receive  2  1  7` says what the open call of an ended run waits for, and
/// `waits  1  7680809465180  9  pthread_lock  0  -1  -1` the same of a lock of threads. No process writes such a line
/// itself: `recover` adds it from what a process left in its tails (tails.hpp).
struct WaitsLine {
  static constexpr std::string_view word = "waits";
  std::uint32_t location = 0;
  std::uint64_t since = 0;
  std::uint32_t region = 0;        ///< number of that of the call
  std::string what;                ///< one of waiting_names, such as "probe"
  std::uint32_t object = 0;        ///< number of the communicator, of the window, or of the lock of threads
  std::int64_t peer = 0, tag = 0;  ///< rank in the communicator or window, and tag; -1: any, or none
  static constexpr auto fields = std::tuple(&WaitsLine::location, &WaitsLine::since, &WaitsLine::region,
                                            &WaitsLine::what, &WaitsLine::object, &WaitsLine::peer, &WaitsLine::tag);
};

/// `end`: the process came to its end.
struct EndLine {
  static constexpr std::string_view word = "end";
  static constexpr auto fields = std::tuple();
};

/// `ended  7681329791441`: the process did not come to its end, but was ended at that time.
struct EndedLine {
  static constexpr std::string_view word = "ended";
  std::uint64_t time = 0;
  static constexpr auto fields = std::tuple(&EndedLine::time);
};

/// A line of any kind behind the first two of a part, which are a FormatLine and a ProcessLine. A line with a word that
/// is unknown is a std::monostate.
using AnyLine = std::variant<std::monostate, DateLine, LocationLine, ClockOfLine, EventsLine, StringLine, RegionLine,
                             CommLine, InterLine, MeetsLine, AliasLine, TeamLine, GroupLine, WinLine, CartLine,
                             SourcesLine, MetricLine, SampledLine, CvarLine, NameLine, ClockLine, PropertyLine,
                             LeftOutLine, LeftOutCalledLine, UnrecordedLine, WaitsLine, EndLine, EndedLine>;

template <class Line>
concept LineKind = requires {
  Line::word;
  Line::fields;
};

// ---- fields that only these lines have ----

inline constexpr std::array<std::string_view, 5> object_kinds{"", "comm", "comms", "win", "wins"};

inline constexpr std::array<std::string_view, 3> unrecorded_kinds{"send", "receive", "collective"};

inline void append_field(std::string& line, ObjectKind kind) {
  append_field(line, object_kinds[static_cast<std::size_t>(kind)]);
}
inline void append_field(std::string& line, UnrecordedKind kind) {
  append_field(line, unrecorded_kinds[static_cast<std::size_t>(kind)]);
}
template <class Kind, std::size_t n>
bool read_kind(const std::array<std::string_view, n>& names, std::string_view text, Kind& to) {
  for (std::size_t i = 0; i < n; ++i)
    if (names[i] == text) {
      to = static_cast<Kind>(i);
      return true;
    }
  return false;
}
inline bool read_field(std::string_view text, ObjectKind& to) { return read_kind(object_kinds, text, to); }
inline bool read_field(std::string_view text, UnrecordedKind& to) { return read_kind(unrecorded_kinds, text, to); }

/// A thread has no such field.
inline void append_field(std::string& line, LocationKind kind) {
  if (kind == LocationKind::metric) append_field(line, "metric");
}

/// Reads the first of the fields that are left.
template <class Value>
bool take_field(std::span<std::string>& left, Value& to) {
  if (left.empty()) return false;
  std::string& text = left.front();
  left = left.subspan(1);
  return read_field(std::move(text), to);
}
inline bool take_field(std::span<std::string>& left, LocationKind& to) {
  to = left.empty() ? LocationKind::thread : LocationKind::metric;
  std::string text;
  return left.empty() || (take_field(left, text) && text == "metric");
}

// ---- lines ----

/// The text of a line, without the line feed.
template <LineKind Line>
std::string line_of(const Line& line) {
  std::string text(Line::word);
  std::apply([&](const auto... member) { (append_field(text, line.*member), ...); }, Line::fields);
  return text;
}

/// The line of these fields, which begin with its word. Nothing if there are fewer or more than the kind has, or if one
/// of them has another type.
template <LineKind Line>
std::optional<Line> read_line(std::vector<std::string> fields) {
  if (fields.empty() || fields.front() != Line::word) return std::nullopt;
  std::optional<Line> line(std::in_place);
  std::span<std::string> left = std::span(fields).subspan(1);
  const auto read = [&](const auto... member) { return (take_field(left, (*line).*member) && ...); };
  if (!std::apply(read, Line::fields) || !left.empty()) return std::nullopt;
  return line;
}

}  // namespace waitstate::record
