import FoundationEssentials
import Synchronization
import URLLoading

/// A body that goes nowhere before it is whole and right: with `--hold`, or where it is compared with
/// a checksum, so that no shell begins to run what is cut short or changed.
///
/// Written on the delegate queue; its state may be asked for from any thread.
final class HeldBody: Sendable {
    /// What is read of it at once, bytes.
    private static let pieceSize = 64 << 10

    private struct State: ~Copyable {
        var bytes = HeldBytes()
        var isWhole = false
    }

    private let state = Mutex(State())

    /// Whether it is whole and right, and so may be written.
    var isWhole: Bool { state.withLock { $0.isWhole } }

    /// Keeps the next bytes back.
    ///
    /// Throws `cannotWriteToFile`.
    func append(_ data: Data) throws(URLError) {
        try state.withLock { state throws(URLError) in try state.bytes.append(data) }
    }

    /// Drops what was kept, for the body to come from its first byte again.
    ///
    /// - Returns: whether that could be; if not, it is whole, and may be written already.
    func forget() -> Bool {
        state.withLock { state in
            guard !state.isWhole else { return false }
            state.bytes = HeldBytes()
            return true
        }
    }

    /// It is whole and right.
    func complete() {
        state.withLock { $0.isWhole = true }
    }

    /// Writes all of it, and keeps nothing.
    ///
    /// Throws what ``OutputDescriptor/write(_:)`` does, and `cannotOpenFile` where the disk fails.
    func write(to output: OutputDescriptor) throws {
        let space = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Self.pieceSize,
            alignment: 64
        )
        defer { space.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = try state.withLock { state throws(URLError) in
                try state.bytes.read(into: space, from: offset)
            }
            guard count > 0 else { break }
            try output.write(UnsafeRawBufferPointer(rebasing: space[..<count]))
            offset += Int64(count)
        }
        state.withLock { $0.bytes = HeldBytes() }
    }
}

extension TaskKind {
    /// Whether its body may go to where nothing can be taken back.
    var mayBeHeld: Bool {
        switch destination {
        case .standardOutput, .automatic: true
        // What is thrown away need not be kept first.
        case .device(let path): path != "/dev/null"
        case .file: false
        }
    }
}
