import Foundation
import TestSupport
import Testing

/// Death at any moment, and going on from there.
@Suite("Killed and continued", .timeLimit(.minutes(2)))
struct KillTests {
    @Test("T-08 ten times killed by SIGKILL, the file is the same and hardly a byte came twice")
    func tenKills() async throws {
        let nginx = try Nginx.shared
        let size = 64_000_000
        let name = "kill-ten"
        try nginx.addLargeFile(name, size: size)
        let slow = "/slow/\(name)?rate=8000000"
        let folder = try TemporaryFolder("kill")
        var random = SystemRandomNumberGenerator()
        for kill in 1...10 {
            let process = try FetchProcess(["-q", "-c", nginx.url(slow)], in: folder).start()
            let start = folder.size("\(name).part") ?? 0
            let goal = start + Int.random(in: 300_000..<4_000_000, using: &random)
            let reached = await eventually { folder.size("\(name).part") ?? 0 >= goal }
            #expect(reached, "kill \(kill)")
            process.interrupt(SIGKILL)
            #expect(try await process.wait().signal == SIGKILL)
            #expect(!folder.exists(name))
        }
        let last = try await FetchProcess(["-c", nginx.url(slow)], in: folder).run()
        #expect(last.status == 0, "\(last)")
        #expect(last.stderr.contains("(continued at "))
        #expect(try sha256(folder.read(name) ?? []) == sha256(PseudoRandom.bytes(size)))
        #expect(folder.names() == [name])
        // Two for each go on, the end of what was left and the rest; one where resume data had been
        // written, as it is once a second.
        let log = await nginx.accessLog("/slow/\(name)", waitingFor: 21)
        let sent = log.reduce(0) { $0 + $1.bytesSent }
        #expect(sent < size + size / 10, "\(sent)")
        #expect(
            (10...20).contains(log.count { $0.status == 206 }),
            "\(log.map { "\($0.status) \($0.range) \($0.ifRange) \($0.bytesSent)" })"
        )
    }

    @Test("T-08 killed within the first second, there is no resume data, and the end is compared")
    func early() async throws {
        let nginx = try Nginx.shared
        let name = "kill-early"
        try nginx.addLargeFile(name, size: 3_000_000)
        let slow = nginx.url("/slow/\(name)?rate=2000000")
        let folder = try TemporaryFolder("kill")
        let process = try FetchProcess(["-q", slow], in: folder).start()
        #expect(await eventually { folder.size("\(name).part") ?? 0 > 200_000 })
        process.interrupt(SIGKILL)
        _ = try await process.wait()
        let result = try await FetchProcess(["-c", slow], in: folder).run()
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read(name), PseudoRandom.bytes(3_000_000)))
        let log = await nginx.accessLog("/slow/\(name)", waitingFor: 3)
        #expect(log.last?.status == 206)
        #expect(log.last?.ifRange != "-")
        #expect(folder.names() == [name])
    }

    @Test(
        "T-08 a signal stores what there is, says how to go on, and the next run does",
        arguments: [SIGINT, SIGTERM, SIGHUP]
    )
    func signals(signal: Int32) async throws {
        let nginx = try Nginx.shared
        let name = "kill-signal-\(signal)"
        try nginx.addLargeFile(name, size: 1_000_000)
        let slow = nginx.url("/slow/\(name)?rate=500000")
        let folder = try TemporaryFolder("kill")
        let process = try FetchProcess([slow], in: folder).start()
        #expect(await eventually { folder.size("\(name).part") ?? 0 > 100_000 })
        process.interrupt(signal)
        let stopped = try await process.wait()
        #expect(stopped.signal == signal, "\(stopped)")
        #expect(stopped.stderr.contains("the same command with -c continues there"), "\(stopped)")
        #expect(folder.names() == ["\(name).part", "\(name).part.resume"])
        let kept = try #require(folder.size("\(name).part"))
        let result = try await FetchProcess(["-c", slow], in: folder).run()
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read(name), PseudoRandom.bytes(1_000_000)))
        let log = await nginx.accessLog("/slow/\(name)", waitingFor: 2)
        #expect(log.last?.range == "bytes=\(kept)-")
        #expect(folder.names() == [name])
    }

    @Test("T-08 a signal while it waits to try again leaves the part as it is")
    func whileWaiting() async throws {
        var file = ServedFile(PseudoRandom.bytes(100_000))
        file.cutAfter = 40_000
        let server = try SocketServer { [file] in try file.answer($0) }
        let folder = try TemporaryFolder("kill")
        let process = try FetchProcess(["-O", "file", server.url()], in: folder).start()
        try await process.waitForStderr("going on at ")
        process.interrupt()
        let result = try await process.wait()
        #expect(result.signal == SIGINT, "\(result)")
        #expect(folder.names() == ["file.part", "file.part.resume"])
    }
}
