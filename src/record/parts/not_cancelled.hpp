// Keeps a thread from being cancelled while the recorder opens, writes or closes files. These calls are cancellation
// points: a thread that the program cancels would end amid the recorder's work, with its locks held, and be unwound
// through frames of which the recorder's own copy of libgcc knows nothing, which aborts the program. A request that
// comes meanwhile takes effect at the program's own next cancellation point.
#pragma once

#include <pthread.h>

namespace waitstate::record {

class NotCancelled {
 public:
  NotCancelled() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
  NotCancelled(const NotCancelled&) = delete;
  NotCancelled& operator=(const NotCancelled&) = delete;
  ~NotCancelled() { pthread_setcancelstate(before_, nullptr); }

 private:
  int before_ = PTHREAD_CANCEL_ENABLE;
};

}  // namespace waitstate::record
