// Requests alone: which one a number means, and what is counted where it means none.
#include "link/messages/requests.hpp"

#include <gtest/gtest.h>

namespace waitstate::link {
namespace {

struct Open {
  Calls calls;
  Diagnostics diagnostics;
  Requests requests{2, calls, diagnostics, nullptr};

  static replay::CommRecord record(std::uint64_t number, Time t = 0) {
    replay::CommRecord r;
    r.request = number;
    r.time = t;
    return r;
  }
};

constexpr ProcessId first_process{0}, second_process{1};
constexpr LocationId first_thread{0}, other_thread{1};

TEST(Requests, ANumberIsOfItsProcess) {
  Open o;
  o.requests.start(first_process, first_thread, Open::record(5, 10), PendingSend{3});
  EXPECT_EQ(o.requests.find(second_process, other_thread, Open::record(5)), nullptr);
  EXPECT_EQ(o.diagnostics[DiagnosticId::request_unknown].count, 1u);
  Request* const q = o.requests.find(first_process, other_thread, Open::record(5));  // any thread may end it
  ASSERT_NE(q, nullptr);
  EXPECT_EQ(q->location, first_thread);
  EXPECT_EQ(q->time, 10u);
  ASSERT_TRUE(std::holds_alternative<PendingSend>(q->operation));
  EXPECT_EQ(std::get<PendingSend>(q->operation).message, 3u);
  o.requests.end(first_process, *q);
  EXPECT_EQ(o.requests.look_up(first_process, 5), nullptr);
  EXPECT_EQ(o.diagnostics[DiagnosticId::request_unknown].count, 1u);
}

TEST(Requests, ANumberThatIsUsedAgainGivesUpTheRequestBefore) {
  Open o;
  const CallRef call = o.calls.add(1);
  o.calls.keep(call);
  o.requests.start(first_process, first_thread, Open::record(5, 10), PostedReceive{call});
  o.requests.start(first_process, first_thread, Open::record(5, 20), StartedCollective{7});
  EXPECT_EQ(o.diagnostics[DiagnosticId::request_never_completed].count, 1u);
  EXPECT_EQ(o.calls[call].uses, 1u);
  Request* const q = o.requests.find(first_process, first_thread, Open::record(5));
  ASSERT_TRUE(std::holds_alternative<StartedCollective>(q->operation));
  EXPECT_EQ(std::get<StartedCollective>(q->operation).number, 7u);
}

TEST(Requests, TheEndDropsTheCallThatPosted) {
  Open o;
  const CallRef call = o.calls.add(1);
  o.calls.keep(call);
  o.requests.start(first_process, first_thread, Open::record(5), PostedReceive{call});
  o.requests.end(first_process, *o.requests.find(first_process, first_thread, Open::record(5)));
  EXPECT_EQ(o.calls[call].uses, 1u);
}

TEST(Requests, WhatIsOpenAtTheEndIsCounted) {
  Open o;
  for (std::uint64_t n = 0; n < 10; ++n)
    o.requests.start(n % 2 == 0 ? first_process : second_process, first_thread, Open::record(n), PendingSend{});
  o.requests.end(first_process, *o.requests.find(first_process, first_thread, Open::record(4)));
  o.requests.finish();
  EXPECT_EQ(o.diagnostics[DiagnosticId::request_never_completed].count, 9u);
}

TEST(Requests, TheMergeGetsAPlacePerStart) {
  Calls calls;
  Diagnostics diagnostics;
  MergeFeed feed;
  Requests requests(1, calls, diagnostics, &feed);
  const std::uint32_t place = requests.start(first_process, first_thread, Open::record(5), PendingSend{});
  const std::uint32_t next = requests.start(first_process, first_thread, Open::record(6), PendingSend{});
  EXPECT_NE(place, next);
  EXPECT_EQ(requests.end(first_process, *requests.find(first_process, first_thread, Open::record(5))), place);
  requests.start(first_process, first_thread, Open::record(6), PendingSend{});
  const MergeStep& step = feed.take_rest(0);
  ASSERT_EQ(step.notes.size(), 1u);  // the record that would have ended the first process's request 6 does not come
  EXPECT_EQ(step.notes[0].kind, MergeStep::Note::Kind::slot_released);
  EXPECT_EQ(step.notes[0].number, next);
}

}  // namespace
}  // namespace waitstate::link
