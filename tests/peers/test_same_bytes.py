"""Reports of analyses by several processes of an MPI have the bytes of one process's.

By itself a table, for any traces:  PEERS=1,2,3,4 WORKERS=1,2,4 pytest tests/peers/test_same_bytes.py
WAITSTATE_QUICK chooses a few traces and numbers of processes.
"""
import itertools
import os
import shutil

import pytest
from conftest import EVERYTHING, TRACES, alone

QUICK = bool(os.environ.get("WAITSTATE_QUICK"))
FEW = ("p2p", "coll", "hybrid_waits", "rma_waits", "shmem_waits", "cuda_waits")
NAMES = FEW if QUICK else sorted(p.name for p in TRACES.iterdir() if p.is_dir())
USUAL = (3, 2)  # peers, and workers of each


def numbers(name):
    """The numbers of peers, and of workers of each, that a trace is analysed with."""
    chosen = [os.environ.get(variable, "") for variable in ("PEERS", "WORKERS")]
    if all(chosen):
        return list(itertools.product(*([int(n) for n in words.split(",")] for words in chosen)))
    return [USUAL] if QUICK or name not in FEW else list(itertools.product((1, 2, 3, 4), (1, 2, 4)))


def report(folder, name, run, trace, *words):
    """The bytes of a report that the run writes."""
    file = folder / name
    done = run("analyze", trace, *words, "-o", file)
    assert done.returncode == 0, done.stderr
    return file.read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_reports(mpi, tmp_path, name):
    expected = {form: report(tmp_path, f"one.{form}", alone, TRACES / name, "--threads", 1, *EVERYTHING)
                for form in ("json", "csv")}
    for peers, workers in numbers(name):
        for form in ("json", "csv") if (peers, workers) == USUAL else ("json",):
            def run(*words):
                return mpi.run(peers, *words)
            assert expected[form] == report(tmp_path, f"more.{form}", run, TRACES / name, "--threads", workers,
                                            *EVERYTHING), (peers, workers, form)


@pytest.mark.parametrize("form", ["html", "txt", "cubex"])
def test_every_form(mpi, tmp_path, form):
    expected = report(tmp_path, f"one.{form}", alone, TRACES / "p2p")
    assert expected == report(tmp_path, f"two.{form}", lambda *words: mpi.run(2, *words), TRACES / "p2p")


def test_every_option(mpi, tmp_path):
    words = ("--region", "MPI_Recv", "--time", "0", "0.02", "--location", "0-2", "--phase", "time:3", "--no-series")
    expected = report(tmp_path, "one.json", alone, TRACES / "p2p", *words)
    assert expected == report(tmp_path, "three.json", lambda *w: mpi.run(3, *w), TRACES / "p2p", *words)


def test_ideal_machine(mpi, tmp_path):
    """The steps of the run go from all processes to the first one, which replays them."""
    words = ("--pattern", "all,mpi_ideal_wait")
    expected = report(tmp_path, "one.json", alone, TRACES / "p2p", *words)
    assert expected == report(tmp_path, "three.json", lambda *w: mpi.run(3, *w), TRACES / "p2p", *words)


@pytest.mark.parametrize("name", ["p2p", "coll", "rma_waits"])
def test_delays(mpi, tmp_path, name):
    """Batches come late, at random."""
    expected = report(tmp_path, "one.json", alone, TRACES / name, "--threads", 1, *EVERYTHING)
    for seed in (1, 2) if QUICK else range(1, 9):
        words = ("--threads", 2, "--chunk-events", 50, "--exchange-delay", seed, *EVERYTHING)
        assert expected == report(tmp_path, "two.json", lambda *w: mpi.run(2, *w), TRACES / name, *words), seed


@pytest.mark.parametrize("name", ["p2p", "coll"])
def test_cut_in_half(mpi, tmp_path, name):
    """A rank of the traced program was killed: half of its events are there."""
    trace = tmp_path / name
    shutil.copytree(TRACES / name, trace)
    events = sorted(trace.glob("traces/*.evt"))
    assert len(events) > 1
    half = events[1].stat().st_size // 2
    with open(events[1], "r+b") as file:
        file.truncate(half)
    expected = report(tmp_path, "one.json", alone, trace, "--threads", 1, *EVERYTHING)
    for peers in (2, 3):
        assert expected == report(tmp_path, "more.json", lambda *w: mpi.run(peers, *w), trace, *EVERYTHING), peers
