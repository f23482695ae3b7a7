"""Fixtures that the tests of the page share: a browser, and a folder for each file of tests. Without a browser they are
skipped."""
import pytest
from browser import Browser, why_not


@pytest.fixture(scope="session")
def browser():
    if why_not():
        pytest.skip(why_not())
    with Browser() as b:
        yield b


@pytest.fixture(scope="module")
def folder(tmp_path_factory, request):
    return tmp_path_factory.mktemp(request.module.__name__)


def pytest_sessionfinish(session, exitstatus):
    """Tells ctest that the tests were skipped where none could run."""
    if exitstatus == 0 and not session.config.pluginmanager.get_plugin("terminalreporter").stats.get("passed"):
        session.exitstatus = 77
