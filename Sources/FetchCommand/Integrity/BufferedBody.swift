import FoundationEssentials
import Synchronization
import URLLoading

/// A body that is buffered until it is complete and verified: with `--hold`, or with a checksum.
///
/// So no shell starts a script that is truncated or changed.
///
/// Written on the delegate queue; its state may be read from any thread.
final class BufferedBody: Sendable {
    /// Bytes that are read at once.
    private static let pieceSize = 64 << 10

    private struct State: ~Copyable {
        var bytes = SpooledBytes()
        var isWhole = false
    }

    private let state = Mutex(State())

    /// Whether it is complete and verified, and may be written.
    var isWhole: Bool { state.withLock { $0.isWhole } }

    /// Buffers the next bytes.
    ///
    /// Throws `cannotWriteToFile`.
    func append(_ data: Data) throws(URLError) {
        try state.withLock { state throws(URLError) in try state.bytes.append(data) }
    }

    /// Discards the buffer, because the body begins again at its first byte.
    ///
    /// - Returns: whether that was possible; otherwise the body is complete, and may be written
    ///   already.
    func forget() -> Bool {
        state.withLock { state in
            guard !state.isWhole else { return false }
            state.bytes = SpooledBytes()
            return true
        }
    }

    /// The body is complete and verified.
    func complete() {
        state.withLock { $0.isWhole = true }
    }

    /// Writes all of it, and empties the buffer.
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
        state.withLock { $0.bytes = SpooledBytes() }
    }
}

extension TaskKind {
    /// Whether its body may go to an output that cannot be undone.
    var canBeBuffered: Bool {
        switch destination {
        case .standardOutput, .automatic: true
        // A discarded body need not be buffered.
        case .device(let path): path != "/dev/null"
        case .file: false
        }
    }
}

/// The digest of a body that is written to standard output or to a device, over all tries.
///
/// A later try continues where an earlier one has ended.
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

    /// The bytes so far were not written after all.
    func reset() {
        digests.withLock { digests in
            if let fresh = try? RunningDigests([expected.algorithm]) { digests = fresh }
        }
    }

    /// The finding, once all is written.
    func finish() -> DigestFinding? {
        guard let actual = digests.withLock({ $0.finish() }).first else { return nil }
        guard !expected.accepts(actual) else { return .matches(.caller, actual) }
        return .differs(DigestMismatch(source: .caller, expected: expected, actual: actual))
    }
}

/// The result of comparing a file, passed from the queue that reads it to the caller.
final class Found: Sendable {
    private let value = Mutex<Result<DigestMismatch?, URLError>?>(nil)

    var result: Result<DigestMismatch?, URLError>? { value.withLock { $0 } }

    func set(_ result: Result<DigestMismatch?, URLError>) {
        value.withLock { $0 = result }
    }
}
