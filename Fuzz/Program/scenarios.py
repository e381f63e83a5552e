"""The scenarios: each changes responses or files, runs the program, and checks invariants.

Each scenario is a function of a `Scene`. `scene.chance` alone determines what a case does.
"""

import gzip
import hashlib
import os
import zlib

from child import Broken, end_orphans, run
from mutation import mutate
from peer import BODY, DATE, MODIFIED, TAG, honest, response

LIMITS = ["-T", "2", "--connect-timeout", "2", "--max-time", "8", "--waitretry", "0", "-t", "2"]


class Scene:
    def __init__(self, executable, place, peer, chance):
        self.executable, self.place, self.peer, self.chance = executable, place, peer, chance
        self.url = f"http://127.0.0.1:{peer.port}"
        self.shown = []

    def mutate(self, data, most=4):
        changed = mutate(self.chance, data, most)
        self.shown.append(changed)
        return changed

    def fetch(self, *arguments, environment=(), limits=True):
        words = [*(LIMITS if limits else []), *arguments]
        return run(self.executable, self.place, words, environment)

    def maybe(self, *flags):
        """A random selection of these lists of arguments, joined."""
        return [word for flag in flags if self.chance.random() < 0.4 for word in flag]

    def require(self, holds, words):
        if not holds:
            raise Broken(words)

    def outside(self, name):
        return os.path.join(self.place.outside, name)


def _fields(scene):
    """A valid example of each field that the program parses."""
    digest = b"sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
    away = scene.outside("x").encode()
    every = [
        b"Content-Type: text/html; charset=\"utf-8\"", b"ETag: " + TAG, b"Date: " + DATE, b"Age: 5",
        b"Last-Modified: " + MODIFIED, b"Last-Modified: Fri, 31 Dec 2300 23:59:59 GMT",
        b"Cache-Control: max-age=60, stale-if-error=\"5\"", b"Expires: " + MODIFIED,
        b"Vary: Accept, Cookie", b"Retry-After: 0", b"Pragma: no-cache",
        b"Set-Cookie: a=b; Path=/x; Domain=127.0.0.1; Max-Age=600; Secure; HttpOnly",
        b"Set-Cookie: c=d; Expires=" + MODIFIED, b"Set-Cookie: e=f; Path=/\xe2\x84\xaa",
        b"Repr-Digest: " + digest, b"Content-Digest: " + digest,
        b"Strict-Transport-Security: max-age=31536000; includeSubDomains",
        b"Content-Disposition: attachment; filename=\"a.txt\"; filename*=UTF-8''%e2%82%ac.txt",
        b"Content-Disposition: attachment; filename=\"" + away + b"\"",
        b"Content-Disposition: inline; filename=\"../outside/x\"", b"Accept-Ranges: bytes",
        b"Content-Range: bytes 0-1/2", b"Link: </x>; rel=preload", b"Trailer: X",
        b"Content-Location: /y", b"Connection: keep-alive", b"Transfer-Encoding: chunked",
        b"Content-Encoding: gzip", b"Location: /next?a=b#c", b"Content-Length: 2",
    ]
    return scene.chance.sample(every, scene.chance.randint(1, 6))


OUTPUTS = [[], ["-O", "out"], ["-O", "-"], ["--auto"], ["--content-disposition"], ["-N"],
           ["-c"], ["-c", "-O", "out"], ["-I"], ["-P", "sub"], ["--error-body", "err"]]
SIDES = [["-S"], ["-v"], ["-D", "heads"], ["--har", "har"], ["--events-file", "events"],
         ["--write-out", "%{json}%{header_json}%header{date}"], ["--compressed"],
         ["--save-cookies", "jar", "--keep-session-cookies"], ["--content-on-error"],
         ["--max-filesize", "100k"], ["--accept-type", "text/*"], ["-r", "0-1"], ["--split", "3"],
         ["--ephemeral"], ["--no-cache"], ["--checksum", "md5:" + "0" * 32]]


def responses(scene):
    """Several arbitrary responses."""
    statuses = [b"200 OK", b"206 Partial Content", b"301 Moved", b"302 Found", b"304 Not Modified",
                b"401 Unauthorized", b"404 Not Found", b"416 Range Not Satisfiable",
                b"429 Too Many", b"500 Error", b"503 Busy", b"100 Continue", b"204 No Content"]
    bodies = [b"ok", BODY, gzip.compress(BODY, mtime=0), zlib.compress(b"ok" * 99),
              b"5\r\nhello\r\n0\r\nX: y\r\n\r\n", b""]
    scene.peer.script([
        scene.mutate(response(scene.chance.choice(statuses), _fields(scene),
                            scene.chance.choice(bodies)))
        for _ in range(4)])
    scene.fetch(*scene.chance.choice(OUTPUTS), *scene.maybe(*SIDES), scene.url + "/K")


def redirects(scene):
    targets = [b"/next", b"//127.0.0.1:%d/x" % scene.peer.port,
               b"http://[::1]:99999999999999999999/",
               b"file:///etc/passwd", b"data:,x", b"?q", b"#f", b"http://u:p@127.0.0.1/",
               b"HTTP://127.0.0.1:%d/%%2e%%2e/" % scene.peer.port, b"http:", b"\xe2\x84\xaa"]
    codes = [b"301 M", b"302 F", b"303 S", b"307 T", b"308 P", b"300 M"]
    scene.peer.script([
        response(scene.chance.choice(codes),
               [b"Location: " + scene.mutate(scene.chance.choice(targets), 3)], b"")
        for _ in range(scene.chance.randint(1, 5))])
    # Wherever the redirect leads, no request may arrive there.
    scene.fetch("-O", "out", "--noproxy", "127.0.0.1", "-x", scene.url, *scene.maybe(*SIDES),
                "-u", "me:pw", scene.url + "/a")


def challenges(scene):
    offers = [b"Basic realm=\"r\", charset=\"UTF-8\"", b"Bearer realm=\"r\", error=\"x\"",
              b"Digest realm=\"r\", nonce=\"n\", qop=\"auth,auth-int\", algorithm=SHA-256-sess,"
              b" opaque=\"o\", stale=true, userhash=true", b"Digest realm=r, nonce=n",
              b"NTLM TlRMTVNTUAACAAAA", b"NTLM", b"Negotiate", b"Negotiate YII="]
    isproxy = scene.chance.random() < 0.3
    status, name = ((b"407 P", b"Proxy-Authenticate: ") if isproxy
                    else (b"401 U", b"WWW-Authenticate: "))
    scene.peer.script([
        scene.mutate(response(status, [name + o for o in scene.chance.sample(offers, 3)], b"no"))
        for _ in range(3)])
    proxy = ["-x", scene.url, "--proxy-user", "me:pw", "--noproxy", ""] if isproxy else []
    scene.fetch("-u", "me:p\u00e4ss", *proxy, *scene.maybe(*SIDES),
                ("http://h.example" if isproxy else scene.url) + "/a")


def proxies(scene):
    """Responses to CONNECT, and to plain requests through a proxy."""
    heads = [response(b"200 Connection established", body=b"", length=b""),
             response(b"407 P", [b"Proxy-Authenticate: Basic realm=\"r\""], b"no"),
             response(b"502 Bad", _fields(scene), b"bad"),
             b"HTTP/1.1 200\r\n\r\n\x16\x03\x03\x00\x02ab",
             response(b"200 OK", [b"Transfer-Encoding: chunked"], b"0\r\n\r\n", b"")]
    scene.peer.script([scene.mutate(scene.chance.choice(heads)) for _ in range(3)])
    scheme = scene.chance.choice(["http", "http", "socks5h", "socks4a"])
    scene.fetch("-x", f"{scheme}://127.0.0.1:{scene.peer.port}", *scene.maybe(*SIDES),
                "--proxy-user", "me:pw", scene.chance.choice(["https", "http"]) + "://h.example/a")


def truncations(scene):
    """A truncated body is never a success, whatever the response's other fields."""
    chance = scene.chance
    framing = {b"content-length", b"transfer-encoding", b"content-encoding", b"content-range",
               b"trailer", b"connection"}
    fields = [f for f in _fields(scene) if f.partition(b":")[0].lower() not in framing]
    fields = [f for f in fields if not f.startswith((b"Location", b"Repr", b"Content-Di"))]
    cut = chance.randint(0, len(BODY) - 1)
    form = chance.choice(["length", "chunked", "gzip"])
    if form == "length":
        whole = response(fields=fields, body=BODY[:cut], length=b"%d" % len(BODY))
    elif form == "chunked":
        whole = response(fields=[*fields, b"Transfer-Encoding: chunked"],
                       body=b"%x\r\n" % len(BODY) + BODY[:cut], length=b"")
    else:
        packed = gzip.compress(BODY, mtime=0)
        packed = packed[:chance.randint(1, len(packed) - 1)]
        whole = response(fields=[*fields, b"Content-Encoding: gzip"], body=packed)
    scene.shown.append(whole[:1000])
    scene.peer.reply = lambda request: whole
    # fetch may continue a truncated response; this server ignores the range.
    # fetch decodes a body only on its way to standard output.
    output = chance.choice([[], ["-O", "out"], ["-c"]]) if form != "gzip" else ["-O", "-"]
    status, _ = scene.fetch(*output, *scene.maybe(["--split", "2"], ["-S"]),
                            scene.url + "/a")
    scene.require(status != 0, f"exit 0 with a body cut short ({form}, {cut})")
    scene.require(scene.place.read("a") is None, "a body cut short has its name")


def continuing(scene):
    """A continued part becomes the server's file, or fails."""
    chance = scene.chance
    cut = response(fields=[b"ETag: " + TAG, b"Last-Modified: " + MODIFIED, b"Date: " + DATE,
                         b"Accept-Ranges: bytes"],
                 body=BODY[:chance.randint(1, len(BODY) - 1)], length=b"%d" % len(BODY))
    split = ["--split", "3"] if chance.random() < 0.3 else []
    # At first the server serves no range, so that a part file remains, which is changed below.
    scene.peer.reply = lambda request: b"" if b"Range: " in request else cut
    scene.fetch("-c", *split, "-t", "1", scene.url + "/a")
    resume = scene.place.read("a.part.resume")
    kind = chance.choice(["resume", "response", "part", "both"])
    if resume is not None and kind in ("resume", "both"):
        scene.place.put("a.part.resume", scene.mutate(resume))
    if kind == "part":
        part = scene.place.read("a.part") or b""
        scene.place.put("a.part", part + b"x" if chance.random() < 0.5 else part[:-1])
    if kind in ("response", "both"):
        def reply(request):
            return scene.mutate(honest(request), 2)
        scene.peer.reply = reply
    else:
        scene.peer.reply = honest
    status, _ = scene.fetch("-c", *split, scene.url + "/a")
    if status == 0 and kind in ("resume", "part"):
        scene.require(scene.place.read("a") == BODY, "exit 0 with another body than the server's")


def caching(scene):
    """A body from a cache with changed files equals the server's body."""
    scene.peer.reply = honest
    for name in ("/a", "/b"):
        scene.fetch("-O", "-", scene.url + name)
    files = [f for f in scene.place.files() if "/cache/" in f]
    for path in scene.chance.sample(files, min(len(files), scene.chance.randint(1, 3))):
        with open(path, "rb") as file:
            data = file.read()
        scene.shown.append(os.path.basename(path).encode())
        scene.place.write(path, scene.mutate(data))
    policy = ["--cache-policy", scene.chance.choice(["prefer-cache", "revalidate", "protocol"])]
    flags = scene.chance.choice([policy, policy, ["--cache-size", "100k"], ["--clear-cache"]])
    for name in ("/a", "/b", "/c"):
        status, body = scene.fetch("-O", "-", *flags, scene.url + name)
        scene.require(status == 0, f"a damaged cache fails a fetch ({status})")
        scene.require(body == BODY, "a damaged cache gives another body")


COOKIES = (b"# Netscape HTTP Cookie File\n#HttpOnly_.127.0.0.1\tTRUE\t/\tFALSE\t4102444800\ta\tb\n"
           b"127.0.0.1\tFALSE\t/x\xe2\x84\xaa\tFALSE\t0\tc\td\n")
HSTS = b"# Your HSTS cache.\n.h.example \"20990101 00:00:00\"\nx.example \"unlimited\"\n"
NETRC = (b"machine 127.0.0.1 login me password \"p\\\"w\"\nmacdef x\nfoo\n\n"
         b"default login you password pw\n")
CONFIG = b"# mine\n--tries 2\n-H A: 1\n--user-agent=\"me\\t\"\n--retry-on 503\n--limit-rate 10M\n"


def states(scene):
    """The user's files: cookies, HSTS hosts, passwords, configuration."""
    scene.peer.script([response(b"401 U", [b"WWW-Authenticate: Basic realm=r"], b"no")])
    place = scene.place
    place.put("jar", scene.mutate(COOKIES))
    place.put("hosts", scene.mutate(HSTS))
    place.put("netrc", scene.mutate(NETRC))
    place.put("config", scene.mutate(CONFIG) if scene.chance.random() < 0.5 else CONFIG)
    scene.fetch("--config", "config", "--load-cookies", "jar", "--save-cookies", "jar",
                "--hsts-file", "hosts", "--netrc-file", "netrc", "-O", "out", scene.url + "/xK")
    # State files in the home folder, which the program itself writes first.
    scene.peer.script([response(fields=[b"Set-Cookie: a=b; Max-Age=600; Path=/"])])
    scene.fetch("-O", "out", scene.url + "/x")
    for path in scene.place.files():
        if "/state/" in path:
            with open(path, "rb") as file:
                data = file.read()
            scene.place.write(path, scene.mutate(data))
    scene.fetch("-O", "out", scene.url + "/x")


def lists(scene):
    """Lists of URLs and of checksums; a body with another checksum is not saved."""
    right = hashlib.sha256(BODY).hexdigest().encode()
    wrong = hashlib.sha256(b"other").hexdigest().encode()
    scene.peer.reply = honest
    entries = (right + b"  a\n" + right + b" *./b\n" + b"SHA256 (c) = " + right
               + b"\n\\" + wrong + b"  d\\n\n")
    scene.place.put("sums", scene.mutate(entries))
    urls = "".join(f"{scene.url}/{name}\n" for name in "abc").encode()
    scene.place.put("urls", scene.mutate(b"# a list\n" + urls).replace(b"http://[", b"x"))
    scene.fetch("-i", "urls", "-P", "got", "--checksum-from", "sums", "-x", scene.url,
                "--noproxy", "127.0.0.1")
    scene.place.put("sums", wrong + b"  a\n")
    status, _ = scene.fetch("--checksum-from", "sums", scene.url + "/a")
    scene.require(status != 0 and scene.place.read("a") is None, "a wrong checksum was taken")


def multipart(scene):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=\"b\"\r\n\r\n"
    part = b"--b\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\none\r\n"
    scene.peer.script([scene.mutate(head + part * 3 + b"--b--\r\n")])
    scene.fetch(*scene.chance.choice([["-O", "-"], []]), *scene.maybe(*SIDES), scene.url + "/a")


def background(scene):
    """A background session whose journal, lock and files were changed while no process used them."""
    def queue():
        scene.fetch("-b", "--no-discretionary", "--identifier", "s", "-O", "out", scene.url + "/a",
                    limits=False)
    scene.peer.stall()
    queue()
    end_orphans()
    scene.peer.stalled.set()
    files = [f for f in scene.place.files() if "/background/" in f]
    for path in scene.chance.sample(files, min(len(files), scene.chance.randint(1, 2))):
        with open(path, "rb") as file:
            data = file.read()
        scene.shown.append(os.path.basename(path).encode())
        scene.place.write(path, scene.mutate(data))
    scene.peer.reply = honest
    scene.fetch("--background-list", limits=False)
    step = scene.chance.choice([["--background-resume", "s"], ["--background-pause", "s"],
                                ["--background-cancel", "s"]])
    scene.fetch(*step, limits=False)
    if step[0] == "--background-resume":
        queue()
    end_orphans(timeout=0.5)


ALL = [responses, redirects, challenges, proxies, truncations, continuing, caching, states, lists,
       multipart, background]
