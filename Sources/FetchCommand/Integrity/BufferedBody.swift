import FoundationEssentials
import Synchronization
import URLLoading

/// A body that is buffered until it is complete and verified: with `--hold`, or with a checksum.
///
/// So no shell runs a script that is truncated or changed. The body is written on the delegate
/// queue; any thread may read its state.
final class BufferedBody: Sendable {
    /// In bytes: how much of the buffer is read at once.
    private static let pieceSize = 64 << 10

    private struct State {
        var bytes = SpoolStore()
        var isWhole = false
    }

    private let state = Mutex(State())

    /// Whether it is complete and verified, and may be written.
    var isWhole: Bool { state.withLock { $0.isWhole } }

    func append(_ data: Data) throws(URLError) {
        try state.withLock { state throws(URLError) in try state.bytes.append(data) }
    }

    /// Discards the buffer, because the body begins again; `false` if it may have been written.
    func discard() -> Bool {
        state.withLock { state in
            guard !state.isWhole else { return false }
            state.bytes = SpoolStore()
            return true
        }
    }

    func complete() { state.withLock { $0.isWhole = true } }

    /// Writes and empties the buffer; throws as ``OutputDescriptor/write(_:)``, `cannotOpenFile`.
    func write(to output: OutputDescriptor) throws {
        let space = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 64)
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
        state.withLock { $0.bytes = SpoolStore() }
    }
}

extension TaskKind {
    /// Whether the body may be written to an output from which bytes cannot be removed.
    var canBeBuffered: Bool {
        switch destination {
        case .standardOutput, .automatic: true
        // A body that is written to `/dev/null` need not be buffered.
        case .device(let path): path != "/dev/null"
        case .file: false
        }
    }
}

/// The digest of a body that is not a file, across all attempts.
final class BodyProof: Sendable {
    private let expected: ExpectedDigest
    private let digests: Mutex<RunningDigests>

    /// Throws `bodyDigestMismatch` if the digest algorithm is not permitted.
    init(_ expected: ExpectedDigest) throws(URLError) {
        self.expected = expected
        digests = Mutex(try RunningDigests([expected.algorithm]))
    }

    func take(_ data: Data) {
        digests.withLock { digests in data.withUnsafeBytes { digests.update($0) } }
    }

    /// Starts again, because the bytes so far were not written after all.
    func reset() {
        digests.withLock { digests in
            if let fresh = try? RunningDigests([expected.algorithm]) { digests = fresh }
        }
    }

    /// The result of the comparison, once the whole body is written.
    func finish() -> DigestFinding? {
        guard let actual = digests.withLock({ $0.finish() }).first else { return nil }
        guard !expected.accepts(actual) else { return .matches(.caller, actual) }
        return .differs(DigestMismatch(source: .caller, expected: expected, actual: actual))
    }
}

// Digests of bodies.
extension RunDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCheckDigest finding: DigestFinding
    ) { printer.event(.didCheckDigest(task, finding)) }

    func expect(_ run: TaskRun, of task: URLSessionTask) {
        task.expectedDigest = run.get { $0.attempt.isCompared ? $0.expected : nil }
    }

    /// Compares the digest of the written body, once it is complete.
    func compareDigest(_ run: TaskRun, _ task: URLSessionTask) {
        guard run.get({ $0.naming.file == nil && $0.isProvable }),
            let finding = run.get(\.output.proof)?.finish()
        else { return }
        printer.event(.didCheckDigest(task, finding))
        if case .differs(let mismatch) = finding { run.note(.error(URLError(mismatch))) }
    }
}

extension Printer {
    /// The hint for a body with another digest; `nil` for other errors.
    func digestHint(_ run: TaskRun, _ error: URLError) -> String? {
        guard error.code == .bodyDigestMismatch else { return nil }
        var words: [String] = []
        if run.bufferedBody != nil {
            words.append("nothing was written")
        } else if run.get(\.naming.file) == nil, run.get(\.bytes) > 0 {
            words.append("do not trust what was already written to the output")
        }
        if let source = error.digestMismatch?.source, source != .caller {
            words.append("--ignore-digests skips the check")
        }
        return words.isEmpty ? nil : words.joined(separator: "\nfetch: ")
    }
}
