#include "link/rma/epochs/exposure_epochs.hpp"

#include <utility>

#include "link/rma/epochs/lacking_epochs.hpp"

namespace waitstate::link {

ExposureEpochs::ExposureEpochs(const Definitions& definitions, Diagnostics& diagnostics, Calls& calls,
                               Listener& listener, const ReadProgress& reading, RmaGroups& groups,
                               WayToAccesses& accesses)
    : definitions_(definitions),
      diagnostics_(diagnostics),
      calls_(calls),
      listener_(listener),
      reading_(reading),
      groups_(groups),
      accesses_(accesses) {}

std::uint32_t ExposureEpochs::post(LocationId l, RmaWinId win, GroupId group, std::uint32_t call, Time t) {
  const std::uint32_t id = epochs_.acquire_stale();  // clear() has emptied it
  Epoch& epoch = epochs_[id];
  epoch.target = l;
  epoch.win = win;
  epoch.post = call;
  calls_.keep(call);
  const std::vector<LocationId>& origins = groups_.members(group);
  epoch.open = static_cast<std::uint32_t>(origins.size());
  epoch.origins.reserve(origins.size());
  for (const LocationId origin : origins) {
    const std::uint32_t slot = parts_.acquire_stale();
    parts_[slot] = {id, static_cast<std::uint32_t>(epoch.origins.size())};
    epoch.origins.push_back({origin, slot, none, none, {}});
  }
  const Time at = reading_.progress_at(definitions_[l].process, t);
  for (const Origin& o : epoch.origins) accesses_.exposed({o.slot, call, win, o.location, l, at});
  return id;
}

void ExposureEpochs::wait(std::uint32_t exposure, std::uint32_t call) {
  epochs_[exposure].wait = call;
  calls_.keep(call);
  end_if_over(exposure);
}

void ExposureEpochs::give_up(std::uint32_t exposure) {
  Epoch& epoch = epochs_[exposure];
  report(epoch, not_waited_for);
  for (Origin& o : epoch.origins)
    if (o.slot != none) {
      parts_[o.slot].epoch = none;
      accesses_.give_up_exposure(o.location, o.slot);
    }
  clear(epoch);
  epochs_.release(exposure);
}

// --- answers ---------------------------------------------------------------------------------------------------------

ExposureEpochs::Part ExposureEpochs::answered(std::uint32_t slot) {
  const Part part = parts_[slot];
  parts_.release(slot);
  if (part.epoch == none) return part;
  Epoch& epoch = epochs_[part.epoch];
  epoch.origins[part.origin].slot = none;
  --epoch.open;
  return part;
}

void ExposureEpochs::completed(std::uint32_t slot, std::uint32_t start, std::uint32_t complete,
                               const RmaAccesses::Entry* accessed) {
  const Part part = answered(slot);
  if (part.epoch == none) return;
  Origin& o = epochs_[part.epoch].origins[part.origin];
  o.start = start;
  o.complete = complete;
  calls_.keep(start);
  calls_.keep(complete);
  if (accessed != nullptr) {
    o.accessed = *accessed;
    calls_.keep(o.accessed.last);
  }
  end_if_over(part.epoch);
}

void ExposureEpochs::lost(std::uint32_t slot) {
  const Part part = answered(slot);
  if (part.epoch == none) return;
  epochs_[part.epoch].lacks = true;
  end_if_over(part.epoch);
}

// --- the end of an epoch ---------------------------------------------------------------------------------------------

void ExposureEpochs::end_if_over(std::uint32_t exposure) {
  Epoch& epoch = epochs_[exposure];
  if (epoch.wait == none || epoch.open != 0) return;
  if (!epoch.lacks)
    deliver(epoch);
  else
    report(epoch, no_origin);
  clear(epoch);
  epochs_.release(exposure);
}

void ExposureEpochs::deliver(const Epoch& epoch) {
  origins_view_.clear();
  for (const Origin& o : epoch.origins)
    origins_view_.push_back({o.location, calls_[o.start].call, calls_[o.complete].call,
                             view(calls_, o.location, epoch.target, o.accessed.last == none ? nullptr : &o.accessed)});
  listener_.rma_exposure_epoch({epoch.win, calls_[epoch.post].call, calls_[epoch.wait].call, origins_view_});
}

void ExposureEpochs::report(const Epoch& epoch, const char* what) {
  report_epoch(diagnostics_, calls_[epoch.post].call, what);
  if (epoch.wait != none) tell_of_missing_part(listener_, calls_[epoch.wait].call);
}

void ExposureEpochs::clear(Epoch& epoch) {
  for (const Origin& o : epoch.origins) {
    drop_call(o.start);
    drop_call(o.complete);
    drop_call(o.accessed.last);
  }
  drop_call(epoch.post);
  drop_call(epoch.wait);
  Epoch empty;  // in the memory of the old one
  util::empty_for_reuse(epoch.origins);
  empty.origins.swap(epoch.origins);
  epoch = std::move(empty);
}

void ExposureEpochs::finish() {
  epochs_.for_each([&](std::uint32_t, Epoch& epoch) {
    if (epoch.post == none) return;
    report(epoch, epoch.wait == none ? not_waited_for : no_origin);
    clear(epoch);
  });
}

}  // namespace waitstate::link
