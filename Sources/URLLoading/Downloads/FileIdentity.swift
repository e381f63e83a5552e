package import Glibc
import SystemPackage

/// Which file it is, in which state: whoever writes to it, or puts another in its place, changes it.
package struct FileIdentity: Sendable, Hashable, Codable {
    package let device: UInt64
    package let inode: UInt64
    /// Bytes.
    package let size: Int64
    /// The last change of its contents, nanoseconds since 1970.
    package let modified: Int64
    /// The kernel's own name for this run of the machine; empty where it has none.
    package let boot: String

    package init(device: UInt64, inode: UInt64, size: Int64, modified: Int64, boot: String) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.boot = boot
    }

    /// Whether nobody has touched the file since; the machine may have been started again.
    package func isUnchanged(from other: FileIdentity) -> Bool {
        device == other.device && inode == other.inode && size == other.size
            && modified == other.modified
    }

    static let currentBoot: String = {
        let path = "/proc/sys/kernel/random/boot_id"
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else {
            return ""
        }
        defer { try? file.close() }
        let text = try? String(unsafeUninitializedCapacity: 36) { space in
            try file.read(into: UnsafeMutableRawBufferPointer(space))
        }
        return text ?? ""
    }()
}

extension timespec {
    /// Nanoseconds since 1970.
    ///
    /// Of a time that no 64 bits can count, such as one in the year 2300, the count begins anew: two
    /// times are still told apart.
    package var nanoseconds: Int64 {
        Int64(truncatingIfNeeded: tv_sec) &* 1_000_000_000 &+ Int64(truncatingIfNeeded: tv_nsec)
    }
}
