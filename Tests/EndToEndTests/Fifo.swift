import Foundation
import Synchronization
import TestSupport
import Testing

/// A FIFO in a folder, with a reader that reads when the test asks.
final class Fifo: Sendable {
    private let number: Int32

    init(_ name: String, in folder: TemporaryFolder) throws {
        try #require(mkfifo(folder.path(name), 0o600) == 0)
        // The open does not wait for a writer.
        number = open(folder.path(name), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(number >= 0)
    }

    deinit {
        close(number)
    }

    /// Reads one byte if one is available.
    func readByte() -> Bool {
        var byte: UInt8 = 0
        return read(number, &byte, 1) == 1
    }

    /// Reads all bytes while the process runs, beginning when a condition holds.
    ///
    /// It reads on a thread: fetch gives up a reader that reads nothing for five seconds, and a test's
    /// task may be blocked for as long.
    func readAll(
        of process: RunningProcess,
        once isTime: @escaping @Sendable () -> Bool = { true }
    ) async -> [UInt8] {
        let result = Mutex<[UInt8]?>(nil)
        Thread.detachNewThread { [self] in
            while process.isRunning, !isTime() { Thread.sleep(forTimeInterval: 0.005) }
            let all = readToEnd(of: process)
            result.withLock { $0 = all }
        }
        _ = await eventually(within: .seconds(100)) { result.withLock { $0 != nil } }
        return result.withLock { $0 } ?? []
    }

    private func readToEnd(of process: RunningProcess) -> [UInt8] {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            // Checked before the read, so that the read includes all bytes written before the end.
            let isOver = !process.isRunning
            while case let count = read(number, &piece, piece.count), count > 0 {
                all += piece[..<count]
            }
            if isOver { return all }
            var next = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            _ = poll(&next, 1, 10)
        }
    }
}
