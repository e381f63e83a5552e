"""The programs: what each is called for the same work."""

import shutil
import subprocess


class Tool:
    """A program that fetches; None instead of a command where it cannot do the work."""

    name = ""
    # What keeps it quiet, and from reading the user's own settings.
    base: list[str] = []
    authority_flag = ""

    def __init__(self, path):
        self.path = path
        # A file that it must be told to trust; None where the system's store has it.
        self.authority = None

    def command(self, *arguments):
        trust = [self.authority_flag, self.authority] if self.authority else []
        return [self.path, *self.base, *trust, *arguments]

    def variables(self, case, stage):
        """What its environment has besides everybody's."""
        return {}

    def version(self):
        said = subprocess.run([self.path, "--version"], capture_output=True, text=True).stdout
        return (said.splitlines() or [""])[0]


class Fetch(Tool):
    name = "fetch"
    base = ["-q"]
    authority_flag = "--ca-certificate"

    def to_file(self, url, protocol, path):
        return self.command(*self.protocol(protocol), "-O", path, url)

    def to_stdout(self, url, protocol):
        return self.command(*self.protocol(protocol), "-O", "-", url)

    def upload_file(self, url, path):
        return self.command("--upload-file", path, url)

    def upload_stdin(self, url):
        return self.command("--upload-file", "-", url)

    def protocol(self, name):
        return {"http": [], "https": ["--http1.1"], "h2": ["--http2"]}[name]


class Curl(Tool):
    name = "curl"
    base = ["-q", "-sS", "-f"]
    authority_flag = "--cacert"

    def to_file(self, url, protocol, path):
        return self.command(*self.protocol(protocol), "-o", path, url)

    def to_stdout(self, url, protocol):
        return self.command(*self.protocol(protocol), url)

    def upload_file(self, url, path):
        return self.command("-T", path, url)

    def upload_stdin(self, url):
        return self.command("-T", "-", url)

    def protocol(self, name):
        return {"http": [], "https": ["--http1.1"], "h2": ["--http2"]}[name]


class Wget(Tool):
    name = "wget"
    base = ["--no-config", "--no-hsts", "-q", "-t", "1"]
    authority_flag = "--ca-certificate"

    def to_file(self, url, protocol, path):
        # It speaks HTTP/1.1 only.
        return None if protocol == "h2" else self.command("-O", path, url)

    def to_stdout(self, url, protocol):
        return None if protocol == "h2" else self.command("-O", "-", url)

    def upload_file(self, url, path):
        return self.command("-O", "/dev/null", "--method=PUT", f"--body-file={path}", url)

    def upload_stdin(self, url):
        # It wants to know the length first.
        return None


def installed(fetch):
    """Those that are here; fetch and curl must be."""
    tools = [Fetch(fetch)]
    for kind in (Curl, Wget):
        path = shutil.which(kind.name, path="/usr/local/bin:/usr/bin:/bin")
        if path:
            tools.append(kind(path))
        elif kind is Curl:
            raise SystemExit("Benchmarks/run: no curl: run Scripts/setup bench")
    return tools
