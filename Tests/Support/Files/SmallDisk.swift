import Foundation

/// A small disk: a file system in memory or in an image.
///
/// It is in the mount namespace of a process of its own, and disappears with that process.
public final class SmallDisk {
    /// Whether this machine permits a small disk.
    public static let isPossible = (try? SmallDisk(kilobytes: 64)) != nil

    /// Whether this machine permits a small disk in an image, which needs root.
    public static let canBeImage =
        geteuid() == 0 && (try? SmallDisk(kilobytes: 2_048, isImage: true)) != nil

    /// The path of its root.
    public let path: String
    private let folder: TemporaryFolder
    private let process = Process()
    private let input = Foundation.Pipe()

    /// Mounts a disk.
    ///
    /// - Parameters:
    ///   - kilobytes: The disk's size.
    ///   - isImage: Whether it is an ext4 file system in an image, as on a real disk, and not a tmpfs.
    /// - Throws: An error where this machine does not permit the mount.
    public init(kilobytes: Int, isImage: Bool = false) throws {
        folder = try TemporaryFolder("disk")
        let mounting =
            isImage
            ? #"""
            PATH=$PATH:/usr/sbin:/sbin; truncate -s "$2k" "$1/image"
            mkfs.ext4 -qF "$1/image"; mount -o loop "$1/image" "$1"
            """#
            : #"mount -t tmpfs -o "size=$2k,mode=700" none "$1""#
        let output = Foundation.Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments =
            (geteuid() == 0 ? [] : ["--user", "--map-root-user"]) + [
                "--mount", "sh", "-ec",
                mounting + "; echo $$; exec cat >/dev/null",
                "sh", folder.path, "\(kilobytes)",
            ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let number = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            process.waitUntilExit()
            throw TestSupportError.missingProgram("mount")
        }
        path = "/proc/\(number)/root\(folder.path)"
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Fills the disk, except for a number of bytes.
    public func fill(leaving bytes: Int = 0) {
        let number = open(path + "/filler", O_WRONLY | O_CREAT, 0o600)
        defer { close(number) }
        let piece = [UInt8](repeating: 1, count: 4_096)
        var size = lseek(number, 0, SEEK_END)
        while write(number, piece, piece.count) > 0 {}
        size = lseek(number, 0, SEEK_END)
        ftruncate(number, max(0, size - off_t(bytes)))
    }

    /// Frees the space that `fill` took.
    public func empty() {
        unlink(path + "/filler")
    }
}
