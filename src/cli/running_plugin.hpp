// Records which code of a plug-in is running, in memory that the parent process sees (guard.hpp): a plug-in may end its
// process in any way - crash, abort, exit -, and then only the parent can report which plug-in it was.
//
// Around each call of a plug-in stands a Mark, which costs two stores; calls of built-in patterns have none. Marks are
// set by the thread that calls patterns. Threads that a plug-in starts itself are not covered.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "waitstate/pattern/pattern.hpp"

namespace waitstate::cli {

class RunningPlugin {
  struct Shared {
    std::atomic<std::uint32_t> number;  ///< place in the names + 1; 0: none
    const char* volatile what;          ///< the pointer is valid in both processes, which are forked from one
    std::uint32_t used;                 ///< bytes of the names, which lie behind this struct: two lines and a NUL each
  };

 public:
  /// Must be made before the process that runs plug-ins is forked.
  RunningPlugin();
  ~RunningPlugin();
  RunningPlugin(const RunningPlugin&) = delete;
  RunningPlugin& operator=(const RunningPlugin&) = delete;

  /// A number for Marks of this plug-in and one of its patterns, "pattern 'id' (…)"; an empty `pattern` means that
  /// there is none yet.
  std::uint32_t number(const std::string& plugin, const std::string& pattern = {});

  class Mark {
   public:
    /// `what` must live as long as the program: "init", "completed_receives_callback".
    Mark(const RunningPlugin& of, std::uint32_t number, const char* what) : shared_(*of.shared_) {
      before_ = shared_.number.load(std::memory_order_relaxed), before_what_ = shared_.what;
      shared_.what = what;
      shared_.number.store(number, std::memory_order_relaxed);
    }
    ~Mark() {
      shared_.what = before_what_;
      shared_.number.store(before_, std::memory_order_relaxed);
    }
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;

   private:
    Shared& shared_;
    std::uint32_t before_;
    const char* before_what_;
  };

  struct Told {
    std::string plugin;  ///< empty: none was running
    std::string where;   ///< "while it was loaded", "in init of pattern 'id' (…)"
  };
  /// The code that was running when the other process ended.
  Told told() const;

 private:
  char* names() const { return reinterpret_cast<char*>(shared_ + 1); }
  Shared* shared_;
};

/// Wraps the pattern so that each of its callbacks has a Mark around it.
PatternHandle marked(PatternHandle pattern, const std::shared_ptr<RunningPlugin>& running);

}  // namespace waitstate::cli
