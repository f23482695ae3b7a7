"""One server for all tests of a file that only ask."""
import pytest
from client import TRACES, Server


@pytest.fixture(scope="module")
def server():
    with Server(TRACES / "p2p") as s:
        yield s
