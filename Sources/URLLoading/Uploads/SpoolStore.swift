import CLinux
package import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage

/// The stored bytes of a body: in memory up to a limit, then in a file.
package struct SpoolStore: Sendable {
    private enum Place {
        case memory([UInt8])
        case file(UnnamedFile)
    }

    let memoryLimit: Int
    let limit: Int64
    let folder: String
    private var place = Place.memory([])
    private var count: Int64 = 0

    init(memoryLimit: Int, limit: Int64, folder: String) {
        self.memoryLimit = memoryLimit
        self.limit = limit
        self.folder = folder
    }

    /// A store without a limit, with up to 1 MiB in memory, and the file in `TMPDIR` or `/tmp`.
    package init() {
        let memoryLimit = BodySpool.defaultMemoryLimit
        self.init(memoryLimit: memoryLimit, limit: .max, folder: TemporaryFolder.path)
    }

    var bytesInMemory: Int {
        if case .memory(let kept) = place { kept.count } else { 0 }
    }

    /// Appends the next bytes; throws `cannotWriteToFile`, after which the store is unusable.
    package mutating func append(_ data: Data) throws(URLError) {
        guard let loss = data.withUnsafeBytes({ append($0) }) else { return }
        let words =
            switch loss {
            case .file(let folder, let reason): "cannot be buffered in \(folder): \(reason)"
            case .limit: "is too large to be buffered"
            }
        throw URLError(.cannotWriteToFile, detail: "the body \(words)")
    }

    /// Appends the next bytes; returns the error after which the store is unusable.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> BodySpool.Loss? {
        guard Int64(bytes.count) <= limit - count else { return .limit(limit) }
        do throws(Errno) {
            switch place {
            case .memory(var kept):
                guard kept.count + bytes.count > memoryLimit else {
                    // Release the other reference, or each piece would copy all earlier ones.
                    place = .memory([])
                    kept.append(contentsOf: bytes)
                    place = .memory(kept)
                    break
                }
                let file = try UnnamedFile(in: folder, atMost: limit)
                try kept.withUnsafeBufferPointer { old throws(Errno) in
                    try file.write(UnsafeRawBufferPointer(old), at: 0)
                }
                try file.write(bytes, at: count)
                place = .file(file)
            case .file(let file): try file.write(bytes, at: count)
            }
        } catch {
            return .file(folder: folder, reason: "\(error)")
        }
        count += Int64(bytes.count)
        return nil
    }

    /// Reads bytes from an offset, as many as fit; 0 at the end.
    ///
    /// Throws `cannotOpenFile` where the disk fails.
    package func read(
        into space: UnsafeMutableRawBufferPointer,
        from offset: Int64
    ) throws(URLError) -> Int {
        guard offset < count else { return 0 }
        let wanted = Int(min(Int64(space.count), count - offset))
        let room = UnsafeMutableRawBufferPointer(rebasing: space[..<wanted])
        switch place {
        case .memory(let kept):
            room.copyBytes(from: kept[Int(offset)..<Int(offset) + wanted])
            return wanted
        case .file(let file):
            let taken: Int
            do throws(Errno) {
                taken = try file.read(into: room, from: offset)
            } catch {
                throw URLError(.cannotOpenFile, detail: "the temporary file in \(folder): \(error)")
            }
            guard taken > 0 else {
                throw URLError(
                    .cannotOpenFile,
                    detail: "the temporary file in \(folder) was truncated"
                )
            }
            return taken
        }
    }
}

/// A temporary file without a name, which the kernel removes when it is closed, even after a crash.
final class UnnamedFile: Sendable {
    /// 64 MiB: with reserved blocks, writes to ext4 take at most 0.6 of the CPU time.
    private static let reserve: Int64 = 64 << 20

    private let descriptor: FileDescriptor
    /// The largest size, bytes.
    private let limit: Int64
    private let reserved = Mutex<Int64>(0)

    /// Creates a file in a folder, only for this user, with a largest size in bytes.
    init(in folder: String, atMost limit: Int64) throws(Errno) {
        self.limit = limit
        let flags = O_DIRECTORY | O_RDWR | O_CLOEXEC
        let unnamed = linux_open_unnamed(folder, flags)
        if unnamed >= 0 {
            descriptor = FileDescriptor(rawValue: unnamed)
        } else {
            // Some file systems (NFS, FUSE) do not support unnamed files; any other error occurs again here.
            descriptor = try Self.makeAndUnlink(in: folder)
        }
    }

    deinit {
        try? descriptor.close()
    }

    static func makeAndUnlink(in folder: String) throws(Errno) -> FileDescriptor {
        let path = "\(folder)/URLLoading-\(UInt64.random(in: .min ... .max)).spool"
        let descriptor = try Errno.only {
            try FileDescriptor.open(
                path,
                .readWrite,
                options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite
            )
        }
        unlink(path)
        return descriptor
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Errno) {
        setAside(upTo: offset + Int64(bytes.count))
        _ = try Errno.only { try descriptor.writeAll(toAbsoluteOffset: offset, bytes) }
    }

    /// Reserves blocks, doubling each time; if the file system refuses, a later write may fail.
    private func setAside(upTo end: Int64) {
        reserved.withLock { reserved in
            guard end > reserved, end <= limit else { return }
            let more = min(max(reserved, 4 << 20), Self.reserve)
            let next = max(end, min(reserved + more, limit))
            // Reserving is useless in memory, and must not fill a disk that is nearly full.
            let isPlenty = linux_free_disk_space(descriptor.rawValue) > 16 * Self.reserve
            if isPlenty {
                _ = linux_fallocate_keep_size(descriptor.rawValue, reserved, next - reserved)
            }
            reserved = next
        }
    }

    func read(
        into space: UnsafeMutableRawBufferPointer,
        from offset: Int64
    ) throws(Errno) -> Int {
        try Errno.only { try descriptor.read(fromAbsoluteOffset: offset, into: space) }
    }
}
