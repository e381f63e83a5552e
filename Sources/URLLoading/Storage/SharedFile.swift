import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// A small file that several processes read and change, always as a whole.
struct SharedFile: Sendable {
    /// Whose file it is.
    enum Owner: Sendable {
        /// This library's: its folder is made when it is needed, links are not followed, and what
        /// others could have changed is refused.
        case library
        /// One that the user has named: links are followed, and the mode of what is there stays.
        case user
    }

    /// How long another process may hold it.
    static let timeout: Duration = .seconds(5)

    let path: String
    let owner: Owner
    /// Whether what others may read is refused, where it is the library's.
    let isSecret: Bool
    private let folder: String
    private let name: String

    /// Names a file; `nil` where the path is not that of a file, or is not absolute and the library's.
    init?(_ path: String, owner: Owner, isSecret: Bool = true) {
        self.path = path
        self.owner = owner
        self.isSecret = isSecret
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            guard owner == .user, !path.isEmpty, path != ".", path != ".." else { return nil }
            folder = "."
            name = path
            return
        }
        guard owner == .user || path.startsWithBytes(of: "/") else { return nil }
        folder = slash == path.startIndex ? "/" : String(path[..<slash])
        name = String(path[path.utf8.index(after: slash)...])
        guard !name.isEmpty, name != ".", name != ".." else { return nil }
    }

    /// Its content; `nil` where there is no such file.
    ///
    /// `warn` takes the words about one of the library's that others may read, where it is no secret.
    func read(warn: (String) -> Void = { _ in }) throws(PrivateFileError) -> Data? {
        TaskLockCounter.expectNone("a file of state is read")
        switch owner {
        case .library:
            guard let folder = try PrivateFolder(folder, makes: false) else { return nil }
            return try folder.read(name, isSecret: isSecret, warn: warn)
        case .user: return try NamedFile(path).read()
        }
    }

    /// Reads, changes and replaces it, while other processes wait.
    ///
    /// - Parameter body: returns the new content; `nil`: it does not change.
    /// - Throws: what keeps it from being read or written, or `body` says; then it is as it was.
    func change(
        _ body: (Data?) throws(PrivateFileError) -> Data?
    ) throws(PrivateFileError) {
        switch owner {
        case .library:
            guard let folder = try PrivateFolder(folder, makes: true) else { return }
            let lock = try folder.lock(name + ".lock", timeout: Self.timeout)
            defer { try? lock.close() }
            let before = try folder.read(name, isSecret: isSecret)
            if let data = try body(before) { try folder.replace(name, by: data) }
        case .user:
            let file = try NamedFile(path)
            let lock = try file.lock(timeout: Self.timeout)
            defer { try? lock?.close() }
            let before = file.isDevice ? nil : try file.read()
            if let data = try body(before) { try file.replace(by: data, timeout: Self.timeout) }
        }
    }
}

/// A file of text that is read line by line, whose lines may end as any system ends them.
enum LineFile {
    /// The bytes that some editors put before a text in UTF-8.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Hands each line on, also the one behind the last end of a line.
    ///
    /// - Parameters:
    ///   - data: the file.
    ///   - take: takes a line's bytes before its line feed, its number from 1, and its text without a
    ///     carriage return at its end; `nil`: it is no UTF-8.
    static func forEachLine(of data: Data, _ take: (Data, Int, String?) -> Void) {
        let data = data.starts(with: byteOrderMark) ? data.dropFirst(byteOrderMark.count) : data
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let words = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            take(line, index + 1, String(validating: words, as: UTF8.self))
        }
    }

    /// Hands each line on, also the one behind the last end of a line.
    ///
    /// - Parameters:
    ///   - data: the file.
    ///   - understands: takes a line, and says whether it is one of the file's form.
    /// - Returns: the first that is not, or is no UTF-8, from 1; `nil`: all are.
    static func firstStrangeLine(of data: Data, _ understands: (String) -> Bool) -> Int? {
        var strange: Int?
        forEachLine(of: data) { _, number, text in
            if text.map(understands) != true { strange = strange ?? number }
        }
        return strange
    }
}
