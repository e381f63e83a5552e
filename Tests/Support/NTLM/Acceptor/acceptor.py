"""An HTTP server, and an HTTP proxy, that ask for NTLM authentication.

    acceptor.py FOLDER

Both listen on free ports of 127.0.0.1, which are then written to FOLDER/ports. The accepted users are
in FOLDER/users, as lines of DOMAIN:NAME:PASSWORD. Each response is logged in FOLDER/log.

As NTLM has it, a connection is authenticated and not a request. The three messages must come on
one connection, and all that follows on it is believed without a word.
"""

import base64
import contextlib
import hashlib
import http.client
import http.server
import itertools
import os
import selectors
import socket
import socketserver
import sys
import threading
import urllib.parse

import spnego

FOLDER = sys.argv[1]
PIECE = 1 << 16
CONNECTIONS = itertools.count(1)
LOG_LOCK = threading.Lock()


class Acceptor(http.server.BaseHTTPRequestHandler):
    """One connection to the server."""

    protocol_version = "HTTP/1.1"
    timeout = 60
    status = 401
    challenge_field = "WWW-Authenticate"
    credentials_field = "Authorization"

    def setup(self):
        super().setup()
        self.number = next(CONNECTIONS)
        self.context = self.user = None

    def handle_any(self):
        """Authenticates the user, and only then responds."""
        if self.is_open() or self.is_known():
            self.serve()
        # What came without credentials is read too, since the connection is to be used again.
        elif self.body():
            self.challenge()

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = handle_any

    def is_open(self):
        return self.path.startswith("/open/")

    def schemes(self):
        return ["Negotiate", "NTLM"] if self.path.startswith("/negotiate-or-ntlm/") else ["NTLM"]

    def is_known(self):
        """Takes the next message of the handshake, and says whether it has come to its end."""
        self.token = None
        scheme, _, text = self.headers.get(self.credentials_field, "").partition(" ")
        if not text:
            return self.user is not None
        self.user = None
        self.scheme = scheme
        try:
            message = base64.b64decode(text, validate=True)
            if scheme not in self.schemes():
                return False
            if self.context is None or message.startswith(b"NTLMSSP\0\1"):
                self.context = spnego.server(protocol=scheme.lower())
            self.token = self.context.step(message)
            if self.context.complete:
                self.user = self.context.client_principal
                self.context = None
        except (ValueError, spnego.exceptions.SpnegoError) as error:
            print(f"connection {self.number}: {error}", file=sys.stderr, flush=True)
            self.context = self.token = None
        return self.user is not None

    def challenge(self):
        if self.token:
            text = base64.b64encode(self.token).decode()
            fields = [(self.challenge_field, f"{self.scheme} {text}")]
        else:
            fields = [(self.challenge_field, scheme) for scheme in self.schemes()]
        self.respond(self.status, b"No credentials.\n", fields)

    def serve(self):
        """Says what it was that came."""
        body = self.body()
        if body:
            self.respond(200, (
                f"method: {self.command}\nuri: {self.path}\nuser: {self.user or ''}\n"
                f"connection: {self.number}\nlength: {body[0]}\nsha256: {body[1]}\n"
            ).encode())

    def respond(self, status, body, fields=()):
        self.log(status)
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def body(self):
        """Reads the request's body: its length and SHA-256, or nothing when it was cut short."""
        digest = hashlib.sha256()
        length = 0
        for piece in self.pieces():
            if not piece:
                self.close_connection = True
                return None
            digest.update(piece)
            length += len(piece)
        return length, digest.hexdigest()

    def pieces(self):
        """The pieces of the request's body; an empty one when it was cut short."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            while size := int(self.rfile.readline(PIECE).partition(b";")[0] or b"0", 16):
                yield from self.exactly(size)
                self.rfile.readline(PIECE)
            while self.rfile.readline(PIECE).strip():
                pass
        else:
            yield from self.exactly(int(self.headers.get("Content-Length", 0)))

    def exactly(self, left):
        while left:
            piece = self.rfile.read(min(left, PIECE))
            yield piece
            left = left - len(piece) if piece else 0

    def log(self, status):
        scheme = self.headers.get(self.credentials_field, "-").partition(" ")[0]
        kind = type(self).__name__
        line = (kind, self.number, self.command, self.path, status, self.user or "-", scheme)
        with LOG_LOCK, open(f"{FOLDER}/log", "a", encoding="utf-8") as file:
            print(*line, sep="\t", file=file)

    def log_message(self, *_):
        pass


class Proxy(Acceptor):
    """One connection to the proxy."""

    status = 407
    challenge_field = "Proxy-Authenticate"
    credentials_field = "Proxy-Authorization"
    own_fields = {"proxy-authorization", "proxy-connection", "connection", "transfer-encoding"}

    do_CONNECT = Acceptor.handle_any

    def is_open(self):
        return False

    def serve(self):
        if self.command == "CONNECT":
            self.tunnel()
        else:
            self.forward()

    def tunnel(self):
        host, _, port = self.path.rpartition(":")
        try:
            server = socket.create_connection((host.strip("[]"), int(port)), timeout=10)
        except (OSError, ValueError) as error:
            self.respond(502, f"{error}\n".encode())
            return
        self.log(200)
        self.send_response_only(200)
        self.end_headers()
        self.close_connection = True
        with server, selectors.DefaultSelector() as selector, contextlib.suppress(OSError):
            for source, sink in (self.connection, server), (server, self.connection):
                source.settimeout(60)
                selector.register(source, selectors.EVENT_READ, sink)
            while selector.get_map():
                for key, _ in selector.select():
                    piece = key.fileobj.recv(PIECE)
                    if piece:
                        key.data.sendall(piece)
                    else:
                        selector.unregister(key.fileobj)
                        key.data.shutdown(socket.SHUT_WR)

    def forward(self):
        """Sends a request on, whose body may come in pieces, and the response back at once."""
        url = urllib.parse.urlsplit(self.path)
        fields = {
            name: value for name, value in self.headers.items()
            if name.lower() not in self.own_fields
        }
        target = urllib.parse.urlunsplit(("", "", url.path or "/", url.query, ""))
        has_body = "Content-Length" in self.headers or "Transfer-Encoding" in self.headers
        server = http.client.HTTPConnection(url.hostname, url.port or 80, timeout=60)
        try:
            server.request(self.command, target, self.pieces() if has_body else None, fields)
            response = server.getresponse()
            kept = [(name, value) for name, value in response.getheaders()
                    if name.lower() not in self.own_fields | {"content-length"}]
            self.respond(response.status, response.read(), kept)
        except (OSError, http.client.HTTPException) as error:
            self.respond(502, f"{error}\n".encode())
        finally:
            server.close()


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 128


def main():
    os.environ["NTLM_USER_FILE"] = f"{FOLDER}/users"
    servers = [Server(("127.0.0.1", 0), handler) for handler in (Acceptor, Proxy)]
    with open(f"{FOLDER}/ports.new", "w", encoding="utf-8") as file:
        print(*(server.server_address[1] for server in servers), file=file)
    os.rename(f"{FOLDER}/ports.new", f"{FOLDER}/ports")
    for server in servers[1:]:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    servers[0].serve_forever()


main()
