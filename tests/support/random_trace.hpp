// Random MPI traces that a real run could have left: a script of small numbers is executed by a simulated MPI, which
// writes what each location does and when.
//
// Any script gives a valid trace, so that a test library can shrink scripts freely: numbers are taken modulo what there
// is to choose from, and a step that is impossible at its place (nothing to receive, nothing to wait for) does nothing.
// The simulation cannot deadlock: steps are executed one after the other, a step waits for earlier ones only or for
// what other processes do in the same step, and at the end everything that is still open is received and completed.
// Since each location has a clock of its own, steps that follow each other happen at any times: the causes in one step
// may come long after what waits for them in a later one began.
//
// Asked for, processes have threads that their first one forks, and which work, come to barriers and join while that
// calls MPI; these create explicit tasks, which they execute in barriers and elsewhere, piece by piece and on any of
// them; there are fences and epochs of windows, SHMEM and locks, of windows and SHMEM too; and streams of accelerators,
// which execute kernels that some thread of their process launches and others wait for.
//
// Guaranteed of every trace: a receive record is not earlier than the record of its send; the end of a collective
// operation is not earlier than the begins of those whose data it needs; messages do not overtake each other on a
// channel; every message is received, every request completed, every region left. Times may be equal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace waitstate::support {

/// One step. The meaning of each number depends on `what`; zero is the simplest choice of everything.
struct Step {
  std::uint32_t what = 0;     ///< the kind of step, modulo step_kinds
  std::uint32_t who = 0;      ///< location, communicator
  std::uint32_t with = 0;     ///< partner, root, request
  std::uint32_t flavour = 0;  ///< the MPI function
  std::uint32_t size = 0;     ///< bytes, tag, length of a computation
  std::uint32_t jitter = 0;   ///< largest time that anything in this step takes by chance, in ticks
  std::uint32_t salt = 0;     ///< salt for random choices
};
inline constexpr std::uint32_t step_kinds = 36;

struct Script {
  std::uint32_t processes = 2;    ///< 2 … 8
  std::uint32_t two_threads = 0;  ///< bit p: process p has two threads
  std::uint32_t teams = 0;        ///< bits 2 p, 2 p + 1: process p has up to two threads that its first one forks
  std::uint32_t skew = 0;         ///< largest difference of start times, in ticks
  bool more = false;              ///< with one-sided communication, SHMEM and locks in place of some computations
  bool passive = false;           ///< with locks of windows and of SHMEM too
  bool neighbours = false;        ///< with neighbourhood collective operations
  bool tasks = false;             ///< with tasks of teams
  std::uint32_t streams = 0;      ///< bits 2 p, 2 p + 1: process p has up to two streams
  std::vector<Step> steps;
};

class RandomTrace {
 public:
  /// Executes a script.
  explicit RandomTrace(const Script& script);

  /// In the text notation, events in time order.
  std::string text() const;
  /// The same trace with location l defined as number `number_of[l]`, a permutation; processes are numbered by their
  /// smallest location.
  std::string text(const std::vector<std::uint32_t>& number_of) const;

  std::uint32_t locations() const { return static_cast<std::uint32_t>(location_process_.size()); }
  std::uint32_t processes() const { return location_process_.back() + 1; }
  std::uint64_t messages() const { return messages_; }

  struct Line {
    std::uint32_t location;
    std::uint64_t time;
    std::string text;                      ///< up to where a process is named
    std::optional<std::uint32_t> process;  ///< named by its first location
    std::string rest{};
    std::optional<std::uint32_t> team{};       ///< in place of the process: a communicator of a team
    std::optional<std::uint32_t> window_of{};  ///< at the end, the window of a process and its streams
  };
  struct Communicator {
    std::vector<std::uint32_t> a, b;  ///< processes by rank; b: of an inter-communicator
    std::uint32_t thread = 0;         ///< the thread of each process that calls collective operations on it
    bool self = false;
    bool freed = false;
    std::vector<std::uint32_t> dimensions{};            ///< dimensions of a grid
    bool periodic = false;                              ///< periodic in all dimensions
    std::vector<std::vector<std::uint32_t>> sources{};  ///< for a grid or graph, by rank: the ranks whose data it needs
  };

 private:
  std::vector<std::uint32_t> location_process_;
  std::vector<bool> is_stream_;  ///< by location
  std::vector<Communicator> communicators_;
  std::vector<std::vector<std::uint32_t>> groups_;  ///< groups of processes, numbered from 1
  std::vector<std::vector<std::uint32_t>> teams_;   ///< locations of each communicator of a team
  std::vector<Line> lines_;                         ///< by location, in order
  std::uint64_t messages_ = 0;
  bool windows_ = false, streams_ = false;
};

}  // namespace waitstate::support
