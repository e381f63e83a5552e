import Foundation
import TestSupport
import Testing

/// Processes that are killed at random moments.
@Suite("Background sessions and signals", .timeLimit(.minutes(5)))
struct BackgroundCrashTests {
    private enum Target: CaseIterable {
        case transfers
        case attached
        case both
    }

    /// Signals that end a process by force or in order, or `fetch --attach` in the middle of an event.
    private static let signals = [SIGKILL, SIGINT, SIGTERM, SIGHUP]

    @Test("B-02 a hundred kills and signals neither lose nor repeat events, nor mix bytes")
    func hundredKills() async throws {
        let nginx = try Nginx.shared
        let sizes = [0, 1, 40_000, 400_000, 1_500_000]
        let paths = try sizes.map { size in
            try nginx.addLargeFile("crash-\(size)", size: size, seed: UInt64(size))
                .replacingOccurrences(of: "/files/", with: "/slow/")
        }
        let fixture = try BackgroundFixture()
        var random = PseudoRandom(seed: UInt64.random(in: .min ... .max))
        let attach = try fixture.command(
            ["--attach", fixture.session, "--events-file", "events", "-q"],
            timeLimit: .seconds(240)
        )
        var attached: RunningProcess?
        var queued: [String: Int] = [:]
        for kill in 0..<100 {
            let choice = Int.random(in: 0..<sizes.count, using: &random)
            let name = "file-\(kill)"
            let url = nginx.url("\(paths[choice])?rate=1000000")
            // The command fails if the transfer process is killed while they communicate.
            let result = try await fixture.queue("-O", name, url)
            if result.status == 0 { queued[name] = sizes[choice] }
            if attached?.isRunning != true { attached = try attach.start() }
            // The moment of the kill is random, so there is no condition to wait for.
            try await Task.sleep(for: .milliseconds(Int.random(in: 0..<120, using: &random)))
            let target = Target.allCases[Int.random(in: 0..<3, using: &random)]
            let signal = Self.signals[Int.random(in: 0..<4, using: &random)]
            if target != .attached { fixture.killTransfers(by: signal) }
            if target != .transfers { attached?.interrupt(signal) }
            if target != .transfers { _ = try await attached?.wait() }
        }
        #expect(queued.count > 60)
        if attached?.isRunning == true { _ = try await attached?.wait() }
        while !fixture.isGone {
            let attached = try await attach.run()
            guard attached.status == 0 || fixture.isGone else {
                Issue.record("\(attached)")
                return
            }
        }
        try check(fixture, queued)
    }

    private func check(_ fixture: BackgroundFixture, _ queued: [String: Int]) throws {
        let events = try fixture.events()
        #expect(events.violations == [])
        // The session may have ended in between, and begun again with another token.
        var last: [String: Int] = [:]
        for event in events.all {
            guard let token: String = event["session"], let number: Int = event["sequence"] else {
                continue
            }
            #expect(number == last[token, default: 0] + 1, "\(event.members)")
            last[token] = number
            #expect(event.name != "didCompleteWithError" || event.members["error"] is NSNull)
        }
        let ends = events.named("didCompleteWithError").count
        let distinct = Set(
            events.named("didCompleteWithError").map { event in
                let (session, task): (String?, Int?) = (event["session"], event["task"])
                return "\(session ?? "") \(task ?? 0)"
            }
        )
        #expect(distinct.count == ends)
        #expect(ends >= queued.count)
        #expect(events.named("didFinishDownloadingTo").count == ends)
        for (name, size) in queued {
            let bytes = PseudoRandom.bytes(size, seed: UInt64(size))
            #expect(isSameBytes(fixture.folder.read(name), bytes), "\(name)")
        }
        let others = fixture.folder.names().filter { $0 != "events" && !$0.hasPrefix("file-") }
        #expect(others == [])
    }
}
