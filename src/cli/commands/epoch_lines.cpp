// A pattern that writes down each compound event of one-sided communication when it is complete; they are sorted once
// at the end. The first line names the event, the indented lines name the participants and the accesses:
//
//   fence 11 61 win=0
//     0 50 61 main/MPI_Win_fence
//     1 50 61 main/MPI_Win_fence
//     0 -> 1 puts=1 gets=0 atomics=0 put=8 got=0
#include "cli/commands/epoch_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "report/text/trace_warnings.hpp"
#include "util/text.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::cli {
namespace {

struct Entry {
  Time first = 0;
  std::string text;
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

class EpochLister : public Pattern {
 public:
  EpochLister(std::vector<Entry>& entries, const Focus& focus) : entries_(entries), focus_(focus) {}
  PatternInfo info() const override {
    return {.metrics = {{"epochs", "", Unit::occurrences, true, "Epochs", "Lists compound events."}}};
  }

  void rma_collective_callback(const RmaCollective& r, Context& c) override {
    static constexpr const char* kinds[] = {"create", "free", "fence"};
    const std::string kind =
        r.kind == RmaCollectiveKind::other ? std::string(enum_name(r.collective.op)) : kinds[static_cast<int>(r.kind)];
    if (!begin(kind, r)) return;
    for (const CollectiveMember& m : r.collective.members) call("", *m.call, c);
    for (const RmaAccess& a : r.accesses) access(a);
    end(r);
  }
  void rma_access_epoch_callback(const RmaAccessEpoch& e, Context& c) override {
    if (!begin("access", e)) return;
    call("start ", e.start, c);
    for (const RmaEpochOperation& o : e.operations) call("operation ", o.call, c);
    call("complete ", e.complete, c);
    for (const RmaAccessTarget& t : e.targets) call("post ", t.post, c);
    for (const RmaAccessTarget& t : e.targets) access(t.access);
    end(e);
  }
  void rma_exposure_epoch_callback(const RmaExposureEpoch& e, Context& c) override {
    if (!begin("exposure", e)) return;
    call("post ", e.post, c);
    call("wait ", e.wait, c);
    for (const RmaExposureOrigin& o : e.origins) {
      call("start ", o.start, c);
      call("complete ", o.complete, c);
    }
    for (const RmaExposureOrigin& o : e.origins) access(o.access);
    end(e);
  }
  void rma_lock_epoch_callback(const RmaLockEpoch& e, Context& c) override {
    if (!begin("lock", e)) return;
    text_.pop_back();
    fmt::format_to(out(), " target={} lock={} type={} released={}\n", number(e.target, "all"), e.lock,
                   enum_name(e.type), e.release_time);
    call("lock ", e.locked, c);
    call("unlock ", e.unlocked, c);
    for (const RmaAccess& a : e.accesses) access(a);
    end(e);
  }
  void rma_operation_callback(const RmaOperation& o, Context& c) override {
    static constexpr const char* kinds[] = {"put", "get", "atomic"};
    if (!begin(kinds[static_cast<int>(o.kind)], o)) return;
    text_.pop_back();
    fmt::format_to(out(), " origin={} target={} put={} got={}\n", o.origin.value, number(o.target, "none"), o.bytes_put,
                   o.bytes_got);
    call("operation ", o.call, c);
    call("completed ", o.completed, c);
    end(o);
  }

 private:
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }
  static std::string number(LocationId l, const char* otherwise) {
    return l.valid() ? std::to_string(l.value) : otherwise;
  }
  /// Returns false if the event is outside of the chosen part.
  bool begin(std::string_view kind, const OneSided& o) {
    if (first_time(o) >= focus_.to || last_time(o) < focus_.from) return false;
    if (!focus_.locations.empty() &&
        std::none_of(focus_.locations.begin(), focus_.locations.end(), [&](LocationId l) { return takes_part(o, l); }))
      return false;
    text_.clear();
    fmt::format_to(out(), "{} {} {} win={}\n", kind, first_time(o), last_time(o), window(o).value);
    return true;
  }
  void call(std::string_view what, const Call& call, const Context& c) {
    fmt::format_to(out(), "  {}{} {} {} {}\n", what, call.location.value, call.enter, call.exit,
                   call.callpath.valid() ? util::printable(c.call_tree().path(call.callpath, c.definitions())) : "");
  }
  void access(const RmaAccess& a) {
    if (a.operations() != 0)
      fmt::format_to(out(), "  {} -> {} puts={} gets={} atomics={} put={} got={}\n", a.origin.value, a.target.value,
                     a.puts, a.gets, a.atomics, a.bytes_put, a.bytes_got);
  }
  void end(const OneSided& o) { entries_.push_back({first_time(o), text_}); }

  std::vector<Entry>& entries_;
  const Focus focus_;
  std::string text_;
};

}  // namespace

void print_epochs(const std::string& trace, AnalysisOptions options, std::ostream& out) {
  std::vector<Entry> entries;
  options.built_in = false;
  options.patterns.push_back(make_pattern<EpochLister>(entries, options.focus));
  const AnalysisResult result = analyze(trace, options);
  out << report::trace_warning_comments(result.diagnostics);
  std::sort(entries.begin(), entries.end());
  for (const Entry& e : entries) out << e.text;
  if (!entries.empty()) return;
  if (result.definitions.rma_wins.empty())
    out << "# no epochs: the trace defines no windows for one-sided communication\n";
  else if (options.focus.all())
    out << "# no epochs: nothing complete is recorded on the trace's windows\n";
  else
    out << "# no epochs of these locations and times\n";
}

}  // namespace waitstate::cli
