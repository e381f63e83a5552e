"""A network 20 ms away: a TCP proxy in a process of its own that hands on every byte later.

The kernel's own `tc netem` would do it better, and needs a module (sch_netem) that many kernels come
without. What comes is read at once and sent 10 ms later, in each direction, so a round trip takes
20 ms more and nothing limits how much is under way. The proxy's kernel accepts by itself when a client
connects, so a connection's first bytes wait for one round trip more: what connecting would have
taken. Windows grow as fast as on loopback, and nothing is ever lost.
"""

import collections
import contextlib
import heapq
import os
import select
import socket
import subprocess
import sys
import time

# Seconds there and back.
ROUND_TRIP = 0.020
PIECE = 1 << 18


class Delay:
    """The proxy's process: in front of some of nginx's ports."""

    def __init__(self, ports):
        self.targets = ports
        self.ports = {}
        self.process = None

    def __enter__(self):
        listeners = {
            name: socket.create_server(("127.0.0.1", 0), backlog=512) for name in self.targets
        }
        self.ports = {name: each.getsockname()[1] for name, each in listeners.items()}
        pairs = [f"{listeners[name].fileno()}:{port}" for name, port in self.targets.items()]
        self.process = subprocess.Popen(
            [sys.executable, "-B", os.path.realpath(__file__), *pairs],
            pass_fds=[each.fileno() for each in listeners.values()],
            stdin=subprocess.DEVNULL,
        )
        for each in listeners.values():
            each.close()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def processor_time(self):
        """What it has spent so far, in seconds."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Way:
    """One direction of a connection: what has come in and is to go out."""

    def __init__(self, source, sink, not_before):
        self.source = source
        self.sink = sink
        # Nothing overtakes what came before it.
        self.not_before = not_before
        # What is due and was not taken; an empty piece is the end.
        self.late = collections.deque()
        # Whether its end has come in, and gone out.
        self.is_over = False
        self.has_ended = False
        self.other = None


class Proxy:
    def __init__(self, pairs):
        self.poll = select.epoll()
        self.listeners = {}
        for pair in pairs:
            descriptor, port = map(int, pair.split(":"))
            listener = socket.socket(fileno=descriptor)
            listener.setblocking(False)
            self.listeners[descriptor] = (listener, port)
            self.poll.register(descriptor, select.EPOLLIN)
        # By descriptor: the way that is read there, and the way that is written.
        self.reading = {}
        self.writing = {}
        # What is under way, by the time when it is due.
        self.flying = []
        self.count = 0

    def run(self):
        while True:
            self.deliver(time.monotonic())
            limit = None
            if self.flying:
                limit = max(0.0, self.flying[0][0] - time.monotonic())
            for descriptor, _ in self.poll.poll(limit):
                if descriptor in self.listeners:
                    self.accept(*self.listeners[descriptor])
                    continue
                if way := self.writing.get(descriptor):
                    self.flush(way)
                if way := self.reading.get(descriptor):
                    self.read(way)

    def accept(self, listener, port):
        with contextlib.suppress(BlockingIOError):
            while True:
                client, _ = listener.accept()
                server = socket.create_connection(("127.0.0.1", port))
                now = time.monotonic()
                there = Way(client, server, now + ROUND_TRIP * 1.5)
                back = Way(server, client, now)
                there.other, back.other = back, there
                for way in (there, back):
                    way.source.setblocking(False)
                    way.source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self.reading[way.source.fileno()] = way
                    self.writing[way.sink.fileno()] = way
                for each in (client, server):
                    events = select.EPOLLIN | select.EPOLLOUT | select.EPOLLET | select.EPOLLRDHUP
                    self.poll.register(each.fileno(), events)

    def read(self, way):
        while not way.is_over:
            try:
                piece = way.source.recv(PIECE)
            except BlockingIOError:
                return
            except OSError:
                piece = b""
            way.is_over = not piece
            way.not_before = max(way.not_before, time.monotonic() + ROUND_TRIP / 2)
            self.count += 1
            heapq.heappush(self.flying, (way.not_before, self.count, way, piece))

    def deliver(self, now):
        while self.flying and self.flying[0][0] <= now:
            _, _, way, piece = heapq.heappop(self.flying)
            way.late.append(memoryview(piece))
            self.flush(way)

    def flush(self, way):
        while way.late:
            piece = way.late[0]
            try:
                if not piece:
                    way.late.popleft()
                    way.sink.shutdown(socket.SHUT_WR)
                    way.has_ended = True
                    if way.other.has_ended:
                        self.close(way)
                    return
                sent = way.sink.send(piece)
            except BlockingIOError:
                return
            except OSError:
                # The reader has gone: nothing need be read for it any more.
                return self.close(way)
            if sent == len(piece):
                way.late.popleft()
            else:
                way.late[0] = piece[sent:]

    def close(self, way):
        for each in (way, way.other):
            each.is_over = True
            each.late.clear()
            descriptor = each.source.fileno()
            if descriptor >= 0:
                self.reading.pop(descriptor, None)
                self.writing.pop(descriptor, None)
                self.poll.unregister(descriptor)
                each.source.close()


if __name__ == "__main__":
    Proxy(sys.argv[1:]).run()
