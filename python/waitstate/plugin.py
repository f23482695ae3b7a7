"""Python files as plug-ins: a file is run, and the subclasses of waitstate.Pattern among its names are its patterns."""

from __future__ import annotations

import atexit
import gc
import importlib.util
import io
import os
import sys
import traceback
from types import ModuleType

from waitstate._core import UsageError
from waitstate.pattern import Pattern, snake_case


_MODULES = "waitstate_plugin_"


def _run(path: str) -> ModuleType:
    stem = os.path.splitext(os.path.basename(path))[0]
    name = _MODULES + snake_case(stem).replace("-", "_")
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"cannot load plug-in '{path}': expected a Python file, whose name ends in .py")
    module = importlib.util.module_from_spec(spec)
    folder = os.path.dirname(os.path.abspath(path))
    if folder not in sys.path:
        sys.path.append(folder)  # a plug-in can import modules beside it, now and in its callbacks
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        sys.modules.pop(name, None)
        # Without the frames of the import machinery: what is left begins in the file.
        frames = [f for f in traceback.extract_tb(error.__traceback__) if "importlib" not in f.filename][1:]
        text = "".join(traceback.format_list(frames) + traceback.format_exception_only(type(error), error)).rstrip()
        raise UsageError(f"cannot load plug-in '{path}': {type(error).__name__}: {error}\n{text}") from error
    return module


def load(path: str | os.PathLike[str]) -> list[type[Pattern]]:
    """The pattern classes of a file, in the order of their names' definition. Names that begin with '_' are left out:
    they are for base classes. Raises UsageError if the file cannot be run or has no pattern."""
    path = os.fspath(path)
    if os.path.isdir(path):
        raise UsageError(f"cannot load plug-in '{path}': it is a directory; name the Python file in it")
    if not os.path.exists(path):
        raise UsageError(f"cannot load plug-in '{path}': there is no such file")
    found: list[type[Pattern]] = []
    for name, value in vars(_run(path)).items():
        if not isinstance(value, type) or not issubclass(value, Pattern) or value is Pattern or name.startswith("_"):
            continue
        if value not in found:
            found.append(value)
    if not found:
        raise UsageError(f"plug-in '{path}' has no patterns: expected a subclass of waitstate.Pattern, whose name does not "
                         f"begin with '_'")
    return found


def make(cls: type[Pattern]) -> Pattern:
    """An instance of a pattern class."""
    try:
        return cls()
    except UsageError:
        raise
    except TypeError as error:
        raise UsageError(f"class {cls.__name__} cannot be made without arguments: {error}; give "
                         f"waitstate.analyze() an instance instead, or declare `parameters`") from error
    except (Exception, SystemExit) as error:
        raise UsageError(f"class {cls.__name__} cannot be made: {type(error).__name__}: {error}") from error


def end() -> None:
    """Does what plug-ins expect at the end of an interpreter, which does not end here: calls the functions registered
    with `atexit`, releases the objects that plug-ins keep, and flushes files."""
    atexit._run_exitfuncs()
    for name, module in list(sys.modules.items()):
        if name.startswith(_MODULES):
            vars(module).clear()
    gc.collect()
    for file in gc.get_objects():
        if issubclass(type(file), io.IOBase):
            try:
                if not file.closed and file.writable():
                    file.flush()
            except (ValueError, BrokenPipeError):
                pass  # it has no buffer any more, or no reader
            except Exception:
                traceback.print_exc()
