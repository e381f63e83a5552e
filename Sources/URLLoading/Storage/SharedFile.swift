import FoundationEssentials
import Glibc
import SystemPackage

/// A small file that several processes read, and replace as a whole.
struct SharedFile: Sendable {
    enum Owner: Sendable {
        /// This library: we create the folder if necessary, follow no links, and refuse a file that others
        /// could have changed.
        case library
        /// The user named the file: we follow links, and keep an existing mode.
        case user
    }

    let path: String
    let owner: Owner
    /// Whether to refuse a file of the library that others can read.
    let isSecret: Bool
    /// How long another process may hold the lock.
    let timeout: Duration
    private let folder: String
    private let name: String

    /// Creates a value; `nil` where the path names no file, or a library's path is not absolute.
    init?(
        _ path: String,
        owner: Owner,
        isSecret: Bool = true,
        timeout: Duration = .seconds(5)
    ) {
        self.path = path
        self.timeout = timeout
        self.owner = owner
        self.isSecret = isSecret
        guard owner == .user || path.startsWithBytes(of: "/") else { return nil }
        folder = FolderTrust.folder(of: path)
        name = FolderTrust.name(of: path)
        guard !name.isEmpty, name != ".", name != ".." else { return nil }
    }

    /// The file's content, if any; `warn` receives a warning about one that others can read and is not
    /// secret.
    func read(warn: (String) -> Void = { _ in }) throws(PrivateFileError) -> Data? {
        TaskLockCounter.expectNone("a file of state is read")
        switch owner {
        case .library:
            guard let folder = try PrivateFolder(folder, makes: false) else { return nil }
            return try folder.read(name, isSecret: isSecret, warn: warn)
        case .user: return try NamedFile(path).read()
        }
    }

    /// Changes the file under a lock against other processes; `body` returns the new content, if any.
    ///
    /// A file of the library with empty content is removed. Without `makesFolder`, nothing happens where
    /// the folder does not exist.
    func change(
        makesFolder: Bool = true,
        _ body: (Data?) throws(PrivateFileError) -> Data?
    ) throws(PrivateFileError) {
        switch owner {
        case .library:
            guard let folder = try PrivateFolder(folder, makes: makesFolder) else { return }
            let lock = try folder.lock(name + ".lock", timeout: timeout)
            defer { try? lock.close() }
            let before = try folder.read(name, isSecret: isSecret)
            guard let data = try body(before) else { return }
            if data.isEmpty { try folder.remove(name) } else { try folder.replace(name, by: data) }
        case .user:
            let file = try NamedFile(path)
            let lock = try file.lock(timeout: timeout)
            defer { try? lock.close() }
            let before = file.isDevice ? nil : try file.read()
            if let data = try body(before) { try file.replace(by: data, timeout: timeout) }
        }
    }
}

/// Reads a text file line by line, with the line ends of any system.
enum LineFile {
    /// Calls a closure with each line's bytes, number from 1, and text without a carriage return, if UTF-8.
    static func forEachLine(of data: Data, _ take: (Data, Int, String?) -> Void) {
        let lines = data.withoutByteOrderMark.split(
            separator: UInt8(ascii: "\n"),
            omittingEmptySubsequences: false
        )
        for (index, line) in lines.enumerated() {
            let words = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            take(line, index + 1, String(validating: words, as: UTF8.self))
        }
    }

    /// The number, from 1, of the first line that is invalid, or is not UTF-8.
    static func firstInvalidLine(of data: Data, _ understands: (String) -> Bool) -> Int? {
        var invalid: Int?
        forEachLine(of: data) { _, number, text in
            if text.map(understands) != true { invalid = invalid ?? number }
        }
        return invalid
    }
}
