import Dispatch
import Glibc
import Synchronization
import SystemPackage

/// The digests of a file, which is read on a queue of its own: when it is complete, or while it is
/// written, in any order.
///
/// Neither the transport's thread nor the delegate queue waits for it.
package final class FileDigest: Sendable {
    /// Bytes that are read at once.
    private static let pieceSize = 256 << 10

    private struct State {
        /// The offset up to which the file may be read.
        var limit: Int64 = 0
        var isReading = false
    }

    /// The progress of reading.
    private struct Progress {
        let digests: RunningDigests
        var position: Int64 = 0
        var failure: URLError?
    }

    let algorithms: Set<BodyDigest.Algorithm>
    private let path: String
    private let file: FileDescriptor
    private let queue = DispatchQueue(label: "URLLoading.FileDigest")
    private let state = Mutex(State())
    private let isStopped = Atomic(false)
    /// Used on `queue` alone, so that no thread ever waits for it.
    private let progress: Mutex<Progress>

    /// Begins with the first byte.
    ///
    /// - Parameters:
    ///   - file: open for reading; closed in the end.
    ///   - path: its name, for errors.
    ///   - algorithms: the functions.
    /// - Throws: `bodyDigestMismatch` where one of these is not allowed.
    init(
        _ file: FileDescriptor,
        _ path: String,
        _ algorithms: Set<BodyDigest.Algorithm>
    ) throws(URLError) {
        self.file = file
        self.path = path
        self.algorithms = algorithms
        do throws(URLError) {
            progress = Mutex(Progress(digests: try RunningDigests(algorithms)))
        } catch {
            try? file.close()
            throw error
        }
    }

    deinit {
        try? file.close()
    }

    /// Continues to read: this many bytes are in the file, and do not change any more.
    package func advance(to limit: Int64) {
        let mustStart = state.withLock { state in
            state.limit = max(state.limit, limit)
            defer { state.isReading = true }
            return !state.isReading
        }
        if mustStart { queue.async { [self] in read() } }
    }

    /// Reads to the end.
    ///
    /// - Parameters:
    ///   - length: bytes that the file has.
    ///   - then: receives the digests, or the reason why there are none, on the queue; once.
    package func finish(
        at length: Int64,
        then: @escaping @Sendable (Result<[BodyDigest], URLError>) -> Void
    ) {
        advance(to: length)
        queue.async { [self] in
            then(
                progress.withLock { progress in
                    if let failure = progress.failure { return .failure(failure) }
                    return .success(progress.digests.finish())
                }
            )
        }
    }

    /// The result is not needed any more: reading ends soon, with `cancelled`.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    private func read() {
        progress.withLock { progress in
            let piece = UnsafeMutableRawBufferPointer.allocate(
                byteCount: Self.pieceSize,
                alignment: 4_096
            )
            defer { piece.deallocate() }
            while let limit = next(progress) {
                do throws(URLError) {
                    try read(to: limit, piece, &progress)
                } catch {
                    progress.failure = error
                }
            }
        }
    }

    /// The next offset to read to; `nil`: the limit is reached, or nothing can be read.
    private func next(_ progress: borrowing Progress) -> Int64? {
        let (position, hasFailed) = (progress.position, progress.failure != nil)
        return state.withLock { state in
            guard !hasFailed, state.limit > position else {
                state.isReading = false
                return nil
            }
            return state.limit
        }
    }

    private func read(
        to limit: Int64,
        _ piece: UnsafeMutableRawBufferPointer,
        _ progress: inout Progress
    ) throws(URLError) {
        while progress.position < limit {
            guard !isStopped.load(ordering: .relaxed) else { throw URLError(.cancelled) }
            let wanted = Int(min(limit - progress.position, Int64(piece.count)))
            let count: Int
            do {
                count = try file.read(
                    fromAbsoluteOffset: progress.position,
                    into: UnsafeMutableRawBufferPointer(rebasing: piece[..<wanted])
                )
            } catch {
                throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
            }
            guard count > 0 else {
                throw URLError(.cannotOpenFile, detail: "\(path) has become shorter")
            }
            progress.digests.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
            progress.position += Int64(count)
        }
    }
}

extension FileDigest {
    /// Opens a file that is being written.
    ///
    /// Throws what ``PartFile/openForReading()`` and ``init(_:_:_:)`` do.
    convenience init(
        _ file: PartFile,
        _ algorithms: Set<BodyDigest.Algorithm>
    ) throws(URLError) {
        try self.init(file.openForReading(), file.path, algorithms)
    }

    /// Opens a file that is whole.
    ///
    /// - Parameters:
    ///   - path: the file; a symbolic link is followed.
    ///   - algorithm: the function.
    /// - Throws: `cannotOpenFile`, and what ``init(_:_:_:)`` does.
    package convenience init(
        of path: String,
        _ algorithm: BodyDigest.Algorithm
    ) throws(URLError) {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
        }
        // A folder or a pipe has no digest, unlike an empty file.
        guard FileStatus(descriptor: file.rawValue) != nil else {
            try? file.close()
            throw URLError(.cannotOpenFile, detail: "\(path) is not a regular file")
        }
        try self.init(file, path, [algorithm])
    }

    /// Reads the file, and compares its digest.
    ///
    /// - Parameters:
    ///   - expected: the expected digest.
    ///   - then: receives the difference, `nil` where there is none, on the queue; once.
    package func compare(
        with expected: ExpectedDigest,
        then: @escaping @Sendable (Result<DigestMismatch?, URLError>) -> Void
    ) {
        let length = FileStatus(descriptor: file.rawValue)?.size ?? 0
        finish(at: length) { result in
            then(
                result.map { digests in
                    let requirement = DigestRequirement(source: .caller, expected: expected)
                    guard case .differs(let mismatch)? = requirement.finding(in: digests) else {
                        return nil
                    }
                    return mismatch
                }
            )
        }
    }
}

/// Running digests of the same bytes, by one or several functions; used on one thread at a
/// time.
package final class RunningDigests {
    /// One of them: an array cannot hold a value that cannot be copied.
    private final class Running {
        let algorithm: BodyDigest.Algorithm
        var digest: MessageDigest?

        init?(_ algorithm: BodyDigest.Algorithm) {
            guard let digest = MessageDigest(algorithm.implementation) else { return nil }
            self.algorithm = algorithm
            self.digest = consume digest
        }
    }

    private let all: [Running]

    /// Begins.
    ///
    /// Throws `bodyDigestMismatch` where OpenSSL refuses a function, as MD5 in FIPS mode: a
    /// body that cannot be verified is refused.
    package init(_ algorithms: Set<BodyDigest.Algorithm>) throws(URLError) {
        var all: [Running] = []
        for algorithm in algorithms.sorted() {
            guard let running = Running(algorithm) else {
                throw URLError(.bodyDigestMismatch, detail: "OpenSSL does not allow \(algorithm)")
            }
            all.append(running)
        }
        self.all = all
    }

    /// Takes the next bytes.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        for running in all { running.digest?.update(bytes) }
    }

    /// The digests of all bytes; none the second time.
    package func finish() -> [BodyDigest] {
        all.compactMap { running in
            guard let digest = running.digest.take() else { return nil }
            return BodyDigest(running.algorithm, bytes: digest.finish())
        }
    }
}
