import Foundation
import TestSupport

/// One case of the table: the user, the flags and the folder of a download, and the planted file.
struct PlantedCase: Sendable, CustomStringConvertible {
    let user: TestAccount
    let kind: SharedFolder
    let planted: Planted
    let asked: Asked
    /// The planted file's name.
    var name = SecondUserScene.name
    /// Whether the planted file appears during the download.
    var isLate = false
    /// The user's file at the name when the run begins, if the planted file is late.
    var first: Planted?
    /// The permitted outcomes.
    let allowed: [Outcome]

    private static let body = PseudoRandom.bytes(40_000)

    var description: String {
        let time = isLate ? "comes as" : "is"
        let start = first.map { "\($0), then " } ?? ""
        return "\(user) in \(kind): \(name) \(time) \(start)\(planted), asked by \(asked)"
    }

    /// Runs the case.
    ///
    /// - Returns: The violations; empty where the case passes.
    /// - Throws: Errors of the scene, the server and the process.
    func violations() async throws -> [String] {
        let scene = try SecondUserScene(kind, user)
        let gate = Gate()
        let server = try server(gate)
        if !isLate { try planted.plant(at: name, in: scene) }
        try first?.plant(at: name, in: scene)
        var before = scene.entries()
        var fifo = openFIFO(in: scene)
        defer { if fifo >= 0 { close(fifo) } }
        let command = try scene.command(asked.arguments(scene, port: server.port))
        let process = try command.start()
        if isLate {
            let part = scene.folder.path("name.part")
            let began = await eventually {
                server.requestCount > 0 && FileEntry(part) != nil || !process.isRunning
            }
            guard began, process.isRunning else { return ["it has not begun", process.stderr] }
            if first != nil { unlink(scene.folder.path(name)) }
            try planted.plant(at: name, in: scene)
            fifo = openFIFO(in: scene)
            before = scene.entries().filter { !$0.key.contains(".part") }
            gate.open()
        }
        let result = try await process.wait()
        let isHead = asked == .outputOfHead
        let sight = Sight(
            user: user,
            before: before,
            after: scene.entries(),
            result: result,
            wasSent: server.requestCount > 0,
            fifo: Self.drain(fifo),
            isWanted: { bytes in
                isHead ? bytes.starts(with: "HTTP/1.1 200".utf8) : isSameBytes(bytes, Self.body)
            }
        )
        return sight.violations(allowed)
    }

    private func server(_ gate: Gate) throws -> SocketServer {
        var file = ServedFile(Self.body)
        file.lastModified = "Tue, 09 Jan 2001 00:00:00 GMT"
        if asked == .serverName {
            file.fields = ["Content-Disposition: attachment; filename=name"]
        }
        if isLate { file.hold = (after: 20_000, gate) }
        return try SocketServer { [file] in try file.serve($0) }
    }

    /// Opens an existing FIFO for reading, so that a writer does not block; -1 where it does not exist.
    private func openFIFO(in scene: SecondUserScene) -> Int32 {
        let path = scene.folder.path(name)
        guard FileEntry(path)?.kind == S_IFIFO else { return -1 }
        return open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    }

    /// The bytes in a FIFO, which holds 64 KiB without a reader.
    private static func drain(_ number: Int32) -> [UInt8] {
        guard number >= 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(number, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    /// Runs up to four cases at once.
    ///
    /// - Returns: The failed cases, with their violations.
    static func failures(_ cases: [PlantedCase]) async -> [String] {
        await withTaskGroup(of: String?.self) { group in
            var failures: [String] = []
            for (index, one) in cases.enumerated() {
                if index >= 4, let ended = await group.next(), let ended { failures.append(ended) }
                group.addTask {
                    do {
                        let violations = try await one.violations()
                        return violations.isEmpty
                            ? nil : "\(one):\n\(violations.joined(separator: "\n"))"
                    } catch {
                        return "\(one): \(error)"
                    }
                }
            }
            for await ended in group { if let ended { failures.append(ended) } }
            return failures
        }
    }
}
