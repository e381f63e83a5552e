import Foundation

extension Daemon {
    /// Calls with loopback ports that were free a moment ago.
    ///
    /// Another program may take one before the server does: then the call is made again with other
    /// ports.
    ///
    /// - Parameters:
    ///   - count: How many ports.
    ///   - start: Starts the server on them; called up to five times.
    /// - Returns: What the call returned.
    /// - Throws: What the call threw, unless it was `programFailed` for a port that was taken.
    static func onFreePorts<Started>(
        _ count: Int,
        start: ([Int]) throws -> Started
    ) throws -> Started {
        for _ in 1..<5 {
            do {
                return try start(freePorts(count))
            } catch TestSupportError.programFailed(_, let output)
                where output.contains("Address already in use")
            {}
        }
        return try start(freePorts(count))
    }

    /// Whether a process listens on a port of 127.0.0.1, by what the kernel says.
    ///
    /// For servers that do not say when they are ready. A connection would prove less, since
    /// another program may have the port, and would be in the server's log.
    static func isListening(_ process: pid_t, on port: Int) -> Bool {
        guard let table = try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8) else {
            return false
        }
        // sl, local address, remote address, state, queues, timer, retransmits, uid, …, inode
        let hex = String(port, radix: 16, uppercase: true)
        let local = "0100007F:" + String(repeating: "0", count: 4 - hex.count) + hex
        let sockets = table.split(separator: "\n").compactMap { line -> String? in
            let fields = line.split(separator: " ")
            guard fields.count > 9, fields[1] == local, fields[3] == "0A" else { return nil }
            return "socket:[\(fields[9])]"
        }
        let files = FileManager.default
        let descriptors = (try? files.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []
        return descriptors.contains { descriptor in
            let path = "/proc/\(process)/fd/\(descriptor)"
            let target = try? files.destinationOfSymbolicLink(atPath: path)
            return target.map(sockets.contains) ?? false
        }
    }

    /// Ports that were free a moment ago, no two the same.
    private static func freePorts(_ count: Int) throws -> [Int] {
        // All are held until the last is chosen.
        let held = try (0..<count).map { _ in try SocketListener() }
        defer {
            for listener in held { listener.close() }
        }
        return held.map(\.port)
    }
}
