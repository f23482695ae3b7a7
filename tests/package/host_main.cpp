// A program that knows nothing of waitstate and loads a module privately; the plug-in has to find the library in there.
//
//   host_main MODULE PLUGIN
#include <dlfcn.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  void* module = ::dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) {
    std::fprintf(stderr, "%s\n", ::dlerror());
    return 2;
  }
  const auto loads = reinterpret_cast<int (*)(const char*)>(::dlsym(module, "loads"));
  return loads == nullptr ? 2 : loads(argv[2]);
}
