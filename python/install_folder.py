"""Prints the folder of Python packages below a prefix, for `cmake --install`: where the Python that runs this looks.

usage: install_folder.py PREFIX

One of the folders that it searches, if one lies below the prefix (lib/python3.11/dist-packages below /usr/local for
Debian's); else the one that it would have there if it were its own prefix.
"""
import pathlib
import site
import sys
import sysconfig


def folder_below(prefix):
    for folder in [*site.getsitepackages(), site.getusersitepackages()]:
        path = pathlib.Path(folder)
        if path.is_relative_to(prefix) and not path.is_relative_to(prefix / "local"):
            return path.relative_to(prefix)
    name = pathlib.Path(sysconfig.get_path("platlib")).name
    return pathlib.Path("lib", f"python{sys.version_info[0]}.{sys.version_info[1]}", name)


print(folder_below(pathlib.Path(sys.argv[1])).as_posix())
