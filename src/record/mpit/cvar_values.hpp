// Values of control variables of an MPI library (MPI_T), as texts.
//
// Libraries do not survive every read: Open MPI's variables of parts that it has unloaded are read from memory that is
// gone. So a child process reads them and says what it found of each in turn; where it ends, the next one goes on
// behind.
#pragma once

#include <fcntl.h>
#include <mpi.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "record/parts/lines.hpp"

namespace waitstate::record {

/// The functions of the library at hand.
struct CvarFunctions {
  decltype(MPI_T_cvar_handle_alloc)* handle_alloc;
  decltype(MPI_T_cvar_handle_free)* handle_free;
  decltype(MPI_T_cvar_read)* read;
};

struct CvarValue {
  int index = 0, bind = 0;
  std::string type;  ///< "MPI_INT"; "unknown"
  int count = 0;     ///< number of elements
  std::string value;
  std::string why_not;  ///< not empty: there is no value
};

/// The name of an object to which variables belong.
inline const char* binding_name(int bind) {
  struct Known {
    int bind;
    const char* name;
  };
  constexpr Known known[] = {{MPI_T_BIND_NO_OBJECT, "none"},
                             {MPI_T_BIND_MPI_COMM, "comm"},
                             {MPI_T_BIND_MPI_DATATYPE, "datatype"},
                             {MPI_T_BIND_MPI_ERRHANDLER, "errhandler"},
                             {MPI_T_BIND_MPI_FILE, "file"},
                             {MPI_T_BIND_MPI_GROUP, "group"},
                             {MPI_T_BIND_MPI_OP, "op"},
                             {MPI_T_BIND_MPI_REQUEST, "request"},
                             {MPI_T_BIND_MPI_WIN, "win"},
                             {MPI_T_BIND_MPI_MESSAGE, "message"},
                             {MPI_T_BIND_MPI_INFO, "info"}};
  for (const Known& k : known)
    if (k.bind == bind) return k.name;
  return "unknown";
}

namespace cvar_values {

constexpr int most_elements = 1 << 20;

template <class T>
std::string listed(const char* bytes, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    T value{};
    std::memcpy(&value, bytes + sizeof(T) * static_cast<std::size_t>(i), sizeof value);
    if (i != 0) text += ',';
    if constexpr (std::is_same_v<T, double>) {
      char digits[64];
      std::snprintf(digits, sizeof digits, "%.17g", value);
      text += digits;
    } else {
      text += std::to_string(value);
    }
  }
  return text;
}

inline std::string text_of(const char* bytes, int count, std::string_view type) {
  if (type == "MPI_CHAR" || type == "MPI_BYTE")
    return std::string(bytes, strnlen(bytes, static_cast<std::size_t>(count)));
  if (type == "MPI_C_BOOL" || type == "MPI_UNSIGNED_CHAR") return listed<std::uint8_t>(bytes, count);
  if (type == "MPI_SHORT") return listed<std::int16_t>(bytes, count);
  if (type == "MPI_UNSIGNED_SHORT") return listed<std::uint16_t>(bytes, count);
  if (type == "MPI_INT" || type == "MPI_INT32_T") return listed<std::int32_t>(bytes, count);
  if (type == "MPI_UNSIGNED" || type == "MPI_UINT32_T") return listed<std::uint32_t>(bytes, count);
  if (type == "MPI_COUNT" || type == "MPI_INT64_T" || type == "MPI_LONG" || type == "MPI_LONG_LONG")
    return listed<std::int64_t>(bytes, count);
  if (type == "MPI_DOUBLE") return listed<double>(bytes, count);
  return listed<std::uint64_t>(bytes, count);
}

inline std::string error_name(int code) {
  struct Known {
    int code;
    const char* name;
  };
  constexpr Known known[] = {{MPI_T_ERR_MEMORY, "MPI_T_ERR_MEMORY"},
                             {MPI_T_ERR_NOT_INITIALIZED, "MPI_T_ERR_NOT_INITIALIZED"},
                             {MPI_T_ERR_INVALID_INDEX, "MPI_T_ERR_INVALID_INDEX"},
                             {MPI_T_ERR_INVALID_HANDLE, "MPI_T_ERR_INVALID_HANDLE"},
                             {MPI_T_ERR_OUT_OF_HANDLES, "MPI_T_ERR_OUT_OF_HANDLES"},
                             {MPI_T_ERR_INVALID, "MPI_T_ERR_INVALID"}};
  for (const Known& k : known)
    if (k.code == code) return k.name;
  return "error " + std::to_string(code);
}

inline void read(const CvarFunctions& mpi, MPI_Comm world, CvarValue& v) {
  if (v.type == "unknown") {
    v.why_not = "their type is unknown";
    return;
  }
  if (v.bind != MPI_T_BIND_NO_OBJECT && v.bind != MPI_T_BIND_MPI_COMM) {
    v.why_not = std::string("they belong to an object, a ") + binding_name(v.bind);
    return;
  }
  MPI_T_cvar_handle handle{};
  int code = mpi.handle_alloc(v.index, v.bind == MPI_T_BIND_MPI_COMM ? &world : nullptr, &handle, &v.count);
  if (code != MPI_SUCCESS) {
    v.why_not = error_name(code);
    return;
  }
  if (v.count < 0 || v.count > most_elements) {
    v.why_not = "they have an impossible number of elements";
  } else {
    std::vector<char> bytes(static_cast<std::size_t>(v.count) * 8 + 4096);
    code = mpi.read(handle, bytes.data());
    if (code == MPI_SUCCESS)
      v.value = text_of(bytes.data(), v.count, v.type);
    else
      v.why_not = error_name(code);
  }
  mpi.handle_free(&handle);
}

[[noreturn]] inline void read_in_child(const CvarFunctions& mpi, MPI_Comm world, std::vector<CvarValue>& all,
                                       std::size_t first, int to) {
  const rlimit no_core{};
  setrlimit(RLIMIT_CORE, &no_core);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGALRM}) std::signal(number, SIG_DFL);
  for (std::size_t i = first; i < all.size(); ++i) {
    ::alarm(5);
    read(mpi, world, all[i]);
    const std::string line = line_of("", all[i].count, all[i].value, all[i].why_not) + '\n';
    for (std::size_t done = 0; done < line.size();) {
      const ssize_t n = ::write(to, line.data() + done, line.size() - done);
      if (n <= 0) _exit(1);
      done += static_cast<std::size_t>(n);
    }
  }
  _exit(0);
}

}  // namespace cvar_values

/// Fills in counts, values, and why there are none. What it returns is empty, or why no process could read them.
inline std::string read_cvars(const CvarFunctions& mpi, MPI_Comm world, std::vector<CvarValue>& all) {
  for (std::size_t next = 0; next < all.size();) {
    int ends[2] = {-1, -1};
    const bool has_pipe = ::pipe2(ends, O_CLOEXEC) == 0;
    const pid_t child = has_pipe ? ::fork() : -1;
    if (child < 0) {
      const std::string error = std::string("no process can be started: ") + std::strerror(errno);
      if (has_pipe) ::close(ends[0]), ::close(ends[1]);
      for (; next < all.size(); ++next) all[next].why_not = error;
      return error;
    }
    if (child == 0) cvar_values::read_in_child(mpi, world, all, next, ends[1]);
    ::close(ends[1]);
    std::string text;
    char piece[4096];
    for (ssize_t n = 0; (n = ::read(ends[0], piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR);)
      if (n > 0) text.append(piece, static_cast<std::size_t>(n));
    ::close(ends[0]);
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
    for (std::size_t end = 0; next < all.size() && (end = text.find('\n')) != std::string::npos; ++next) {
      const std::vector<std::string> f = fields_of(std::string_view(text).substr(0, end));
      text.erase(0, end + 1);
      if (f.size() < 3) continue;
      all[next].count = std::atoi(f[0].c_str());
      all[next].value = f[1];
      all[next].why_not = f[2];
    }
    if (next < all.size()) all[next++].why_not = "the library crashes where they are read";
  }
  return "";
}

}  // namespace waitstate::record
