"""Python files as plug-ins of the command line, and of waitstate.analyze(). Long because the files stand here whole."""

import gzip
import os
import pathlib
import shutil
import subprocess
import textwrap

import pytest

import waitstate
from conftest import SOURCE

P2P = str(SOURCE / "traces" / "p2p")
PACKAGE = pathlib.Path(os.path.abspath(waitstate.__file__)).parent

MINE = """\
import numpy, waitstate


class BigMessages(waitstate.Pattern):
    '''Messages of at least `threshold` bytes.

    diagnosis   send fewer bytes
    '''

    id, parent, unit = "my_big", "comms_recv", "occ"
    parameters = {"threshold": (65536, "bytes", "Smallest number of bytes that counts.")}

    def completed_receives_callback(self, receives):
        for message in receives.messages:
            if message.bytes >= self.threshold:
                self.add_call(receives.call, 1)


class LateBatch(waitstate.Pattern):
    '''Late Sender of calls that receive one message, with arrays.'''

    parent = "mpi_point2point"

    def completed_receives_batch(self, m):
        ticks = m["send"]["enter"].clip(max=m["recv"]["exit"]) - m["recv"]["enter"]
        _, row, received = numpy.unique(m["number"], return_index=True, return_counts=True)
        self.add_waits(m["recv"], ticks, m["send"], where=row[(received == 1) & (ticks[row] > 0)])
"""


def program():
    """The program to which the package belongs: in the build tree, or in an installation."""
    for place in (PACKAGE.parents[1] / "waitstate", PACKAGE.parents[3] / "bin" / "waitstate"):
        if place.is_file():
            return str(place)
    pytest.skip("the program is not built")


def run(*arguments, cwd=None, **environment):
    return subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True, cwd=cwd, timeout=100,
                          env={**os.environ, **environment})


@pytest.fixture
def plugin(tmp_path):
    def write(text, name="mine.py"):
        path = tmp_path / name
        path.write_text(textwrap.dedent(text))
        return path

    return write


def rows(text, metric):
    return [line for line in text.splitlines() if line.startswith(metric + ",")]


def test_a_file_is_analysed_like_built_in_patterns(plugin):
    path = plugin(MINE)
    done = run("analyze", P2P, "--plugin", path, "--set", "my_big.threshold=1024", "--format", "csv")
    assert (done.returncode, done.stderr) == (0, "")
    result = waitstate.analyze(P2P, plugins=[path], parameters={"my_big.threshold": 1024})
    assert done.stdout == result.csv()
    assert len(rows(done.stdout, "my_big")) > 0 and len(rows(done.stdout, "late_batch")) > 0
    text = run("analyze", P2P, "--plugin", path, "--full").stdout
    assert "late_batch" in text


def test_culprits_and_graphs_know_them(plugin, tmp_path):
    report = tmp_path / "run.json"
    done = run("analyze", P2P, "--plugin", plugin(MINE), "-o", report)
    assert (done.returncode, done.stderr) == (0, "")
    opened = waitstate.open_report(report)
    assert opened.wait_graph("late_batch").total.ticks == opened.total("late_batch") > 0


def test_they_are_listed_and_explained(plugin):
    path = plugin(MINE)
    listed = run("patterns", "--plugin", path).stdout
    assert "my_big" in listed and "Messages of at least `threshold` bytes." in listed
    explained = run("explain", "my_big", "--plugin", path)
    assert explained.returncode == 0
    assert "diagnosis   send fewer bytes\n" in explained.stdout
    assert "parameters  threshold = 65536 bytes: Smallest number of bytes that counts." in explained.stdout
    assert explained.stdout == waitstate.explain("my_big", plugins=path)


def test_a_name_without_folder_is_the_one_here_or_in_the_search_path(plugin, tmp_path):
    path = plugin(MINE)
    assert run("explain", "my_big", "--plugin", "mine.py", cwd=path.parent).returncode == 0
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert run("explain", "my_big", "--plugin", "mine.py", cwd=elsewhere,
               WAITSTATE_PLUGIN_PATH=str(path.parent)).returncode == 0
    done = run("explain", "my_big", "--plugin", "mine.py", cwd=elsewhere)
    assert done.returncode == 2 and "found no plug-in 'mine.py'" in done.stderr


def test_a_configuration_file_names_them(plugin, tmp_path):
    plugin(MINE)
    (tmp_path / "run.json").write_text('{"plugins": ["./mine.py"], "patterns": ["my_big"], "set": {"my_big.threshold": 1}}')
    done = run("analyze", P2P, "--config", tmp_path / "run.json", "--format", "csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert rows(done.stdout, "my_big") and not rows(done.stdout, "late_batch")


def test_a_pattern_that_fails_shows_its_traceback(plugin):
    path = plugin("""\
        import waitstate
        class Bad(waitstate.Pattern):
            def recv_callback(self, recv):
                helper(recv)
        def helper(recv):
            raise ValueError("boom")
        """)
    done = run("analyze", P2P, "--plugin", path)
    assert done.returncode == 1 and done.stdout == ""
    first, rest = done.stderr.split("\n", 1)
    assert first.startswith(f"waitstate: error: pattern 'bad' (class Bad, {path}:2) failed in recv_callback at event ")
    assert first.endswith(": ValueError: boom") and " on location " in first and " at time " in first
    assert rest == ("Traceback (most recent call last):\n"
                    f'  File "{path}", line 4, in recv_callback\n    helper(recv)\n'
                    f'  File "{path}", line 6, in helper\n    raise ValueError("boom")\n'
                    "ValueError: boom\n")


@pytest.mark.parametrize("text, message", [
    ("import waitstate\nx = (\n", "cannot load plug-in '{path}': SyntaxError: '(' was never closed"),
    ("import waitstate\n1 / 0\n", "cannot load plug-in '{path}': ZeroDivisionError: division by zero"),
    ("import waitstate\n", "plug-in '{path}' has no patterns: expected a subclass of waitstate.Pattern"),
    ("import waitstate\nclass A(waitstate.Pattern):\n    def recv_calback(self, r): pass\n",
     "class A has a method 'recv_calback', which nobody calls"),
    ("import waitstate\nclass A(waitstate.Pattern):\n    def __init__(self, x): pass\n",
     "class A cannot be made without arguments"),
    ("import waitstate\nclass A(waitstate.Pattern):\n    id = 'mpi_latesender'\n",
     "pattern 'mpi_latesender' (class A, {path}:2) has a metric 'mpi_latesender', which belongs to pattern"),
    ("import sys\nsys.exit(0)\n", "cannot load plug-in '{path}': SystemExit: 0"),
    ("import waitstate\nclass A(waitstate.Pattern):\n    def __init__(self): raise MemoryError\n",
     "class A cannot be made: MemoryError: "),
    ("import waitstate\n\nclass A(waitstate.Pattern):\n    needs = 'b'\n    def wrapup(self): pass\n",
     "pattern 'a' (class A, {path}:3) needs 'b', which is not a pattern"),
    ("import waitstate\nclass A(waitstate.Pattern):\n    parent = 'mpi_latesendr'\n    def wrapup(self): pass\n",
     "pattern 'a' (class A, {path}:2) has a metric 'a' below 'mpi_latesendr', which is not a metric: did you mean "
     "'mpi_latesender'?"),
    ("import waitstate\nclass A(waitstate.Pattern):\n    needs = 'b'\n    def wrapup(self): pass\n"
     "class B(waitstate.Pattern):\n    needs = 'a'\n    def wrapup(self): pass\n",
     "pattern 'a' (class A, {path}:2) needs pattern 'b' (class B, {path}:5) needs 'a', which cannot run both before and after them: break the circle"),
    ("import waitstate\nclass A(waitstate.Pattern):\n    parent = 'b'\n    def wrapup(self): pass\n"
     "class B(waitstate.Pattern):\n    parent = 'a'\n    def wrapup(self): pass\n",
     "pattern 'a' (class A, {path}:2) has a metric 'a' below 'b', which is below 'a': one of them needs another parent"),
    ("import waitstate\nif True:\n    class A(waitstate.Pattern):\n        def init(self): pass\n",
     "pattern 'a' (class A, {path}:3) has no callback and so does nothing: expected one such as"),
    ("import waitstate\nclass A(waitstate.Pattern):\n    def published_callback(self, p): pass\n",
     "pattern 'a' (class A, {path}:2) has a published_callback, but names no patterns in `needs` whose compound events"),
    ("import waitstate\nclass A(waitstate.Pattern):\n    def published_batch(self, p): pass\n",
     "pattern 'a' (class A, {path}:2) has a published_callback, but names no patterns in `needs` whose compound events"),
])
def test_what_is_wrong_with_a_file_is_said(plugin, text, message):
    path = plugin(text)
    done = run("analyze", P2P, "--plugin", path)
    assert done.returncode == 2
    assert done.stderr.startswith("waitstate: error: " + message.format(path=path)), done.stderr
    with pytest.raises(waitstate.UsageError) as error:
        waitstate.analyze(P2P, plugins=[path])
    assert str(error.value).startswith(message.format(path=path))


@pytest.mark.parametrize("attribute, message", [
    ("unit = None", "class Px: unit is None, expected 'sec', 'occ' or 'bytes'"),
    ("unit = 'ms'", "metric 'px' has the unit 'ms', expected 'sec', 'occ' or 'bytes'"),
    ("id = 5", "class Px: id is 5, expected a str"),
    ("title = '\\udc80'", "class Px: title is '\\udc80', expected text that UTF-8 can encode"),
    ("parameters = {'x': 1 << 70}", "class Px: the default of parameter 'x' is 1180591620717411303424, expected"),
    ("def __init__(self, x): pass", "class Px cannot be made without arguments: "),
])
def test_what_a_class_says_wrongly_is_said_with_the_file(plugin, attribute, message):
    path = plugin(f"import waitstate\nclass Px(waitstate.Pattern):\n    {attribute}\n")
    with pytest.raises(waitstate.UsageError) as error:
        waitstate.analyze(P2P, plugins=path)
    assert str(error.value).startswith(message) and str(error.value).endswith(f" (plug-in '{path}')")
    done = run("analyze", P2P, "--plugin", path)
    assert done.returncode == 2 and done.stderr == f"waitstate: error: {error.value}\n"


BACKWARDS = """\
import waitstate


class Sees(waitstate.Pattern):
    unit, needs = "occ", "tells"
    parent = "all_told"

    def published_callback(self, published):
        self.add_call(published.data, 1)


class Tells(waitstate.Pattern):
    unit, parent = "occ", "below"
    metrics = [{"id": "below", "parent": "all_told", "unit": "occ", "within_parent": False}]

    def completed_receives_callback(self, receives):
        for _ in receives.messages:
            self.add_call(receives.call, 1)
            self.add_call(receives.call, 1, "below")
            self.publish(receives.call)


class AllTold(waitstate.Pattern):
    unit, needs = "occ", ["sees"]

    def wrapup(self):
        pass
"""


def test_the_order_of_patterns_and_metrics_does_not_matter(plugin):
    path = plugin(BACKWARDS)
    result = waitstate.analyze(P2P, patterns=["sees"], plugins=path)
    totals = {id: result.total(id) for id in ("sees", "tells", "below", "all_told")}
    assert totals == dict.fromkeys(totals, result.messages) and result.messages > 0
    assert result.metric("tells").parent.id == "below" and result.metric("below").parent.id == "all_told"
    done = run("analyze", P2P, "--plugin", path, "--pattern", "sees", "--format", "csv")
    assert (done.returncode, done.stderr, done.stdout) == (0, "", result.csv())


def test_the_order_of_plugins_does_not_matter(plugin):
    needy = plugin("import waitstate\nclass Needy(waitstate.Pattern):\n    needs, parent = 'my_big', 'late_batch'\n"
                   "    def wrapup(self): pass\n", "needy.py")
    other = plugin(MINE)
    for files in ([needy, other], [other, needy]):
        result = waitstate.analyze(P2P, plugins=files)
        assert result.metric("needy").parent.id == "late_batch"
        done = run("analyze", P2P, "--format", "csv", *(word for file in files for word in ("--plugin", file)))
        assert (done.returncode, done.stderr, done.stdout) == (0, "", result.csv())

    class Needs(waitstate.Pattern):
        needs = "tells_it"

        def published_callback(self, published):
            self.heard = published.data

    class TellsIt(waitstate.Pattern):
        def wrapup(self):
            self.publish("it")

    needs = Needs()
    waitstate.analyze(P2P, patterns=[needs, TellsIt])
    assert needs.heard == "it"


@pytest.mark.parametrize("value, message", [
    ("None", "TypeError: value is None, expected a whole number"),
    ("float('nan')", "TypeError: value is nan, expected a whole number"),
    ("float('inf')", "TypeError: value is inf, expected a whole number"),
    ("1.5", "TypeError: value is 1.5, expected a whole number"),
    ("'5'", "TypeError: value is '5', expected a whole number"),
    ("1 << 70", "OverflowError: value is 1180591620717411303424, expected -2**63 to 2**63 - 1"),
    ("-3", "UsageError: a severity of -3 was added, expected at least 0"),
])
@pytest.mark.parametrize("call, callback", [
    ("self.add(recv.callpath, recv.loc, {})", "recv_callback"),
    ("self.add_call(recv.call, {})", "completed_receives_callback"),
])
def test_a_severity_that_is_none_names_pattern_class_and_line(plugin, call, callback, value, message):
    path = plugin(f"import waitstate\nclass Wrong(waitstate.Pattern):\n    def {callback}(self, recv):\n"
                  f"        {call.format(value)}\n")
    with pytest.raises(waitstate.PatternError) as error:
        waitstate.analyze(P2P, plugins=path)
    assert str(error.value).startswith(f"pattern 'wrong' (class Wrong, {path}:2) failed in {callback} ")
    assert f": {message}" in str(error.value)
    done = run("analyze", P2P, "--plugin", path)
    assert done.returncode == 1 and f"waitstate: error: {error.value}" in done.stderr
    assert f'File "{path}", line 4, in {callback}\n' in done.stderr


@pytest.mark.parametrize("call, message", [
    ("self.add_wait(receives.call, None)", "TypeError: ticks is None, expected a whole number"),
    ("self.add_wait(receives.call, float('nan'))", "TypeError: ticks is nan, expected a whole number"),
    ("self.add_wait(receives.call, -3)", "UsageError: a wait lasts at least one tick, not -3"),
    ("self.add_many([0, 0], [0, 0], [1, -3])", "UsageError: a severity of -3 was added, expected at least 0"),
    ("self.add_many(0, 0, [1.0, float('nan')])", "TypeError: values[0] is 1.0, expected a whole number"),
    ("self.add_many(0, 0, None)", "TypeError: values is None, expected a whole number"),
])
def test_so_does_a_wait_and_an_array(plugin, call, message):
    path = plugin(f"import waitstate\nclass Wrong(waitstate.Pattern):\n"
                  f"    def completed_receives_callback(self, receives):\n        {call}\n")
    with pytest.raises(waitstate.PatternError) as error:
        waitstate.analyze(P2P, plugins=path)
    assert str(error.value).startswith(f"pattern 'wrong' (class Wrong, {path}:2) failed in completed_receives_callback ")
    assert f": {message}" in str(error.value)


@pytest.mark.parametrize("found", ["None", "float('nan')", "float('inf')", "-3", "2.5", "'many'", "{(0, 0): None}",
                                   "{(0, 0): float('nan')}", "{(0, 0): -3}"])
def test_severity_gives_whole_numbers(plugin, found):
    path = plugin(f"import waitstate\nclass Wrong(waitstate.Pattern):\n    def severity(self):\n        return {found}\n")
    with pytest.raises(waitstate.PatternError) as error:
        waitstate.analyze(P2P, plugins=path)
    value = eval(found)
    value = value[0, 0] if isinstance(value, dict) else value
    assert str(error.value) == (f"pattern 'wrong' (class Wrong, {path}:2) failed in wrapup: UsageError: severity() gave "
                                f"{value!r}, expected whole ticks, occurrences or bytes, at least 0")
    done = run("analyze", P2P, "--plugin", path)
    assert done.returncode == 1 and f"waitstate: error: {error.value}" in done.stderr


def test_a_share_is_at_most_what_it_is_a_share_of(plugin):
    def error_of(body, parent="mpi_point2point", unit="sec", within_parent=True, **options):
        path = plugin(f"import waitstate\nclass Greedy(waitstate.Pattern):\n    parent, unit, within_parent = "
                      f"{parent!r}, {unit!r}, {within_parent}\n    {body}\n")
        try:
            waitstate.analyze(P2P, plugins=path, **options)
        except waitstate.PatternError as error:
            done = run("analyze", P2P, "--plugin", path)
            assert done.returncode == 1 and done.stderr == f"waitstate: error: {error}\n"
            assert str(error).startswith(f"pattern 'greedy' (class Greedy, {path}:2) added ")
            return str(error).split(" added ")[1]
        return ""

    spent = waitstate.analyze(P2P).total("mpi_point2point")
    in_call = "def completed_receives_callback(self, r): self.add_call(r.call, r.call.exit - r.call.enter + {})"
    assert error_of(in_call.format(0)) == ""
    message = error_of(in_call.format(10 ** 6))
    assert " ticks to 'greedy' in p2p/main/" in message
    assert ", where 'mpi_point2point', of which it is a share, has " in message
    assert message.endswith("; charge it where it is a share, or give it another parent or none")
    assert error_of(in_call.format(10 ** 6), parent="") == ""
    assert error_of(in_call.format(10 ** 6), within_parent=False) == ""
    assert error_of(in_call.format(10 ** 6), focus=waitstate.Focus(time=(1, 1 << 62))) == ""  # values without a time count always
    assert error_of("def completed_receives_callback(self, r): self.add_call(r.call, 10 ** 6)", unit="occ") == ""
    # One number has no place: it is compared as a whole.
    assert error_of(f"def severity(self): return {spent}") == ""
    assert error_of(f"def severity(self): return {spent + 1}") == (
        f"{spent + 1} ticks to 'greedy', but 'mpi_point2point', of which it is a share, has {spent}; charge it where it is "
        "a share, or give it another parent or none")
    assert error_of("def severity(self): return {(0, 0): 1}").startswith("1 tick to 'greedy' in p2p on location 0 (")


def test_their_metrics_are_in_the_summary_also_at_zero_and_when_read_back(plugin, tmp_path):
    path = plugin("""\
        import waitstate
        class NeverThere(waitstate.Pattern):
            parent, unit = "comms_recv", "occ"
            def wrapup(self): pass
        class LateHalf(waitstate.Pattern):
            '''Half of all waits.

            diagnosis   wait less
            '''
            parent, metric_kind = "mpi_point2point", "wait"
            def completed_receives_callback(self, receives):
                self.add_call(receives.call, (receives.call.exit - receives.call.enter) // 2)
        """)
    text = run("analyze", P2P, "--plugin", path).stdout
    row = next(line for line in text.splitlines() if line.lstrip().startswith("never_there "))
    assert row.split() == ["never_there", "0"]
    assert "\n1. Late half (late_half): " in text or "\n2. Late half (late_half): " in text, text
    assert " Wait less." in " ".join(text.split())
    (tmp_path / "run.json").write_text(f'{{"plugins": ["{path}"]}}')
    assert run("analyze", P2P, "--config", tmp_path / "run.json").stdout == text
    result = waitstate.analyze(P2P, plugins=path)
    assert result.text() + "\n" == text or result.text() == text
    assert result.metric("late_half").plugin and result.metric("late_half").kind == "wait"
    assert not result.metric("mpi_latesender").plugin
    for name in ("report.json", "report.cubex"):
        report = tmp_path / name
        assert run("analyze", P2P, "--plugin", path, "-o", report).returncode == 0
        shown = run("show", report).stdout
        assert "never_there " in shown and ". Late half (late_half): " in shown
        again = waitstate.open_report(report)
        assert again.metric("late_half").plugin and again.metric("late_half").kind == "wait"
        assert again.metric("never_there").plugin and not again.metric("mpi_latesender").plugin


def test_one_that_ends_the_process_is_named(plugin):
    path = plugin("import os, waitstate\nclass Ends(waitstate.Pattern):\n    def recv_callback(self, recv):\n"
                  "        os._exit(0)\n")
    done = run("analyze", P2P, "--plugin", path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (f"waitstate: error: plug-in '{path}' ended the program with exit code 0 in recv_callback of pattern "
                           f"'ends' (class Ends, {path}:2): fix it, or leave it out\n")
    done = run("analyze", P2P, "--plugin", plugin("import os\nos.abort()\n"))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith(f"waitstate: error: plug-in '{path}' crashed (signal 6, aborted) while it was being loaded: "
                                "fix it, or leave it out\n")


def test_one_that_runs_out_of_memory_is_named(plugin):
    path = plugin("import waitstate\nclass Greedy(waitstate.Pattern):\n    def recv_callback(self, recv):\n"
                  "        raise MemoryError\n")
    done = run("analyze", P2P, "--plugin", path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"waitstate: error: pattern 'greedy' (class Greedy, {path}:2) failed in recv_callback ")


def test_one_that_changes_the_current_folder_does_not_move_the_output(plugin, tmp_path):
    path = plugin("import os, waitstate\nos.chdir('/')\nclass Moves(waitstate.Pattern):\n"
                  "    def recv_callback(self, recv): os.chdir('/')\n")
    os.symlink(P2P, tmp_path / "trace")
    done = run("analyze", "trace", "--plugin", path.name, "-o", "moved.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "moved.json").is_file()
    assert waitstate.open_report(tmp_path / "moved.json").path == "trace/traces.otf2"


def test_options_that_have_no_effect_are_found_with_python_plugins_too(plugin):
    path = plugin(MINE)
    done = run("analyze", P2P, "--plugin", path, "--pattern", "my_bik")
    assert (done.returncode, done.stderr) == (2, "waitstate: error: no metric has the id 'my_bik': did you mean 'my_big'?\n")
    done = run("analyze", P2P, "--plugin", path, "--pattern", "late_batch", "--set", "my_big.threshold=1")
    assert done.returncode == 2 and "--set my_big.… has no effect" in done.stderr


def test_without_python_support_the_program_says_so(plugin):
    path = plugin(MINE)
    done = run("analyze", P2P, "--plugin", path, WAITSTATE_PYTHON_HOST="/nowhere/python_host.so")
    assert done.returncode == 2
    assert done.stderr == (f"waitstate: error: cannot load plug-in '{path}': plug-ins in Python need waitstate's Python "
                           "support, which is not there (looked for /nowhere/python_host.so): build and install it, or set "
                           "WAITSTATE_PYTHON_HOST to its python_host.so\n")


@pytest.mark.skipif("WAITSTATE_BUILD" not in os.environ, reason="WAITSTATE_BUILD names no build tree")
def test_an_installed_program_has_its_own_python_support(plugin, tmp_path):
    subprocess.run(["cmake", "--install", os.environ["WAITSTATE_BUILD"], "--prefix", tmp_path], check=True,
                   stdout=subprocess.DEVNULL)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    path = plugin("""\
        import waitstate
        class Where(waitstate.Pattern):
            def wrapup(self):
                print(waitstate.__file__)
        """)
    done = subprocess.run([tmp_path / "bin" / "waitstate", "analyze", P2P, "--plugin", path, "-o", "/dev/null"],
                          capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(str(tmp_path))


def test_python_support_of_somebody_else_is_not_loaded(plugin, tmp_path):
    """Only a package waitstate that has the program in it has its Python support; and none that others may write."""
    for name, told in [("other", "which is not there"), ("waitstate", f"{tmp_path}/waitstate belongs to another user or is "
                                                                     "writable by others, so it is not loaded")]:
        (tmp_path / name / "bin").mkdir(parents=True, exist_ok=True)
        (tmp_path / "waitstate").mkdir(exist_ok=True)
        (tmp_path / "waitstate").chmod(0o777)
        (tmp_path / "waitstate" / "python_host.so").write_text("of somebody else")
        own = shutil.copy(program(), tmp_path / name / "bin")
        done = subprocess.run([own, "analyze", P2P, "--plugin", plugin(MINE)], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (2, "")
        assert told in done.stderr


def test_the_program_itself_needs_no_python():
    linked = subprocess.run(["ldd", program()], capture_output=True, text=True).stdout
    assert "python" not in linked


def test_what_plugins_write_is_in_their_files_at_the_end(plugin, tmp_path):
    path = plugin("""
        import atexit, gzip, logging, waitstate

        kept = open("kept.txt", "w")
        packed = gzip.open("packed.gz", "wt")
        logging.basicConfig(filename="log.txt", level=logging.INFO)
        atexit.register(lambda: print("at the end", file=kept))

        class Writes(waitstate.Pattern):
            def recv_callback(self, recv):
                print(recv, file=kept)
                print(recv, file=packed)
                logging.info(recv)
    """)
    done = run("analyze", P2P, "--plugin", path, "--pattern", "writes", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    lines = (tmp_path / "kept.txt").read_text().splitlines()
    received = waitstate.analyze(P2P).messages
    assert len(lines) == received + 1 and lines[-1] == "at the end"
    assert gzip.open(tmp_path / "packed.gz", "rt").read().splitlines() == lines[:-1]
    assert len((tmp_path / "log.txt").read_text().splitlines()) == received


def test_what_a_plugin_prints_is_shown_once(plugin):
    path = plugin("""\
        import waitstate
        print("loaded")
        class P(waitstate.Pattern):
            def wrapup(self):
                print("done")
        """)
    done = run("analyze", P2P, "--plugin", path, "-o", "/dev/null")
    assert (done.returncode, done.stdout) == (0, "loaded\ndone\n")


def test_bases_and_what_is_imported_from_beside(plugin):
    plugin("import waitstate\nLIMIT = 5\nclass _Base(waitstate.Pattern):\n    unit = 'occ'\n", "beside_helper.py")
    path = plugin("""\
        from beside_helper import LIMIT, _Base
        class Counted(_Base):
            def recv_callback(self, recv):
                import beside_helper
                self.add(recv.callpath, recv.loc, beside_helper.LIMIT)
        Again = Counted
        """)
    done = run("analyze", P2P, "--plugin", path, "--pattern", "counted", "--format", "csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert sum(int(line.rsplit(",", 1)[1]) for line in rows(done.stdout, "counted")) == 5 * 148


def test_ctrl_c_ends_the_program(plugin):
    path = plugin("""\
        import os, signal, waitstate
        class P(waitstate.Pattern):
            def recv_callback(self, recv):
                os.kill(os.getpid(), signal.SIGINT)
                while True:
                    pass
        """)
    done = run("analyze", P2P, "--plugin", path)
    assert done.returncode == -2
