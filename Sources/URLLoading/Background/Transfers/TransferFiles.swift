import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// The files of one task; docs/background.md, "Files", has their names.
///
/// A task with a destination writes beside the destination from the start. That may be on another disk than
/// the session's folder, and the file gets its name by one rename(2).
struct TransferFiles: Sendable {
    /// The longest body that is requested again, bytes: for a longer one, a file with its head costs less.
    static let repeatedRequestLimit: Int64 = 64 << 10

    private let folder: String
    private let task: Int
    /// The task's record, if it has a destination.
    private var record: BackgroundTaskRecord?
    private var conventions = FileConventions()
    /// The folder of the received files, and the beginning of a path in it.
    private var place: String
    private var bodyName: String

    init(_ folder: String, task: Int) {
        self.folder = folder
        self.task = task
        place = folder
        bodyName = "\(folder)/\(task)"
    }

    init(
        _ folder: String,
        _ record: BackgroundTaskRecord,
        token: String,
        _ conventions: FileConventions = FileConventions()
    ) {
        self.init(folder, task: record.identifier)
        guard let destination = record.destination,
            let slash = destination.utf8.lastIndex(of: UInt8(ascii: "/"))
        else { return }
        self.record = record
        self.conventions = conventions
        place = FolderTrust.folder(of: destination)
        bodyName = "\(destination[...slash]).fetch-\(token)-\(task)"
    }

    /// Whether a small complete body that is not in the journal is requested again after a crash.
    private var isRequestedAgain: Bool {
        record.map { RetryPolicy.mayBeRepeated($0.request.method ?? "GET") } ?? false
    }

    var part: String { "\(bodyName).part" }
    var responseBody: String { "\(bodyName).answer" }
    private var whole: String { "\(bodyName).whole" }
    private var head: String { "\(folder)/\(task).head" }
    private var sent: String { "\(folder)/\(task).sent" }

    /// Checks the path of a destination's folder; throws `cannotCreateFile`.
    func checkFolder(_ checked: CheckedFolders) throws(URLError) {
        guard let record else { return }
        do throws(ForeignFile) {
            let count = min(max(0, record.filing?.foldersOfURL ?? 0), 4_096)
            try checked.check(place, foldersOfURL: count)
        } catch {
            throw URLError(.cannotCreateFile, detail: "\(error)")
        }
    }

    private struct Head: Codable {
        var response: StoredResponse?
    }

    /// Renames a complete body to `N.whole`; throws also if another file is in its place.
    ///
    /// The ordinary session has written the body to the disk (``FileSynchronizer``). Its time, mode and
    /// validator follow with its folder. Then ``found()`` returns the body, also after a crash.
    func finish(
        _ path: String,
        _ response: StoredResponse?,
        received: FileDescriptor? = nil
    ) throws(URLError) -> BackgroundFile {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let body = received ?? FileDescriptor(rawValue: open(path, flags))
        defer { if received == nil, body.rawValue >= 0 { try? body.close() } }
        guard body.rawValue >= 0 else {
            throw URLError(.cannotWriteToFile, at: path, Errno(rawValue: errno))
        }
        guard let status = FileStatus(descriptor: body.rawValue), status.isOurs,
            PartFile.isSame(path, body)
        else { throw replaced(path) }
        guard complete(body.rawValue, response) else {
            throw URLError(.cannotWriteToFile, at: path, Errno(rawValue: errno))
        }
        let whole = whole
        // Without a head, the body is requested again after a crash. For a small body, making and removing
        // a head's file costs more than the rest of the task.
        if isRequestedAgain, status.size <= Self.repeatedRequestLimit {
            // A body beside its destination is renamed when it is moved.
            if path == part { return BackgroundFile(path, status.identity) }
        } else {
            writeHead(response)
        }
        guard rename(path, whole) == 0 else {
            throw URLError(.cannotMoveFile, at: path, Errno(rawValue: errno))
        }
        guard PartFile.isSame(whole, body) else { throw replaced(whole) }
        // A file with a destination has its folder flushed to the disk by the move. Before that, a power
        // cut may undo the rename: the move finds the earlier name.
        guard record != nil || FolderSync.synchronize(place) else {
            throw URLError(.cannotWriteToFile, at: place, Errno(rawValue: errno))
        }
        return BackgroundFile(whole, status.identity)
    }

    /// The names that a body may have had before it was renamed to `N.whole`.
    static func namesBefore(_ whole: String) -> [String] {
        guard whole.endsWithBytes(of: ".whole") else { return [] }
        return [".part", ".answer"].map { whole.dropLast(".whole".count) + $0 }
    }

    /// Sets the time, mode and validator of a body with a destination.
    private func complete(_ number: CInt, _ response: StoredResponse?) -> Bool {
        guard let record else { return true }
        if let modified = response?.lastModified {
            linux_set_modification_time(number, modified)
        }
        guard fchmod(number, mode_t(record.mode ?? 0o600)) == 0 else { return false }
        if record.filing?.keepsValidator == true, let head = response?.urlResponse {
            conventions.keepValidator(number, record.request.request, head)
        }
        return true
    }

    private func replaced(_ path: String) -> URLError {
        URLError(.cannotMoveFile, detail: "\(path) is not the file that was received")
    }

    /// A body that an earlier process has finished and not reported; one without a head is removed.
    func found() -> (file: BackgroundFile, response: StoredResponse?)? {
        let whole = whole
        guard FileStatus(whole)?.isOurs == true, let file = BackgroundFile(whole) else {
            return nil
        }
        let known = (try? Data(contentsOf: URL(filePath: head))).flatMap {
            try? JSONDecoder().decode(Head.self, from: $0)
        }
        guard let known else {
            unlink(whole)
            return nil
        }
        return (file, known.response)
    }

    func remove() {
        ResumeFile(of: part).remove()
        for path in [part, responseBody, head, whole, sent] { unlink(path) }
    }

    /// Notes that a request that must not be sent twice may be sent; if that fails, it must not be.
    func noteSent() throws(URLError) {
        let number = open(sent, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            throw URLError(.cannotWriteToFile, at: sent, Errno(rawValue: errno))
        }
        close(number)
        guard FolderSync.synchronize(folder) else {
            throw URLError(.cannotWriteToFile, at: folder, Errno(rawValue: errno))
        }
    }

    var mayHaveBeenSent: Bool { access(sent, F_OK) == 0 }

    func forgetSent() {
        unlink(sent)
    }

    /// Stores the head of a response, so that ``found()`` returns its body, which is complete.
    func keepHead(_ response: StoredResponse?) {
        writeHead(response)
        // A small body has the part's name so far.
        if isRequestedAgain, access(whole, F_OK) != 0 { rename(part, whole) }
    }

    private func writeHead(_ response: StoredResponse?) {
        unlink(head)
        guard let content = try? JSONBytes.encode(Head(response: response)) else { return }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = FileDescriptor(rawValue: open(head, flags, 0o600))
        guard file.rawValue >= 0 else { return }
        defer { try? file.close() }
        let isWritten = (try? content.withUnsafeBytes { try file.writeAll($0) }) != nil
        if !isWritten || record == nil && fdatasync(file.rawValue) != 0 { unlink(head) }
    }
}

/// A program's conventions for the files of downloads, in its transfer processes.
package struct FileConventions: Sendable {
    /// The safe form of a response's name for its body; `nil`: none.
    package var name: @Sendable (HTTPURLResponse) -> String? = { _ in nil }
    /// Stores the response's validator with an open file, which has its final size and time.
    package var keepValidator: @Sendable (CInt, URLRequest?, HTTPURLResponse) -> Void = { _, _, _ in
    }

    package init() {}
}
