// The way between exposure epochs, which are at the home of their target, and access epochs, at the home of their
// origin: a call if both are here, else a record to the other worker, where OneSidedReceiver makes the same call of it.
//
// Cost: a comparison where everything is here.
#pragma once

#include <utility>
#include <vector>

#include "link/exchange/port.hpp"
#include "link/rma/away/one_sided_records.hpp"
#include "link/rma/away/one_sided_sender.hpp"
#include "link/rma/epochs/access_epochs.hpp"
#include "link/rma/epochs/exposure_epochs.hpp"

namespace waitstate::link {

class EpochsDoor final : public WayToAccesses, public WayToExposures {
 public:
  /// `port`: null if there is only one worker; else `senders` are by worker, null for the own one.
  EpochsDoor(AccessEpochs& accesses, ExposureEpochs& exposures, const Port* port, std::vector<OneSidedSender*> senders)
      : accesses_(accesses),
        exposures_(exposures),
        port_(port),
        worker_(port == nullptr ? 0 : port->worker()),
        senders_(std::move(senders)) {}

  void exposed(const ExposurePart& part) override {
    const WorkerId to = home(part.origin);
    if (to == worker_) return accesses_.exposed(worker_, part);
    ExposurePart sent = part;
    sent.post = senders_[to]->call(part.post);
    senders_[to]->post(ExposureRecord{sent});
  }
  void give_up_exposure(LocationId origin, std::uint32_t slot) override {
    const WorkerId to = home(origin);
    if (to == worker_) return accesses_.exposure_given_up(worker_, slot);
    senders_[to]->post(GivenUpExposure{slot});
  }

  void completed(WorkerId to, std::uint32_t slot, std::uint32_t start, std::uint32_t complete,
                 const RmaAccesses::Entry* accessed) override {
    if (to == worker_) return exposures_.completed(slot, start, complete, accessed);
    OneSidedSender& sender = *senders_[to];
    CompletedAccess sent{slot, sender.call(start), sender.call(complete), {}};
    if (accessed != nullptr) {
      sent.accessed = *accessed;
      sent.accessed.last = sender.call(accessed->last);
    }
    sender.post(sent);
  }
  void lost(WorkerId to, std::uint32_t slot) override {
    if (to == worker_) return exposures_.lost(slot);
    senders_[to]->post(LostAccess{slot});
  }

 private:
  WorkerId home(LocationId l) const { return port_ == nullptr ? worker_ : port_->homes().of(l); }

  AccessEpochs& accesses_;
  ExposureEpochs& exposures_;
  const Port* const port_;
  const WorkerId worker_;
  const std::vector<OneSidedSender*> senders_;
};

}  // namespace waitstate::link
