import TestSupport
import Testing

/// Progress in a log, where standard error is not a terminal.
@Suite("Progress in lines", .timeLimit(.minutes(2)))
struct ProgressLinesTests {
    @Test("a log has lines at start and end, few lines between, and no control characters")
    func log() async throws {
        let nginx = try Nginx.shared
        let size = 3_000_000
        try nginx.addFile("lines.bin", bytes: PseudoRandom.bytes(size))
        let url = nginx.url("/slow/lines.bin?rate=200000")
        let result = try await FetchProcess.run(url)
        #expect(result.status == 0)
        #expect(result.stderr.utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == 0x0A })
        let lines = result.stderrLines
        #expect(lines.count == 3, "\(result)")
        #expect(lines.first == "\(url) -> lines.bin (2.9 MiB)")
        let between = /lines\.bin: \d\d%, [12]\.\d MiB of 2\.9 MiB, \d+\.\d KiB\/s, eta \ds/
        #expect(lines.dropFirst().first?.wholeMatch(of: between) != nil, "\(result)")
        #expect(lines.last?.hasPrefix("lines.bin: 2.9 MiB in ") == true)
    }

    @Test("after a new start, the last line has the file's size and what was received for it")
    func received() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            let count = connection.number == 0 ? 4_096 : 8_192
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8192\r\n\r\n")
            try connection.send(String(repeating: "x", count: count))
        }
        let result = try await FetchProcess.run("-O", "file", server.url())
        #expect(result.status == 0, "\(result)")
        let line = try #require(result.stderrLines.last)
        #expect(line.hasPrefix("file: 8.0 KiB (12.0 KiB received) in "), "\(result)")
    }

    @Test("a long upload has lines as well", arguments: [true, false])
    func upload(isLengthKnown: Bool) async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            try connection.respond(body: "stored")
        }
        let folder = try TemporaryFolder("upload")
        try folder.writePseudoRandom(size: 2_400_000, to: "file")
        let file = isLengthKnown ? "file" : "-"
        let result = try await FetchProcess.shell(
            #"cat file | "$FETCH" --limit-rate 200000 --upload-file "$1" "$2""#,
            file,
            server.url("/put"),
            in: folder
        )
        #expect(result.stdoutText == "stored", "\(result)")
        let lines = result.stderrLines
        #expect(lines.count == 2, "\(result)")
        let first = try #require(lines.first)
        #expect(first.hasPrefix("\(server.url("/put")): sent "), "\(result)")
        if isLengthKnown {
            let match = first.firstMatch(of: #/: sent (\d\d)%, (\d\.\d) MiB of 2\.3 MiB, /#)
            let (_, share, mebibytes) = try #require(match, "\(result)").output
            // A percent has 24,000 bytes; a tenth of a MiB, to which the count is rounded, has about four
            // percents.
            let percent = try #require(Double(mebibytes)) * 1_048_576 / 24_000
            #expect(abs(try #require(Double(share)) - percent) < 4, "\(result)")
        }
        #expect(lines.last?.hasPrefix("\(server.url("/put")): sent 2.3 MiB in ") == true)
    }

    @Test("--progress selects the form; where bars are impossible there are lines and a note")
    func choices() async throws {
        let nginx = try Nginx.shared
        let url = nginx.url("/files/hello.txt")
        let bar = try await FetchProcess.run("--progress", "bar", url)
        #expect(bar.status == 0)
        #expect(bar.stderrLines.count == 3, "\(bar)")
        #expect(bar.stderrLines.first?.hasPrefix("fetch: warning: --progress bar: ") == true)
        #expect(!bar.stderr.utf8.contains(0x1B))
        #expect(try await FetchProcess.run("--progress", "lines", url).stderrLines.count == 2)
        #expect(try await FetchProcess.run("--progress", "none", url).stderr == "")
        #expect(try await FetchProcess.run("-q", "--progress", "bar", url).stderr == "")
        let wrong = try await FetchProcess.run("--progress", "dots", url)
        #expect(wrong.status == 2)
        #expect(wrong.stderr.contains("bar, lines, none"))
    }
}
