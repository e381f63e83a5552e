import CTestSupport
import Foundation

/// A temporary folder for one test, deleted with its content when the last reference goes.
public final class TemporaryFolder: Sendable {
    /// The folder's absolute path, without a slash at the end.
    public let path: String

    /// Makes a folder with mode 0700 and a unique name.
    ///
    /// - Parameters:
    ///   - label: A word in the folder's name, visible while a test is running.
    ///   - parent: The parent folder; `nil`: `$TMPDIR` or `/tmp`.
    /// - Throws: `TestSupportError.system` when the folder cannot be made.
    public init(_ label: String = "test", in parent: String? = nil) throws {
        let base = parent ?? ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(base)/fetch-\(label)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestSupportError.lastSystemError("mkdtemp") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a name in the folder, whether it exists or not.
    public func path(_ name: String) -> String {
        "\(path)/\(name)"
    }

    /// Writes a file in place of one with that name, and makes the parent folders; returns its path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = path(name)
        let parent = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Writes a part file as a download leaves it that was killed before it had resume data.
    public func writePart(_ bytes: [UInt8], to name: String) throws {
        guard setxattr(try write(bytes, to: name), "user.URLLoading.part", "", 0, 0) == 0 else {
            throw TestSupportError.lastSystemError("setxattr \(path(name))")
        }
    }

    /// Writes a text file in UTF-8 in the same way; returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    /// Makes a folder in the folder, with its parents; returns its path.
    @discardableResult
    public func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: path(name),
            withIntermediateDirectories: true
        )
        return path(name)
    }

    /// The bytes of a file, or `nil` where it cannot be read.
    public func read(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path(name)).map(Array.init)
    }

    /// The text of a file, with invalid UTF-8 repaired, or `nil` where it cannot be read.
    public func readText(_ name: String) -> String? {
        read(name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The sorted names in the folder, including those with a leading dot.
    public func names() -> [String] {
        let found = try? FileManager.default.contentsOfDirectory(atPath: path)
        return (found ?? []).sorted()
    }

    /// Whether the name exists; a dangling symbolic link counts too.
    public func exists(_ name: String) -> Bool {
        var information = stat()
        return lstat(path(name), &information) == 0
    }

    /// The size of a file in bytes, or `nil` where the file does not exist.
    public func size(_ name: String) -> Int? {
        var information = stat()
        return stat(path(name), &information) == 0 ? Int(information.st_size) : nil
    }

    /// The modification time of a file, in whole seconds since 1970, or `nil` where it does not exist.
    public func modified(_ name: String) -> Int? {
        var information = stat()
        return stat(path(name), &information) == 0 ? information.st_mtim.tv_sec : nil
    }

    /// Sets the modification time of a file, in whole seconds since 1970.
    public func setModified(_ seconds: Int, of name: String) throws {
        let time = timespec(tv_sec: seconds, tv_nsec: 0)
        guard utimensat(AT_FDCWD, path(name), [time, time], 0) == 0 else {
            throw TestSupportError.lastSystemError("utimensat \(path(name))")
        }
    }
}
