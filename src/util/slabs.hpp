// Memory for what is kept until the end, given out piece by piece and taken back as a whole.
//
// Blocks of a trace in memory are read at random positions, and there are hundreds of megabytes of them: with pages of
// 4 KiB each look-up costs walks through the page tables. Slabs are aligned to huge pages (2 MiB), so that a system
// that gives these out by itself can: event() at random positions then takes two thirds of the time. The program does
// not ask for them (madvise), since it cannot know what they cost: on a virtual machine that had to be given the memory
// first, reading a trace took a fifth more processor time. The first slab is small, so that a small trace stays small.
//
// A page that is written to for the first time costs the writer a microsecond or more, some tenth of all it does.
// Another thread can do that: while a slab is filled, it gets the next one and writes to each of its pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <vector>

namespace waitstate::util {

class Slabs {
 public:
  /// From the second slab on, has another thread prepare the next one …
  void prepare_ahead() { ahead_ = true; }
  /// … until now. What it has prepared is given back.
  void end_ahead();
  /// `size` bytes whose contents mean nothing, aligned to 8; they live as long as this object.
  std::uint8_t* take(std::size_t size);
  /// Bytes given out, and left over at the ends of slabs.
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
  std::future<Slab> next_;  ///< of next_size_ bytes
  std::size_t next_size_ = 0;
  std::size_t size_ = 0, used_ = 0;  ///< of the last slab
  std::size_t memory_ = 0;
};

}  // namespace waitstate::util
