import CLinux
import Glibc
import SystemPackage

/// A temporary file without a name, gone with its owner however that ends.
final class UnnamedFile: Sendable {
    private let descriptor: FileDescriptor

    /// Makes one in a folder, for this user only.
    ///
    /// Throws `Errno`.
    init(in folder: String) throws(Errno) {
        let flags = O_DIRECTORY | O_RDWR | O_CLOEXEC
        let unnamed = linux_open_unnamed(folder, flags)
        if unnamed >= 0 {
            descriptor = FileDescriptor(rawValue: unnamed)
        } else {
            // Some file systems (NFS, FUSE) cannot; what is really wrong shows itself again.
            descriptor = try Self.makeAndUnlink(in: folder)
        }
    }

    deinit {
        try? descriptor.close()
    }

    static func makeAndUnlink(in folder: String) throws(Errno) -> FileDescriptor {
        let path = "\(folder)/URLLoading-\(UInt64.random(in: .min ... .max)).spool"
        do {
            let descriptor = try FileDescriptor.open(
                path,
                .readWrite,
                options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite
            )
            unlink(path)
            return descriptor
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// Writes all of it at an offset.
    ///
    /// Throws `Errno`.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Errno) {
        do {
            _ = try descriptor.writeAll(toAbsoluteOffset: offset, bytes)
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// Reads what there is from an offset on, as much as fits.
    ///
    /// Throws `Errno`.
    func read(
        into space: UnsafeMutableRawBufferPointer,
        from offset: Int64
    ) throws(Errno) -> Int {
        do {
            return try descriptor.read(fromAbsoluteOffset: offset, into: space)
        } catch {
            throw error as? Errno ?? .ioError
        }
    }
}
