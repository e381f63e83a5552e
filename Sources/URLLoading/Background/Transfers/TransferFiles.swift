import FoundationEssentials
import Glibc
import SystemPackage

/// The files of one task in its session's folder.
///
/// | name | what |
/// |---|---|
/// | `N.part`, `N.part.resume` | what has come of a download, and its resume data |
/// | `N.answer` | the body of an answer that is no download's: an upload's, or an error's |
/// | `N.head` | the answer's head, written before `N.whole` gets its name |
/// | `N.whole` | a body that is whole and on the disk |
/// | `N.sent` | that a request may have left which must not be sent twice |
struct TransferFiles: Hashable, Sendable {
    private let folder: String
    private let task: Int

    /// - Parameters:
    ///   - folder: that of all tasks' files.
    ///   - task: the task.
    init(_ folder: String, task: Int) {
        self.folder = folder
        self.task = task
    }

    var part: String { path("part") }
    var answer: String { path("answer") }
    var whole: String { path("whole") }
    private var head: String { path("head") }
    private var sent: String { path("sent") }

    private func path(_ suffix: String) -> String { "\(folder)/\(task).\(suffix)" }

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
    ///   - response: the head of the answer that it came with.
    /// - Returns: the file.
    /// - Throws: `cannotWriteToFile`, `cannotMoveFile`.
    func finish(
        _ path: String,
        _ response: StoredResponse?
    ) throws(URLError) -> BackgroundFile {
        guard Self.synchronize(path, O_RDONLY | O_NOFOLLOW) else {
            throw URLError(.cannotWriteToFile, detail: "\(path): \(Errno(rawValue: errno))")
        }
        // Without it the body would have to be asked for again after a crash, and no more.
        if !write(Head(response: response)) { unlink(head) }
        guard rename(path, whole) == 0, let file = BackgroundFile(whole) else {
            throw URLError(.cannotMoveFile, detail: "\(path): \(Errno(rawValue: errno))")
        }
        guard Self.synchronize(folder, O_RDONLY | O_DIRECTORY) else {
            throw URLError(.cannotWriteToFile, detail: "\(folder): \(Errno(rawValue: errno))")
        }
        return file
    }

    /// A body that an earlier process has finished and not told of; `nil` where there is none, and
    /// what could be mistaken for one is removed.
    func found() -> (file: BackgroundFile, response: StoredResponse?)? {
        guard let file = BackgroundFile(whole) else { return nil }
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
        for path in [part, answer, head, whole, sent] { unlink(path) }
    }

    /// Notes that a request may leave which must not be sent twice.
    ///
    /// Throws `cannotWriteToFile`: then it must not leave.
    func noteSent() throws(URLError) {
        let number = open(sent, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else {
            throw URLError(.cannotWriteToFile, detail: "\(sent): \(Errno(rawValue: errno))")
        }
        close(number)
        guard Self.synchronize(folder, O_RDONLY | O_DIRECTORY) else {
            throw URLError(.cannotWriteToFile, detail: "\(folder): \(Errno(rawValue: errno))")
        }
    }

    /// Whether that was noted, and never taken back.
    var mayHaveBeenSent: Bool { access(sent, F_OK) == 0 }

    /// Takes it back.
    func forgetSent() {
        unlink(sent)
    }

    private func write(_ head: Head) -> Bool {
        guard let content = try? JSONEncoder().encode(head) else { return false }
        unlink(self.head)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = open(self.head, flags, 0o600)
        guard number >= 0 else { return false }
        let file = FileDescriptor(rawValue: number)
        defer { try? file.close() }
        do {
            _ = try content.withUnsafeBytes { try file.writeAll($0) }
            return fdatasync(number) == 0
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
