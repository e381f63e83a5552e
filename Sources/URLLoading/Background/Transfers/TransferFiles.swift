import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// The files of one task, in its session's folder.
///
/// A task whose file is to be elsewhere writes beside that from the start, as `.fetch-TOKEN-N.part`
/// and so on. That may be another disk than the session's folder's, and the file gets its name by
/// one rename(2).
///
/// | name | what |
/// |---|---|
/// | `N.part`, `N.part.resume` | what has come of a download, and its resume data |
/// | `N.answer` | the body of a response that is no download's: an upload's, or an error's |
/// | `N.head` | the response's head, written before `N.whole` gets its name |
/// | `N.whole` | a body that is whole and on the disk |
/// | `N.sent` | that a request may have left which must not be sent twice |
struct TransferFiles: Sendable {
    /// The folder for what is received.
    private let place: String
    let part: String
    let responseBody: String
    let whole: String
    private let head: String
    private let sent: String
    /// Whether a small body that is whole, and of which the journal knows nothing, is asked for again.
    private let isAskedAgain: Bool
    /// The longest body that is, bytes: to ask for more costs more than a file for its head.
    static let askedAgainLimit: Int64 = 64 << 10
    /// The file that it becomes elsewhere, with the mode that was settled when the task was made.
    private let destination: Destination?

    private struct Destination {
        let mode: UInt32
        /// Keeps what the server has said of the file with it.
        let keepValidator: (@Sendable (CInt, HTTPURLResponse) -> Void)?

        init(_ record: BackgroundTaskRecord, _ conventions: FileConventions) {
            mode = record.mode ?? 0o600
            guard record.filing?.keepsValidator == true else {
                keepValidator = nil
                return
            }
            keepValidator = { file, response in
                conventions.keepValidator(file, record.request.request, response)
            }
        }
    }

    /// - Parameters:
    ///   - folder: that of all tasks' files.
    ///   - task: the task.
    init(_ folder: String, task: Int) {
        self.init(folder, folder, "\(task)", "\(task)", nil)
    }

    /// - Parameters:
    ///   - folder: that of all tasks' files.
    ///   - record: the task.
    ///   - token: the session's.
    ///   - conventions: what the program has of its own about files.
    init(
        _ folder: String,
        _ record: BackgroundTaskRecord,
        token: String,
        _ conventions: FileConventions = FileConventions()
    ) {
        guard let destination = record.destination,
            let slash = destination.utf8.lastIndex(of: UInt8(ascii: "/"))
        else {
            self.init(folder, task: record.identifier)
            return
        }
        self.init(
            folder,
            slash == destination.startIndex ? "" : String(destination[..<slash]),
            "\(record.identifier)",
            ".fetch-\(token)-\(record.identifier)",
            Destination(record, conventions),
            isAskedAgain: RetryPolicy.mayBeRepeated(record.request.method ?? "GET")
        )
    }

    private init(
        _ folder: String,
        _ place: String,
        _ name: String,
        _ bodyName: String,
        _ destination: Destination?,
        isAskedAgain: Bool = false
    ) {
        self.place = place.isEmpty ? "/" : place
        self.destination = destination
        self.isAskedAgain = isAskedAgain
        part = "\(place)/\(bodyName).part"
        responseBody = "\(place)/\(bodyName).answer"
        whole = "\(place)/\(bodyName).whole"
        head = "\(folder)/\(name).head"
        sent = "\(folder)/\(name).sent"
        self.folder = folder
    }

    private let folder: String

    /// What `N.head` has.
    private struct Head: Codable {
        var response: StoredResponse?
    }

    /// Brings a body that is whole to the disk, and gives it the name that says so.
    ///
    /// May wait for the disk. From then on ``found()`` has it, also after a crash.
    ///
    /// - Parameters:
    ///   - path: where it is, one of this task's files.
    ///   - response: the head of the response that it came with.
    ///   - received: the file that was written to, open; `nil` where it is to be opened.
    /// - Returns: the file.
    /// - Throws: `cannotWriteToFile`, `cannotMoveFile`, also where another process has put another
    ///   file in its place.
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
        // Without it the body is asked for again after a crash. A file that is made and removed for
        // each task costs more than all else of a small one.
        if !isAskedAgain || status.size > Self.askedAgainLimit { keepHead(response) }
        guard rename(path, whole) == 0 else {
            throw URLError(.cannotMoveFile, at: path, Errno(rawValue: errno))
        }
        guard PartFile.isSame(whole, body) else { throw replaced(whole) }
        let file = BackgroundFile(
            path: whole,
            device: status.identity.device,
            inode: status.identity.inode,
            size: status.size
        )
        // What is moved elsewhere has its folder brought to the disk then: until then a power cut
        // may take the name, and the body is asked for again.
        guard destination != nil || Self.synchronize(place, O_RDONLY | O_DIRECTORY) else {
            throw URLError(.cannotWriteToFile, at: place, Errno(rawValue: errno))
        }
        return file
    }

    /// Makes a body what the file shall be, with the server's time, down to the disk.
    private func complete(_ number: CInt, _ response: StoredResponse?) -> Bool {
        if let destination {
            if let modified = response?.lastModified {
                linux_set_modification_time(number, modified)
            }
            guard fchmod(number, mode_t(destination.mode)) == 0 else { return false }
            if let keepValidator = destination.keepValidator, let head = response?.urlResponse {
                keepValidator(number, head)
            }
        }
        return fsync(number) == 0
    }

    private func replaced(_ path: String) -> URLError {
        URLError(.cannotMoveFile, detail: "\(path) is another file than the one that was received")
    }

    /// A body that an earlier process has finished and not told of; `nil` where there is none, and
    /// what could be mistaken for one is removed.
    func found() -> (file: BackgroundFile, response: StoredResponse?)? {
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

    /// Removes all that was received.
    func remove() {
        ResumeFile(of: part).remove()
        for path in [part, responseBody, head, whole, sent] { unlink(path) }
    }

    /// Notes that a request may leave which must not be sent twice.
    ///
    /// Throws `cannotWriteToFile`: then it must not leave.
    func noteSent() throws(URLError) {
        let number = open(sent, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            throw URLError(.cannotWriteToFile, at: sent, Errno(rawValue: errno))
        }
        close(number)
        guard Self.synchronize(folder, O_RDONLY | O_DIRECTORY) else {
            throw URLError(.cannotWriteToFile, at: folder, Errno(rawValue: errno))
        }
    }

    /// Whether that was noted, and never taken back.
    var mayHaveBeenSent: Bool { access(sent, F_OK) == 0 }

    /// Takes it back.
    func forgetSent() {
        unlink(sent)
    }

    /// Keeps the head of a response beside its body, which is then found with it.
    func keepHead(_ response: StoredResponse?) {
        if !write(Head(response: response)) { unlink(head) }
    }

    private func write(_ head: Head) -> Bool {
        guard let content = try? JSONBytes.encode(head) else { return false }
        unlink(self.head)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = open(self.head, flags, 0o600)
        guard number >= 0 else { return false }
        let file = FileDescriptor(rawValue: number)
        defer { try? file.close() }
        do {
            _ = try content.withUnsafeBytes { try file.writeAll($0) }
            return destination != nil || fdatasync(number) == 0
        } catch {
            return false
        }
    }

    private static func synchronize(_ path: String, _ flags: CInt) -> Bool {
        let number = open(path, flags | O_CLOEXEC)
        guard number >= 0 else { return false }
        defer { close(number) }
        return fsync(number) == 0
    }
}

/// What a program has of its own about the files that downloads become, in its transfer processes.
package struct FileConventions: Sendable {
    /// The name that a response gives to its body, made safe; `nil`: none.
    package var name: @Sendable (HTTPURLResponse) -> String? = { _ in nil }
    /// Keeps with an open file, which has its final size and time, what it was known by.
    package var keepValidator: @Sendable (CInt, URLRequest?, HTTPURLResponse) -> Void = { _, _, _ in
    }

    package init() {}
}
