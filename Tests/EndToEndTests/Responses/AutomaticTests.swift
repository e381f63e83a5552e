import Foundation
import TestSupport
import Testing

/// `--auto`: the response decides between printing and a file.
@Suite("The response decides about the output", .timeLimit(.minutes(1)))
struct AutomaticTests {
    @Test("T-10 a body that is no text becomes a download under the URL's name at a terminal")
    func binary() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("auto.bin", size: 300_000)
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(
            ["--auto", "--events-file", "events", nginx.url(path)],
            terminal: terminal
        )
        let result = try await process.run()
        #expect(result.status == 0)
        let folder = process.folder
        #expect(folder.names().sorted() == ["auto.bin", "events"])
        #expect(folder.read("auto.bin") == PseudoRandom.bytes(300_000))
        let screen = try await terminal.wait(for: "the last line") { screen in
            screen.text.contains { $0.hasPrefix("auto.bin: ") }
        }
        #expect(screen.text.count == 1, "\(screen.text)")
        let events = try Events(folder.read("events"))
        #expect(events.violations == [])
        #expect(events.names.first == "didReceiveResponse")
        let became = try #require(events.named("didBecomeDownload").first)
        #expect(became.task == 1)
        #expect(became["downloadTask"] == 2)
        #expect(
            events.all.drop { $0.name != "didBecomeDownload" }.dropFirst().allSatisfy {
                $0.task != 1
            }
        )
        #expect(events.named("didCompleteWithError").map(\.task) == [2])
        #expect(events.named("didReceiveData").isEmpty)
    }

    @Test("T-10 fetch prints a short text at a terminal, and makes a download of a long one")
    func text() async throws {
        let nginx = try Nginx.shared
        let terminal = try PseudoTerminal()
        try nginx.addFile("auto-short.html", bytes: Array("Hello, world!\n".utf8))
        let short = try FetchProcess(
            ["-q", "--auto", nginx.url("/files/auto-short.html")],
            terminal: terminal
        )
        #expect(try await short.run().status == 0)
        #expect(short.folder.names() == [])
        try await terminal.wait(for: "the body") { $0.text.first == "Hello, world!" }

        try nginx.addFile("auto-long.html", bytes: [UInt8](repeating: 0x61, count: (1 << 20) + 1))
        let long = try FetchProcess(
            ["-q", "--auto", nginx.url("/files/auto-long.html")],
            terminal: try PseudoTerminal()
        )
        #expect(try await long.run().status == 0)
        #expect(long.folder.names() == ["auto-long.html"])
    }

    @Test(
        "T-10 an output that is no terminal receives every body",
        arguments: ["", " | cat", " > out"]
    )
    func piped(rest: String) async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("auto-piped.bin", size: 200_000)
        let result = try await FetchProcess.shell(
            "\"$FETCH\" -q --auto \"$1\"\(rest)",
            nginx.url(path)
        )
        #expect(result.status == 0, "\(result)")
        let names = result.folder.names()
        #expect(names == (rest.contains("out") ? ["out"] : []))
        let body = names.isEmpty ? result.stdout : result.folder.read("out") ?? []
        #expect(isSameBytes(body, PseudoRandom.bytes(200_000)))
    }

    @Test("T-10 fetch keeps an existing file, -P makes its folder, and an error remains an error")
    func naming() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("auto-name.bin", size: 1000)
        let folder = try TemporaryFolder("auto")
        try folder.write("mine", to: "auto-name.bin")
        for _ in 0..<2 {
            let run = try FetchProcess(
                ["-q", "--auto", nginx.url(path)],
                in: folder,
                terminal: try PseudoTerminal()
            )
            #expect(try await run.run().status == 0)
        }
        #expect(folder.names().sorted() == ["auto-name.bin", "auto-name.bin.1", "auto-name.bin.2"])
        #expect(folder.readText("auto-name.bin") == "mine")
        let other = try FetchProcess(
            ["-q", "--auto", "-P", "d", nginx.url(path), nginx.url("/status/404")],
            terminal: try PseudoTerminal()
        )
        #expect(try await other.run().status == 8)
        #expect(other.folder.names() == ["d"])
        #expect(other.folder.size("d/auto-name.bin") == 1000)
    }

    @Test("T-10 an upload's response may become a download")
    func upload() async throws {
        let server = try SocketServer { connection in
            let head = try connection.readHead()
            _ = try connection.readBody(head)
            try connection.respond("200 OK", ["Content-Type: image/png"], body: "png")
        }
        let run = try FetchProcess(
            ["-q", "--auto", "-d", "x", server.url("/made.png")],
            terminal: try PseudoTerminal()
        )
        #expect(try await run.run().status == 0)
        #expect(run.folder.readText("made.png") == "png")
        try server.verify()
    }

    @Test("T-10 an interrupted download leaves its part, and -c continues it")
    func interrupted() async throws {
        let nginx = try Nginx.shared
        try nginx.addFile("auto-slow.bin", bytes: PseudoRandom.bytes(400_000))
        let folder = try TemporaryFolder("auto-slow")
        let terminal = try PseudoTerminal()
        let process = try FetchProcess(
            ["--auto", nginx.url("/slow/auto-slow.bin?rate=50000")],
            in: folder,
            terminal: terminal
        ).start()
        #expect(await eventually { (folder.size("auto-slow.bin.part") ?? 0) > 0 })
        process.interrupt()
        #expect(try await process.wait().signal == SIGINT)
        #expect(folder.exists("auto-slow.bin.part"))
        let screen = try await terminal.wait(for: "the hint") { screen in
            screen.text.joined(separator: " ").contains("continues there")
        }
        let words = screen.text.joined(separator: " ").split(separator: " ")
        #expect(words.joined(separator: " ").contains("-c instead of --auto"))
        let rest = try await FetchProcess.run("-c", nginx.url("/files/auto-slow.bin"), in: folder)
        #expect(rest.status == 0, "\(rest)")
        #expect(folder.read("auto-slow.bin") == PseudoRandom.bytes(400_000))
    }

    @Test(
        "--auto conflicts with flags that select the body's destination",
        arguments: [["-O", "x"], ["-O", "-"], ["-I"], ["-c"]]
    )
    func conflicts(_ arguments: [String]) async throws {
        let result = try await FetchProcess(["--auto", "http://127.0.0.1:9/"] + arguments).run()
        #expect(result.status == 2, "\(result)")
    }
}
