import Dispatch
import FoundationEssentials
import Synchronization

/// What it takes to go on with one download, and where that is written down while it runs.
final class DownloadRecord: Sendable {
    /// The part of resume data that stays the same.
    private let first: ResumeData
    private let file: PartFile
    private let isTemporary: Bool
    /// The bytes that were there when the download began.
    private let base: Int64
    private let isSaving = Atomic(false)
    /// Brings bytes to the disk, which takes as long as it takes; made when it is first needed.
    private let queue = Mutex<DispatchQueue?>(nil)

    /// What is cut off a file where the disk has no room for its resume data, bytes.
    private static let sacrifice: Int64 = 64 << 10

    /// - Parameters:
    ///   - data: with any count of bytes, and any file.
    ///   - file: the file.
    ///   - isTemporary: whether it is the session's own, known by its bare name.
    ///   - base: the bytes that are in it.
    init(_ data: ResumeData, _ file: PartFile, isTemporary: Bool, base: Int64 = 0) {
        first = data
        self.file = file
        self.isTemporary = isTemporary
        self.base = base
    }

    /// What is in the file.
    struct Received: Sendable {
        /// Bytes; the file's first ones, unless there are pieces.
        var count: Int64
        /// `nil` where it has no holes.
        var pieces: ResumeData.Pieces?
    }

    /// The length of the whole, bytes, where it is known.
    var totalBytes: Int64? { first.totalBytes }

    /// What the file is known by.
    var validator: EntityValidator? { first.validator }

    /// Whether resume data is written beside the file.
    var isKeptOnDisk: Bool { file.keepsResumeData }

    private func resumeData(_ received: Received) -> ResumeData {
        var data = first
        data.receivedBytes = received.count
        data.pieces = received.pieces
        let name = file.path.split(separator: "/").last.map(String.init) ?? ""
        data.file = isTemporary ? .temporary(name) : .partFile(AbsolutePath.of(file.path))
        data.identity = file.identity
        // A caller's own field may hold a secret, and nothing of that kind is left on a disk.
        if isKeptOnDisk { data.fields = [] }
        return data
    }

    /// Writes down, soon, what has come.
    ///
    /// - Returns: `false` where it still does so for fewer: then it must be asked again.
    func save(_ received: Received) -> Bool {
        guard isKeptOnDisk else { return true }
        guard !isSaving.exchange(true, ordering: .acquiring) else { return false }
        enqueue { [self] in
            if file.synchronize() {
                // What cannot be written now is tried again in a second, and at the end.
                try? file.write(resumeData(received))
            }
            isSaving.store(false, ordering: .releasing)
        }
        return true
    }

    /// Has something done where the disk may be waited for, before whatever is saved later.
    func enqueue(_ work: @escaping @Sendable () -> Void) {
        let queue = queue.withLock { queue in
            let made = queue ?? DispatchQueue(label: "URLLoading.DownloadRecord", qos: .utility)
            queue = made
            return made
        }
        queue.async(execute: work)
    }

    /// Waits until nothing is being written; nothing may be saved afterwards.
    func settle() {
        queue.withLock { $0 }?.sync {}
    }

    /// Ends the use of the file and leaves it as it is, with its resume data.
    ///
    /// May wait for the disk.
    ///
    /// - Parameter received: the bytes that are in it.
    /// - Returns: the resume data; `nil` where nothing could be kept.
    func leave(_ received: Received) -> ResumeData? {
        guard isKeptOnDisk else { return keep(received) }
        guard file.synchronize() else {
            // Whatever the disk has of what came now, it has what was there before.
            guard received.pieces == nil else {
                // What was written down before still holds.
                file.close(keeping: true)
                return nil
            }
            file.cut(to: base)
            return base > 0 ? keep(Received(count: base)) : remove()
        }
        do {
            try file.write(resumeData(received))
            return keep(received)
        } catch {
            let fewer = makeRoom(received)
            // Without it a file without holes can be continued all the same, once its end has been
            // compared.
            try? file.write(resumeData(fewer))
            return keep(fewer)
        }
    }

    /// Gives a full disk back what was set aside, and some of what has come.
    ///
    /// - Returns: what is in the file then.
    private func makeRoom(_ received: Received) -> Received {
        guard var pieces = received.pieces else {
            guard received.count > Self.sacrifice else { return received }
            file.cut(to: received.count - Self.sacrifice)
            return Received(count: received.count - Self.sacrifice)
        }
        guard let last = pieces.ranges.ranges.last, let total = totalBytes,
            received.count > Self.sacrifice
        else { return received }
        pieces.ranges.remove(
            max(last.lowerBound, last.upperBound - Self.sacrifice)..<last.upperBound
        )
        for gap in pieces.ranges.gaps(upTo: total) { file.punch(gap) }
        return Received(count: pieces.ranges.count, pieces: pieces)
    }

    private func keep(_ received: Received) -> ResumeData {
        let data = resumeData(received)
        file.close(keeping: true)
        return data
    }

    private func remove() -> ResumeData? {
        file.close(keeping: false)
        return nil
    }
}
