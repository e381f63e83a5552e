"""An authority of our own, and the system's trust store with it."""

import os
import shutil
import subprocess
import sys

SYSTEM_FOLDER = "/etc/ssl/certs"
SYSTEM_BUNDLE = "ca-certificates.crt"
# Tells the second run of this program that it runs in a mount namespace of its own.
NAMESPACE_VARIABLE = "BENCH_IN_OWN_NAMESPACE"


def enter_own_namespace():
    """Starts this program again where its mounts are its own; returns where that cannot be had.

    There our authority can be added to the system's trust store for everything that is measured,
    and no other process sees it. An environment variable such as SSL_CERT_FILE would not do: loading
    the whole of the system's store is what is to be measured.
    """
    if NAMESPACE_VARIABLE in os.environ:
        return
    unshare = shutil.which("unshare")
    if not unshare:
        return
    command = [unshare, "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
    works = subprocess.run(
        [*command, "mount", "--bind", "/tmp", SYSTEM_FOLDER],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    if works.returncode == 0:
        os.environ[NAMESPACE_VARIABLE] = "1"
        os.execv(unshare, [*command, sys.executable, *sys.orig_argv[1:]])


class Authority:
    """A certificate authority and a server's certificate for 127.0.0.1."""

    def __init__(self, folder):
        os.makedirs(folder)
        self.folder = folder
        self.authority = os.path.join(folder, "authority.pem")
        self.certificate = os.path.join(folder, "server.pem")
        self.key = os.path.join(folder, "server.key")
        with open(os.path.join(folder, "extensions"), "w") as file:
            file.write("subjectAltName = IP:127.0.0.1\nbasicConstraints = CA:FALSE\n")
        new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        self.openssl(
            "req", "-x509", *new_key, "-days", "30", "-subj", "/CN=fetch benchmark authority",
            "-addext", "keyUsage = critical, keyCertSign",
            "-keyout", "authority.key", "-out", "authority.pem",
        )  # fmt: skip
        self.openssl(
            "req", "-new", *new_key, "-subj", "/CN=127.0.0.1",
            "-keyout", "server.key", "-out", "server.csr",
        )  # fmt: skip
        self.openssl(
            "x509", "-req", "-in", "server.csr", "-days", "30", "-CA", "authority.pem",
            "-CAkey", "authority.key", "-CAcreateserial", "-extfile", "extensions",
            "-out", "server.pem",
        )  # fmt: skip

    def openssl(self, *arguments):
        done = subprocess.run(
            ["openssl", *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise SystemExit(f"Benchmarks/run: openssl {arguments[0]}: {done.stderr}")
        return done.stdout.strip()

    def join_system_store(self):
        """Adds the authority to the system's store, in our namespace.

        The store keeps its form: a folder of hashed names, and the bundle. Returns whether it
        could be done.
        """
        if NAMESPACE_VARIABLE not in os.environ:
            return False
        store = os.path.join(self.folder, "store")
        shutil.copytree(SYSTEM_FOLDER, store, symlinks=True)
        digest = self.openssl("x509", "-hash", "-noout", "-in", "authority.pem")
        shutil.copy(self.authority, os.path.join(store, "fetch-benchmark.pem"))
        os.symlink("fetch-benchmark.pem", os.path.join(store, f"{digest}.0"))
        bundle = os.path.join(store, SYSTEM_BUNDLE)
        if not os.path.exists(bundle):
            return False
        with open(self.authority, "rb") as source, open(bundle, "ab") as target:
            shutil.copyfileobj(source, target)
        return subprocess.run(["mount", "--bind", store, SYSTEM_FOLDER]).returncode == 0
