import Foundation
import TestSupport
import Testing

/// Runs that are killed at any moment, and continued.
@Suite("Killed and continued", .timeLimit(.minutes(2)))
struct KillTests {
    /// The requests that begin with this path, once the log has the awaited ones.
    ///
    /// Their number depends on whether a run lived long enough to write resume data.
    private func log(
        _ path: String,
        once isThere: @Sendable ([AccessLogEntry]) -> Bool
    ) async throws -> [AccessLogEntry] {
        let nginx = try Nginx.shared
        let hasAll = await eventually { isThere(nginx.accessLog(path)) }
        #expect(hasAll, "\(nginx.accessLog(path).map(\.range))")
        return nginx.accessLog(path)
    }

    @Test(
        "T-08 the file is correct after ten runs killed by SIGKILL, and few bytes were sent twice"
    )
    func tenKills() async throws {
        let nginx = try Nginx.shared
        let size = 32_000_000
        let name = "kill-ten"
        try nginx.addLargeFile(name, size: size)
        let slow = nginx.url("/slow/\(name)?rate=1000000")
        let folder = try TemporaryFolder("kill")
        var random = SystemRandomNumberGenerator()
        var left: [Int] = []
        var stored: [Int?] = []
        for kill in 1...10 {
            let process = try FetchProcess(["-q", "-c", slow], in: folder).start()
            let goal = (left.last ?? 0) + Int.random(in: 300_000..<1_500_000, using: &random)
            let reached = await eventually { folder.size("\(name).part") ?? 0 >= goal }
            #expect(reached, "kill \(kill)")
            process.interrupt(SIGKILL)
            #expect(try await process.wait().signal == SIGKILL)
            #expect(!folder.exists(name))
            left.append(try #require(folder.size("\(name).part")))
            stored.append(folder.read("\(name).part.resume").flatMap(Self.receivedBytes))
        }
        let last = try await FetchProcess(["-c", "-U", "hurry", slow], in: folder).run()
        #expect(last.status == 0, "\(last)")
        #expect(last.stderr.contains("(continued at "))
        #expect(try sha256(folder.read(name) ?? []) == sha256(PseudoRandom.bytes(size)))
        #expect(folder.names() == [name])
        // Each run requests the missing bytes only. Where the part does not agree with its resume data,
        // which is written once a second, the run first requests the part's end. Bytes that arrived
        // during such a write may be sent again.
        let ends = left.map { "bytes=\($0 - (64 << 10))-\($0 - 1)" }
        let log = try await log("/slow/\(name)") { log in
            log.count { $0.range != "-" && !ends.contains($0.range) } == 10
        }
        let asked = log.filter { $0.range != "-" }
        #expect(asked.allSatisfy { $0.status == 206 }, "\(asked)")
        let rests = asked.map(\.range).filter { !ends.contains($0) }
        for (left, stored) in zip(left, stored) {
            let mayBe = [left, stored ?? left].map { "bytes=\($0)-" }
            #expect(rests.contains { mayBe.contains($0) }, "\(mayBe), \(rests)")
        }
        let again = zip(left, stored).filter { !rests.contains("bytes=\($0.0)-") }
        #expect(again.reduce(0) { $0 + $1.0 - ($1.1 ?? 0) } < size / 10)
        #expect(asked.count <= 20)
        #expect(log.count == asked.count + 1)
    }

    /// The number of received bytes in resume data.
    private static func receivedBytes(_ data: [UInt8]) -> Int? {
        let value = try? JSONSerialization.jsonObject(with: Data(data)) as? [String: Any]
        return value?["receivedBytes"] as? Int
    }

    @Test("T-08 fetch compares the part of a run killed within its first second")
    func early() async throws {
        let nginx = try Nginx.shared
        let name = "kill-early"
        try nginx.addLargeFile(name, size: 3_000_000)
        let slow = nginx.url("/slow-at-first/\(name)?rate=100000")
        let folder = try TemporaryFolder("kill")
        let process = try FetchProcess(["-q", slow], in: folder).start()
        #expect(await eventually { folder.size("\(name).part") ?? 0 > 50_000 })
        process.interrupt(SIGKILL)
        _ = try await process.wait()
        let kept = try #require(folder.size("\(name).part"))
        let result = try await FetchProcess(["-c", slow], in: folder).run()
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read(name), PseudoRandom.bytes(3_000_000)))
        let log = try await log("/slow-at-first/\(name)") { log in
            log.contains { $0.range == "bytes=\(kept)-" }
        }
        let rest = log.first { $0.range == "bytes=\(kept)-" }
        #expect(rest?.status == 206)
        #expect(rest?.ifRange != "-")
        #expect(folder.names() == [name])
    }

    @Test(
        "T-08 fetch keeps the part after a signal, and the next run continues by the printed command",
        arguments: [SIGINT, SIGTERM, SIGHUP]
    )
    func signals(signal: Int32) async throws {
        let nginx = try Nginx.shared
        let name = "kill-signal-\(signal)"
        try nginx.addLargeFile(name, size: 1_000_000)
        let slow = nginx.url("/slow-at-first/\(name)?rate=80000")
        let folder = try TemporaryFolder("kill")
        let process = try FetchProcess([slow], in: folder).start()
        #expect(await eventually { folder.size("\(name).part") ?? 0 > 50_000 })
        process.interrupt(signal)
        let stopped = try await process.wait()
        #expect(stopped.signal == signal, "\(stopped)")
        #expect(stopped.stderr.contains("the same command with -c continues there"), "\(stopped)")
        #expect(folder.names() == ["\(name).part", "\(name).part.resume"])
        let kept = try #require(folder.size("\(name).part"))
        let result = try await FetchProcess(["-c", slow], in: folder).run()
        #expect(result.status == 0, "\(result)")
        #expect(isSameBytes(folder.read(name), PseudoRandom.bytes(1_000_000)))
        // The resume data describes the part, and no comparison is necessary.
        let log = await nginx.accessLog("/slow-at-first/\(name)?", waitingFor: 2)
        #expect(log.count == 2)
        #expect(log.contains { $0.range == "bytes=\(kept)-" })
        #expect(folder.names() == [name])
    }

    @Test("T-08 a signal during the wait between two attempts leaves the part unchanged")
    func whileWaiting() async throws {
        var file = ServedFile(PseudoRandom.bytes(100_000))
        // Many waits follow, in case the signal arrives late.
        file.cutAfter = 10_000
        let server = try SocketServer { [file] in try file.serve($0) }
        let folder = try TemporaryFolder("kill")
        let process = try FetchProcess(["-O", "file", server.url()], in: folder).start()
        try await process.waitForStderr("continuing at ")
        process.interrupt()
        let result = try await process.wait()
        #expect(result.signal == SIGINT, "\(result)")
        #expect(folder.names() == ["file.part", "file.part.resume"])
    }
}
