// MPI_T, the interface of MPI for tools, as the recorder uses it for variables, settings and events of the library.
//
// It is initialised once, before MPI_Init, and never finalised: libraries survive MPI_T_finalize neither before nor
// after MPI_Finalize. What may be missing from a library is looked up as the program runs, by the names without P: a
// tool or a test may stand between.
#pragma once

#include <otf2/otf2.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/mpi/next.hpp"

namespace waitstate::record::mpi {

/// Communicators or windows with a metric each of a variable or event; the further ones have one together.
inline constexpr unsigned most_objects = 64;

/// The next function of that name, or null.
void* find_tool_function(const char* name);

template <class Function>
Function* tool_function(const char* name) {
  return reinterpret_cast<Function*>(find_tool_function(name));
}

/// Before MPI_Init, in which some libraries would miss that a tool will ask.
void begin_tool_interface();
/// The level of threads that the library grants tools; MPI_THREAD_SINGLE - 1: it has no interface for tools.
int tool_threads();
inline bool has_tool_interface() { return tool_threads() >= MPI_THREAD_SINGLE; }

/// A type of numbers that the library tells.
struct ToolType {
  enum class Kind : unsigned char { signed_integer, unsigned_integer, real };
  Kind kind{};
  unsigned char bytes = 0;  ///< 0: not known

  OTF2_Type recorded() const {
    return kind == Kind::real ? OTF2_TYPE_DOUBLE : kind == Kind::signed_integer ? OTF2_TYPE_INT64 : OTF2_TYPE_UINT64;
  }
  /// The number that lies there.
  OTF2_MetricValue value(const char* at) const;
};
ToolType tool_type(MPI_Datatype type);

/// Names that the user has asked for, with * and ? for any letters, and which of them are there.
class AskedFor {
 public:
  /// `list`: with commas between; "all" is "*".
  explicit AskedFor(std::string_view list);
  /// Whether one of them means this; `alone`: as it is written.
  bool means(const char* name, bool* alone = nullptr);
  /// Choices that have meant nothing.
  std::vector<std::string> not_there() const;

 private:
  std::vector<std::pair<std::string, bool>> names_;
};

/// A text that the library writes: it may be longer, or have no end.
struct ToolText {
  char bytes[4096] = "";
  int length = sizeof bytes - 1;
};

}  // namespace waitstate::record::mpi
