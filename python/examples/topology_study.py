"""A study in the manner of the EXPERT paper (Wolf and Mohr, EuroPar 2001, tables 1 and 2): one stencil program, run with
several process topologies. How much of its time is communication, how much of that is Late Sender, and who waits?

    python3 topology_study.py [FOLDER]

There is no machine to run it on here, so the runs are computed: a mesh of 68 x 51 cells is cut into PX x PY pieces as
evenly as blocks of equal size allow, which leaves the last of a row with less (as in the paper); in each step a process
computes its cells and exchanges borders with its neighbours, with blocking sends that are buffered and blocking receives.
The traces are written in waitstate's notation, into FOLDER or a temporary one, and analysed like recorded ones.
"""

import argparse
import os
import pathlib
import tempfile
from typing import Union

import numpy as np

import waitstate

Path = Union[str, "os.PathLike[str]"]
Shape = tuple[int, int]

MESH = (68, 51)
STEPS = 20
CELL = 40  # ticks to compute a cell
CALL = 30  # ticks that a call takes anyway
LATENCY = 400  # ticks until the first byte arrives
PER_CELL = 8  # ticks of transfer, and bytes, per cell of a border
CONFIGURATIONS = ((2, 4), (4, 2), (8, 1), (4, 4), (8, 2), (16, 1), (8, 4), (16, 2), (32, 1))


def pieces(cells: int, parts: int) -> list[int]:
    """Sizes of the parts: blocks of equal size, the last ones with what is left."""
    block = -(-cells // parts)
    return [max(0, min(block, cells - block * i)) for i in range(parts)]


class Run:
    """One computed run; `lines` are its events by process."""

    def __init__(self, px: int, py: int) -> None:
        self.shape = (px, py)
        widths, heights = pieces(MESH[0], px), pieces(MESH[1], py)
        self.cells = [(widths[p % px], heights[p // px]) for p in range(px * py)]
        self.clock = [0] * (px * py)
        self.lines = [[f"{p} 0 enter main"] for p in range(px * py)]
        for _ in range(STEPS):
            self.step()
        for p, lines in enumerate(self.lines):
            lines.append(f"{p} {self.clock[p]} exit")

    def neighbours(self, p: int) -> list[tuple[int, int]]:
        """(process, cells of the common border); the mesh is cyclic in its first dimension."""
        px, py = self.shape
        x, y = p % px, p // px
        width, height = self.cells[p]
        found = []
        if px > 1:
            found += [((x - 1) % px + y * px, height), ((x + 1) % px + y * px, height)]
        if y > 0:
            found.append((p - px, width))
        if y < py - 1:
            found.append((p + px, width))
        return [(q, border) for q, border in found if q != p]

    def step(self) -> None:
        arrival: dict[tuple[int, int], list[int]] = {}  # (from, to): when the messages are there
        for p in range(len(self.lines)):
            self.record(p, "enter velo")
            self.clock[p] += self.cells[p][0] * self.cells[p][1] * CELL
            for q, border in self.neighbours(p):
                self.record(p, "enter MPI_Send")
                self.record(p, f"send dest={q} tag=1 com=0 len={border * PER_CELL}")
                arrival.setdefault((p, q), []).append(self.clock[p] + LATENCY + border * PER_CELL)
                self.clock[p] += CALL
                self.record(p, "exit")
        for p in range(len(self.lines)):
            for q, border in self.neighbours(p):
                self.record(p, "enter MPI_Recv")
                self.clock[p] = max(self.clock[p] + CALL, arrival[q, p].pop(0))
                self.record(p, f"recv src={q} tag=1 com=0 len={border * PER_CELL}")
                self.record(p, "exit")
            self.record(p, "exit")

    def record(self, p: int, what: str) -> None:
        self.lines[p].append(f"{p} {self.clock[p]} {what}")

    def write(self, folder: Path) -> pathlib.Path:
        path = pathlib.Path(folder) / "stencil_{}x{}.trace".format(*self.shape)
        path.write_text("\n".join(line for lines in self.lines for line in lines) + "\n")
        return path


def study(folder: Path) -> dict[Shape, waitstate.Result]:
    """For each configuration: its Result, restricted to the routine velo."""
    return {shape: waitstate.analyze(Run(*shape).write(folder), patterns=["mpi_latesender"], focus=waitstate.Focus(region="velo"))
            for shape in CONFIGURATIONS}


def share(result: waitstate.Result, metric: str) -> float:
    return result.total(metric) / result.total("time")


def main(folder: Path) -> None:
    results = study(folder)
    print("Idle times in routine velo introduced by Late Sender\n")
    print("processes  configuration  communication  late sender")
    for (px, py), result in results.items():
        print(f"{px * py:9d}  {f'{px} x {py}':>13}  {share(result, 'mpi_communication'):13.3f}"
              f"  {share(result, 'mpi_latesender'):11.3f}")
    for shape in ((8, 1), (4, 2)):
        idle = results[shape].by_location("mpi_latesender")
        print("\nDistribution of idle times in the configuration {} x {}\n".format(*shape))
        print("process   " + " ".join(f"{p:5d}" for p in range(len(idle))))
        print("fraction  " + " ".join(f"{f:5.2f}" for f in idle / np.maximum(idle.sum(), 1)))


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Compares process topologies of one stencil program.")
    arguments.add_argument("folder", metavar="FOLDER", nargs="?", help="where the traces stay (default: nowhere)")
    folder = arguments.parse_args().folder
    if folder is not None:
        main(folder)
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(temporary)
