import Dispatch
import FoundationEssentials
import Synchronization

/// What it takes to go on with one download, and where that is written down while it runs.
final class DownloadRecord: Sendable {
    /// The part of resume data that stays the same.
    private let first: ResumeData
    private let file: PartFile
    private let isSaving = Atomic(false)
    /// Brings bytes to the disk, which takes as long as it takes; made when it is first needed.
    private let queue = Mutex<DispatchQueue?>(nil)

    /// What is cut off a file where the disk has no room for its resume data, bytes.
    private static let sacrifice: Int64 = 64 << 10

    /// - Parameters:
    ///   - data: with any count of bytes, and any file.
    ///   - file: the file.
    ///   - isTemporary: whether it is the session's own, known by its bare name.
    init(_ data: ResumeData, _ file: PartFile, isTemporary: Bool) {
        var data = data
        let name = file.path.split(separator: "/").last.map(String.init) ?? ""
        data.file = isTemporary ? .temporary(name) : .partFile(PartFile.absolute(file.path))
        data.identity = file.identity
        // A caller's own field may hold a secret, and nothing of that kind is left on a disk.
        if file.resumeFile != nil { data.fields = [] }
        first = data
        self.file = file
    }

    func resumeData(receivedBytes: Int64) -> ResumeData {
        var data = first
        data.receivedBytes = receivedBytes
        return data
    }

    /// Whether resume data is written beside the file.
    var isKeptOnDisk: Bool { file.resumeFile != nil }

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
                try? file.resumeFile?.write(resumeData(receivedBytes: receivedBytes))
            }
            isSaving.store(false, ordering: .releasing)
        }
        return true
    }

    /// Waits until nothing is being written; nothing may be saved afterwards.
    func settle() {
        queue.withLock { $0 }?.sync {}
    }

    /// Leaves the file as it is, with its resume data; `nil` where that cannot be had.
    ///
    /// May wait for the disk.
    func leave(receivedBytes: Int64) -> ResumeData? {
        guard let resumeFile = file.resumeFile else {
            file.keep()
            return resumeData(receivedBytes: receivedBytes)
        }
        guard file.synchronize() else { return nil }
        file.keep()
        var data = resumeData(receivedBytes: receivedBytes)
        do {
            try resumeFile.write(data)
        } catch  where receivedBytes > Self.sacrifice {
            data.receivedBytes -= Self.sacrifice
            file.cut(to: data.receivedBytes)
            // Without it the file can be continued all the same, once its end has been compared.
            try? resumeFile.write(data)
        } catch {}
        return data
    }
}
