// The notes that one worker takes for causes while it reads its locations: points and what locations did between them,
// if a pattern asks for waits; the replay of the events of the one stream, if one asks for ideal waits.
#pragma once

#include <cstddef>
#include <optional>

#include "causes/ideal/replay.hpp"
#include "causes/recorder/recorder.hpp"

namespace waitstate::causes {

class Notes {
 public:
  /// `homes`: null with one worker.
  Notes(const Definitions& definitions, const CallTree& call_tree, const WantedCauses& wanted,
        std::size_t bytes_in_memory, const link::Homes* homes, link::WorkerId worker)
      : recorded(definitions, call_tree, wanted, bytes_in_memory, homes, worker) {
    if (wanted.waits) recorder.emplace(recorded);
  }
  Notes(const Notes&) = delete;
  Notes& operator=(const Notes&) = delete;

  /// The events that it has to be told.
  static Interests interests(const WantedCauses& wanted) {
    return (wanted.waits ? Recorder::interests(wanted.all_waits) : 0) |
           (wanted.ideal_waits ? IdealReplay::interests : 0);
  }
  /// Before the first event of the one stream, if ideal waits are wanted: then there is one worker.
  void connect(const merge::EventStore& events) {
    if (recorded.wanted.ideal_waits) replay.emplace(recorded.definitions, recorded.call_tree, events);
  }

  /// A compound event, or a wait for a message that a pattern has published.
  template <class E>
  void note(const E& e) {
    if constexpr (requires(Recorder & r) { r.note(e); })
      if (recorder) recorder->note(e);
    if constexpr (requires(IdealReplay & r) { r.note(e); })
      if (replay) replay->note(e);
  }
  /// The next event of the one stream.
  void event(const Event& e) {
    if (replay) replay->event(e);
  }
  bool replays() const { return replay.has_value(); }
  // Called by the linking thread.
  void work(const link::LocationWork& work) { recorded.work.take(work); }
  void incomplete_part(const link::IncompletePart& part) {
    if (recorder) recorder->incomplete.add(part);
  }

  /// Brings them to the same worker's of another process, before they are joined; not those of the one stream.
  template <class Archive>
  void travel(Archive& archive, const std::vector<LocationId>& of_worker) {
    recorded.travel(archive, of_worker);
    if (recorder) archive(*recorder);
  }

  Recorded recorded;
  std::optional<Recorder> recorder;
  std::optional<IdealReplay> replay;
};

}  // namespace waitstate::causes
