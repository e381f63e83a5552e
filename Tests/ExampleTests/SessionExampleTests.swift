import TestSupport
import Testing

@Suite("Examples: sessions", .timeLimit(.minutes(1)))
struct SessionExampleTests {
    private static let end = [
        "the session is invalid, error: none", "the delegate is released", "error -999",
    ]

    @Test(
        "S-01 S-03 S-04 S-06 S-08 Sessions: an ephemeral session leaves no file, and ends as asked"
    )
    func ephemeral() async throws {
        let nginx = try Nginx.shared
        let home = try TemporaryFolder("home")
        for _ in 1...2 {
            let result = try await Example.run(
                "Sessions",
                "ephemeral",
                nginx.url("/echo/page"),
                nginx.url("/cookies/set/fruit/pear"),
                nginx.url("/status/404"),
                home: home
            )
            let lines = result.lines
            #expect(
                lines.filter { $0.hasPrefix("status ") } == [
                    "status 200", "status 200", "status 404", "status 404",
                ]
            )
            #expect(lines.contains("x-test: when it was made"))
            // The second run has nothing from the first.
            #expect(lines.contains("cookie: "))
            #expect(lines.suffix(4) == ["cookies: [\"fruit\"]"] + Self.end)
            #expect(home.names() == [])
            #expect(result.folder.names() == [])
        }
    }

    @Test("S-01 S-02 Sessions: a default session finds its cookies again in the next run")
    func persistent() async throws {
        let nginx = try Nginx.shared
        let home = try TemporaryFolder("home")
        let echo = nginx.url("/echo/page")
        let first = try await Example.run(
            "Sessions",
            "default",
            echo,
            nginx.url("/cookies/set/fruit/pear"),
            home: home
        )
        #expect(first.lines.contains("cookie: "))
        let second = try await Example.run("Sessions", "default", echo, home: home)
        #expect(second.lines.contains("cookie: fruit=pear"))
        #expect(second.lines.suffix(3) == Self.end[...])
    }

    @Test(
        "S-09 CustomProtocol: the session with the class loads its scheme; all load data: and file:"
    )
    func customProtocol() async throws {
        let folder = try TemporaryFolder("run")
        let file = try folder.write("a file", to: "text.txt")
        let result = try await Example.run(
            "CustomProtocol",
            "greeting:reader",
            "data:text/plain,some%20data",
            "file://\(file)",
            in: folder
        )
        #expect(
            result.lines == [
                "with: text/plain, Hello, reader!", "without: error -1002",
                "with: text/plain, some data", "without: text/plain, some data",
                "with: text/plain, a file", "without: text/plain, a file",
            ]
        )
    }

    @Test("T-01 S-05 ManyDownloads: a session downloads many files at once over two connections")
    func manyDownloads() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("run")
        let names = (1...9).map { "example-many-\($0)" }
        for (index, name) in names.enumerated() {
            try nginx.addLargeFile(name, size: 100_000 + index, seed: UInt64(index))
        }
        let process = try FetchProcess(
            program: "ManyDownloads",
            [folder.path] + names.map { nginx.url("/files/\($0)") },
            in: folder
        )
        let expected = names.enumerated().map { "\($1): \(100_000 + $0) bytes" }
        #expect(try await process.run().lines == expected)
        for (index, name) in names.enumerated() {
            let bytes = PseudoRandom.bytes(100_000 + index, seed: UInt64(index))
            #expect(isSameBytes(folder.read(name), bytes))
        }
        let requests = await nginx.accessLog("/files/example-many-", waitingFor: names.count)
        #expect(Set(requests.map(\.connection)).count <= 2)
    }

    @Test("T-13 ManyDownloads: one failed task ends the others, and no file remains")
    func manyWithOneMissing() async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("run")
        try nginx.addLargeFile("example-slow", size: 1_000_000)
        let result = try await Example.run(
            "ManyDownloads",
            folder.path,
            nginx.url("/slow/example-slow?rate=1000"),
            nginx.url("/status/404"),
            in: folder
        )
        #expect(result.lines == ["error -1011"])
        #expect(folder.names() == [])
    }

    @Test("OpenSSL keeps its memory when a program exits, since a loop's thread may still run")
    func exit() async throws {
        let folder = try TemporaryFolder("exit")
        let result = try await Example.run(
            "Sessions",
            "ephemeral",
            Nginx.shared.url("/echo/page"),
            environment: ["LD_PRELOAD": ExitObserver.make(in: folder)]
        )
        #expect(result.status == 0)
        #expect(result.stderrLines == ["OpenSSL works"])
    }
}
