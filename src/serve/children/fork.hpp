// A new process of the server, right after fork().
#pragma once

#include <sys/types.h>

namespace waitstate::serve {

/// Signals are as they are in a program that has just been started; ends with process `server`, its parent.
void become_child(pid_t server);

}  // namespace waitstate::serve
