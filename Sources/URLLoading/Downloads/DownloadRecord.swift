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

    /// Whether resume data is written beside the file.
    var isKeptOnDisk: Bool { file.keepsResumeData }

    private func resumeData(receivedBytes: Int64) -> ResumeData {
        var data = first
        data.receivedBytes = receivedBytes
        let name = file.path.split(separator: "/").last.map(String.init) ?? ""
        data.file = isTemporary ? .temporary(name) : .partFile(PartFile.absolute(file.path))
        data.identity = file.identity
        // A caller's own field may hold a secret, and nothing of that kind is left on a disk.
        if isKeptOnDisk { data.fields = [] }
        return data
    }

    /// Writes down, soon, that so many bytes have come.
    ///
    /// - Returns: `false` where it still does so for fewer: then it must be asked again.
    func save(receivedBytes: Int64) -> Bool {
        guard isKeptOnDisk else { return true }
        guard !isSaving.exchange(true, ordering: .acquiring) else { return false }
        let queue = queue.withLock { queue in
            let made = queue ?? DispatchQueue(label: "URLLoading.DownloadRecord", qos: .utility)
            queue = made
            return made
        }
        queue.async { [self] in
            if file.synchronize() {
                // What cannot be written now is tried again in a second, and at the end.
                try? file.write(resumeData(receivedBytes: receivedBytes))
            }
            isSaving.store(false, ordering: .releasing)
        }
        return true
    }

    /// Waits until nothing is being written; nothing may be saved afterwards.
    func settle() {
        queue.withLock { $0 }?.sync {}
    }

    /// Ends the use of the file and leaves it as it is, with its resume data.
    ///
    /// May wait for the disk.
    ///
    /// - Parameter receivedBytes: the bytes that are in it.
    /// - Returns: the resume data; `nil` where nothing could be kept.
    func leave(receivedBytes: Int64) -> ResumeData? {
        guard isKeptOnDisk else { return keep(receivedBytes) }
        guard file.synchronize() else {
            // Whatever the disk has of what came now, it has what was there before.
            file.cut(to: base)
            return base > 0 ? keep(base) : remove()
        }
        do {
            try file.write(resumeData(receivedBytes: receivedBytes))
            return keep(receivedBytes)
        } catch  where receivedBytes > Self.sacrifice {
            let fewer = receivedBytes - Self.sacrifice
            file.cut(to: fewer)
            // Without it the file can be continued all the same, once its end has been compared.
            try? file.write(resumeData(receivedBytes: fewer))
            return keep(fewer)
        } catch {
            return keep(receivedBytes)
        }
    }

    private func keep(_ receivedBytes: Int64) -> ResumeData {
        let data = resumeData(receivedBytes: receivedBytes)
        file.close(keeping: true)
        return data
    }

    private func remove() -> ResumeData? {
        file.close(keeping: false)
        return nil
    }
}
