// The description of a process, which it writes while it is recorded: lines of text in its part,
// FOLDER/parts/PROCESS.def.
//
// Each line is a word and fields, separated by tabs; tabs, line feeds and backslashes in a field are escaped. A line is
// written with one call as soon as what it says is so: a process that is killed leaves whole lines. The same lines are
// merged at the end of a run, and by `waitstate recover` after it (merge.hpp). One example of each:
//
//   waitstate-record  1                                   version of this format
//   process   0  4  host  boot/0  p2p  4711  mpi  1048576 rank, of how many, host, node, program, pid, paradigm, bytes
//                                                         of a chunk of the event files
//   date      7680809465180  1764288000000000000          a time, and what it is in nanoseconds since 1970
//   location  0  Master thread                            number of the thread, its name
//   location  3  MPI_T nic  metric                        the same of a stream that is not a thread
//   clock_of  3  17250000  768080946518  35               of a stream with a clock of its own: when measured, offset
//                                                         to the clock of this process, deviation
//   events    0  1904  7680809465180  7681329791441       what of it is in the file: records, first and last time
//   string    0  p2p                                      local number, text
//   region    0  MPI_Send  4  28                          local number, name, paradigm, role
//   comm      2  W.0/0  MPI_COMM_WORLD_dup  0  4  1  0,1,2,3
//                                                         local number, identity, name, local number of the parent (or
//                                                         empty), size, own rank, members (or empty: others know them)
//   inter     3  I7.0/0-2:8d5c...  name  0  0,1  2,3              the same to the parent, members of both groups
//   team      5  3  0,1,2                                 local number, paradigm, threads of this process (of POSIX
//                                                         threads, which are created as it runs: all)
//   group     0  1,2                                      local number, ranks in MPI_COMM_WORLD
//   win       0  W.w0  MPI_Win_allocate  0                local number, identity, name, local number of the
//                                                         communicator
//   cart      2  4,2  1,0  3,1  7                         local number of the communicator, sizes, which of them are
//                                                         periodic, own place and rank
//   sources   2  1,3                                      local number of the communicator, ranks in it from which it
//                                                         receives in the communicator's graph
//   metric    0  unexpected_msgq_length  #  text  3  5  comm  2
//                                                         local number, name, unit, description, mode and type as in
//                                                         OTF2; of what: comm, win (number), comms, wins (further ones)
//   sampled   0  3                                        local number of a metric, stream that records it
//   cvar      btl_tcp_eager_limit  65536                  setting of the MPI library, its value
//   name      comm  2  halo                               a later name
//   clock     7680809465180  -120  35                     when measured, offset to the clock of rank 0, deviation
//   property  NAME  text                                  of the process
//   left_out  pthread,io,other                            groups of calls that are not recorded
//   left_out_called  io                                   one of them, of which the program has called something
//   waits     0  7680809465180  MPI_Recv  receive  2  1  7
//                                                         of an ended run: thread, since when, in which call, for what,
//                                                         communicator or window, rank in it and tag (-1: any, or none)
//   waits     1  7680809465180  pthread_mutex_lock  pthread_lock  0  -1  -1
//                                                         likewise, for a lock of threads (or omp_lock): its number
//   end                                                   the process came to its end
//   ended     7681329791441                               it did not: it was ended then
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace waitstate::record {

inline constexpr std::string_view format_name = "waitstate-record";
inline constexpr std::string_view format_version = "1";
inline constexpr std::size_t longest_line = 1 << 20;

inline void append_field(std::string& line, std::string_view text) {
  if (!line.empty()) line += '\t';
  for (const char c : text) {
    if (c == '\t')
      line += "\\t";
    else if (c == '\n')
      line += "\\n";
    else if (c == '\\')
      line += "\\\\";
    else
      line += c;
  }
}
inline void append_field(std::string& line, std::uint64_t number) { append_field(line, std::to_string(number)); }
inline void append_field(std::string& line, std::int64_t number) { append_field(line, std::to_string(number)); }
inline void append_field(std::string& line, std::uint32_t number) { append_field(line, std::uint64_t{number}); }
inline void append_field(std::string& line, int number) { append_field(line, std::int64_t{number}); }

/// "word TAB field TAB field" without the line feed.
template <class... Fields>
std::string line_of(std::string_view word, const Fields&... fields) {
  std::string line(word);
  (append_field(line, fields), ...);
  return line;
}

/// The word and the fields of a line, unescaped.
std::vector<std::string> fields_of(std::string_view line);

/// Numbers as "0,1,2".
std::string list_of(const std::vector<std::uint64_t>& numbers);

}  // namespace waitstate::record
