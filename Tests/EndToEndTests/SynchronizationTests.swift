import Foundation
import TestSupport
import Testing

/// Only complete files get their names, however many files are synchronized together.
@Suite("Files that are synchronized together", .timeLimit(.minutes(1)))
struct SynchronizationTests {
    private static let rest = PseudoRandom.bytes(10_240)

    /// A body that is unique to its target.
    private static func body(_ target: String) -> [UInt8] { Array("\(target)\n".utf8) + rest }

    private static func server() throws -> SocketServer {
        try SocketServer { connection in
            while let head = try connection.nextHead() {
                try connection.respond(body: body(head.target))
            }
        }
    }

    /// Writes a list of URLs into the folder.
    private static func list(
        _ count: Int,
        of server: SocketServer,
        in folder: TemporaryFolder
    ) throws {
        let lines = (0..<count).map { server.url("/f\($0)") + "\n" }
        try folder.write(lines.joined(), to: "list")
    }

    /// Checks the content of every file with its final name.
    ///
    /// - Returns: The number of those files.
    private static func check(_ folder: TemporaryFolder, _ words: String) -> Int {
        let names = folder.names().filter { $0 != "list" && !$0.contains(".part") }
        for name in names {
            #expect(isSameBytes(folder.read(name), body("/\(name)")), "\(name), \(words)")
        }
        return names.count
    }

    @Test("T-07 no file is short or has another's content after a kill during the renames")
    func killed() async throws {
        let server = try Self.server()
        let count = 300
        let end = ContinuousClock.now + .seconds(3)
        var rounds = 0
        repeat {
            rounds += 1
            let folder = try TemporaryFolder("group")
            try Self.list(count, of: server, in: folder)
            let goal = Int.random(in: 1..<count)
            let process = try FetchProcess(["-q", "-j", "8", "-i", "list"], in: folder).start()
            let reached = await eventually { folder.names().count { !$0.contains(".part") } > goal }
            #expect(reached)
            process.interrupt(SIGKILL)
            _ = try await process.wait()
            #expect(Self.check(folder, "killed at \(goal)") >= goal)
        } while rounds < 2 || ContinuousClock.now < end
    }

    @Test(
        "each file is complete, and reported in the order of the list",
        arguments: ["each", "group", "none"]
    )
    func modes(mode: String) async throws {
        let server = try Self.server()
        let folder = try TemporaryFolder("sync")
        try Self.list(40, of: server, in: folder)
        let result = try await FetchProcess.run(
            "-q",
            "-j",
            "1",
            "--sync",
            mode,
            "--write-out",
            "%{urlnum}\\n",
            "-i",
            "list",
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == (0..<40).map { "\($0)\n" }.joined())
        #expect(Self.check(folder, mode) == 40)
        #expect(folder.names().count == 41)
    }

    @Test("an unknown value of --sync is a usage error")
    func unknown() async throws {
        let result = try await FetchProcess.run("--sync", "often", "http://127.0.0.1:9/")
        #expect(result.status == 2, "\(result)")
        #expect(result.stderr.contains("each, group, none") || result.stderr.contains("--sync"))
    }
}
