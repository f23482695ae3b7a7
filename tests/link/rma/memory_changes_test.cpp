// The last change of the memory that a call waited for.
#include "link/rma/memory_changes.hpp"

#include <gtest/gtest.h>

namespace waitstate::link {
namespace {

struct Memory {
  static constexpr MemoryChanges::ChangedMemory anybodys{RmaWinId{0}, ProcessId{1}},
      told_by_2{RmaWinId{0}, ProcessId{1}, 2};
  Calls calls;
  MemoryChanges changes{calls};

  void change(const MemoryChanges::ChangedMemory& memory, Time enter, Time exit) {
    const CallRef call = calls.add(0);
    calls[call].call.enter = enter;
    calls[call].call.exit = exit;
    changes.changed(memory, call);
    calls.release(call);
  }
  /// Enter of the call that changed it during one from 100 to 200; 0 if none did.
  Time during(const MemoryChanges::ChangedMemory& memory) {
    Call call;
    call.enter = 100;
    call.exit = 200;
    const Call* const change = changes.during(call, memory);
    return change == nullptr ? 0 : change->enter;
  }
};

TEST(MemoryChanges, TheLastOneCountsIfItWasDuringTheCall) {
  Memory m;
  EXPECT_EQ(m.during(Memory::anybodys), 0u);
  m.change(Memory::anybodys, 90, 100);
  EXPECT_EQ(m.during(Memory::anybodys), 0u);
  m.change(Memory::anybodys, 95, 110);
  EXPECT_EQ(m.during(Memory::anybodys), 95u);
  m.change(Memory::anybodys, 150, 160);
  EXPECT_EQ(m.during(Memory::anybodys), 150u);
  m.change(Memory::anybodys, 200, 210);
  EXPECT_EQ(m.during(Memory::anybodys), 0u);
  EXPECT_EQ(m.calls.alive(), 1u);
}

TEST(MemoryChanges, NotificationsAreToldByWhoSentThem) {
  Memory m;
  m.change(Memory::told_by_2, 150, 160);
  EXPECT_EQ(m.during(Memory::anybodys), 0u);
  EXPECT_EQ(m.during({RmaWinId{0}, ProcessId{1}, 3}), 0u);
  EXPECT_EQ(m.during({RmaWinId{0}, ProcessId{2}, 2}), 0u);
  EXPECT_EQ(m.during({RmaWinId{1}, ProcessId{1}, 2}), 0u);
  EXPECT_EQ(m.during(Memory::told_by_2), 150u);
}

}  // namespace
}  // namespace waitstate::link
