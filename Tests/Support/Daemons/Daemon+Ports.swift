import Foundation

extension Daemon {
    /// Calls a closure with loopback ports that were free a moment ago.
    ///
    /// Another program may take one before the server does: then the closure is called again with other
    /// ports.
    ///
    /// - Parameters:
    ///   - count: The number of ports.
    ///   - start: Starts the server on them; called up to five times.
    /// - Returns: The result of the closure.
    /// - Throws: The closure's error, unless it was `programFailed` for a port that was taken.
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

    /// Whether a process listens on a port of 127.0.0.1, by the kernel's tables.
    ///
    /// For servers that do not report when they are ready. A connection would prove less, since another
    /// program may have the port, and it would be in the server's log.
    static func isListening(_ process: pid_t, on port: Int) -> Bool {
        let files = FileManager.default
        guard let socket = listeningSocket(on: port),
            let descriptors = try? files.contentsOfDirectory(atPath: "/proc/\(process)/fd")
        else { return false }
        return descriptors.contains { descriptor in
            let path = "/proc/\(process)/fd/\(descriptor)"
            return (try? files.destinationOfSymbolicLink(atPath: path)) == "socket:[\(socket)]"
        }
    }

    /// The inode of the socket that listens on a port of 127.0.0.1, or `nil`.
    private static func listeningSocket(on port: Int) -> Substring? {
        guard let table = fopen("/proc/net/tcp", "re") else { return nil }
        defer { fclose(table) }
        let hex = String(port, radix: 16, uppercase: true)
        let local = "0100007F:" + String(repeating: "0", count: 4 - hex.count) + hex
        // Columns: sl, local address, remote address, state, queues, timer, retransmits, uid, …, inode
        var line = [CChar](repeating: 0, count: 512)
        _ = fgets(&line, 512, table)
        // Listening sockets come first; past connections may be tens of thousands.
        while fgets(&line, 512, table) != nil {
            let text = line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
            guard fields.count > 9, fields[3] == "0A" else { return nil }
            if fields[1] == local { return fields[9] }
        }
        return nil
    }

    /// Distinct ports that were free a moment ago.
    private static func freePorts(_ count: Int) throws -> [Int] {
        // All listeners stay open until the last port is chosen.
        let listeners = try (0..<count).map { _ in try SocketListener() }
        defer {
            for listener in listeners { listener.close() }
        }
        return listeners.map(\.port)
    }
}
