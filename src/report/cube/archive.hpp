// The tar archive that a CUBE 4 report is: members at top level, written one after the other, read in any number of
// passes. It is written by libarchive, and the bytes depend on nothing but the contents (times, owners and modes are
// fixed). It is read here, because the tar archives of the CUBE library are not all as the format wants them; no size
// found in a file is believed before it was compared with the size of that file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace waitstate::report {

class CubeArchiveWriter {
 public:
  /// `out` has to outlive this. What the stream throws comes through; a stream that fails without throwing becomes an
  /// OutputError, here and in all that follows.
  explicit CubeArchiveWriter(std::ostream& out);
  CubeArchiveWriter(const CubeArchiveWriter&) = delete;
  CubeArchiveWriter& operator=(const CubeArchiveWriter&) = delete;
  ~CubeArchiveWriter();

  /// Starts a member; exactly `size` bytes have to follow.
  void begin(const std::string& name, std::uint64_t size);
  void write(std::string_view bytes);
  /// Ends the archive. Call it once, last.
  void finish();

 private:
  struct Library;
  [[noreturn]] void fail();
  std::unique_ptr<Library> library_;
};

/// One member of an archive that is being read.
class CubeMember {
 public:
  virtual ~CubeMember() = default;
  virtual const std::string& name() const = 0;  ///< without a leading "./"
  /// Its contents; never larger than the file. Call it at most once. Throws TraceError.
  virtual std::string read() = 0;
};

/// Calls f for each regular member in order; members that are not read are skipped without reading them. Throws
/// TraceError if the file is missing, no tar archive or damaged.
void for_each_member(const std::filesystem::path& file, const std::function<void(CubeMember&)>& f);

/// The bytes of one member; nothing if the file is no such archive, or has no such member.
std::optional<std::string> member_of(const std::filesystem::path& file, std::string_view name);

}  // namespace waitstate::report
