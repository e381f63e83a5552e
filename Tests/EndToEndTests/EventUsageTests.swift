import TestSupport
import Testing

/// Command lines for events that cannot be carried out.
@Suite("Usage of events", .timeLimit(.minutes(1)))
struct EventUsageTests {
    @Test(
        "what is wrong is status 2 and one line with a flag's name, and nothing is sent",
        arguments: [
            ("--events xml", "--events: 'xml' is not one of json"),
            ("--events", "--events: a value is missing"),
            ("--events-file -", "--events-file: '-' is no file"),
            ("--events-file ''", "--events-file: a path is missing"),
            ("--events-fd 0", "--events-fd: '0' is not a whole number of 1 or more"),
            ("--events-fd x", "--events-fd: 'x' is not a whole number of 1 or more"),
            ("--events-fd 3", "--events-fd: '3' is not open for writing"),
            ("--events-fd 9", "--events-fd: '9' is not open for writing"),
            ("--events-fd 4 4</dev/null", "--events-fd: '4' is not open for writing"),
            ("--events-file /dev/fd/9", "--events-file: '/dev/fd/9' is not open for writing"),
            ("--events-fd 1 >&-", "--events-fd: '1' is not open for writing"),
            ("--events-fd 3 --events-file x 3>x", "--events-file and --events-fd cannot be"),
            ("--events-fd 1 -O -", "--events-fd 1 and a body for standard output cannot be"),
            ("--events-fd 1 -d x", "--events-fd 1 and a body for standard output cannot be"),
            ("--events-file x -O ./x", "--events-file and --output cannot be combined"),
        ]
    )
    func refused(flags: String, message: String) async throws {
        let server = try SocketServer { _ in }
        let result = try await FetchProcess.shell(
            #"exec "$FETCH" "$1" \#(flags)"#,
            server.url()
        )
        #expect(result.status == 2, "\(result)")
        #expect(result.stderrLines.first?.hasPrefix("fetch: \(message)") == true, "\(result)")
        #expect(!server.wasCalled)
    }

    @Test("a standard error that is closed takes no events: status 2")
    func closedError() async throws {
        let server = try SocketServer { _ in }
        let result = try await FetchProcess.shell(
            #"exec "$FETCH" --events json "$1" 2>&-"#,
            server.url()
        )
        #expect(result.status == 2, "\(result)")
        #expect(!server.wasCalled)
    }
}
