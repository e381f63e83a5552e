import Foundation
import TestSupport
import Testing

/// Raw heads of responses.
@Suite("--dump-header", .timeLimit(.minutes(1)))
struct DumpHeaderTests {
    @Test("the file equals curl's, with redirects, refusals and trailers", arguments: [0, 1, 2])
    func sameAsCurl(number: Int) async throws {
        let nginx = try Nginx.shared
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX-A:   spaced  \r\n"
                    + "Transfer-Encoding: chunked\r\nSet-Cookie: a=b\r\n\r\n1\r\nx\r\n0\r\n"
                    + "X-Trailer: t\r\n\r\n"
            )
        }
        let url = [nginx.url("/redirect/chain/2"), nginx.url("/status/401"), server.url()][number]
        let ours = try await FetchProcess.run("-qO/dev/null", "-D", "heads", url)
        let curl = try await FetchProcess.shell(#"exec curl -sL -o /dev/null -D heads "$1""#, url)
        func heads(_ result: ProcessResult) -> String {
            let text = result.folder.readText("heads") ?? ""
            return text.replacing(/Date: [^\r]*\r\n/, with: "")
        }
        #expect(!heads(ours).isEmpty, "\(ours)")
        #expect(heads(ours) == heads(curl))
    }

    @Test("the heads precede the body on standard output, and a file has the heads of all tasks")
    func standardOutput() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let other = url + "?other"
        let result = try await FetchProcess.run("-qO-", "-D", "-", url, other)
        let parts = result.stdoutText.split(separator: "\r\n\r\n").map(String.init)
        #expect(parts.count == 3, "\(result)")
        #expect(parts.first?.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
        #expect(parts[1].hasPrefix("Hello, world!\nHTTP/1.1 200 OK\r\n"))
        let folder = try TemporaryFolder("heads")
        try folder.write("old", to: "heads")
        let file = try await FetchProcess.run("-qO-", "-D", "heads", url, other, in: folder)
        #expect(file.status == 0)
        let text = folder.readText("heads") ?? ""
        #expect(text.split(separator: "\r\n\r\n").count == 2)
        #expect(!text.contains("old"))
    }

    @Test("a full disk, or a closed reader, ends the task")
    func failing() async throws {
        let nginx = try Nginx.shared
        let full = try await FetchProcess.run(
            "-q",
            "-O",
            "x",
            "-D",
            "/dev/full",
            nginx.url("/files/hello.txt")
        )
        #expect(full.status == 3, "\(full)")
        #expect(full.folder.names() == [])
        let closed = try await FetchProcess.shell(
            #"("$FETCH" -q -O x -D - "$1"; echo $? >status) | sleep 0; cat status"#,
            nginx.url("/files/hello.txt")
        )
        #expect(["141\n", "0\n"].contains(closed.stdoutText), "\(closed)")
    }

    @Test("fetch refuses one file for two purposes, and sends nothing")
    func conflicts() async throws {
        let server = try SocketServer { _ in }
        let cases = [
            ("-D x -O x", "--dump-header and --output cannot be combined"),
            ("-D x -d @x", "--dump-header and --data cannot be combined"),
            ("-D x --har x", "--dump-header and --har cannot be combined"),
            ("-D x --events-file x", "--dump-header and --events-file cannot be combined"),
            ("--har x -O x", "--har and --output cannot be combined"),
            ("--har x.part -O x", "--har and --output cannot be combined"),
            ("--har /dev/stdout -O -", "--har and a body for standard output cannot be combined"),
            ("--har -", "--har: '-' is not a file"), ("--har ''", "--har: a path is missing"),
            ("-D ''", "-D: a path is missing"),
            ("--write-out 'a%output{x}' -O x", "--write-out and --output cannot be combined"),
            (
                "--write-out x --events-fd 1 -O y",
                "--write-out and --events-fd 1 cannot be combined"
            ),
            ("--write-out @- -d @-", "--data - and --write-out @- cannot be combined"),
            ("--max-connections-per-host 0", "--max-connections-per-host: '0' is not a whole"),
        ]
        for (flags, message) in cases {
            let result = try await FetchProcess.shell(
                #"touch x; exec "$FETCH" "$1" \#(flags)"#,
                server.url()
            )
            #expect(result.status == 2, "\(flags): \(result)")
            #expect(result.stderr.contains("fetch: \(message)"), "\(flags): \(result)")
        }
        #expect(!server.wasCalled)
    }
}
