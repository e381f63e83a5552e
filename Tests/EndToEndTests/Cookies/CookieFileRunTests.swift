import Foundation
import TestSupport
import Testing

/// Cookies in files that curl and wget can read.
@Suite("Cookie files", .timeLimit(.minutes(2)))
struct CookieFileRunTests {
    @Test("C-03 fetch reads curl's and wget's cookie files, and they read fetch's")
    func interchange() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("jar")
        let result = try await FetchProcess.shell(
            #"""
            set -e
            curl -sS -c curl.txt -o /dev/null "$1/cookies/set/fromcurl/1"
            wget -q --save-cookies wget.txt --keep-session-cookies -O /dev/null \
                "$1/cookies/session/fromwget/2"
            "$FETCH" -q -O /dev/null --save-cookies ours.txt --keep-session-cookies \
                "$1/cookies/set/lasting/3" 
            "$FETCH" -q -O /dev/null --load-cookies ours.txt --save-cookies ours.txt \
                --keep-session-cookies "$1/cookies/session/short/4"
            "$FETCH" -qO- --load-cookies curl.txt "$1/echo/x" | grep ^cookie
            "$FETCH" -qO- --load-cookies wget.txt "$1/echo/x" | grep ^cookie
            curl -sS -b ours.txt "$1/echo/x" | grep ^cookie
            wget -qO- --load-cookies ours.txt "$1/echo/x" | grep ^cookie
            """#,
            nginx.url(""),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        let lines = result.stdoutText.split(separator: "\n").map(String.init)
        #expect(lines.count == 4, "\(result.stdoutText)")
        #expect(lines.prefix(2) == ["cookie: fromcurl=1", "cookie: fromwget=2"])
        for line in lines.suffix(2) {
            #expect(line.contains("lasting=3") && line.contains("short=4"))
        }
        #expect(folder.names() == ["curl.txt", "ours.txt", "wget.txt"])
        #expect(try CookieRunTests.mode(folder.path("ours.txt")) == 0o600)
        #expect(!result.home.exists(CookieRunTests.state))
    }

    @Test("C-03 fetch saves persistent cookies only without --keep-session-cookies")
    func lasting() async throws {
        let nginx = try Nginx.shared
        let result = try await FetchProcess.run(
            "-qO-",
            "--save-cookies",
            "jar.txt",
            nginx.url("/cookies/set/a/1"),
            nginx.url("/cookies/session/b/2")
        )
        #expect(result.status == 0, "\(result)")
        let text = try #require(result.folder.readText("jar.txt"))
        #expect(text.contains("\ta\t1\n") && !text.contains("\tb\t2"))
    }

    @Test("fetch saves cookies also when the request fails, or a signal ends the run")
    func failed() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            if head.target == "/wait" {
                try connection.send(
                    "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nContent-Length: 9\r\n\r\nx"
                )
                try connection.waitForPeerToClose()
            } else {
                try connection.respond("404 Not Found", ["Set-Cookie: a=1"])
            }
        }
        let flags = ["-O", "out", "--save-cookies", "jar.txt", "--keep-session-cookies"]
        let missing = try await FetchProcess(flags + [server.url("/missing")]).run()
        #expect(missing.status == 8)
        #expect(missing.folder.readText("jar.txt")?.contains("\ta\t1\n") == true)
        let prepared = try FetchProcess(flags + [server.url("/wait")])
        let process = try prepared.start()
        #expect(await eventually { prepared.folder.exists("out.part") })
        process.interrupt(SIGINT)
        let stopped = try await process.wait()
        #expect(stopped.signal == SIGINT, "\(stopped)")
        #expect(stopped.folder.readText("jar.txt")?.contains("\ta\t1\n") == true)
    }

    @Test("a home that cannot be written matters only to --session and to a named cookie file")
    func unwritable() async throws {
        let url = try Nginx.shared.url("/cookies/set/a/1")
        let blocked = try TemporaryFolder("home")
        try blocked.write("in the way\n", to: ".local")
        let result = try await FetchProcess.run("-O-", url, home: blocked)
        #expect(result.status == 0, "\(result)")
        #expect(!result.stderr.contains("warning"), "\(result)")
        let session = try await FetchProcess.run("-O-", "--session", "s", url, home: blocked)
        #expect(session.status == 3, "\(session)")
        #expect(session.stderr.contains("warning: cookies are not saved"), "\(session)")
        let homeless = try await FetchProcess.shell(
            #"unset HOME XDG_STATE_HOME; "$FETCH" -O- "$1" && exec "$FETCH" -O- --session s "$1""#,
            url
        )
        #expect(homeless.status == 2, "\(homeless)")
        #expect(homeless.stderr.contains("XDG_STATE_HOME"), "\(homeless)")
        let full = try await FetchProcess.run("-qO-", "--save-cookies", "/dev/full", url)
        #expect(full.status == 3, "\(full)")
        #expect(full.stderr.contains("warning: cookies are not saved"), "\(full)")
    }

    @Test("C-03 the next command can read the cookie file of one that received no cookies")
    func empty() async throws {
        let folder = try TemporaryFolder("run")
        let url = try Nginx.shared.url("/files/hello.txt")
        for flag in ["--save-cookies", "--load-cookies"] {
            let result = try await FetchProcess.run("-qO-", flag, "jar", url, in: folder)
            #expect(result.status == 0, "\(result)")
        }
        #expect(folder.readText("jar")?.hasPrefix("# Netscape HTTP Cookie File\n") == true)
        let lost = try await FetchProcess.run("-qO-", "--save-cookies", "none/jar", url, in: folder)
        #expect(lost.status == 3, "\(lost)")
        #expect(lost.stderr.contains("warning: cookies are not saved"), "\(lost)")
    }

    @Test("C-03 fetch does not overwrite a file that contains no cookies")
    func foreign() async throws {
        let folder = try TemporaryFolder("run")
        try folder.write("my diary\n", to: "diary")
        let url = try Nginx.shared.url("/cookies/set/a/1")
        let result = try await FetchProcess.run("-O-", "--save-cookies", "diary", url, in: folder)
        #expect(result.status == 3)
        #expect(result.stderr.contains("is left as it is"), "\(result)")
        #expect(folder.readText("diary") == "my diary\n")
    }

    @Test("C-03 processes that write one file at the same time lose no cookie and tear no line")
    func hammering() async throws {
        let nginx = try Nginx.shared
        for flags in ["--session s", "--load-cookies jar --save-cookies jar"] {
            let folder = try TemporaryFolder("jar")
            let result = try await FetchProcess.shell(
                #"""
                for writer in 1 2 3; do (
                    for number in 1 2 3 4 5 6 7 8 9 10; do
                        "$FETCH" -q -O /dev/null $2 "$1/cookies/set/w$writer.$number/v" || exit 1
                    done
                ) & pids="$pids $!"; done
                for pid in $pids; do wait $pid || exit 1; done
                """#,
                nginx.url(""),
                flags,
                in: folder,
                timeLimit: .seconds(100)
            )
            #expect(result.status == 0, "\(result)")
            #expect(result.stderr == "")
            let text =
                flags.hasPrefix("--session")
                ? result.home.readText(CookieRunTests.state) : folder.readText("jar")
            let lines = (text ?? "").split(separator: "\n").filter { !$0.hasPrefix("#") }
            #expect(lines.count == 30)
            #expect(lines.allSatisfy { $0.split(separator: "\t").count == 7 })
        }
    }
}
