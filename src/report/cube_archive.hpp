// The tar archive that a CUBE 4 report is: members at top level, written one after the other, read in any number of
// passes. A thin layer over libarchive, which knows all dialects of tar; what is added here is that a file appears
// under its name only once it is complete, that the bytes depend on nothing but the contents (times, owners and modes
// are fixed), and that no size found in a file is believed before it was compared with the size of that file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace waitstate::report {

class CubeArchiveWriter {
 public:
  /// A new file beside `file`, which commit() gives its name; a link is followed. Throws UsageError with path and
  /// reason.
  explicit CubeArchiveWriter(const std::filesystem::path& file);
  CubeArchiveWriter(const CubeArchiveWriter&) = delete;
  CubeArchiveWriter& operator=(const CubeArchiveWriter&) = delete;
  /// Removes what was not committed.
  ~CubeArchiveWriter();

  /// Starts a member; exactly `size` bytes have to follow. Throws UsageError, as the next two.
  void begin(const std::string& name, std::uint64_t size);
  void write(std::string_view bytes);
  /// Ends the archive and gives it its name. Call it once, last.
  void commit();

 private:
  struct Library;
  void abandon() const noexcept;
  [[noreturn]] void fail(const std::string& reason) const;
  std::filesystem::path asked_, target_, temporary_;
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

}  // namespace waitstate::report
