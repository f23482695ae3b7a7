#include "pass/second_look.hpp"

#include <algorithm>
#include <memory>
#include <span>

namespace waitstate::pass {
namespace {

constexpr std::size_t events_at_a_time = 256;
constexpr std::size_t files_at_a_time = 16;

/// Takes the events of one location.
class LookSink {
 public:
  LookSink(Look& look, const std::vector<OpenRegion>& open) : look_(look), open_(open) {}

  void enter(Time t, RegionId region) {
    advance(t);
    open_.push_back({region, now_});
  }
  void exit(Time t, RegionId region) {
    advance(t);
    std::size_t left = open_.size();
    while (left > 0 && region.valid() && open_[left - 1].region != region) --left;
    if (left == 0) return;
    while (open_.size() >= left) {
      close(now_);
      open_.pop_back();
    }
  }
  void event(EventType type, Time t, const std::uint64_t* attributes, std::span<const Value>) {
    advance(t);
    const bool send = type == EventType::send || type == EventType::isend;
    if (!send && type != EventType::recv && type != EventType::irecv) return;
    if (!in_time()) return;
    // Partner, tag, communicator, length: the first attributes of all four.
    std::vector<Look::MessageEnd>& ends = send ? look_.sends : look_.receives;
    ends.push_back({LocationId{static_cast<std::size_t>(attributes[0])}, now_, attributes[3],
                    static_cast<std::uint32_t>(attributes[1]), CommId{static_cast<std::size_t>(attributes[2])}});
  }
  void attribute_list(std::span<const ListedAttribute>) {}

  /// Nothing more is to come of the time, or too much.
  bool done() const { return now_ >= look_.to || seen_ > Look::most_events; }
  void finish() {
    look_.whole = seen_ <= Look::most_events;
    for (; !open_.empty(); open_.pop_back()) close(look_.to);
  }

 private:
  bool in_time() const { return now_ >= look_.from && now_ < look_.to; }
  void advance(Time t) {
    now_ = std::max(now_, t);
    seen_ += in_time();
  }
  /// The innermost one.
  void close(Time exit) {
    const OpenRegion& r = open_.back();
    const Time from = std::max(r.enter, look_.from), to = std::min(exit, look_.to);
    if (from < to) look_.regions.push_back({r.region, from, to, static_cast<std::uint32_t>(open_.size() - 1)});
  }

  Look& look_;
  std::vector<OpenRegion> open_;
  Time now_ = 0;
  std::size_t seen_ = 0;
};

}  // namespace

void look_again(TraceInput& input, const EventIndex& index, std::vector<Look>& looks) {
  std::vector<LocationId> locations;
  for (const Look& look : looks) locations.push_back(look.location);
  const auto readers = input.readers<LookSink>(locations, false, files_at_a_time);
  for (Look& look : looks) {
    look.regions.clear(), look.sends.clear(), look.receives.clear();
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
