// A pattern that writes down each compound event of one-sided communication when it is complete, and one sort at the
// end. One line says what it is, indented lines who took part and what was accessed:
//
//   fence 11 61 win=0
//     0 50 61 main/MPI_Win_fence
//     1 50 61 main/MPI_Win_fence
//     0 -> 1 puts=1 gets=0 atomics=0 put=8 got=0
#include "cli/epochs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "cli/reservations.hpp"
#include "waitstate/pattern.hpp"

namespace waitstate::cli {
namespace {

struct Entry {
  Time first = 0;
  std::string text;
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

class EpochLister : public Pattern {
 public:
  explicit EpochLister(std::vector<Entry>& entries) : entries_(entries) {}
  PatternInfo info() const override {
    return {.metrics = {{"epochs", "", Unit::occurrences, true, "Epochs", "Lists compound events."}}};
  }

  void rma_collective_callback(const RmaCollective& r, Context& c) override {
    static constexpr const char* kinds[] = {"create", "free", "fence"};
    Time first = ~Time{0}, last = 0;
    for (const CollectiveMember& m : r.collective.members) {
      first = std::min(first, m.call->enter);
      last = std::max(last, m.call->exit);
    }
    const std::string kind =
        r.kind == RmaCollectiveKind::other ? std::string(enum_name(r.collective.op)) : kinds[static_cast<int>(r.kind)];
    begin(kind, first, last, r.win);
    for (const CollectiveMember& m : r.collective.members) call("", *m.call, c);
    for (const RmaAccess& a : r.accesses) access(a);
    end(first);
  }
  void rma_access_epoch_callback(const RmaAccessEpoch& e, Context& c) override {
    begin("access", e.start.enter, e.complete.exit, e.win);
    call("start ", e.start, c);
    for (const RmaEpochOperation& o : e.operations) call("operation ", o.call, c);
    call("complete ", e.complete, c);
    for (const RmaAccessTarget& t : e.targets) call("post ", t.post, c);
    for (const RmaAccessTarget& t : e.targets) access(t.access);
    end(e.start.enter);
  }
  void rma_exposure_epoch_callback(const RmaExposureEpoch& e, Context& c) override {
    begin("exposure", e.post.enter, e.wait.exit, e.win);
    call("post ", e.post, c);
    call("wait ", e.wait, c);
    for (const RmaExposureOrigin& o : e.origins) {
      call("start ", o.start, c);
      call("complete ", o.complete, c);
    }
    for (const RmaExposureOrigin& o : e.origins) access(o.access);
    end(e.post.enter);
  }
  void rma_lock_epoch_callback(const RmaLockEpoch& e, Context& c) override {
    begin("lock", e.locked.enter, e.unlocked.exit, e.win);
    text_.pop_back();
    fmt::format_to(out(), " target={} lock={} type={} released={}\n",
                   e.target.valid() ? std::to_string(e.target.value) : "all", e.lock, enum_name(e.type),
                   e.release_time);
    call("lock ", e.locked, c);
    call("unlock ", e.unlocked, c);
    for (const RmaAccess& a : e.accesses) access(a);
    end(e.locked.enter);
  }
  void rma_operation_callback(const RmaOperation& o, Context& c) override {
    static constexpr const char* kinds[] = {"put", "get", "atomic"};
    begin(kinds[static_cast<int>(o.kind)], o.start, o.completion, o.win);
    text_.pop_back();
    fmt::format_to(out(), " origin={} target={} put={} got={}\n", o.origin.value, o.target.value, o.bytes_put,
                   o.bytes_got);
    call("operation ", o.call, c);
    call("completed ", o.completed, c);
    end(o.start);
  }

 private:
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }
  void begin(std::string_view kind, Time first, Time last, RmaWinId win) {
    text_.clear();
    fmt::format_to(out(), "{} {} {} win={}\n", kind, first, last, win.value);
  }
  void call(std::string_view what, const Call& call, const Context& c) {
    fmt::format_to(out(), "  {}{} {} {} {}\n", what, call.location.value, call.enter, call.exit,
                   call.callpath.valid() ? c.call_tree().path(call.callpath, c.definitions()) : "");
  }
  void access(const RmaAccess& a) {
    if (a.operations() != 0)
      fmt::format_to(out(), "  {} -> {} puts={} gets={} atomics={} put={} got={}\n", a.origin.value, a.target.value,
                     a.puts, a.gets, a.atomics, a.bytes_put, a.bytes_got);
  }
  void end(Time first) { entries_.push_back({first, text_}); }

  std::vector<Entry>& entries_;
  std::string text_;
};

}  // namespace

void print_epochs(const std::string& trace, AnalysisOptions options, std::ostream& out) {
  std::vector<Entry> entries;
  options.built_in = false;
  options.patterns.push_back(make_pattern<EpochLister>(entries));
  const AnalysisResult result = analyze(trace, options);
  out << reservations(result.diagnostics);
  std::sort(entries.begin(), entries.end());
  for (const Entry& e : entries) out << e.text;
}

}  // namespace waitstate::cli
