"""`python -m waitstate`: the program `waitstate`, with the same arguments and exit codes.

The program belongs to this package: it is in the package itself (a wheel), in the same build tree, or in the same
installation. It replaces the interpreter, so that signals, streams and exit codes are its own.
"""
import os
import pathlib
import sys


def program() -> pathlib.Path | None:
    package = pathlib.Path(__file__).parent
    places = [*(folder / "bin" for folder in (package, *list(package.parents)[:4])), package.parents[1]]
    for place in places:
        file = place / "waitstate"
        if file.is_file() and os.access(file, os.X_OK):
            return file
    return None


def main() -> int:
    file = program()
    if file is None:
        print(f"waitstate: error: the program does not belong to the package {pathlib.Path(__file__).parent}: install both "
              "together, with pip or with cmake --install", file=sys.stderr)
        return 2
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(file, ["waitstate", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
