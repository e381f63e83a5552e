import FoundationEssentials
import Synchronization
import URLLoading

/// A body that goes nowhere before it is whole and right: with `--hold`, or where it is compared with
/// a checksum, so that no shell begins to run what is cut short or changed.
///
/// Written on the delegate queue; its state may be asked for from any thread.
final class BufferedBody: Sendable {
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
    var canBeBuffered: Bool {
        switch destination {
        case .standardOutput, .automatic: true
        // What is thrown away need not be kept first.
        case .device(let path): path != "/dev/null"
        case .file: false
        }
    }
}

/// The digest of what a run writes to standard output, or to a device, over all its tries: a later
/// one goes on where an earlier one has ended.
final class BodyProof: Sendable {
    private let expected: ExpectedDigest
    private let digests: Mutex<RunningDigests>

    /// Throws `bodyDigestMismatch` where the function is not allowed.
    init(_ expected: ExpectedDigest) throws(URLError) {
        self.expected = expected
        digests = Mutex(try RunningDigests([expected.algorithm]))
    }

    /// Takes what was written.
    func take(_ data: Data) {
        digests.withLock { digests in data.withUnsafeBytes { digests.update($0) } }
    }

    /// What was taken was not written after all.
    func reset() {
        digests.withLock { digests in
            if let fresh = try? RunningDigests([expected.algorithm]) { digests = fresh }
        }
    }

    /// What came of it, once all is written.
    func finish() -> DigestFinding? {
        guard let actual = digests.withLock({ $0.finish() }).first else { return nil }
        guard !expected.accepts(actual) else { return .matches(.caller, actual) }
        return .differs(DigestMismatch(source: .caller, expected: expected, actual: actual))
    }
}

/// What came of comparing a file, from the queue that reads it to the caller.
final class Found: Sendable {
    private let value = Mutex<Result<DigestMismatch?, URLError>?>(nil)

    var result: Result<DigestMismatch?, URLError>? { value.withLock { $0 } }

    func set(_ result: Result<DigestMismatch?, URLError>) {
        value.withLock { $0 = result }
    }
}
