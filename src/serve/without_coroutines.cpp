// Stands for serve.cpp and http/http_server.cpp where the compiler has no coroutines that Boost.Asio knows: clang with
// Boost 1.74.
#include "serve/serve.hpp"
#include "waitstate/error.hpp"

namespace waitstate::serve {

int serve(const Settings&) {
  throw UsageError(
      "this waitstate cannot serve: the compiler that built it has no coroutines that Boost.Asio knows; build it with "
      "GCC 10 or later");
}

}  // namespace waitstate::serve
