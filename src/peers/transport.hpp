// Messages between the processes that analyse one trace together, the peers: what MPI gives them, and all that they
// need of it. A library for an MPI implements it (mpi/), so that nothing else knows of MPI.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace waitstate::peers {

struct Message {
  int from = 0;
  std::vector<std::byte> bytes;
};

/// Used by one thread at a time.
class Transport {
 public:
  static constexpr int any = -1;

  virtual ~Transport() = default;
  /// Number of this peer, from 0 on, and of all.
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Number of peers on this machine, this one included.
  virtual int on_this_machine() const = 0;
  /// Sends the message and returns at once. `taken`, which may be empty, is called by send() or receive() when the
  /// other one has begun to receive it. Messages between two peers arrive in their order.
  virtual void send(int to, std::vector<std::byte> bytes, std::function<void()> taken) = 0;
  /// The next message that has come, from anybody or from that one; none if none has.
  virtual std::optional<Message> receive(int from = any) = 0;
  /// True if all messages that were sent have been taken.
  virtual bool all_taken() = 0;
};

/// The function that a library for an MPI exports under this name: initialises MPI, and returns the transport, or null
/// if MPI cannot be called by several threads. To be called once; the destructor of what it returns ends MPI.
extern "C" using MakeTransport = Transport * ();
inline constexpr const char* make_transport_name = "waitstate_make_transport";

}  // namespace waitstate::peers
