// The notes that one worker takes for causes while it reads its locations: points and what locations did between them,
// if a pattern asks for waits; steps and what linking says of them, if one asks for ideal waits.
#pragma once

#include <cstddef>
#include <optional>

#include "causes/ideal/announcements.hpp"
#include "causes/ideal/step_log.hpp"
#include "causes/recorder/recorder.hpp"

namespace waitstate::causes {

class Notes {
 public:
  /// `homes`: null with one worker.
  Notes(const Definitions& definitions, const CallTree& call_tree, const WantedCauses& wanted,
        std::size_t bytes_in_memory, const link::Homes* homes, link::WorkerId worker)
      : recorded(definitions, call_tree, wanted, bytes_in_memory, homes, worker) {
    if (wanted.waits) recorder.emplace(recorded);
    if (wanted.ideal_waits) ideal.emplace(definitions, bytes_in_memory);
  }
  Notes(const Notes&) = delete;
  Notes& operator=(const Notes&) = delete;

  /// The events that it has to be told.
  static Interests interests(const WantedCauses& wanted) {
    return (wanted.waits ? Recorder::interests(wanted.all_waits) : 0) |
           (wanted.ideal_waits ? Announcements::interests : 0);
  }

  /// A compound event, or a wait for a message that a pattern has published.
  template <class E>
  void note(const E& e) {
    if constexpr (requires(Recorder & r) { r.note(e); })
      if (recorder) recorder->note(e);
    if constexpr (requires(Announcements & a) { a.note(e); })
      if (ideal) ideal->announcements.note(e);
  }
  // Called by the linking thread.
  void work(const link::LocationWork& work) { recorded.work.take(work); }
  void incomplete_part(const link::IncompletePart& part) {
    if (recorder) recorder->incomplete.add(part);
    if (ideal) ideal->announcements.note(part);
  }

  /// Brings them to the same worker's of another process, before they are joined.
  template <class Archive>
  void travel(Archive& archive, const std::vector<LocationId>& of_worker) {
    recorded.travel(archive, of_worker);
    if (recorder) archive(*recorder);
    if (!ideal) return;
    ideal->steps.travel(archive, of_worker);
    archive(ideal->announcements);
  }

  Recorded recorded;
  std::optional<Recorder> recorder;
  struct Ideal {
    Ideal(const Definitions& definitions, std::size_t bytes_in_memory)
        : steps(definitions.locations.size(), bytes_in_memory), announcements(definitions, bytes_in_memory) {}
    StepLog steps;
    Announcements announcements;
  };
  std::optional<Ideal> ideal;
};

}  // namespace waitstate::causes
