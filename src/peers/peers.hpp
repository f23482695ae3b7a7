// The processes that analyse one trace together, each a peer with workers of its own. Peer 0 has the result; the others
// help it, and print nothing themselves.
//
// A peer that fails tells all others, which then end as well; peer 0 reports the first failure that it hears of. Every
// peer ends by end(), which waits until all others have reached it, so that no peer and no message is left behind. A
// peer that cannot, or that waits there in vain, ends its process without MPI, and the launcher ends the others.
//
// Several threads may send at once, and one of them may receive.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "peers/archive.hpp"
#include "peers/transport.hpp"

namespace waitstate::peers {

/// Another peer has failed, for which the program would have ended with `code`; what() is what it would have said.
class PeerFailed : public std::runtime_error {
 public:
  PeerFailed(int code_of_program, const std::string& text) : std::runtime_error(text), code(code_of_program) {}
  int code;
};

/// The subject of a message: its first four bytes.
enum class Kind : std::uint32_t { batch, progress, call_path, call_paths, data, end };

class Peers {
 public:
  explicit Peers(std::unique_ptr<Transport> transport);

  int rank() const { return rank_; }
  int size() const { return size_; }
  int on_this_machine() const { return on_this_machine_; }

  /// Sends a message of that kind; returns at once. For `taken` see Transport.
  void send(int to, Kind kind, std::span<const std::byte> bytes, std::function<void()> taken = {});

  struct Received {
    int from = 0;
    Kind kind{};
    std::vector<std::byte> bytes;
  };
  /// The next message that has come, from anybody or from that one; none if none has. Throws PeerFailed if a peer has
  /// failed.
  std::optional<Received> receive(int from = Transport::any);
  /// Keeps data that have arrived before their reader.
  void keep(Received data) { early_[static_cast<std::size_t>(data.from)].push_back(std::move(data.bytes)); }

  // Data for a peer that waits for it: all that is sent until done() is received by one reader.
  /// For an ArchiveWriter: sends pieces, of which a few are on their way at a time.
  ArchiveWriter writer_to(int to);
  /// For an ArchiveReader: waits for pieces of that peer.
  ArchiveReader reader_from(int from);
  /// Sends to all others what the function writes.
  void tell_all(const std::function<void(ArchiveWriter&)>& write);

  /// Tells all others that this peer has ended, with the exit code of the program, and what it has to say if that is
  /// not 0. Waits until all have told so, but after a failure no longer than given: another one may be in a state in
  /// which it hears nothing. False if some have not. To be called once, as the last.
  bool end(int code, const std::string& text, std::chrono::milliseconds after_failure = std::chrono::seconds(30));

 private:
  void put(int to, std::vector<std::byte> piece);
  std::vector<std::byte> next_piece(int from);

  std::unique_ptr<Transport> transport_;
  const int rank_, size_, on_this_machine_;
  std::mutex mutex_;
  std::vector<bool> ended_;                                ///< by peer
  std::vector<std::deque<std::vector<std::byte>>> early_;  ///< by peer: data that have been kept
  std::atomic<int> pieces_ = 0;                            ///< pieces of data on their way
};

}  // namespace waitstate::peers
