"""Helpers of the tests of exports: the program, the recorded traces, and a report of each."""
import json
import os
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(os.environ.get("WAITSTATE_SOURCE", Path(__file__).parents[2]))
PROGRAM = Path(os.environ.get("WAITSTATE_BUILD", SOURCE / "build/dev")) / "waitstate"
# The quick tests try a few traces; the long ones all, of which halo has a million events and takes 20 s.
FEW = ["coll", "cuda_waits", "hybrid_tasks", "p2p", "rma"]
ALL = sorted(t.name for t in (SOURCE / "traces").iterdir() if t.is_dir())
TRACES = FEW if os.environ.get("WAITSTATE_QUICK") else ALL


def run(*arguments, **more):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, **more)


def waitstate(*arguments):
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def report_of(trace, *options):
    return json.loads(waitstate("analyze", trace, "--format", "json", *options))


def recorded(name):
    return SOURCE / "traces" / name


@pytest.fixture(params=TRACES)
def trace(request):
    return recorded(request.param)
