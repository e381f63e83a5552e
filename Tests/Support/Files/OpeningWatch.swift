import Foundation

/// Counts what is opened in a folder and in the folders right within it, by whichever process, with
/// inotify(7).
public final class OpeningWatch {
    private let descriptor: CInt

    /// Begins to count.
    ///
    /// - Parameter folder: its path; the folders in it are there already.
    /// - Throws: `TestSupportError` where it cannot be watched.
    public init(_ folder: String) throws {
        descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw TestSupportError.lastSystemError("inotify_init1") }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        try watch(folder)
        for name in names { try watch("\(folder)/\(name)") }
    }

    deinit {
        close(descriptor)
    }

    /// What was opened since it began, or was asked last: files, and folders to see what is in them.
    public func opened() throws -> (files: Int, folders: Int) {
        var files = 0
        var folders = 0
        var events = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &events, events.count)
            guard count > 0 else { return (files, folders) }
            events[..<count].withUnsafeBytes { bytes in
                var start = 0
                while start < count {
                    let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
                    if event.mask & UInt32(IN_ISDIR) != 0 { folders += 1 } else { files += 1 }
                    start += MemoryLayout<inotify_event>.size + Int(event.len)
                }
            }
        }
    }

    private func watch(_ path: String) throws {
        guard inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) >= 0 else {
            throw TestSupportError.lastSystemError("inotify_add_watch")
        }
    }
}
