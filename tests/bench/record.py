#!/usr/bin/python3
"""Measures what recording costs: processor time a call, bytes an event, and what is lost of a process that is killed.

Each MPI that is installed; without a recorder, under `waitstate record`, and under EZTrace where that is installed, in
turn in each of --repeat rounds, of which the least counts (processor time: other processes of the machine disturb it
less than wall time). Prints Markdown. About a minute.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BENCH = Path(__file__).resolve().parent
ROOT = BENCH.parent.parent
# The calls of a round, and how many of them are recorded.
KINDS = {"rank": ("MPI_Comm_rank, which is not recorded", 1), "iprobe": ("MPI_Iprobe in vain", 1), "test": ("MPI_Test in vain", 1),
         "wait": ("Irecv + Send + Wait", 3), "waitall": ("Irecv + Isend + Waitall", 3), "barrier": ("Barrier", 1)}
# Targets as shares of EZTrace's overhead.
TARGETS = {"wait": 0.7, "waitall": 0.75, "barrier": 0.5}

ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def run(command, folder, expected=(0,)):
    ran = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, cwd=folder, env=ENVIRONMENT)
    if expected and ran.returncode not in expected:
        sys.exit(f"{' '.join(map(str, command))}: {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def measured(text):
    return {name: float(value) for name, value in re.findall(r"^(\w+) ([\d.]+)$", text, re.MULTILINE)}


def least(a, b):
    return {k: min(v, a.get(k, v)) for k, v in b.items()}


def compile_program(mpi, source, folder):
    out = folder / f"{source.stem}.{mpi}"
    run([f"mpicc.{mpi}", "-O2", "-w", source, "-o", out], folder)
    return out


def bytes_in(folder):
    return sum(f.stat().st_size for f in Path(folder).rglob("*.evt"))


def overhead(a, mpi, folder):
    program = compile_program(mpi, BENCH / "record_calls.c", folder)
    launcher, eztrace = [f"mpirun.{mpi}", "-n", "1"], shutil.which("eztrace")
    found = {"alone": {}, "waitstate": {}, "eztrace": {}}
    for _ in range(a.repeat):
        found["alone"] = least(found["alone"], measured(run([*launcher, program, a.rounds], folder)))
        shutil.rmtree(folder / "ours", ignore_errors=True)
        ours = run([a.waitstate, "record", "-o", folder / "ours", "--", *launcher, program, a.rounds], folder)
        found["waitstate"] = least(found["waitstate"], measured(ours))
        if eztrace:
            shutil.rmtree(folder / "eztrace", ignore_errors=True)
            theirs = run([*launcher, eztrace, "-t", mpi, "-o", folder / "eztrace", program, a.rounds], folder)
            found["eztrace"] = least(found["eztrace"], measured(theirs))
    print(f"\n{mpi}, nanoseconds a round:\n\n| | alone | `record` | EZTrace | `record` ÷ EZTrace | target |\n|---|---:|---:|---:|---:|---|")
    for kind, (text, calls) in KINDS.items():
        alone = found["alone"][kind]
        more = {tool: found[tool][kind] - alone for tool in ("waitstate", "eztrace") if kind in found[tool]}
        ratio = more["waitstate"] / more["eztrace"] if more.get("eztrace", 0) > 5 else None
        of_calls = f" ({more['waitstate'] / calls:.0f} a call)" if calls > 1 else ""
        theirs = "–" if "eztrace" not in more else f"+{more['eztrace']:.0f}"
        share = "–" if ratio is None else f"{ratio:.2f}"
        target = f"≤ {TARGETS[kind]}" if kind in TARGETS else "–"
        print(f"| {text} | {alone:.0f} | +{more['waitstate']:.0f}{of_calls} | {theirs} | {share} | {target} |")


def sizes(a, mpi, folder):
    """Bytes on the disk."""
    program = compile_program(mpi, BENCH / "record_calls.c", folder)
    print(f"\n{mpi}, bytes on the disk:\n\n| | a round |\n|---|---:|")
    for kind, (text, _) in KINDS.items():
        sizes_of = []
        for rounds in (a.rounds, 2 * a.rounds):
            shutil.rmtree(folder / "size", ignore_errors=True)
            run([a.waitstate, "record", "-o", folder / "size", "--", f"mpirun.{mpi}", "-n", "1", program, rounds, 1, kind], folder)
            sizes_of.append(bytes_in(folder / "size"))
        print(f"| {text} | {(sizes_of[1] - sizes_of[0]) / a.rounds:.1f} |")


def lost(a, mpi, folder):
    """The largest part of a process's records that was not on the disk when it was killed with SIGKILL, in several runs."""
    program = compile_program(mpi, ROOT / "tests" / "programs" / "ends.c", folder)
    whole = folder / "whole"
    shutil.rmtree(whole, ignore_errors=True)
    run([a.waitstate, "record", "-o", whole, "--", f"mpirun.{mpi}", "-n", "2", program, "finalize", 100000], folder, ())
    a_round = (whole / "traces" / "1.evt").stat().st_size / 100000
    most = 0
    for rounds in range(a.kill_from, a.kill_to, a.kill_step):
        shutil.rmtree(folder / "killed", ignore_errors=True)
        run([a.waitstate, "record", "-o", folder / "killed", "--", f"mpirun.{mpi}", "-n", "2", program, "kill", rounds], folder, ())
        there = run([a.waitstate, "show", folder / "killed", "--format", "csv"], folder)
        received = sum(float(line.rsplit(",", 1)[1]) for line in there.splitlines()
                       if line.startswith("comms_recv,") and line.split(",")[-2] == "1")
        most = max(most, (rounds - received) * a_round)
    print(f"\n{mpi}: of a killed process at most {most / 2**20:.1f} MiB of records were lost, {a_round:.1f} bytes a round")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", metavar="DIR", default=ROOT / "build" / "bench", type=Path, help="folder with waitstate")
    parser.add_argument("--rounds", type=int, default=100000, metavar="N")
    parser.add_argument("--repeat", type=int, default=3, metavar="N")
    parser.add_argument("--only", choices=["overhead", "sizes", "lost"], help="one part")
    parser.add_argument("--kill-from", type=int, default=90000, metavar="ROUNDS", help=argparse.SUPPRESS)
    parser.add_argument("--kill-to", type=int, default=130000, metavar="ROUNDS", help=argparse.SUPPRESS)
    parser.add_argument("--kill-step", type=int, default=5000, metavar="ROUNDS", help=argparse.SUPPRESS)
    a = parser.parse_args()
    a.waitstate = a.build.resolve() / "waitstate"
    for mpi in ("openmpi", "mpich"):
        if not shutil.which(f"mpicc.{mpi}") or not (a.build / "lib" / "waitstate" / f"libwaitstate-record-{mpi}.so").exists():
            print(f"\n{mpi}: not installed, or not built")
            continue
        with tempfile.TemporaryDirectory() as folder:
            for part in (overhead, sizes, lost):
                if a.only in (None, part.__name__):
                    part(a, mpi, Path(folder))


if __name__ == "__main__":
    main()
