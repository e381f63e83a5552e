import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage

/// The file of one download: the part file, its received ranges, its resume data and its expected digests.
///
/// State of the disk:
/// - A sink writes each byte at its offset (``FileSink``), at most 100 ms after the byte arrived.
/// - The download writes the trailer behind the file's end before the file gets its first hole.
/// - Resume data counts only bytes that fsync has confirmed. The download writes it at most once a second,
///   and when it ends early.
/// - A download that ends early removes a file without resume data, unless the file existed before.
/// - A complete file is on the disk before the session reports its task's end (``FileSynchronizer``), unless
///   the session is configured otherwise.
/// - A complete file keeps the name of its part file until the caller moves it (``FinishedFile``). If the
///   caller does not, the download removes the file.
/// - A file whose whole body is there may have no name until the caller gives it one. Then no part file
///   exists, and nothing is left if the process is killed.
final class Download: Sendable {
    private struct State {
        /// The bytes in the file, as of the last save or the end.
        var received: ReceivedRanges
        /// The bytes that are on the disk for certain: a prefix.
        var confirmed: ReceivedRanges
        /// The error with which the disk refused bytes: a later fsync(2) would report success, although the
        /// kernel has dropped them.
        var refusal: Errno?
        var requirements: [DigestRequirement] = []
        /// Computes digests from the file, behind the sink that writes the file.
        var follower: FileDigest?
        /// Makes the constant part of the resume data, which most small files never need; `nil`: it is made.
        var makeResumeData: (@Sendable () -> ResumeData?)?
        var resumeData: ResumeData?
    }

    let file: PartFile
    private let state: Mutex<State>
    /// Whether resume data has a checksum of the bytes, where they are a prefix.
    ///
    /// With the checksum, a later process detects bytes that changed after the writing process was killed.
    let keepsChecksum: Bool
    private let isWriting = Atomic(false)
    /// The queue for calls that wait for the disk; created on first use.
    private let queue = Mutex<DispatchQueue?>(nil)

    /// Each save replaces the file and the ranges of the resume data; `nil`: a later task cannot continue the
    /// download.
    init(
        _ file: PartFile,
        _ resumeData: @escaping @autoclosure @Sendable () -> ResumeData?,
        received: ReceivedRanges = ReceivedRanges(prefix: 0),
        keepsChecksum: Bool = false
    ) {
        self.file = file
        self.keepsChecksum = keepsChecksum
        let confirmed = received.hasHoles ? ReceivedRanges(prefix: received.prefix) : received
        state = Mutex(State(received: received, confirmed: confirmed, makeResumeData: resumeData))
    }

    deinit {
        state.withLock { $0.follower?.stop() }
    }

    var totalBytes: Int64? { withResumeData { $0?.totalBytes } }
    var validator: EntityValidator? { withResumeData { $0?.validator } }
    /// Whether a later task can continue the download.
    var isContinuable: Bool { withResumeData { $0 != nil } }
    /// Whether the download writes resume data beside the file.
    var isKeptOnDisk: Bool { file.keepsResumeData && isContinuable }

    /// Reads the constant part of the resume data; `nil`: a later task cannot continue the download.
    func withResumeData<Value>(_ read: (ResumeData?) -> Value) -> Value {
        state.withLock { state in
            if let make = state.makeResumeData.take() { state.resumeData = make() }
            return read(state.resumeData)
        }
    }

    /// The bytes in the file, as of the last save or the end.
    var received: ReceivedRanges {
        get { state.withLock { $0.received } }
        set { state.withLock { $0.received = newValue } }
    }

    /// Runs work that may wait for the disk on the download's serial queue, before any later save.
    func enqueue(_ work: @escaping @Sendable () -> Void) {
        let queue = queue.withLock { queue in
            let made = queue ?? DispatchQueue(label: "URLLoading.Download", qos: .utility)
            queue = made
            return made
        }
        queue.async(execute: work)
    }

    /// Whether a save may still be running; ``waitForSaves()`` waits for it.
    var isSaving: Bool { queue.withLock { $0 != nil } }

    /// Waits until no save is running.
    ///
    /// The caller must not save afterwards.
    func waitForSaves() {
        queue.withLock { $0 }?.sync {}
    }

    /// Drops the bytes that are not on the disk for certain, because the disk has refused some.
    func dropUnconfirmedBytes() {
        let confirmed = state.withLock { state in
            state.received = state.confirmed
            return state.confirmed
        }
        try? file.cut(to: confirmed.count)
    }

    /// Writes the received bytes to the disk; returns whether the disk has taken these, and refused none before.
    private func synchronize(_ received: ReceivedRanges) -> Bool {
        let refusal = file.synchronize() ? nil : Errno(rawValue: errno)
        return state.withLock { state in
            state.refusal = state.refusal ?? refusal
            guard state.refusal == nil else { return false }
            if !received.hasHoles { state.confirmed = received }
            return true
        }
    }

    /// Writes the complete file to the disk, and waits for it.
    ///
    /// Throws `cannotWriteToFile` where the disk refuses bytes, or has refused some before.
    func synchronize() throws(URLError) {
        try FinishedFile(file).synchronize()
        if let refusal = state.withLock({ $0.refusal }) {
            throw URLError(.cannotWriteToFile, at: file.path, refusal)
        }
    }

    /// Closes the file, once; see ``PartFile/close(keeping:isMoved:)``.
    func close(keeping isKept: Bool, isMoved: Bool = false) {
        state.withLock { $0.follower?.stop() }
        file.close(keeping: isKept, isMoved: isMoved)
    }
}

// Saving resume data.
extension Download {
    /// Writes resume data on the download's queue; returns `false` while an earlier save is running: the caller
    /// must try again.
    func save(_ received: ReceivedRanges) -> Bool {
        guard isKeptOnDisk else { return true }
        guard !isWriting.exchange(true, ordering: .acquiring) else { return false }
        self.received = received
        enqueue { [self] in
            if synchronize(received) {
                // The download repeats a failed write after a second, and at the end.
                try? write(received)
            }
            isWriting.store(false, ordering: .releasing)
        }
        return true
    }

    /// Closes the file and leaves it in place, with its resume data; `nil` if the download could keep no byte.
    ///
    /// May wait for the disk.
    func closeKeepingFile() -> ResumeData? {
        let received = received
        guard isContinuable, received.count > 0 else { return nil }
        guard isKeptOnDisk else { return keep(received) }
        guard synchronize(received) else {
            guard received.trailer == nil else {
                // The resume data of the last successful save is still valid.
                close(keeping: true)
                return nil
            }
            dropUnconfirmedBytes()
            if self.received.count > 0 { return keep(self.received) }
            close(keeping: false)
            return nil
        }
        do {
            try write(received)
            return keep(received)
        } catch {
            let fewer = file.makeRoom(received, of: totalBytes)
            // Without resume data, a task can still continue a file without holes: it compares the file's
            // end first.
            try? write(fewer)
            return keep(fewer)
        }
    }

    private func write(_ received: ReceivedRanges) throws {
        if let data = resumeData(received) { try file.write(data) }
    }

    private func resumeData(_ received: ReceivedRanges) -> ResumeData? {
        guard var data = withResumeData({ $0 }) else { return nil }
        data.received = received
        let name = file.path.split(byte: UInt8(ascii: "/")).last.map(String.init) ?? ""
        data.file = file.isTemporary ? .temporary(name) : .partFile(AbsolutePath.of(file.path))
        data.identity = file.identity
        // A field that the caller set may contain a secret, and we write no secret to a disk.
        if isKeptOnDisk { data.fields = [] }
        return data
    }

    private func keep(_ received: ReceivedRanges) -> ResumeData? {
        let data = resumeData(received)
        close(keeping: true)
        return data
    }
}

// Comparing digests.
extension Download {
    /// Computes digests from the file, behind the sink that writes it; `nil`: the task requires no digest.
    var follower: FileDigest? { state.withLock { $0.follower } }

    /// Requires digests, and computes them from now on, behind the sink that writes the file.
    ///
    /// `offset` is the number of bytes that the file already has. Throws `cannotOpenFile`;
    /// `bodyDigestMismatch` where a digest algorithm is not allowed.
    func follow(_ requirements: [DigestRequirement], from offset: Int64 = 0) throws(URLError) {
        guard !requirements.isEmpty else { return }
        let digest = try FileDigest(file, requirements.algorithms)
        digest.advance(to: offset)
        state.withLock { ($0.requirements, $0.follower) = (requirements, digest) }
    }

    /// Requires digests of the complete file; the order of its writes does not matter.
    func require(_ requirements: [DigestRequirement]) {
        guard !requirements.isEmpty else { return }
        state.withLock { state in
            state.requirements += requirements.filter { !state.requirements.contains($0) }
        }
    }

    /// Whether the task must compare the complete file with digests.
    var hasRequirements: Bool { state.withLock { !$0.requirements.isEmpty } }

    /// Compares the complete file with the required digests; calls `then` once, on another queue, with the
    /// findings or the error that prevented the comparison.
    func compare(then: @escaping @Sendable (Result<[DigestFinding], URLError>) -> Void) {
        let (requirements, length) = state.withLock { ($0.requirements, $0.received.count) }
        do throws(URLError) {
            try digest(requirements.algorithms).finish(at: length) { result in
                then(result.map { requirements.findings(in: $0) })
            }
        } catch {
            enqueue { then(.failure(error)) }
        }
    }

    /// The digests of the whole file.
    ///
    /// The task makes a new object if the server named another algorithm in the trailer fields, after it has
    /// read the bytes.
    private func digest(_ algorithms: Set<BodyDigest.Algorithm>) throws(URLError) -> FileDigest {
        if let follower, algorithms.isSubset(of: follower.algorithms) { return follower }
        let digest = try FileDigest(file, algorithms)
        state.withLock { state in
            state.follower?.stop()
            state.follower = digest
        }
        return digest
    }
}
