import CLinux
import Glibc
import SystemPackage

// Files that belong onto another file system than the session's folder is on.
extension FilePlacing {
    /// Copies a file beside where it belongs, gives the copy the name, and removes the file.
    ///
    /// A crash leaves the file, the copy under a name that the next try takes, or both whole: a file
    /// of the very same bytes that has the name already counts as the copy.
    static func copy(_ file: BackgroundFile, to target: String, replaces: Bool) -> Outcome {
        let slash = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
        let name = CacheChecksum.name(of: file.path + target)
        let draft = "\(target[..<slash]).fetch-\(name).part"
        do throws(Errno) {
            let source = try open(file.path, O_RDONLY)
            defer { try? source.close() }
            if !replaces, isSame(source, file.size, at: target) {
                return settle(file, at: target)
            }
            unlink(draft)
            let copied = try open(draft, O_WRONLY | O_CREAT | O_EXCL)
            defer { try? copied.close() }
            try fill(copied, from: source, file.size)
            let result =
                replaces
                ? rename(draft, target)
                : linux_rename_noreplace(AT_FDCWD, draft, AT_FDCWD, target)
            guard result == 0 else { throw Errno(rawValue: errno) }
            return settle(file, at: target)
        } catch {
            unlink(draft)
            if error == .fileExists { return .isTaken }
            return failed("\(file.path) to \(target): \(error)")
        }
    }

    private static func settle(_ file: BackgroundFile, at target: String) -> Outcome {
        synchronizeFolder(of: target)
        guard let placed = BackgroundFile(target) else {
            return failed("\(target) has gone as soon as it was there")
        }
        unlink(file.path)
        return .placed(placed)
    }

    private static func open(_ path: String, _ flags: CInt) throws(Errno) -> FileDescriptor {
        let number = Glibc.open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        return FileDescriptor(rawValue: number)
    }

    private static func fill(
        _ file: FileDescriptor,
        from source: FileDescriptor,
        _ size: Int64
    ) throws(Errno) {
        var left = size
        while left > 0 {
            let count = linux_copy_file_range(source.rawValue, file.rawValue, Int(left))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw count < 0 ? Errno(rawValue: errno) : .ioError }
            left -= Int64(count)
        }
        guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Whether a name is that of a file of this user's with the same bytes.
    private static func isSame(
        _ source: FileDescriptor,
        _ size: Int64,
        at target: String
    ) -> Bool {
        guard let status = FileStatus(target), status.isOurs, status.size == size,
            let other = try? open(target, O_RDONLY)
        else { return false }
        defer { try? other.close() }
        var offset: Int64 = 0
        var spaces = ([UInt8](repeating: 0, count: 1 << 20), [UInt8](repeating: 0, count: 1 << 20))
        while offset < size {
            let wanted = Int(min(Int64(1 << 20), size - offset))
            guard pread(source.rawValue, &spaces.0, wanted, off_t(offset)) == wanted,
                pread(other.rawValue, &spaces.1, wanted, off_t(offset)) == wanted,
                spaces.0[..<wanted] == spaces.1[..<wanted]
            else { return false }
            offset += Int64(wanted)
        }
        return true
    }
}
