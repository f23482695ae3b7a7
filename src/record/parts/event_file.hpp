// The events of one location on their way from OTF2's writer to the disk; see tail.hpp.
#pragma once

#include <cstdint>
#include <string>

#include "record/parts/tail.hpp"

namespace waitstate::record {

/// False: a file that grows to so many bytes gets the process killed by SIGXFSZ.
bool is_within_limit(std::uint64_t bytes);

class EventFile {
 public:
  /// `part`: the folder of this process, in which the files are NUMBER.tail and traces/NUMBER.evt. On a file system
  /// that maps no files, and only there, the tail is in memory and dies with the process.
  EventFile(const std::string& part, std::uint64_t number);
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;
  ~EventFile();

  /// Why nothing more can be recorded; else empty.
  const std::string& problem() const { return problem_; }

  /// Memory for a chunk; null if there is a problem.
  std::uint8_t* chunk() { return chunk_; }
  Tail& tail() { return *tail_; }
  /// False: what is not in the event file is lost if the process is killed.
  bool outlives_process() const { return mapped_; }

  /// The chunk is full: it goes to the event file. False, with a problem, if it cannot; it stays in the tail then.
  bool write_chunk();
  /// The last records go to the event file, and the tail is removed. False, with a problem, if it cannot be.
  bool finish();

 private:
  bool map();
  bool append(const void* data, std::uint64_t bytes, std::uint64_t more);
  bool fail(const std::string& file, int error);

  std::string events_file_, tail_file_, problem_;
  std::uint8_t* chunk_ = nullptr;
  Tail* tail_ = nullptr;
  bool mapped_ = false;
  int file_ = -1;
  std::uint64_t written_ = 0;
};

}  // namespace waitstate::record
