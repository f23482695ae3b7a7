// Notes the points of a trace while it is read: what analysis is told goes to the file of its kind.
//
// Points of messages come from the waits that the patterns mpi_latesender and mpi_latereceiver publish; all others are
// made of compound events. Waits that are followed only with all_waits are noted without it as well, but not as points
// (recorder/pairs).
#pragma once

#include "causes/recorded.hpp"
#include "causes/recorder/collectives.hpp"
#include "causes/recorder/devices.hpp"
#include "causes/recorder/incomplete.hpp"
#include "causes/recorder/messages.hpp"
#include "causes/recorder/one_sided.hpp"
#include "causes/recorder/threads.hpp"
#include "waitstate/pattern/compound_events.hpp"
#include "waitstate/pattern/late_sender.hpp"

namespace waitstate::causes {

class Recorder {
 public:
  explicit Recorder(Recorded& to) : incomplete(to), to_(to), threads_(to), devices_(to) {}

  IncompleteOperations incomplete;

  /// The events that note() makes points of.
  static Interests interests(bool all_waits);

  // Waits that Scalasca follows too.

  void note(const LateSender& w) { add_late_sender(to_, w.message, w.wait); }
  void note(const LateReceiver& w) { add_late_receiver(to_, w.message, w.call, w.wait); }
  void note(const Collective& c) { add_collective(to_, c); }
  void note(const TeamBarrier& b) { threads_.add(b); }
  // Other waits.
  void note(const MessageSearch& s) { add_search(to_, s); }
  void note(const HandleCreation& h) { add_creation(to_, h); }
  void note(const CompletedCollectives& c) { add_nonblocking(to_, c); }
  void note(const RmaCollective& r) { add_window(to_, r); }
  void note(const RmaAccessEpoch& e) { add_access(to_, e); }
  void note(const RmaExposureEpoch& e) { add_exposure(to_, e); }
  void note(const RmaPassiveCall& r) { add_passive(to_, r); }
  void note(const RmaWaitChange& w) { add_change(to_, w); }
  void note(const LockAcquired& a) { threads_.add(a); }
  /// With all_waits only: without it a program with tasks is not analysed at all.
  void note(const TaskIdle& t) { threads_.add(t); }
  void note(const DeviceWait& w) { devices_.add(w); }

  /// Adds what another worker's recorder knows beside what it has noted.
  void join(const Recorder& other) {
    incomplete.join(other.incomplete);
    threads_.join(other.threads_);
    devices_.join(other.devices_);
  }
  template <class Archive>
  void travel(Archive& archive) {
    archive(incomplete, threads_, devices_);
  }
  /// After the last of the above, and of what locations did: adds the points of forks and launches.
  void finish();

 private:
  Recorded& to_;
  ThreadPoints threads_;
  DevicePoints devices_;
};

}  // namespace waitstate::causes
