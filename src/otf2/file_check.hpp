// Checks a file of global definitions or markers before the OTF2 library reads it, and reads files of local
// definitions, whose records need no more than this check.
//
// Why: the library trusts its files. It looks for the end of a chunk, not of a record, so a wrong count inside a record
// makes it run out of its buffer or allocate what a damaged number says; in a chunk that is cut off or missing it
// decodes whatever memory lies there, without an error and without an end. So every record is walked here first, with
// each read checked: the header of the chunk, the record's length, and all fields that the library reads of its type,
// in the layouts of all versions of OTF2 (fields that came later may be missing at the end of a record; records without
// a length were never written to definition files). The library is then asked for exactly the records before the first
// damage.
//
// The walk costs as much as reading the file once more; definitions are small beside the events.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "otf2/format.hpp"

namespace waitstate::otf2 {

enum class FileKind : std::uint8_t { global_definitions, local_definitions, markers };

struct CheckedFile {
  int open_error = 0;         ///< error number of the system if the file could not be opened
  std::uint64_t records = 0;  ///< number of records that can be read safely
  std::string damage;         ///< why the readable records end; empty if the file has its end mark
  bool ends_early = false;    ///< records of local definitions may be missing at the end, or the file as a whole
};

/// Calls `visit` with the type and the fields of each readable record; the fields are complete for their type.
CheckedFile check_file(const std::filesystem::path& path, std::uint64_t chunk_size, FileKind kind,
                       const std::function<void(std::uint8_t type, ByteReader fields)>& visit = {});

}  // namespace waitstate::otf2
