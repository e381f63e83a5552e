"""Many URLs, and one file in parts: fetch beside curl, wget2 and aria2c."""

import filecmp
import os
import shutil

from . import child
from .cases import Case
from .child import Failure
from .tools import Curl, Fetch, Tool

# The files of 10 KiB, and how many of them at once; fewer where bodies are too small for a verdict.
MANY = 2_000
SIZE = 10 << 10
JOBS = 16
# The parts of one file.
PARTS = 8
# For memory: how many responses of a few bytes.
COUNTS = (100, 10_000, 100_000)
RESPONSE = b"one of many"

KINDS = ("many", "split", "list")

CASES = (
    [
        Case(f"many-{protocol}{distance}", ("wall", "cpu"), "many", protocol, "files", rounds=5)
        for distance in ("", "-20ms")
        for protocol in ("http", "h2")
    ]
    + [
        # nginx gives each connection 16 MiB a second.
        Case("split-limited", ("wall", "cpu"), "split", "limited", "quarter", rounds=3),
        Case("split-https", ("wall", "cpu"), "split", "https", "large", rounds=5),
    ]
    + [Case(f"memory-list-{count}", ("memory",), "list", "http", "none", rounds=1) for count in COUNTS]
)


class Lists:
    """The URLs, as lists and as curl's configuration."""

    def __init__(self, stage, delay):
        self.stage = stage
        self.delay = delay
        self.folder = os.path.join(stage.environment.folder, "lists")
        self.output = os.path.join(self.folder, "out")
        self.files = os.path.join(stage.nginx.root, "files")
        os.makedirs(self.folder)
        # Bodies that are too small for a verdict come in small numbers.
        self.share = min(1.0, stage.sizes["large"] / (1 << 30))

    def count(self, case):
        if case.kind == "list":
            return max(10, int(int(case.name.rpartition("-")[2]) * self.share))
        return max(2 * JOBS, int(MANY * self.share))

    def prepare(self, cases):
        """Makes the files, and for each case the list."""
        if any(case.kind == "many" for case in cases):
            os.makedirs(self.files)
            for number in range(max(self.count(case) for case in cases if case.kind == "many")):
                with open(os.path.join(self.files, f"{number:05}"), "wb") as file:
                    file.write(os.urandom(SIZE))
        for case in cases:
            if case.kind == "split":
                continue
            with open(self.path(case), "w") as urls, open(self.path(case, "curl"), "w") as curl:
                for number in range(self.count(case)):
                    url = self.url(case, number)
                    urls.write(f"{url}\n")
                    curl.write(f'url = "{url}"\noutput = "{self.output}/{number:05}"\n')

    def url(self, case, number):
        if case.kind == "list":
            return self.stage.nginx.url("http", f"many/{number}")
        url = self.stage.nginx.url(case.protocol, f"files/{number:05}")
        if not case.name.endswith("-20ms"):
            return url
        near = self.stage.nginx.ports[case.protocol]
        return url.replace(f":{near}/", f":{self.delay.ports[case.protocol]}/")

    def path(self, case, form="urls"):
        return os.path.join(self.folder, f"{case.name}.{form}")

    def command(self, case, tool):
        """What a tool is called for a case; None where it cannot do it."""
        match case.kind:
            case "many":
                return tool.many(self.path(case), self.path(case, "curl"), case.protocol, self.output)
            case "split":
                url = self.stage.nginx.url(case.protocol, case.body)
                parts = PARTS if case.protocol == "limited" else 2
                return tool.split(url, case.protocol, self.output, parts)
            case "list":
                return tool.list(self.path(case))
        raise AssertionError(case.kind)

    def measure(self, case, tool, *, compares=False):
        """One run, or None where the tool cannot do it; `Failure` where it did not do its work."""
        os.makedirs(self.output)
        try:
            command = self.command(case, tool)
            if command is None:
                return None
            sample, moved = child.run(
                command,
                self.stage.environment,
                sink=case.kind == "list",
                with_memory="memory" in case.metrics,
            )
            self.check(case, tool, moved, compares)
        finally:
            # A file that is there already is another piece of work.
            shutil.rmtree(self.output)
        return sample

    def check(self, case, tool, moved, compares):
        if case.kind == "list":
            if moved != self.count(case) * len(RESPONSE):
                raise Failure(f"{case.name}: {tool.name}: {moved} bytes")
            return
        wanted = [self.stage.paths[case.body]] if case.kind == "split" else [
            os.path.join(self.files, f"{number:05}") for number in range(self.count(case))
        ]  # fmt: skip
        here = sorted(os.listdir(self.output))
        if here != [os.path.basename(path) for path in wanted]:
            raise Failure(f"{case.name}: {tool.name}: {len(here)} files instead of {len(wanted)}")
        for path in wanted:
            copy = os.path.join(self.output, os.path.basename(path))
            if os.path.getsize(copy) != os.path.getsize(path):
                raise Failure(f"{case.name}: {tool.name}: {os.path.basename(path)} is cut short")
            if compares and not filecmp.cmp(copy, path, shallow=False):
                raise Failure(f"{case.name}: {tool.name}: other bytes in {os.path.basename(path)}")


class ListFetch(Fetch):
    def many(self, urls, _, protocol, folder):
        return self.command(*self.protocol(protocol), "-j", str(JOBS), "-P", folder, "-i", urls)

    def split(self, url, protocol, folder, parts):
        http = [] if protocol == "limited" else self.protocol(protocol)
        return self.command(*http, "--split", str(parts), "-P", folder, url)

    def list(self, urls):
        return self.command("-j", str(JOBS), "-O", "-", "-i", urls)


class ListCurl(Curl):
    def many(self, _, configuration, protocol, folder):
        parallel = ["-Z", "--parallel-max", str(JOBS), "-K", configuration]
        return self.command(*self.protocol(protocol), *parallel)

    def split(self, url, protocol, folder, parts):
        if protocol == "limited":
            return None
        path = os.path.join(folder, url.rpartition("/")[2])
        return self.command(*self.protocol(protocol), "-o", path, url)

    def list(self, urls):
        return None


class Wget2(Tool):
    name = "wget2"
    base = ["--no-config", "--no-hsts", "--no-robots", "-q", "-t", "1"]
    authority_flag = "--ca-certificate"

    def many(self, urls, _, protocol, folder):
        http = [] if protocol == "h2" else ["--no-http2"]
        # Its threads have up to 30 requests each under way over HTTP/2.
        return self.command(*http, f"--max-threads={JOBS}", "-P", folder, "-i", urls)

    def split(self, url, protocol, folder, parts):
        return None

    def list(self, urls):
        return None


class Aria2(Tool):
    name = "aria2c"
    base = ["--no-conf", "-q", "--file-allocation=none", "--no-netrc"]
    authority_flag = "--ca-certificate"

    def many(self, urls, _, protocol, folder):
        # It speaks HTTP/1.1 only.
        return None if protocol == "h2" else self.command(f"-j{JOBS}", "-d", folder, "-i", urls)

    def split(self, url, protocol, folder, parts):
        # Without -k it makes no part of less than 20 MiB.
        return self.command(f"-x{parts}", f"-s{parts}", "-k1M", "-d", folder, url)

    def list(self, urls):
        return None


def programs(fetch):
    """Those that are here."""
    tools = [ListFetch(fetch)]
    for kind in (ListCurl, Wget2, Aria2):
        path = shutil.which(kind.name, path="/usr/local/bin:/usr/bin:/bin")
        if path:
            tools.append(kind(path))
    return tools
