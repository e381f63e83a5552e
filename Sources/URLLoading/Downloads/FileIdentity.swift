import Glibc
import SystemPackage

/// Which file it is, whatever its name, and since which start of the machine that is known.
package struct FileIdentity: Sendable, Hashable, Codable {
    let device: UInt64
    let inode: UInt64
    /// The kernel's own name for this run of the machine; empty where it has none.
    let boot: String

    init(_ status: stat, boot: String = Self.currentBoot) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        self.boot = boot
    }

    /// Whether both are one file, on whatever day.
    func isSameFile(as other: FileIdentity) -> Bool {
        device == other.device && inode == other.inode
    }

    /// The same, of a time of which no more is known than what was counted then.
    package var ofUnknownTime: FileIdentity {
        FileIdentity(device: device, inode: inode, boot: "")
    }

    private init(device: UInt64, inode: UInt64, boot: String) {
        self.device = device
        self.inode = inode
        self.boot = boot
    }

    private static let currentBoot: String = {
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
