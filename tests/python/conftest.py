"""Fixtures that all tests of the Python package share: traces of this repository, and traces written down in a test."""
import os
import pathlib

import pytest
import waitstate

SOURCE = pathlib.Path(os.environ.get("WAITSTATE_SOURCE", pathlib.Path(__file__).resolve().parents[2]))


@pytest.fixture(scope="session")
def traces():
    """The folder of recorded traces."""
    return SOURCE / "traces"


@pytest.fixture(scope="session")
def p2p(traces):
    return waitstate.EventTrace(traces / "p2p")


@pytest.fixture
def trace_of(tmp_path):
    """trace_of(text): the EventTrace of events in the text notation."""

    def make(text, **options):
        path = tmp_path / "written.trace"
        path.write_text(text)
        return waitstate.EventTrace(path, **options)

    return make
