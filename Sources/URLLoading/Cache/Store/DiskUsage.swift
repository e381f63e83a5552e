import CLinux
import Glibc

/// The count of what a cache's folder takes: a file of two numbers, changed under its lock.
///
/// It may be wrong, since a process that is killed has not counted what it did; so it also says how
/// often it was changed, and is made exact before long.
struct DiskUsage: ~Copyable {
    /// After so many changes it is counted anew.
    private static let changesLimit: Int64 = 1_000

    private let descriptor: CInt
    private var total: Int64
    private var changes: Int64

    /// Opens and locks the count; `nil` where that cannot be done.
    ///
    /// - Parameter root: the cache's folder.
    init?(_ root: String) {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let number = open("\(root)/usage", flags, 0o600)
        guard number >= 0 else { return nil }
        // Others have it for microseconds. Nobody is held up by one who keeps it: what is not counted
        // now is counted when all is counted anew.
        var patience = 50
        while linux_lock_exclusively(number) != 0 {
            patience -= 1
            guard patience > 0, errno == EWOULDBLOCK || errno == EINTR else {
                close(number)
                return nil
            }
            usleep(200)
        }
        descriptor = number
        (total, changes) = Self.read(number) ?? (0, 0)
    }

    deinit {
        close(descriptor)
    }

    private static func read(_ descriptor: CInt) -> (Int64, Int64)? {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { space in
            guard pread(descriptor, space.baseAddress, 16, 0) == 16 else { return nil }
            return (space.load(as: Int64.self), space.load(fromByteOffset: 8, as: Int64.self))
        }
    }

    /// The count without its lock, bytes; 0 where there is none.
    static func total(_ root: String) -> Int64 {
        let descriptor = open("\(root)/usage", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        return max(0, read(descriptor)?.0 ?? 0)
    }

    /// What is taken, bytes.
    var bytes: Int64 { total }

    /// Whether it should be made exact.
    var isDoubtful: Bool { total < 0 || changes >= Self.changesLimit }

    /// Counts something in, or out.
    mutating func add(_ bytes: Int64) {
        total = total.adding(clamping: bytes)
        changes = changes.adding(clamping: 1)
        write()
    }

    /// Takes over what was counted.
    ///
    /// - Parameters:
    ///   - exact: bytes.
    ///   - before: what stood here when the counting began: what came since is added.
    mutating func set(_ exact: Int64, before: Int64) {
        total = exact.adding(clamping: max(0, total.subtracting(clamping: before)))
        changes = 0
        write()
    }

    private func write() {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { space in
            space.storeBytes(of: total, as: Int64.self)
            space.storeBytes(of: changes, toByteOffset: 8, as: Int64.self)
            _ = pwrite(descriptor, space.baseAddress, 16, 0)
        }
    }

    /// What a file of some bytes takes on disk, roughly: whole blocks of 4 KiB.
    static func size(_ bytes: Int64) -> Int64 { bytes.adding(clamping: 4_095) / 4_096 * 4_096 }
}
