// Looks over a file of events chunk by chunk before the OTF2 library decodes it.
//
// Why: the library trusts its files. In a chunk that is cut off it decodes whatever memory lies behind, an attribute
// list with a wrong count makes it run far out of its buffer, and an unknown byte order aborts the process. So this
// walks the records of a chunk by their types and lengths, without decoding them, and counts the events that are whole:
//  - the chunk's header and byte order, and that the chunk ends with an end mark where the next one begins;
//  - that every record lies within its chunk (types below the first event record are not skipped: they are damage);
//  - the inside of those records whose contents steer how much the library reads: attribute lists, metrics, program
//    arguments; and of any record so close to the end of the chunk that wrong lengths inside would lead out of it.
// What is left is that a flipped bit gives a wrong value: no reader can tell.
//
// Costs some 2 ns an event, and no memory or descriptor between two chunks: the buffer, a short window of the file, is
// the caller's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace waitstate::otf2 {

class EventFileCheck {
 public:
  EventFileCheck() = default;
  EventFileCheck(std::filesystem::path path, std::uint64_t chunk_size)
      : path_(std::move(path)), chunk_size_(chunk_size) {}

  /// Events of the next chunk that can be decoded safely; chunks without events are passed over. 0 at the end of the
  /// file or behind the first damage.
  std::uint64_t next_chunk(std::vector<std::uint8_t>& buffer);
  /// Why the file ends early, in a few words; empty if it does not.
  const std::string& damage() const { return damage_; }
  /// True if there is no such file.
  bool missing() const { return missing_; }
  /// True if the numbers of events in the chunk headers are right so far, so that the library can find an event by
  /// them.
  bool numbered() const { return numbered_; }

 private:
  std::uint64_t walk(int file, std::vector<std::uint8_t>& buffer);

  std::filesystem::path path_;
  std::uint64_t chunk_size_ = 0, chunk_ = 0, events_ = 0;
  std::string damage_;
  bool at_end_ = false, missing_ = false, numbered_ = true;
};

}  // namespace waitstate::otf2
