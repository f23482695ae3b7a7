#include "pass/second_look.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "replay/matched_receives.hpp"

namespace waitstate::pass {
namespace {

constexpr std::size_t events_at_a_time = 256;
constexpr std::size_t files_at_a_time = 16;

/// Takes the events of one location. A region gets its entry when it is entered, or, what is open then, when the time
/// begins: so the entries are in order, and need no sorting.
class LookSink {
 public:
  LookSink(Look& look, const std::vector<OpenRegion>& open) : look_(look) {
    for (const OpenRegion& r : open) open_.push_back({r.region, no_entry});
  }

  void enter(Time t, RegionId region) {
    advance(t);
    open_.push_back({region, no_entry});
    if (begun_) add_entry(now_);
  }
  void exit(Time t, RegionId region) {
    advance(t);
    std::size_t left = open_.size();
    while (left > 0 && region.valid() && open_[left - 1].region != region) --left;
    if (left == 0) return;
    while (open_.size() >= left) close(now_);
  }
  void event(EventType type, Time t, const std::uint64_t* attributes, std::span<const Value>) {
    if (replay::MatchedReceives::concerns(type)) {
      const replay::MatchedReceives::Receive r = matched_receives_.receive(type, attributes);
      return event(r.type, t, r.attributes.data(), {});
    }
    if (type == EventType::probe) matched_receives_.found(attributes);
    advance(t);
    if (!in_time()) return;
    const auto* const a = attributes;
    switch (type) {
      case EventType::send:
      case EventType::isend:
      case EventType::recv:
      case EventType::irecv: {
        // Partner, tag, communicator, length: the first attributes of all four.
        const bool send = type == EventType::send || type == EventType::isend;
        std::vector<Look::MessageEnd>& ends = send ? look_.sends : look_.receives;
        ends.push_back({LocationId{static_cast<std::size_t>(a[0])}, now_, a[3], static_cast<std::uint32_t>(a[1]),
                        CommId{static_cast<std::size_t>(a[2])}});
        break;
      }
      case EventType::rma_put:
        start(RmaOperationKind::put, a[0], a[1], a[2], a[3]);
        break;
      case EventType::rma_get:
        start(RmaOperationKind::get, a[0], a[1], a[2], a[3]);
        break;
      case EventType::rma_atomic:
        start(RmaOperationKind::atomic, a[0], a[1], a[3], a[5]);
        break;
      case EventType::rma_op_complete_blocking:
      case EventType::rma_op_complete_nonblocking:
      case EventType::rma_op_complete_remote:
        complete(RmaWinId{static_cast<std::size_t>(a[0])}, a[1]);
        break;
      default:
        break;
    }
  }
  void attribute_list(std::span<const ListedAttribute>) {}

  /// True if the time is over, or if there is too much in it.
  bool done() const { return now_ >= look_.to || seen_ > Look::most_events; }
  void finish() {
    look_.whole = seen_ <= Look::most_events;
    if (!begun_) begin();
    while (!open_.empty()) close(look_.to);
    std::erase_if(look_.regions, [](const Look::Region& r) { return r.enter >= r.exit; });
  }

 private:
  static constexpr std::size_t no_entry = ~std::size_t{0};
  struct Open {
    RegionId region;
    std::size_t entry;  ///< in look_.regions
  };

  void start(RmaOperationKind kind, std::uint64_t window, std::uint64_t target, std::uint64_t bytes,
             std::uint64_t match) {
    look_.transfers.push_back({LocationId{static_cast<std::size_t>(target)}, kind, now_, std::nullopt, bytes,
                               RmaWinId{static_cast<std::size_t>(window)}, match});
  }
  /// The latest call with that number, because recorders reuse numbers. A call may have several such records.
  void complete(RmaWinId window, std::uint64_t match) {
    const auto found = std::find_if(look_.transfers.rbegin(), look_.transfers.rend(),
                                    [&](const Look::Transfer& t) { return t.window == window && t.match == match; });
    if (found != look_.transfers.rend()) found->completed = now_;
  }
  bool in_time() const { return now_ >= look_.from && now_ < look_.to; }
  void advance(Time t) {
    now_ = std::max(now_, t);
    seen_ += in_time();
    if (!begun_ && now_ > look_.from) begin();
  }
  void begin() {
    begun_ = true;
    std::vector<Open> open;
    open.swap(open_);
    for (const Open& o : open) {
      open_.push_back(o);
      add_entry(look_.from);
    }
  }
  /// Adds the record to the innermost call.
  void add_entry(Time enter) {
    open_.back().entry = look_.regions.size();
    look_.regions.push_back({open_.back().region, enter, enter, static_cast<std::uint32_t>(open_.size() - 1)});
  }
  /// The innermost open call.
  void close(Time exit) {
    if (open_.back().entry != no_entry) look_.regions[open_.back().entry].exit = std::min(exit, look_.to);
    open_.pop_back();
  }

  Look& look_;
  std::vector<Open> open_;
  replay::MatchedReceives matched_receives_;
  Time now_ = 0;
  std::size_t seen_ = 0;
  bool begun_ = false;  ///< the time is later than look_.from: what is closed before lies outside, or has no length
};

}  // namespace

void look_again(TraceInput& input, const EventIndex& index, std::vector<Look>& looks) {
  std::vector<LocationId> locations;
  for (const Look& look : looks) locations.push_back(look.location);
  const auto readers = input.readers<LookSink>(locations, false, files_at_a_time);
  for (Look& look : looks) {
    look.regions.clear(), look.sends.clear(), look.receives.clear(), look.transfers.clear();
    const EventIndex::Mark* const mark = index.before(look.location, look.from);
    LookSink sink(look, mark == nullptr ? std::vector<OpenRegion>{} : mark->open);
    if (mark != nullptr) {
      readers->go_to(look.location, mark->place);
      while (!sink.done() && !readers->at_end(look.location))
        if (readers->read(look.location, sink, events_at_a_time) == 0) break;
    }
    sink.finish();
  }
}

}  // namespace waitstate::pass
