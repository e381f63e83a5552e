"""The server and the proxy for the program under test."""

import socket
import threading

BODY = bytes(range(256)) * 300
TAG = b'"a-strong-tag"'
MODIFIED = b"Sun, 06 Nov 1994 08:49:37 GMT"
DATE = b"Sun, 06 Nov 2022 08:49:37 GMT"


def response(status=b"200 OK", fields=(), body=b"ok", length=None):
    """A response as bytes. Content-Length is the body's length by default; b"" omits the field."""
    length = b"%d" % len(body) if length is None else length
    lines = [b"HTTP/1.1 " + status, *fields]
    if length:
        lines.append(b"Content-Length: " + length)
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def honest(request):
    """The response of a correct server that has BODY and supports ranges."""
    fields = [b"ETag: " + TAG, b"Last-Modified: " + MODIFIED, b"Date: " + DATE,
              b"Accept-Ranges: bytes", b"Cache-Control: max-age=600"]
    head = {}
    for line in request.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        head[name.strip().lower()] = value.strip()
    if head.get(b"if-none-match") == TAG:
        return response(b"304 Not Modified", fields, b"", b"")
    wanted = head.get(b"range", b"")
    same = head.get(b"if-range", TAG) in (TAG, MODIFIED)
    if same and wanted.startswith(b"bytes=") and b"," not in wanted:
        first, _, last = wanted[6:].partition(b"-")
        try:
            start = int(first)
            end = min(int(last), len(BODY) - 1) if last else len(BODY) - 1
        except ValueError:
            start, end = 0, len(BODY) - 1
        if start >= len(BODY):
            fields.append(b"Content-Range: bytes */%d" % len(BODY))
            return response(b"416 Range Not Satisfiable", fields, b"")
        if start <= end:
            fields.append(b"Content-Range: bytes %d-%d/%d" % (start, end, len(BODY)))
            return response(b"206 Partial Content", fields, BODY[start:end + 1])
    return response(fields=fields, body=BODY)


class Peer:
    """Responds to each request with the result of `reply` for its head, and closes the connection."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.reply = honest
        self.responses = []
        self.stalled = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def script(self, responses):
        """Sends these responses to the next requests in order, and correct ones afterwards."""
        self.responses = list(responses)
        self.reply = lambda request: self.responses.pop(0) if self.responses else honest(request)

    def stall(self):
        """Delays requests until `stalled` is set, and then sends no response."""
        self.stalled.clear()

        def reply(_):
            self.stalled.wait(5)
            return b""
        self.reply = reply

    def _accept(self):
        while True:
            connection, _ = self.listener.accept()
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection:
            connection.settimeout(5)
            try:
                request = b""
                while b"\r\n\r\n" not in request and len(request) < 1 << 16:
                    piece = connection.recv(1 << 16)
                    if not piece:
                        return
                    request += piece
                connection.sendall(self.reply(request))
                connection.shutdown(socket.SHUT_WR)
                # Unread bytes would make the kernel send a reset, and the client discard the response.
                while connection.recv(1 << 16):
                    pass
            except OSError:
                pass
