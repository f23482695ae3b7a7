// Python for the command line: a shared object that the program loads when it is given a plug-in in Python, and not
// before. So the program itself needs no Python, and nobody who has no such plug-in pays for one.
//
// There must be one copy of the library in the process: one registry, one type of each exception. So this object has
// the bindings (python/bind) but not the library, whose symbols it takes from the program, as C++ plug-ins do; and the
// module waitstate._core is made here, from these bindings, before the package `waitstate` is imported, which therefore
// takes it and not the one that lies beside it. The package is the one that this object is installed in.
//
// The interpreter lives as long as the process. It is not finalised at the end, when patterns may still be there and
// extension modules do not always survive it; what plug-ins expect of its end is done (waitstate/plugin.py).
#include <dlfcn.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "analysis/plugins/python_host.hpp"
#include "bind/patterns/python_pattern.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/plugin.hpp"

extern "C" PyObject* PyInit__core();

namespace waitstate::python {
namespace {

namespace fs = std::filesystem;

std::string package_folder() {
  Dl_info own{};
  static const char inside = 0;
  if (::dladdr(&inside, &own) == 0) throw UsageError("cannot tell where the Python support was loaded from");
  return fs::path(own.dli_fname).parent_path().parent_path().string();
}

void check(const PyStatus& status) {
  if (PyStatus_Exception(status) != 0)
    throw UsageError(std::string("cannot start Python: ") +
                     (status.err_msg != nullptr ? status.err_msg : "unknown reason"));
}

/// An interpreter that finds its modules as the Python does that this was built for, and leaves signals to the program.
void start_interpreter() {
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0;
  config.parse_argv = 0;
  PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, WAITSTATE_PYTHON_PROGRAM);
  if (PyStatus_Exception(status) == 0) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  check(status);
}

void end() {
  if (Py_IsInitialized() == 0) return;
  const PyGILState_STATE state = PyGILState_Ensure();
  try {
    py::module_::import("waitstate.plugin").attr("end")();
  } catch (py::error_already_set& e) {
    e.restore();
    PyErr_Print();
  }
  for (const char* name : {"stdout", "stderr"}) {
    PyObject* stream = PySys_GetObject(name);
    if (stream == nullptr || stream == Py_None) continue;
    PyObject* done = PyObject_CallMethod(stream, "flush", nullptr);
    if (done == nullptr) PyErr_Clear();
    Py_XDECREF(done);
  }
  PyGILState_Release(state);
}

void import_package() {
  const py::object sys = py::module_::import("sys");
  sys.attr("path").attr("insert")(0, package_folder());
  const py::object core = py::reinterpret_steal<py::object>(PyInit__core());
  if (!core) throw py::error_already_set();
  core.attr("__name__") = "waitstate._core";
  sys.attr("modules")["waitstate._core"] = core;
  py::module_::import("waitstate");
  // The module `signal` makes an exception of Ctrl-C when it is first imported; the program wants to die of it.
  const py::module_ signals = py::module_::import("signal");
  if (signals.attr("getsignal")(SIGINT).is(signals.attr("default_int_handler")))
    signals.attr("signal")(SIGINT, signals.attr("SIG_DFL"));
}

std::string text_of(py::error_already_set& e) {
  return py::str(e.type().attr("__name__")).cast<std::string>() + ": " + py::str(e.value()).cast<std::string>();
}

void start() {
  start_interpreter();
  std::string failure;
  try {
    import_package();
  } catch (py::error_already_set& e) {
    failure = text_of(e);
  }
  std::atexit(&end);
  PyEval_SaveThread();  // each call of Python takes the lock
  if (!failure.empty()) throw UsageError("cannot import the Python package waitstate: " + failure);
}

void load(const char* file, std::vector<PatternHandle>& patterns) {
  if (Py_IsInitialized() == 0) start();
  const py::gil_scoped_acquire held;
  std::string failure;
  try {
    patterns = python_plugin(file);
  } catch (py::error_already_set& e) {
    // The errors of waitstate.plugin are whole sentences already.
    failure = e.matches(py::module_::import("waitstate._core").attr("UsageError"))
                  ? to_bytes(py::str(e.value()))
                  : "cannot load plug-in '" + std::string(file) + "': " + text_of(e);
  }
  if (!failure.empty()) throw UsageError(failure);
}

}  // namespace
}  // namespace waitstate::python

extern "C" {
extern __attribute__((visibility("default"))) const waitstate::analysis::PythonHostDescription waitstate_python_host;
const waitstate::analysis::PythonHostDescription waitstate_python_host = {waitstate::plugin_interface_version,
                                                                          WAITSTATE_COMPILER, &waitstate::python::load};
}
