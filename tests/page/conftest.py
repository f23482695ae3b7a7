"""What the tests of the page share: a browser, without which they are skipped, and a folder for each file of tests."""
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
    """Skipped, for ctest, where no test could run."""
    if exitstatus == 0 and not session.config.pluginmanager.get_plugin("terminalreporter").stats.get("passed"):
        session.exitstatus = 77
