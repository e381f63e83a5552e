import TestSupport
import Testing

/// `--content-length`.
@Suite("Content length of a pipe", .timeLimit(.minutes(1)))
struct ContentLengthTests {
    private static func mirror() throws -> SocketServer {
        try SocketServer { connection in
            let head = try connection.readHead()
            try connection.respond(body: try connection.readBody(head))
        }
    }

    @Test(
        "T-06 a pipe is sent with the Content-Length of the flag",
        arguments: [
            (["--upload-file", "-"], "hello"), (["--post-file", "-"], "hello"),
            (["-d", "@-"], "he\nllo\n"), (["--data-binary", "@-"], "hello"),
        ]
    )
    func whole(arguments: [String], input: String) async throws {
        let server = try Self.mirror()
        let line = ["-qO-", "--content-length", "5"] + arguments + [server.url("/x")]
        let result = try await FetchProcess(line, input: .text(input)).run()
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "hello")
        #expect(server.heads.map { $0.values("Content-Length") } == [["5"]])
        #expect(server.heads.first?["Transfer-Encoding"] == nil)
    }

    @Test(
        "T-06 a pipe of another length is status 3, and the server receives no complete body",
        arguments: [4, 6]
    )
    func other(length: Int) async throws {
        let server = try Self.mirror()
        let result = try await FetchProcess.run(
            "-O-",
            "--content-length",
            "\(length)",
            "--upload-file",
            "-",
            server.url("/x"),
            input: .text("hello")
        )
        #expect(result.status == 3, "\(result)")
        #expect(result.stdoutText == "")
        #expect(result.stderr.contains("its Content-Length is \(length)"), "\(result)")
        #expect(await eventually { server.wasCalled })
    }

    @Test("a FIFO is sent with the Content-Length of the flag")
    func fifo() async throws {
        let server = try Self.mirror()
        let result = try await FetchProcess.shell(
            #"mkfifo f; printf hello >f & "$FETCH" -qO- --content-length 5 --upload-file f "$1""#,
            server.url("/x")
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "hello")
        #expect(server.heads.first?["Content-Length"] == "5")
    }

    @Test(
        "fetch refuses --content-length where no body is streamed, or its length is known",
        arguments: [[], ["-d", "a=1"], ["-F", "a=@-"], ["--upload-file", "file"]]
    )
    func refused(arguments: [String]) async throws {
        let folder = try TemporaryFolder("length")
        try folder.write("hello", to: "file")
        let line = ["--content-length", "5"] + arguments + ["http://127.0.0.1:1/x"]
        let result = try await FetchProcess(line, in: folder, input: .text("hello")).run()
        #expect(result.status == 2, "\(result)")
        #expect(result.stderr.contains("--content-length"), "\(result)")
    }
}
