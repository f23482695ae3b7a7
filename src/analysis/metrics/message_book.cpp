#include "analysis/metrics/message_book.hpp"

#include <algorithm>

#include "util/hash.hpp"

namespace waitstate::analysis {

bool MessageBook::is_kept(const WaitContext::Message& m) const {
  if (zeros_ == 0) return true;
  const std::uint64_t hash =
      util::mixed(util::joined(m.sender.value, m.receiver.value), util::mixed(m.sent, m.received));
  return hash >> (64 - zeros_) == 0;
}

void MessageBook::add(const WaitContext::Message& m) {
  if (!is_kept(m)) return;
  messages_.push_back(m);
  thin_out();
}

void MessageBook::add(const CompletedReceives& r) {
  for (const Message& m : r.messages) add({m.sender, m.receiver, m.send_time, m.recv_time, m.bytes, m.tag, m.comm});
}

void MessageBook::merge(const MessageBook& other) {
  if (zeros_ < other.zeros_) {
    zeros_ = other.zeros_;
    drop();
  }
  for (const WaitContext::Message& m : other.messages_)
    if (is_kept(m)) messages_.push_back(m);
  thin_out();
}

void MessageBook::thin_out() {
  while (messages_.size() > limit_ && zeros_ < 63) {
    ++zeros_;
    drop();
  }
}

void MessageBook::drop() {
  std::erase_if(messages_, [&](const WaitContext::Message& m) { return !is_kept(m); });
}

std::vector<WaitContext::Message> MessageBook::messages() const {
  std::vector<WaitContext::Message> all = messages_;
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace waitstate::analysis
