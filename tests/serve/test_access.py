"""Tests each rule of src/serve/README.md about who may ask `waitstate serve`, and how much, over the plain socket."""
import contextlib
import socket
import subprocess
import threading
import time

import pytest
from client import PROGRAM, TRACES, Answer, Server, run

NEEDED = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}


def check_headers(answer):
    for name, value in NEEDED.items():
        assert answer.headers[name] == value
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "connect-src 'self'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
    assert not any(name.startswith("access-control") or name == "set-cookie" for name in answer.headers)


def test_the_page_is_one_text_with_the_policy_of_its_header(server):
    answer = server.ask("/", token=None)
    assert answer.status == 200 and answer.headers["content-type"] == "text/html; charset=utf-8"
    check_headers(answer)
    meta = answer.body.decode().split('http-equiv="Content-Security-Policy" content="', 1)[1].split('"', 1)[0]
    assert answer.headers["content-security-policy"] == meta + "; frame-ancestors 'none'"
    head = server.ask("/", "HEAD", token=None)
    assert head.status == 200 and head.body == b"" and int(head.headers["content-length"]) == len(answer.body)


def test_every_answer_has_the_safe_headers(server):
    for path in ("trace", "nothing", "runs/7", "timeline?width=x"):
        check_headers(server.ask("/api/" + path))
    check_headers(server.ask("/api/trace", host="evil.example"))


def test_the_token_is_needed_and_right(server):
    wrong = server.token[:-1] + ("0" if server.token[-1] != "0" else "1")
    for token in (None, wrong, server.token + "0", server.token[:-1], server.token.upper() + "G"):
        for path, method in (("/api/trace", "GET"), ("/api/runs", "POST"), ("/api/nothing", "GET")):
            answer = server.ask(path, method, token=token)
            assert answer.status == 401 and "token" in answer.error()
    twice = server.head("GET", "/api/trace") + f"Authorization: Bearer {server.token}\r\n\r\n"
    assert server.raw(twice.encode()).status == 401
    basic = server.head("GET", "/api/trace", token=None) + f"Authorization: Basic {server.token}\r\n\r\n"
    assert server.raw(basic.encode()).status == 401
    assert server.ask(f"/api/trace?token={server.token}", token=None).status == 401
    assert server.ask("/api/trace").status == 200


def test_each_server_has_a_token_of_its_own(server):
    with Server(TRACES / "p2p") as other:
        assert other.token != server.token and other.port != server.port
        assert other.ask("/api/trace", token=server.token).status == 401


def test_host_is_this_server(server):
    p = server.port
    for host in (f"127.0.0.1:{p}", f"localhost:{p}", f"[::1]:{p}"):
        assert server.ask("/api/trace", host=host).status == 200
    for host in ("127.0.0.1", f"127.0.0.1:{p + 1}", f"evil.example:{p}", f"127.0.0.1.evil.example:{p}", f"127.0.0.2:{p}", f"LOCALHOST.:{p}"):
        for path in ("/", "/api/trace"):
            answer = server.ask(path, host=host)
            assert answer.status == 421 and str(p) in answer.error()
    twice = server.head("GET", "/") + f"Host: 127.0.0.1:{p}\r\n\r\n"
    assert server.raw(twice.encode()).status in (400, 421)
    assert server.raw(b"GET / HTTP/1.0\r\n\r\n").status == 421


def test_origin_is_this_server(server):
    p = server.port
    for origin in (f"http://127.0.0.1:{p}", f"http://localhost:{p}"):
        assert server.ask("/api/trace", more=f"Origin: {origin}\r\n").status == 200
    for origin in ("null", "http://evil.example", f"https://127.0.0.1:{p}", f"http://127.0.0.1:{p + 1}", f"http://127.0.0.1:{p}.evil.example", ""):
        answer = server.ask("/api/trace", more=f"Origin: {origin}\r\n")
        assert answer.status == 403 and answer.error()
    assert server.ask("/api/runs", "OPTIONS", more=f"Origin: http://localhost:{p}\r\n").status == 405


def test_it_listens_on_loopback_only(server):
    listening = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with contextlib.suppress(FileNotFoundError), open(table, encoding="ascii") as lines:
            for line in list(lines)[1:]:
                address, port = line.split()[1].split(":")
                if int(port, 16) == server.port and line.split()[3] == "0A":
                    listening.append(address)
    assert listening == ["0100007F"]
    others = {a[4][0] for a in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1", "127.0.1.1"}
    for address in others | {"127.0.0.2"}:
        with pytest.raises(OSError):
            socket.create_connection((address, server.port), 2)


def test_headers_and_bodies_have_limits(server):
    large = server.head("GET", "/api/trace") + "X-Large: " + "x" * 8200 + "\r\n\r\n"
    answer = server.raw(large.encode())
    assert answer.status == 431 and "8192" in answer.error()
    many = server.head("GET", "/api/trace") + "".join(f"X-{i}: y\r\n" for i in range(2000)) + "\r\n"
    assert server.raw(many.encode()).status == 431
    answer = server.ask("/api/runs", "POST", b"x" * 70_000)
    assert answer.status == 413 and "65536" in answer.error()
    pieces = server.head("POST", "/api/runs") + "Transfer-Encoding: chunked\r\n\r\n" + "8000\r\n" + "x" * 0x8000 + "\r\n" + "9000\r\n" + "x" * 0x9000 + "\r\n0\r\n\r\n"
    assert server.raw(pieces.encode()).status == 413
    assert server.ask("/api/runs", "POST", b"x" * 60_000).status == 400
    assert server.ask("/api/trace").status == 200


def test_a_client_without_token_is_told_so_before_its_body_comes(server):
    announced = server.head("POST", "/api/runs", token=None) + "Content-Length: 60000\r\n\r\n"
    assert server.raw(announced.encode()).status == 401


def test_what_is_no_request_is_refused(server):
    for data in (b"hello\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 40 + b"\r\n\r\n", b"GET /\r\n\r\n"):
        answer = server.raw(data)
        assert answer.status in (400, 421), data
        assert answer.error()
    for target in ("http://127.0.0.1/api/trace", "*", "api/trace", "/api/regions?q=%zz", "/api/regions?q=%4"):
        assert server.ask(target).status == 400, target


def test_no_path_of_a_client_reaches_a_file(server):
    for path in ("/etc/passwd", "/../../etc/passwd", "/api/../etc/passwd", "//etc/passwd", "/api/runs/../trace", "/api/runs/1/report.../../etc/passwd", "/index.html", "/api/runs/1/report.%2e%2e%2fpasswd"):
        answer = server.ask(path)
        assert answer.status == 404, path
        assert answer.error()


def test_methods(server):
    for path, method in (("/", "POST"), ("/api/trace", "DELETE"), ("/api/command", "GET"), ("/api/runs", "PUT"), ("/api/runs/1", "GET")):
        answer = server.ask(path, method)
        assert answer.status == 405 and answer.headers["allow"] and answer.error()


def test_connections_stay_open_and_take_several_requests(server):
    with server.connect() as c:
        request = f"GET /api/regions?q=send HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n\r\n".encode()
        c.sendall(request * 3)
        received = b""
        while received.count(b"MPI_Ssend\"") < 3:
            piece = c.recv(65536)
            assert piece
            received += piece
        assert received.count(b"HTTP/1.1 200 OK") == 3


def test_idle_connections_make_room(server):
    idle = [server.connect() for _ in range(16)]
    request = f"GET /api/regions?q=x HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n\r\n".encode()
    for c in idle:
        c.sendall(request)
        assert c.recv(65536).startswith(b"HTTP/1.1 200")
    for _ in range(4):
        assert server.ask("/api/trace").status == 200
    for c in idle:
        c.close()


def test_the_17th_connection_that_asks_nothing_is_refused_after_a_while(server):
    silent = [server.connect() for _ in range(16)]
    begin = time.monotonic()
    answer = server.ask("/api/trace")
    assert answer.status == 503 and answer.error() and 1 < time.monotonic() - begin < 5
    for c in silent:
        c.close()
    time.sleep(0.1)
    assert server.ask("/api/trace").status == 200


def test_a_slow_request_is_ended(server):
    begin = time.monotonic()
    with server.connect() as c:
        c.sendall(b"GET /api/tr")
        stopped = threading.Event()

        def drip():
            while not stopped.wait(0.5):
                with contextlib.suppress(OSError):
                    c.sendall(b"a")

        thread = threading.Thread(target=drip)
        thread.start()
        received = b""
        with contextlib.suppress(ConnectionError):
            while piece := c.recv(65536):
                received += piece
        stopped.set()
        thread.join()
    assert Answer(received).status == 408 and 8 < time.monotonic() - begin < 14


def test_a_port_in_use_is_an_error(server):
    done = run("serve", TRACES / "p2p", "--port", server.port)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == f"waitstate: error: port {server.port} is in use: choose another one, or leave --port out, which takes a free one\n"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "no trace given"),
        (["/nowhere"], 3, "no such file or folder"),
        ([TRACES / "p2p", "--port", "0"], 2, "--port 0: expected 1 to 65535"),
        ([TRACES / "p2p", "--port", "70000"], 2, "--port 70000: expected 1 to 65535"),
        ([TRACES / "p2p", "--idle", "0"], 2, "--idle 0: expected 1 to 1000000 minutes"),
        ([TRACES / "p2p", "--plugin", "./nowhere.so"], 2, "nowhere.so"),
    ],
)
def test_a_start_that_fails_says_why(arguments, code, says):
    done = run("serve", *arguments)
    assert (done.returncode, done.stdout) == (code, "") and says in done.stderr
    assert done.stderr.startswith("waitstate: error: ") and done.stderr.count("\n") == 1


def test_a_signal_ends_it_and_all_of_its_processes():
    with Server(TRACES / "halo") as s:
        s.start()
        children = subprocess.run(["pgrep", "-P", str(s.process.pid)], capture_output=True, text=True, check=False).stdout.split()
        assert len(children) >= 2
        s.process.terminate()
        assert s.process.wait(5) == 0
        end = time.monotonic() + 5
        while subprocess.run(["pgrep", "-f", f"{PROGRAM} serve {TRACES / 'halo'}$"], capture_output=True, check=False).returncode == 0:
            assert time.monotonic() < end
            time.sleep(0.05)
