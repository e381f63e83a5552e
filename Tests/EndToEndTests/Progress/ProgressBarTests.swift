import Foundation
import TestSupport
import Testing

/// Bars as a terminal shows them.
@Suite("Progress bars", .timeLimit(.minutes(2)))
struct ProgressBarTests {
    @Test("a download has a bar with name, percentage, bytes and rate, which becomes its last line")
    func download() async throws {
        let server = try DrippingServer(size: 1_500_000)
        let terminal = try PseudoTerminal()
        let process = try FetchProcess([server.url("/bar.bin")], terminal: terminal).start()
        let screen = try await terminal.wait(for: "a bar that moves") { screen in
            let bar = screen.text.first ?? ""
            return bar.hasPrefix("bar.bin ") && bar.contains("/s  eta ") && !bar.contains(" 0%")
        }
        let bar = try #require(screen.text.first)
        #expect(screen.text.count == 1)
        let expected =
            /bar\.bin +\d+% \[=*>? *\] +\d+(\.\d)? [KM]iB of 1\.4 MiB +\d+(\.\d)? [KM]iB\/s  eta \d+s( .*)?/
        #expect(bar.wholeMatch(of: expected) != nil, "\(bar)")
        #expect(screen.cursor == (0, 0))
        #expect(screen.hasColor)
        server.finish()
        #expect(try await process.wait().status == 0)
        let last = try await terminal.wait(for: "the last line") { $0.cursor == (1, 0) }
        #expect(last.text.count == 1, "\(last.text)")
        let line = /bar\.bin: 1\.4 MiB in \d+\.\d s, \d+\.\d [KM]iB\/s/
        #expect(last.text.first?.wholeMatch(of: line) != nil, "\(last.text)")
        #expect(last.unknown == [])
    }

    @Test("a quick download has no bar at all")
    func quick() async throws {
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(
            [Nginx.shared.url("/files/hello.txt")],
            terminal: terminal
        ).start()
        let result = try await process.wait()
        #expect(result.status == 0)
        let screen = try await terminal.wait(for: "the last line") { $0.cursor == (1, 0) }
        #expect(screen.text.first?.hasPrefix("hello.txt: 14 B in ") == true, "\(screen.text)")
        // On a busy machine even a small download may take long.
        #expect(!terminal.bytes.contains(0x1B) || result.wallSeconds > 0.15)
    }

    @Test("the bar shows that fetch waits for a server without a response")
    func waiting() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.waitForPeerToClose()
        }
        let terminal = try PseudoTerminal()
        let process = try FetchProcess([server.url("/late")], terminal: terminal).start()
        try await terminal.wait(for: "the bar") {
            $0.text.first?.hasPrefix("late ") == true && $0.text[0].contains(" waiting")
        }
        process.interrupt()
        #expect(try await process.wait().signal == SIGINT)
        try await terminal.wait(for: "a clean screen") { $0.text == [] && $0.cursor == (0, 0) }
    }

    @Test("one bar fits into the window after its resize")
    func resize() async throws {
        let server = try HalfwayServer()
        let terminal = try PseudoTerminal(columns: 100, rows: 24)
        let process = try FetchProcess([server.url("/resized.bin")], terminal: terminal).start()
        try await terminal.wait(for: "half of it") {
            $0.text.first?.contains("50% [=") == true && $0.text[0].contains(" of ")
        }
        for (columns, rows) in [(70, 24), (30, 10), (12, 3), (5, 1), (2, 1), (120, 30)] {
            try terminal.resize(columns: columns, rows: rows)
            let screen = try await terminal.wait(for: "a bar of \(columns) columns") { screen in
                guard columns > 4 else { return screen.text == [] }
                return screen.text.count == 1 && screen.text[0].contains("50%")
                    && screen.text[0].count < columns
                    && screen.text[0].contains("[") == (columns >= 70)
            }
            #expect(screen.cursor.column == 0)
        }
        server.finish()
        #expect(try await process.wait().status == 0)
        let screen = try await terminal.wait(for: "the last line") { $0.cursor == (1, 0) }
        #expect(screen.text.count == 1, "\(screen.text)")
    }

    @Test("NO_COLOR removes the colours, and nothing else")
    func noColor() async throws {
        let server = try HalfwayServer()
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(
            [server.url("/plain")],
            environment: ["NO_COLOR": "1"],
            terminal: terminal
        ).start()
        try await terminal.wait(for: "the bar") { $0.text.first?.contains("50% [=") == true }
        server.finish()
        #expect(try await process.wait().status == 0)
        #expect(!terminal.screen.hasColor)
    }

    @Test("twenty columns show the name and the percentage")
    func narrow() async throws {
        let server = try HalfwayServer()
        let terminal = try PseudoTerminal(columns: 20, rows: 5)
        let process = try FetchProcess([server.url("/narrow.bin")], terminal: terminal).start()
        try await terminal.wait(for: "the bar") { $0.text == ["narrow.bin  50%"] }
        server.finish()
        #expect(try await process.wait().status == 0)
    }

    @Test(
        "long or wide names are cut, and the following columns stay in place",
        arguments: [
            ("a-long-name-" + String(repeating: "x", count: 200) + ".tar.gz", "a-long-…tar.gz"),
            ("とても長いファイルの名前です日本語.tar.gz", "とても…tar.gz"),
            ("e\u{301}te\u{301}.txt", "e\u{301}te\u{301}.txt"),
        ]
    )
    func names(name: String, shown: String) async throws {
        let server = try HalfwayServer()
        let terminal = try PseudoTerminal(columns: 75)
        let process = try FetchProcess(["-O", name, server.url("/x")], terminal: terminal).start()
        let screen = try await terminal.wait(for: "the bar") {
            $0.text.first?.contains("50% [=") == true
        }
        #expect(screen.text.count == 1, "\(screen.text)")
        #expect(screen.text.first?.hasPrefix(shown + " ") == true, "\(screen.text)")
        #expect(screen.unknown == [])
        server.finish()
        let result = try await process.wait()
        #expect(result.status == 0)
        #expect(result.folder.names() == [name])
        try await terminal.wait(for: "the last line") { screen in
            screen.text.joined().hasPrefix("\(name): 976.6 KiB in ")
        }
    }

    @Test("a locale without UTF-8 gets ASCII only")
    func locale() async throws {
        let server = try HalfwayServer()
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(
            ["-O", "naïve", server.url("/x")],
            environment: ["LC_ALL": "C"],
            terminal: terminal
        ).start()
        try await terminal.wait(for: "the bar") { $0.text.first?.hasPrefix("na?ve  50%") == true }
        #expect(terminal.bytes.allSatisfy { $0 < 0x80 })
        server.finish()
        #expect(try await process.wait().status == 0)
    }

    @Test("the bar shows bytes and a marker without a length")
    func unknownLength() async throws {
        let server = try HalfwayServer(isLengthKnown: false)
        let terminal = try PseudoTerminal()
        let process = try FetchProcess([server.url("/endless")], terminal: terminal).start()
        try await terminal.wait(for: "the bar") {
            let bar = $0.text.first ?? ""
            return bar.hasPrefix("endless [") && bar.contains("<=>") && bar.contains(" 488 KiB ")
                && !bar.contains("%") && !bar.contains("eta")
        }
        server.finish()
        #expect(try await process.wait().status == 0)
    }

    @Test("-vv prints its lines above the bar, and an error replaces the bar")
    func linesAbove() async throws {
        let server = try DrippingServer(size: 4_000_000, isWhole: false)
        let terminal = try PseudoTerminal(columns: 100, rows: 40)
        let process = try FetchProcess(
            ["-vv", "-t", "1", server.url("/broken")],
            terminal: terminal
        ).start()
        try await terminal.wait(for: "a bar below lines") { screen in
            screen.text.count > 3 && screen.text.last?.hasPrefix("broken  ") == true
                && screen.text.dropLast().allSatisfy { "*<>".contains($0.prefix(1)) }
        }
        server.finish()
        #expect(try await process.wait().status == 4)
        let screen = try await terminal.wait(for: "the last line") {
            $0.text.last == "* session didBecomeInvalidWithError: nil"
        }
        #expect(!screen.text.contains { $0.hasPrefix("broken") }, "\(screen.text)")
        #expect(screen.text.contains("* task 1 didReceiveResponse: HTTP/1.1 200 OK"))
        #expect(screen.text.count { $0.hasPrefix("fetch: \(server.url("/broken")): ") } == 1)
        #expect(screen.cursor.column == 0)
        #expect(screen.unknown == [])
    }

    @Test("a repeated attempt keeps the bar, and counts the existing bytes")
    func triedAgain() async throws {
        let mayRespond = Gate()
        let rest = Gate()
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            let fields = "ETag: \"same\"\r\nAccept-Ranges: bytes\r\n"
            guard head["Range"] != nil else {
                try connection.send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 1000000\r\n\r\n")
                return try connection.send([UInt8](repeating: 0x61, count: 500_000))
            }
            try mayRespond.wait()
            try connection.send(
                "HTTP/1.1 206 Partial Content\r\n\(fields)Content-Length: 500000\r\n"
                    + "Content-Range: bytes 500000-999999/1000000\r\n\r\n"
            )
            try connection.send([UInt8](repeating: 0x62, count: 100_000))
            try rest.wait()
            try connection.send([UInt8](repeating: 0x62, count: 400_000))
        }
        let terminal = try PseudoTerminal(columns: 200)
        let process = try FetchProcess([server.url("/again")], terminal: terminal).start()
        try await terminal.wait(for: "a wait for the second try") {
            $0.text.last?.hasPrefix("again  50%") == true
                && $0.text.last?.contains("waiting") == true
        }
        mayRespond.open()
        let screen = try await terminal.wait(for: "the second try") {
            $0.text.last?.hasPrefix("again  60%") == true
        }
        #expect(screen.text.first?.contains("continuing at 488.3 KiB in ") == true)
        #expect(screen.text.count { $0.hasPrefix("again ") } == 1, "\(screen.text)")
        rest.open()
        #expect(try await process.wait().status == 0)
        try await terminal.wait(for: "the last line") {
            $0.text.last?.hasPrefix("again: 976.6 KiB in ") == true
        }
    }
}
