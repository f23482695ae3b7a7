// Memory for data that is kept until the end: given out piece by piece, and taken back as a whole.
//
// Blocks of a trace in memory are read at random positions, and there are hundreds of megabytes of them: with pages of
// 4 KiB each look-up costs walks through the page tables. Slabs are aligned to huge pages (2 MiB), so that a system
// that provides huge pages by itself can use them: event() at random positions then takes two thirds of the time. The
// program does not ask for them (madvise), since it cannot know what they cost: on a virtual machine that first had to
// be given the memory, reading a trace took a fifth more processor time. The first slab is small, so that a small trace
// stays small.
//
// The first write to a page costs the writer a microsecond or more, about a tenth of all that it does. Another thread
// can take this over: while a slab is filled, it allocates the next one and writes to each of its pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <vector>

namespace waitstate::util {

class Slabs {
 public:
  /// From the second slab on, lets another thread prepare the next one, until end_ahead().
  void prepare_ahead() { ahead_ = true; }
  /// Ends prepare_ahead(). Frees the slab that has been prepared.
  void end_ahead();
  /// Returns `size` uninitialised bytes, aligned to 8, which live as long as this object.
  std::uint8_t* take(std::size_t size);
  /// Number of bytes given out or left over at the ends of slabs.
  std::size_t memory() const { return memory_; }

 private:
  struct Free {
    void operator()(std::uint8_t* memory) const;
  };
  using Slab = std::unique_ptr<std::uint8_t[], Free>;
  static Slab allocate(std::size_t size);
  void prepare_next();

  std::vector<Slab> slabs_;
  bool ahead_ = false;
  std::future<Slab> next_;  ///< the next slab, of next_size_ bytes
  std::size_t next_size_ = 0;
  std::size_t size_ = 0, used_ = 0;  ///< size of the last slab, and how much of it is used
  std::size_t memory_ = 0;
};

}  // namespace waitstate::util
