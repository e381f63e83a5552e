import Dispatch
import FoundationEssentials
import Synchronization

/// A file that a download fills: the part file, which of its bytes have come, what it takes to go on
/// with it, and what it has to come to.
///
/// What is on the disk when:
/// - A sink writes each byte to its place (``FileSink``); no byte waits longer than 100 ms.
/// - Before a file has its first hole there is a trailer behind its end.
/// - Resume data counts only bytes that had been brought to the disk before it is written, once a
///   second at most, and when the download ends early.
/// - A file without resume data that ends early goes, unless it was there before.
/// - A whole file is on the disk before its task's end is reported (``FileSynchronizer``), unless the session
///   is configured otherwise.
/// - A whole file keeps its part's name until its owner moves it (``FinishedFile``), and goes with
///   the download if the caller does not.
final class Download: Sendable {
    private struct State {
        /// The bytes that are in the file, as of the last record or the end.
        var received: ReceivedRanges
        var requirements: [DigestRequirement] = []
        /// What reads the file behind the sink that writes it.
        var follower: FileDigest?
    }

    let file: PartFile
    /// The part of resume data that stays the same; `nil` where the download can only begin again.
    let resumeData: ResumeData?
    /// The bytes that were there when the download began, from the first.
    private let base: ReceivedRanges
    private let state: Mutex<State>
    /// Whether resume data has a checksum of the bytes, by which a process that was killed finds
    /// them changed.
    let keepsChecksum: Bool
    private let isWriting = Atomic(false)
    /// Brings bytes to the disk, which takes as long as it takes; made when it is first needed.
    private let queue = Mutex<DispatchQueue?>(nil)

    /// What is cut off a file where the disk has no room for its resume data, bytes.
    private static let sacrifice: Int64 = 64 << 10

    /// - Parameters:
    ///   - file: the file.
    ///   - resumeData: with any file, and any bytes.
    ///   - received: the bytes that are in it.
    ///   - keepsChecksum: whether resume data has a checksum of the bytes, where they are a prefix.
    init(
        _ file: PartFile,
        _ resumeData: ResumeData?,
        received: ReceivedRanges = ReceivedRanges(prefix: 0),
        keepsChecksum: Bool = false
    ) {
        self.file = file
        self.keepsChecksum = keepsChecksum
        self.resumeData = resumeData
        base = received.hasHoles ? ReceivedRanges(prefix: received.prefix) : received
        state = Mutex(State(received: received))
    }

    deinit {
        state.withLock { $0.follower?.stop() }
    }

    /// The length of the whole, bytes, where it is known.
    var totalBytes: Int64? { resumeData?.totalBytes }

    /// What the file is known by.
    var validator: EntityValidator? { resumeData?.validator }

    /// Whether a later task could go on with it.
    var isContinuable: Bool { resumeData != nil }

    /// Whether resume data is written beside the file.
    var isKeptOnDisk: Bool { resumeData != nil && file.keepsResumeData }

    /// The bytes that are in the file, as of the last record or the end.
    var received: ReceivedRanges {
        get { state.withLock { $0.received } }
        set { state.withLock { $0.received = newValue } }
    }

    /// Has something done where the disk may be waited for, before whatever is saved later.
    func enqueue(_ work: @escaping @Sendable () -> Void) {
        let queue = queue.withLock { queue in
            let made = queue ?? DispatchQueue(label: "URLLoading.Download", qos: .utility)
            queue = made
            return made
        }
        queue.async(execute: work)
    }

    /// Whether something may be written still, which ``settle()`` waits for.
    var isSaving: Bool { queue.withLock { $0 != nil } }

    /// Waits until nothing is being written; nothing may be saved afterwards.
    func settle() {
        queue.withLock { $0 }?.sync {}
    }

    /// The disk has refused what has come: only what was there before can be gone on with.
    ///
    /// A second fsync(2) would say that all is well, though the system has dropped what it could not write.
    func forgetNew() {
        try? file.cut(to: base.count)
        received = base
    }

    /// Ends the use of the file, once; see ``PartFile/close(keeping:isMoved:)``.
    func close(keeping isKept: Bool, isMoved: Bool = false) {
        state.withLock { $0.follower?.stop() }
        file.close(keeping: isKept, isMoved: isMoved)
    }
}

// What it takes to go on.
extension Download {
    /// Writes resume data down, soon.
    ///
    /// - Returns: `false` where it still does so for fewer bytes: then it must be asked again.
    func save(_ received: ReceivedRanges) -> Bool {
        guard isKeptOnDisk else { return true }
        guard !isWriting.exchange(true, ordering: .acquiring) else { return false }
        self.received = received
        enqueue { [self] in
            if file.synchronize() {
                // What cannot be written now is tried again in a second, and at the end.
                try? write(received)
            }
            isWriting.store(false, ordering: .releasing)
        }
        return true
    }

    /// Ends the use of the file and leaves it as it is, with its resume data.
    ///
    /// May wait for the disk.
    ///
    /// - Returns: the resume data; `nil` where nothing could be kept.
    func leave() -> ResumeData? {
        let received = received
        guard isContinuable, received.count > 0 else { return nil }
        guard isKeptOnDisk else { return keep(received) }
        guard file.synchronize() else {
            // Whatever the disk has of what came now, it has what was there before.
            guard received.trailer == nil else {
                // What was written down before still holds.
                close(keeping: true)
                return nil
            }
            try? file.cut(to: base.count)
            if base.count > 0 { return keep(base) }
            close(keeping: false)
            return nil
        }
        do {
            try write(received)
            return keep(received)
        } catch {
            let fewer = makeRoom(received)
            // Without it a file without holes can be continued all the same, once its end has been
            // compared.
            try? write(fewer)
            return keep(fewer)
        }
    }

    private func write(_ received: ReceivedRanges) throws {
        if let data = resumeData(received) { try file.write(data) }
    }

    private func resumeData(_ received: ReceivedRanges) -> ResumeData? {
        guard var data = resumeData else { return nil }
        data.received = received
        let name = file.path.split(separator: "/").last.map(String.init) ?? ""
        data.file = file.isTemporary ? .temporary(name) : .partFile(AbsolutePath.of(file.path))
        data.identity = file.identity
        // A caller's own field may hold a secret, and nothing of that kind is left on a disk.
        if isKeptOnDisk { data.fields = [] }
        return data
    }

    /// Gives a full disk back what was set aside, and some of what has come.
    ///
    /// - Returns: what is in the file then.
    private func makeRoom(_ received: ReceivedRanges) -> ReceivedRanges {
        guard received.count > Self.sacrifice, let last = received.ranges.ranges.last else {
            return received
        }
        var fewer = received
        let start = max(last.lowerBound, last.upperBound - Self.sacrifice)
        fewer.remove(start..<last.upperBound)
        if received.trailer == nil {
            try? file.cut(to: fewer.count)
        } else if let totalBytes {
            for gap in fewer.ranges.gaps(upTo: totalBytes) { file.punch(gap) }
        }
        return fewer
    }

    private func keep(_ received: ReceivedRanges) -> ResumeData? {
        let data = resumeData(received)
        close(keeping: true)
        return data
    }
}

// What it has to come to.
extension Download {
    /// What reads the file behind the sink that writes it; `nil` where nothing has to be known.
    var follower: FileDigest? { state.withLock { $0.follower } }

    /// Has the file compared once it is whole, and read from now on, behind the sink that writes it.
    ///
    /// - Parameters:
    ///   - requirements: what it has to come to.
    ///   - offset: bytes that are there already.
    /// - Throws: `cannotOpenFile`, `bodyDigestMismatch` where a function is not allowed.
    func follow(_ requirements: [DigestRequirement], from offset: Int64 = 0) throws(URLError) {
        guard !requirements.isEmpty else { return }
        let digest = try FileDigest(file, requirements.algorithms)
        digest.advance(to: offset)
        state.withLock { ($0.requirements, $0.follower) = (requirements, digest) }
    }

    /// Has the file compared once it is whole, in whatever order it is written.
    func require(_ requirements: [DigestRequirement]) {
        guard !requirements.isEmpty else { return }
        state.withLock { state in
            state.requirements += requirements.filter { !state.requirements.contains($0) }
        }
    }

    /// Whether the file has to be compared once it is whole.
    var hasRequirements: Bool { state.withLock { !$0.requirements.isEmpty } }

    /// Compares the file, which is whole, with what it has to come to.
    ///
    /// - Parameter then: receives what was found, or the reason why nothing was, on a queue of its own; once.
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

    /// What reads the whole file; behind its end the server may have named another function than those
    /// of which the digests were made meanwhile.
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

/// When progress is reported to the client, and when resume data is written.
struct DownloadProgress {
    /// Progress is reported no more often than this.
    private static let reportInterval: Duration = .milliseconds(100)
    /// How long a download lasts before its resume data is written, and how often it is then.
    private static let saveInterval: Duration = .seconds(1)

    private var reported: Int64
    private var lastReport: MonotonicInstant?
    private var saved: Int64
    private var lastSave = MonotonicInstant.now

    /// - Parameter count: the bytes that are there already.
    init(from count: Int64) {
        reported = count
        saved = count
    }

    /// Whether so many bytes are to be reported now.
    mutating func isDue(_ taken: Int64, at now: MonotonicInstant) -> Bool {
        if let lastReport, now - lastReport < Self.reportInterval { return false }
        lastReport = now
        return isNew(taken)
    }

    /// Whether so many bytes were not reported yet; they count as reported.
    mutating func isNew(_ taken: Int64) -> Bool {
        guard taken > reported else { return false }
        reported = taken
        return true
    }

    /// Whether resume data is to be written, now, if so many bytes are in the file.
    mutating func isSaveDue(_ written: Int64, at now: MonotonicInstant) -> Bool {
        guard now - lastSave >= Self.saveInterval, written > saved else { return false }
        lastSave = now
        return true
    }

    /// Resume data that counts so many bytes is going to be written.
    mutating func noteSaved(_ written: Int64) {
        saved = written
    }

    /// When the next of both is due, though nothing more comes; `nil`: neither is.
    func next(
        taken: Int64,
        written: Int64,
        isKeptOnDisk: Bool
    ) -> MonotonicInstant? {
        if taken > reported, let lastReport { return lastReport + Self.reportInterval }
        return isKeptOnDisk && written > saved ? lastSave + Self.saveInterval : nil
    }
}
