import Foundation

/// Counts the openings of files and folders in a folder and its subfolders, by any process, with
/// inotify(7).
public final class OpeningWatch {
    private let descriptor: CInt

    /// Begins to count.
    ///
    /// - Parameter folder: The folder's path; its subfolders must exist already.
    /// - Throws: `TestSupportError` where inotify fails.
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

    /// The files and folders opened since the beginning or the last call.
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
