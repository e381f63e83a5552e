import Dispatch
import Glibc
import Synchronization
import SystemPackage

/// Computes the digests of a file on its own queue: when the file is complete, or while the task writes it,
/// in any order.
///
/// Neither the transport's thread nor the delegate queue waits for the result.
package final class FileDigest: Sendable {
    /// Bytes to read at once.
    private static let pieceSize = 256 << 10

    private struct State {
        /// The offset up to which the digest may read the file.
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
    /// Used only on `queue`, so the mutex is never contended.
    private let progress: Mutex<Progress>

    /// Creates a computation from the first byte.
    ///
    /// - Parameters:
    ///   - file: the file, open for reading; closed with this object.
    ///   - path: the file's path, for errors.
    ///   - algorithms: the digest algorithms.
    /// - Throws: `bodyDigestMismatch` if OpenSSL does not allow an algorithm.
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

    /// Continues reading up to this offset; the bytes before it must not change any more.
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
    ///   - length: the length of the file, bytes.
    ///   - then: receives the digests, or an error; called once, on the queue.
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

    /// Stops reading, because the task does not need the result; `finish` then reports `cancelled`.
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

    /// The next offset to read to; `nil`: reading has reached the limit, or has failed.
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
    /// Opens a file that the task still writes.
    ///
    /// Throws the errors of ``PartFile/openForReading()`` and ``init(_:_:_:)``.
    convenience init(
        _ file: PartFile,
        _ algorithms: Set<BodyDigest.Algorithm>
    ) throws(URLError) {
        try self.init(file.openForReading(), file.path, algorithms)
    }

    /// Opens a complete file.
    ///
    /// - Parameters:
    ///   - path: the file; it follows a symbolic link.
    ///   - algorithm: the digest algorithm.
    /// - Throws: `cannotOpenFile`, and the errors of ``init(_:_:_:)``.
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
        // A folder or a pipe has no digest, whereas an empty file has one.
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
    ///   - then: receives the mismatch, or `nil` where the digests are equal; called once, on the
    ///     queue.
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

/// Running digests of the same bytes, with one or more algorithms; used on one thread at a time.
package final class RunningDigests {
    /// A class, because an array cannot contain the non-copyable digest.
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

    /// Begins the digests.
    ///
    /// Throws `bodyDigestMismatch` where OpenSSL refuses an algorithm, as MD5 in FIPS mode: we refuse a body
    /// that we cannot verify.
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

    /// Adds the next bytes.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        for running in all { running.digest?.update(bytes) }
    }

    /// The digests of all bytes; a second call returns none.
    package func finish() -> [BodyDigest] {
        all.compactMap { running in
            guard let digest = running.digest.take() else { return nil }
            return BodyDigest(running.algorithm, bytes: digest.finish())
        }
    }
}
