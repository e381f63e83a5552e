import TestSupport
import Testing

/// Closed descriptors 0 to 2, and limits on the number of descriptors.
@Suite("Descriptors", .timeLimit(.minutes(1)))
struct DescriptorTests {
    @Test(
        "a download works as usual with descriptors 0 to 2 closed",
        arguments: ["<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- 2>&-", "<&- >&- 2>&-"]
    )
    func download(closed: String) async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile(
            "descriptor-\(closed.utf8.reduce(0) { $0 * 31 % 65_521 + Int($1) })",
            size: 300_000
        )
        let result = try await FetchProcess.shell(
            #"exec "$FETCH" -vv -S -O out "$1" \#(closed)"#,
            nginx.url(path)
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.names() == ["out"])
        #expect(result.folder.read("out") == PseudoRandom.bytes(300_000))
        #expect(result.stdout == [])
    }

    @Test(
        "a body for a closed standard output is status 3, and changes no other file",
        arguments: [">&-", "<&- >&-", ">&- 2>&-"]
    )
    func closedOutput(closed: String) async throws {
        let folder = try TemporaryFolder("closed")
        try folder.write("mine", to: "bystander")
        let result = try await FetchProcess.shell(
            #"exec 3<>bystander; exec "$FETCH" -O - "$1" \#(closed)"#,
            Nginx.shared.url("/files/hello.txt"),
            in: folder
        )
        #expect(result.status == 3, "\(result)")
        #expect(folder.readText("bystander") == "mine")
        if !closed.contains("2") { #expect(result.stderrLines.count == 1, "\(result)") }
    }

    @Test("messages for a closed standard error go nowhere, and not to the server")
    func closedError() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            try connection.respond(body: connection.readBody(head))
        }
        let result = try await FetchProcess.shell(
            #"exec "$FETCH" -vv -S -d body "$1" <&- 2>&-"#,
            server.url()
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "body")
    }

    @Test(
        "a body from a closed standard input is status 3, and never an empty body",
        arguments: [["--upload-file", "-"], ["-d", "@-"], ["-F", "f=@-"]]
    )
    func closedInput(arguments: [String]) async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            try connection.respond(body: "taken")
        }
        let result = try await FetchProcess(arguments + [server.url("/x")], input: .closed).run()
        #expect(result.status == 3, "\(result)")
        #expect(result.stdout == [])
        #expect(result.blames(server.url("/x")).count == 1)
    }

    @Test("fetch works with few descriptors")
    func few() async throws {
        let result = try await FetchProcess.shell(
            #"ulimit -n 32; exec "$FETCH" -q -O - "$1""#,
            Nginx.shared.url("/files/hello.txt")
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "Hello, world!\n")
    }

    @Test(
        "fetch runs no more jobs than the limit of open files allows, and raises the limit if it can",
        arguments: ["ulimit -n 24", "ulimit -Sn 24"]
    )
    func manyJobs(limit: String) async throws {
        let url = try Nginx.shared.url("/files/hello.txt?n=[1-40]")
        let result = try await FetchProcess.shell(
            "\(limit); exec \"$FETCH\" -nv -t 1 -j 30 -O 'f#1' \"$1\"",
            url
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.names().count == 40)
        let isHard = limit == "ulimit -n 24"
        #expect(result.stderr.contains("24 open files (ulimit -n) allows 2") == isHard)
    }

    @Test("fetch says that the limit of open files is too low", arguments: [5, 6, 9])
    func tooFew(limit: Int) async throws {
        let result = try await FetchProcess.shell(
            "ulimit -n \(limit); exec \"$FETCH\" -q -O f \"$1\"",
            Nginx.shared.url("/files/hello.txt")
        )
        #expect(result.status == 1, "\(result)")
        #expect(result.stderr.contains("limit of \(limit) open files"), "\(result)")
        #expect(result.folder.names() == [])
    }

    @Test("a task without a free descriptor reports that, and no false file state")
    func none() async throws {
        let url = try Nginx.shared.url("/files/hello.txt?n=[1-40]")
        let result = try await FetchProcess.shell(
            #"ulimit -n 10; exec "$FETCH" -q -t 1 -j 16 -O 'f#1' "$1""#,
            url
        )
        #expect([3, 4].contains(result.status), "\(result)")
        #expect(!result.stderr.contains("was not left"), "\(result)")
        #expect(result.stderrLines.allSatisfy { $0.contains("Too many open files") }, "\(result)")
    }

    @Test("many bodies for one device or FIFO need one descriptor, and the FIFO ends once")
    func device() async throws {
        let urls = #"seq 100 | sed 's/.*/data:,&/' | "$FETCH" -q -i - -O"#
        let device = try await FetchProcess.shell("ulimit -n 32; \(urls) /dev/null")
        #expect(device.status == 0, "\(device)")
        let fifo = try await FetchProcess.shell(
            "mkfifo f; cat f > all & ulimit -n 32; \(urls) f; status=$?; wait; exit $status"
        )
        #expect(fifo.status == 0, "\(fifo)")
        #expect(fifo.folder.readText("all") == (1...100).map(String.init).joined())
    }
}
