import TestSupport
import Testing

/// Command lines for events that fetch refuses.
@Suite("Usage of events", .timeLimit(.minutes(1)))
struct EventUsageTests {
    @Test(
        "an invalid flag is status 2 with one line that names the flag, and nothing is sent",
        arguments: [
            ("--events xml", "--events: 'xml' is not one of json"),
            ("--events", "--events: missing value"),
            ("--events-file -", "--events-file: '-' is not a file"),
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
            (#"--events-file "$PWD/x" -O x"#, "--events-file and --output cannot be combined"),
            ("--events-file x.part -O x", "--events-file and --output cannot be combined"),
            ("--events-file x.part.resume -O x", "--events-file and --output cannot be combined"),
            ("--events-file index.html.part", "--events-file and a download to index.html cannot"),
            ("--events-fd 3 -O x 3>>x", "--events-fd 3 and --output cannot be combined"),
            ("--events-fd 3 -O - 3>&1", "--events-fd 3 and a body for standard output cannot"),
            ("--events-fd 3 -O /dev/fd/3 3>both", "--events-fd 3 and --output /dev/fd/3 cannot be"),
            ("--events json -O /dev/stderr", "--events and --output /dev/stderr cannot be"),
            ("--events-file x --upload-file - <>x", "--events-file and a body from standard input"),
        ]
    )
    func refused(flags: String, message: String) async throws {
        let server = try SocketServer { _ in }
        let result = try await FetchProcess.shell(#"exec "$FETCH" "$1" \#(flags)"#, server.url())
        #expect(result.status == 2, "\(result)")
        #expect(result.stderrLines.first?.hasPrefix("fetch: \(message)") == true, "\(result)")
        #expect(!server.wasCalled)
    }

    @Test(
        "fetch does not write events over a file that it reads or downloads, by whatever name",
        arguments: [
            ("ln -s file link", "--events-file link -O link"),
            ("ln -s file link", "--events-file file -O link"),
            ("ln file link", "--events-file link -O file"), ("", "--events-file ./file -O file"),
            ("", "--events-file file --upload-file file"), ("", "--events-file file -d @file"),
            ("", "--events-file file -F x=@file"), ("", "--events-file file --upload-file - <file"),
            ("", "--events-fd 3 -O file 3>>file"), ("", "--events-fd 3 -d @file 3>>file"),
            ("mv file file.part", "--events-file file.part -c -O file"),
        ]
    )
    func kept(before: String, flags: String) async throws {
        let server = try SocketServer { _ in }
        let folder = try TemporaryFolder("events")
        try folder.write("precious", to: "file")
        let result = try await FetchProcess.shell(
            #"\#(before.isEmpty ? ":" : before); exec "$FETCH" "$1" \#(flags)"#,
            server.url(),
            in: folder
        )
        #expect(result.status == 2, "\(result)")
        let text = folder.readText("file") ?? folder.readText("file.part")
        #expect(text == "precious")
        #expect(!server.wasCalled)
    }

    @Test(
        "a name chosen during the run is checked again: status 3, and no file is mixed with events",
        arguments: ["--events-file hello.txt.1.part", "--events-fd 3 3>>hello.txt.1.part"]
    )
    func chosenLate(flags: String) async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        let result = try await FetchProcess.shell(#"exec "$FETCH" -qj1 "$1" "$1" \#(flags)"#, url)
        #expect(result.status == 3, "\(result)")
        #expect(result.stderr.contains("hello.txt.1.part is this command's own"), "\(result)")
        #expect(result.folder.readText("hello.txt") == "Hello, world!\n")
        #expect(result.folder.names() == ["hello.txt", "hello.txt.1.part"])
        #expect(try Events(result.folder.read("hello.txt.1.part")).violations == [])
    }

    @Test("fetch refuses to write messages of standard error into its own part file")
    func standardErrorInPart() async throws {
        let url = try Nginx.shared.url("/files/hello.txt")
        for name in ["file.part", "file.part.resume"] {
            let result = try await FetchProcess.shell(
                #"exec "$FETCH" -vv -O file "$1" 2>"$2""#,
                url,
                name
            )
            #expect(result.status == 3, "\(result)")
            #expect(result.folder.names() == [name])
            #expect(result.folder.readText(name)?.contains("own standard input or output") == true)
        }
    }

    @Test("the null device may take both events and the body")
    func nullDevice() async throws {
        let result = try await FetchProcess.shell(
            #"exec "$FETCH" --events-file /dev/null -O /dev/null "$1" >/dev/null 2>&1"#,
            Nginx.shared.url("/files/hello.txt")
        )
        #expect(result.status == 0, "\(result)")
    }

    @Test("a closed standard error takes no events: status 2")
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
