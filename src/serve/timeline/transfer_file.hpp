// All messages and one-sided transfers of a trace, in the order of the locations at which they arrive and of the times
// at which they were sent, in a file that `waitstate analyze` writes for the server: TransferRecords and nothing else.
// Which receive belongs to which send is what the analysis says. The file is mapped into memory, so it takes none of
// its own.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "serve/http/descriptor.hpp"
#include "waitstate/pattern/pattern.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::serve {

enum class TransferKind : std::uint32_t { message, put, get, atomic };

struct TransferRecord {
  std::uint64_t begin = 0, end = 0;  ///< when it was sent and received; of a one-sided one: started and completed
  std::uint32_t from = 0, to = 0;    ///< locations; data of a get move from its target to its origin
  std::uint32_t bytes = 0;           ///< at most 2^32 - 1
  TransferKind kind{};
};
static_assert(sizeof(TransferRecord) == 32);

/// Writes such a file.
class TransferWriter {
 public:
  /// Beyond so many there is no file: it would have more than 1 GiB.
  static constexpr std::uint64_t most = std::uint64_t{1} << 25;

  explicit TransferWriter(int fd) : fd_(fd) {}
  /// Runs in an analysis, and writes what it is told.
  PatternHandle pattern();
  /// Puts all into their order. Throws OutputError.
  void finish();

 private:
  class Log;
  struct Shared;
  int fd_;
  std::shared_ptr<Shared> shared_;
};

class TransferFile {
 public:
  /// Throws OutputError if the file cannot be read, or does not belong to a trace of so many locations.
  TransferFile(const std::string& path, std::size_t locations);
  ~TransferFile();
  TransferFile(const TransferFile&) = delete;
  TransferFile& operator=(const TransferFile&) = delete;

  /// Transfers that arrive at the location: all of which a part lies in [from, to), and a few others.
  std::span<const TransferRecord> around(LocationId to_location, Time from, Time to) const;

 private:
  Descriptor file_;
  void* bytes_ = nullptr;
  std::size_t size_ = 0;
  std::span<const TransferRecord> records_;
  std::vector<std::size_t> begin_of_;  ///< by location, and one behind the last
  std::vector<Time> longest_of_;       ///< by location
};

}  // namespace waitstate::serve
