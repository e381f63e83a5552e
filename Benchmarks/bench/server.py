"""The nginx that everything is measured against."""

import os
import shutil
import socket
import subprocess
import time

CONFIGURATION = """
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
lock_file {folder}/nginx.lock;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    # More than any case asks for over one connection.
    keepalive_requests 1000000;
    default_type application/octet-stream;
    sendfile on;
    client_max_body_size 0;
    client_body_buffer_size 1m;
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    ssl_certificate {certificate};
    ssl_certificate_key {key};
    root {folder}/root;
    server {{
        listen 127.0.0.1:{http};
        location /stored/ {{
            dav_methods PUT;
        }}
        location /fresh/ {{
            alias {folder}/root/;
            add_header Cache-Control max-age=86400;
        }}
        location /stale/ {{
            alias {folder}/root/;
            add_header Cache-Control no-cache;
        }}
        location /many/ {{
            add_header Cache-Control max-age=86400;
            return 200 "one of many";
        }}
    }}
    server {{
        listen 127.0.0.1:{limited};
        limit_rate 16m;
    }}
    server {{
        listen 127.0.0.1:{https} ssl;
    }}
    server {{
        listen 127.0.0.1:{h2} ssl http2;
    }}
}}
"""


class Nginx:
    """nginx on free ports of 127.0.0.1, with one worker; everything of it is in a folder."""

    def __init__(self, folder, authority):
        self.folder = folder
        self.root = os.path.join(folder, "root")
        self.stored = os.path.join(self.root, "stored")
        os.makedirs(self.stored)
        self.authority = authority
        self.ports = {}
        self.process = None

    def __enter__(self):
        program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
        if not program:
            raise SystemExit("Benchmarks/run: no nginx: run Scripts/setup bench")
        # Another process may take a port between our look and nginx's.
        for _ in range(5):
            if self.start(program):
                return self
        with open(os.path.join(self.folder, "error.log")) as log:
            raise SystemExit(f"Benchmarks/run: nginx did not start: {log.read()}")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def start(self, program):
        self.ports = free_ports(["http", "limited", "https", "h2"])
        path = os.path.join(self.folder, "nginx.conf")
        with open(path, "w") as file:
            file.write(
                CONFIGURATION.format(
                    user="user root;" if os.geteuid() == 0 else "",
                    folder=self.folder,
                    certificate=self.authority.certificate,
                    key=self.authority.key,
                    **self.ports,
                )
            )
        log = os.path.join(self.folder, "error.log")
        self.process = subprocess.Popen(
            [program, "-p", self.folder, "-c", path, "-e", log],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # nginx writes its process id once it listens.
        deadline = time.monotonic() + 10
        while self.process.poll() is None and time.monotonic() < deadline:
            if os.path.exists(os.path.join(self.folder, "nginx.pid")):
                return True
            time.sleep(0.01)
        self.process.kill()
        self.process.wait()
        return False

    def processor_time(self):
        """What its processes have spent so far, in seconds."""
        total = 0
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            workers = file.read().split()
        for process in [str(self.process.pid), *workers]:
            with open(f"/proc/{process}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
        return total / os.sysconf("SC_CLK_TCK")

    def url(self, protocol, name):
        scheme = "http" if protocol in ("http", "limited") else "https"
        return f"{scheme}://127.0.0.1:{self.ports[protocol]}/{name}"

    def add(self, name, size):
        """Puts a file of random bytes there; a sparse one would be read in another way."""
        path = os.path.join(self.root, name)
        with open(path, "wb") as file:
            while size > 0:
                piece = os.urandom(min(size, 1 << 24))
                file.write(piece)
                size -= len(piece)
        return path


def free_ports(names):
    sockets = {name: socket.create_server(("127.0.0.1", 0)) for name in names}
    ports = {name: each.getsockname()[1] for name, each in sockets.items()}
    for each in sockets.values():
        each.close()
    return ports
