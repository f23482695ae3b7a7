"""A running `waitstate serve`, and what its clients do: requests over the plain socket, so that nothing is repaired on the way."""
import contextlib
import json
import os
import re
import select
import socket
import struct
import subprocess
import time
import zlib
from pathlib import Path

SOURCE = Path(os.environ.get("WAITSTATE_SOURCE", Path(__file__).parents[2]))
BUILD = Path(os.environ.get("WAITSTATE_BUILD", SOURCE / "build/dev"))
PROGRAM = BUILD / "waitstate"
TRACES = SOURCE / "traces"
ADDRESS = re.compile(r"^http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{32})\n$")


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)


class Answer:
    """An answer as it came: status, headers by their names in small letters, body."""

    def __init__(self, data):
        head, _, self.body = data.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        self.status = int(first.split()[1])
        self.headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        if self.headers.get("transfer-encoding") == "chunked":
            self.body = b"".join(chunks(self.body))

    def json(self):
        return json.loads(self.body)

    def error(self):
        found = self.json()
        assert list(found) == ["error"] and found["error"], found
        return found["error"]


def chunks(data):
    while data:
        size, _, rest = data.partition(b"\r\n")
        n = int(size, 16)
        if n == 0:
            return
        yield rest[:n]
        data = rest[n + 2 :]
    raise AssertionError("the last chunk is missing")


class Server:
    """Use it as a context manager."""

    def __init__(self, trace, *options, environment=None):
        self.command = [str(PROGRAM), "serve", str(trace), *map(str, options)]
        self.environment = {**os.environ, **(environment or {})}

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment)
        assert select.select([self.process.stdout], [], [], 60)[0], "no address"
        line = self.process.stdout.readline()
        found = ADDRESS.match(line)
        assert found, line + self.process.stderr.read()
        self.port, self.token = int(found[1]), found[2]
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()
        self.process.stderr.close()

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), 30)
        connection.settimeout(30)
        return connection

    def raw(self, data, connection=None):
        """Sends bytes and reads until the server closes."""
        with connection or self.connect() as c:
            with contextlib.suppress(ConnectionError):
                c.sendall(data)
            received = b""
            with contextlib.suppress(ConnectionError):
                while piece := c.recv(65536):
                    received += piece
        return Answer(received)

    def head(self, method, path, host=None, token="", more=""):
        authorization = f"Authorization: Bearer {token or self.token}\r\n" if token is not None else ""
        return f"{method} {path} HTTP/1.1\r\nHost: {host or f'127.0.0.1:{self.port}'}\r\n{authorization}Connection: close\r\n{more}"

    def ask(self, path, method="GET", body=None, **more):
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        length = "" if body is None else f"Content-Length: {len(data)}\r\n"
        return self.raw(self.head(method, path, **more).encode() + length.encode() + b"\r\n" + data)

    def get(self, path):
        answer = self.ask("/api/" + path)
        assert answer.status == 200, (path, answer.status, answer.body[:300])
        return answer

    def start(self, **parameters):
        answer = self.ask("/api/runs", "POST", parameters)
        assert answer.status == 202, answer.body
        return answer.json()["id"]

    def wait(self, run_id):
        """Follows a run to its end and returns the lines of its progress."""
        return [json.loads(line) for line in self.get(f"runs/{run_id}/progress").body.splitlines()]

    def done(self, **parameters):
        run_id = self.start(**parameters)
        last = self.wait(run_id)[-1]
        assert last["state"] == "done", last
        return run_id

    def timeline(self, query=""):
        end = time.monotonic() + 60
        while (answer := self.ask("/api/timeline" + query)).status == 202:
            assert time.monotonic() < end
            time.sleep(0.02)
        assert answer.status == 200, answer.body
        return Timeline(zlib.decompress(answer.body))


class Timeline:
    """An answer about the timeline, whose form is in src/serve/README.md."""

    def __init__(self, data):
        assert data[:4] == b"WST1"
        (size,) = struct.unpack_from("<I", data, 4)
        self.header = json.loads(data[8 : 8 + size])
        self.at, self.data = 8 + size, data
        h = self.header
        bins, rows = h["bins"], len(h["rows"])
        cells = bins * rows
        flat = self.array("B", cells * 9)  # class by class, then waits
        self.shares = [[flat[r * bins + b :: cells] for b in range(bins)] for r in range(rows)]
        n, w, m = h["intervals"], h["waits"], h["messages"]
        self.calls = list(zip(*(self.array(t, n) for t in "ddIIBB")))  # enter, exit, row, region, class, depth
        self.waits = list(zip(*(self.array(t, w) for t in "ddII")))  # begin, end, row, metric
        self.messages = list(zip(*(self.array(t, m) for t in "ddIIIB")))  # sent, received, sender's row, receiver's, bytes, kind
        self.counter = []  # by row and bin: the least, the greatest and the mean value, or None
        if h["counter"]:
            flat = self.array("f", rows * h["counter"]["bins"] * 3)
            values = [None if flat[i] != flat[i] else flat[i : i + 3] for i in range(0, len(flat), 3)]
            self.counter = [values[r * h["counter"]["bins"] :][: h["counter"]["bins"]] for r in range(rows)]
        assert self.at == len(data)

    def array(self, form, count):
        values = struct.unpack_from(f"<{count}{form}", self.data, self.at)
        self.at += (struct.calcsize(f"<{count}{form}") + 7) // 8 * 8
        return values
