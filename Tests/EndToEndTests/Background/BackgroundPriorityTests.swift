import Foundation
import TestSupport
import Testing

/// The priority of a transfer process for the processor and the disk.
@Suite("Priorities of background sessions", .timeLimit(.minutes(3)))
struct BackgroundPriorityTests {
    private let fixture: BackgroundFixture

    init() throws {
        fixture = try BackgroundFixture()
    }

    /// A thread's priorities.
    private struct Priority: Hashable {
        /// The niceness, as in nice(2).
        var niceness: Int
        /// The output of ionice(1); `nil` if the system has no I/O priorities.
        var disk: String?

        /// The priority of a discretionary session; the user's own may be lower already.
        var lowered: Priority {
            Priority(niceness: max(niceness, 15), disk: disk.map { _ in "best-effort: prio 7" })
        }
    }

    /// The priorities of all threads of a process, or of the first thread and those with a name.
    private func priorities(of process: Int32, named name: String? = nil) throws -> Set<Priority> {
        let folder = "/proc/\(process)/task"
        let threads = try FileManager.default.contentsOfDirectory(atPath: folder)
        let chosen = threads.filter { thread in
            guard let name, thread != "\(process)" else { return true }
            let own = try? String(contentsOfFile: "\(folder)/\(thread)/comm", encoding: .utf8)
            return own == name + "\n"
        }
        return Set(try chosen.compactMap { try priority(of: $0, at: "\(folder)/\($0)/stat") })
    }

    private func priority(of thread: String, at path: String) throws -> Priority? {
        // The thread may have ended meanwhile.
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let name = text.lastIndex(of: ")")
        else { return nil }
        // Field 19 of proc_pid_stat(5); field 2 is the name, which may have any characters.
        let fields = text[name...].split(separator: " ")
        let niceness = try #require(fields.count > 17 ? Int(fields[17]) : nil)
        let tool = Process()
        let output = Pipe()
        tool.executableURL = URL(fileURLWithPath: "/usr/bin/ionice")
        tool.arguments = ["-p", thread]
        tool.standardOutput = output
        tool.standardError = FileHandle.nullDevice
        try tool.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        tool.waitUntilExit()
        if tool.terminationStatus != 0, access(path, F_OK) != 0 { return nil }
        let words = String(decoding: printed, as: UTF8.self)
        return Priority(
            niceness: niceness,
            disk: tool.terminationStatus == 0
                ? words.trimmingCharacters(in: .whitespacesAndNewlines) : nil
        )
    }

    /// The priority of this process, which its children inherit.
    private func own() throws -> Priority {
        try #require(try priority(of: "\(getpid())", at: "/proc/\(getpid())/stat"))
    }

    /// A server that sends half a body, and then waits until the client disconnects.
    private static func halfway() throws -> SocketServer {
        try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            try connection.waitForPeerToClose()
        }
    }

    /// The thread that does all of the transfers' work.
    private let transferThread = "url-loading"

    @discardableResult
    private func queueDiscretionary(_ arguments: String...) async throws -> ProcessResult {
        try await fixture.fetch(
            ["-b", "--discretionary", "--identifier", fixture.session] + arguments
        )
    }

    @Test("B-07 a discretionary session has a low priority, even before its first transfer")
    func discretionary() async throws {
        let server = try Self.halfway()
        let queued = try await queueDiscretionary("-O", "file", server.url())
        #expect(queued.status == 0, "\(queued)")
        // Once the process replies, it has begun.
        let list = try await fixture.list()
        let process = try #require(fixture.transferProcess)
        #expect(try priorities(of: process) == [own().lowered])
        let head = try #require(list.split(separator: "\n").first)
        #expect(head.contains("; discretionary; process \(process)"), "\(list)")
        // The conditions depend on this machine: its battery, load and network.
        let isWaiting = head.hasPrefix("session: waits for ")
        #expect(isWaiting != head.hasPrefix("session: under way"), "\(list)")
        if isWaiting {
            let named = ["mains power", "an idle machine", "a network"].filter(head.contains)
            #expect(!named.isEmpty, "\(list)")
            #expect(list.contains("queued"), "\(list)")
        }
        #expect(try priorities(of: process) == [own().lowered])
    }

    @Test("B-07 an ordinary session has the usual priority until it becomes discretionary")
    func usual() async throws {
        let server = try Self.halfway()
        try await fixture.queue("-O", "file", server.url())
        #expect(await eventually { server.requestCount == 1 })
        let process = try #require(fixture.transferProcess)
        // For root, dispatch raises the priority of some threads.
        let all = try priorities(of: process)
        let own = try own()
        #expect(all.allSatisfy { $0.niceness <= own.niceness && $0.disk == own.disk }, "\(all)")
        #expect(try priorities(of: process, named: transferThread) == [own])
        #expect(try !(await fixture.list()).contains("discretionary"))
        let queued = try await queueDiscretionary("-O", "other", server.url())
        #expect(queued.status == 0, "\(queued)")
        #expect(fixture.transferProcess == process)
        let hasSteppedBack = try await eventually {
            try priorities(of: process, named: transferThread) == [own.lowered]
        }
        #expect(hasSteppedBack)
        #expect(try await fixture.list().contains("discretionary"))
    }
}
