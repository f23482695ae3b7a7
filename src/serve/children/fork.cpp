#include "serve/children/fork.hpp"

#include <signal.h>

#include <sys/prctl.h>
#include <unistd.h>

#include <initializer_list>

namespace waitstate::serve {

void become_child(pid_t server) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) ::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != server) ::_exit(1);  // it has ended meanwhile
}

}  // namespace waitstate::serve
