import CLinux
import FoundationEssentials
import Glibc
import SystemPackage

// The count of used space, and eviction.
extension DiskStore {
    /// Seconds; an older unlocked file is from a process that has ended.
    private static let abandonedAge = 60

    /// The space used, bytes.
    var usage: Int { root.map { Int(clamping: DiskUsage.total($0)) } ?? 0 }

    /// Counts a change, bytes, and evicts entries above the capacity; `nil`: evicts none.
    func account(_ change: Int64, _ capacity: Int?) {
        guard let root else { return }
        let before: Int64
        let isOutdated: Bool
        do {
            guard var usage = DiskUsage(root) else { return }
            isOutdated = usage.isOutdated
            if !isOutdated {
                usage.add(change)
                guard let capacity, usage.isDoubtful || usage.bytes > Int64(capacity) else {
                    return
                }
            }
            before = usage.bytes
        }
        makeRoom(root, capacity.map { Int64($0) } ?? .max, before, isOutdated: isOutdated)
    }

    /// Counts all entries, removes outdated ones, and evicts down to nine tenths of the capacity.
    ///
    /// One process does this at a time; other processes do not wait.
    private func makeRoom(
        _ root: String,
        _ capacity: Int64,
        _ before: Int64,
        isOutdated: Bool
    ) {
        guard CacheFolder.isOwn(root) else { return }
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let lock = Glibc.open("\(root)/lock", flags, 0o600)
        guard lock >= 0 else { return }
        defer { close(lock) }
        guard linux_lock_exclusively(lock) == 0 else { return }
        // Usually nothing has to go, and nothing of the entries is kept.
        var total: Int64 = 0
        for folder in Self.folders(root) {
            for file in tidied(root, folder, isOutdated) {
                total = total.adding(clamping: file.size)
            }
        }
        if total > capacity {
            let limit = capacity / 10 * 9
            // We list again twice, since the names of all entries may be too many for the memory.
            var uses: [(last: Int64, size: Int64)] = []
            for folder in Self.folders(root) {
                uses += tidied(root, folder, false).map { ($0.lastUse ?? .max, $0.size) }
            }
            let latest = Self.latestToEvict(&uses, total, limit)
            var old: [StoredFile] = []
            for folder in Self.folders(root) {
                old += tidied(root, folder, false).filter { $0.lastUse ?? .max <= latest }
            }
            old.sort { $0.lastUse ?? .max < $1.lastUse ?? .max }
            for file in old where total > limit {
                remove(file)
                total = total.subtracting(clamping: file.size)
            }
        }
        if var usage = DiskUsage(root) { usage.set(total, before: before) }
    }

    /// The last use, nanoseconds since 1970, up to which entries have to go.
    private static func latestToEvict(
        _ uses: inout [(last: Int64, size: Int64)],
        _ total: Int64,
        _ limit: Int64
    ) -> Int64 {
        uses.sort { $0.last < $1.last }
        var rest = total
        return uses.first {
            rest = rest.subtracting(clamping: $0.size)
            return rest <= limit
        }?.last ?? .max
    }

    /// The files of an entry.
    private struct StoredFile {
        let name: DiskName
        /// The sizes of the body files, by suffix, bytes; several if a process has not removed a replaced
        /// body.
        var bodies: [String: Int64] = [:]
        /// The time of the last use, nanoseconds since 1970; `nil` where the entry's own file is missing.
        var lastUse: Int64?
        /// The size of the entry's own file, bytes.
        var ownSize: Int64 = 0

        var size: Int64 { bodies.values.reduce(ownSize) { $0.adding(clamping: $1) } }
    }

    private static func folders(_ root: String) -> [String] {
        FolderListing.names(root).filter {
            $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isLowerHex)
        }
    }

    /// The entries of a folder; removes files that belong to no entry.
    private func tidied(_ root: String, _ folder: String, _ isOutdated: Bool) -> [StoredFile] {
        var files: [String: StoredFile] = [:]
        for name in FolderListing.names("\(root)/\(folder)") where DiskName.isOurs(name) {
            let path = "\(root)/\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            guard !name.endsWithBytes(of: "~") else {
                if isAbandoned(path, status) { unlink(path) }
                continue
            }
            let parts = name.split(byte: UInt8(ascii: "."), maxSplits: 1).map(String.init)
            let entry = parts.first ?? name
            let size = DiskUsage.size(Int64(status.st_size))
            let named = DiskName(folder: folder, file: entry)
            var file = files[entry] ?? StoredFile(name: named)
            if parts.count == 2 {
                file.bodies[parts[1]] = size
            } else if isOutdated, isDamaged(path) {
                unlink(path)
            } else {
                file.ownSize = size
                file.lastUse = status.st_mtim.nanoseconds
            }
            files[entry] = file
        }
        return files.values.compactMap { file in
            var file = file
            for body in file.bodies.keys where !belongs(body, file.name) {
                path(file.name, body: body).map { _ = unlink($0) }
                file.bodies[body] = nil
            }
            return file.lastUse == nil && file.bodies.isEmpty ? nil : file
        }
    }

    private func isDamaged(_ path: String) -> Bool {
        do throws(EntryFile.Failure) {
            _ = try EntryFile(path)
            return false
        } catch {
            return error == .damaged
        }
    }

    /// Whether a body belongs to its entry, or is too recent to decide.
    private func belongs(_ body: String, _ name: DiskName) -> Bool {
        guard let path = path(name), let own = self.path(name, body: body) else { return false }
        if let file = try? EntryFile(path), file.record.body?.file == body { return true }
        var status = stat()
        return lstat(own, &status) == 0 && !isOld(status)
    }

    /// Whether an unfinished file is from a process that has ended.
    private func isAbandoned(_ path: String, _ status: stat) -> Bool {
        guard isOld(status) else { return false }
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let descriptor = Glibc.open(path, flags)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        return linux_lock_exclusively(descriptor) == 0
    }

    private func isOld(_ status: stat) -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return status.st_mtim.tv_sec < now.tv_sec - Self.abandonedAge
    }

    private func remove(_ file: StoredFile) {
        if let path = path(file.name) { unlink(path) }
        for body in file.bodies.keys { path(file.name, body: body).map { _ = unlink($0) } }
    }

    /// Removes all responses stored since a moment, in seconds since 1970; `nil`: all.
    func removeAll(since moment: Double?) {
        // A folder of another user, or a link, is not changed.
        guard let root, CacheFolder.isOwn(root) else { return }
        for folder in Self.folders(root) {
            for file in FolderListing.names("\(root)/\(folder)") where DiskName.isOurs(file) {
                let name = DiskName(folder: folder, file: file)
                if let moment {
                    guard !file.contains(where: { ".~".contains($0) }),
                        case .entry(let entry)? = open(name, nil),
                        entry.storedHead.responseTime >= moment
                    else { continue }
                    remove(name)
                } else if let path = path(name) {
                    unlink(path)
                }
            }
        }
        guard moment == nil, var usage = DiskUsage(root) else { return }
        usage.set(0, before: usage.bytes)
    }
}

/// The counter of the space that a cache folder uses, in a file with the format's number and two counters.
///
/// The counter may be wrong, because a killed process did not add its last change. So the file also
/// counts the changes, and all entries are measured again after a number of them.
struct DiskUsage: ~Copyable {
    /// The fewest changes after which all entries are measured again.
    private static let changesLimit: Int64 = 1_000
    /// The limit is at least one change for each of so many bytes.
    ///
    /// Otherwise the time to measure would grow with the square of the number of changes.
    private static let bytesPerChange: Int64 = 16 << 10

    /// The format of the entries, as in the first line of their files.
    private static let format: Int64 = 0x6665_7463_6843_0002
    private static let length = 24

    private let descriptor: CInt
    /// The space used, bytes.
    private(set) var bytes: Int64
    private var changes: Int64
    /// Whether the counter is of entries in another format.
    let isOutdated: Bool

    /// Opens and locks the counter; `nil` on failure.
    init?(_ root: String) {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let number = open("\(root)/usage", flags, 0o600)
        guard number >= 0 else { return nil }
        // Other processes hold the lock for microseconds. If one holds it longer, this change is lost until
        // a process measures all entries again.
        let isLocked =
            (try? FileDescriptor(rawValue: number).lock(timeout: .milliseconds(50), pause: 200))
            != nil
        guard isLocked else {
            close(number)
            return nil
        }
        descriptor = number
        let counts = Self.read(number)
        (bytes, changes) = counts ?? (0, 0)
        var status = stat()
        isOutdated = counts == nil && fstat(number, &status) == 0 && status.st_size > 0
    }

    deinit {
        close(descriptor)
    }

    private static func read(_ descriptor: CInt) -> (Int64, Int64)? {
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: length / 8) { numbers in
            guard pread(descriptor, numbers.baseAddress, length, 0) == length,
                numbers[0] == format
            else { return nil }
            return (numbers[1], numbers[2])
        }
    }

    /// The counter, read without the lock, bytes; 0 where none exists.
    static func total(_ root: String) -> Int64 {
        let descriptor = open("\(root)/usage", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        return max(0, read(descriptor)?.0 ?? 0)
    }

    /// Whether all entries should be measured again.
    var isDoubtful: Bool {
        bytes < 0 || changes >= max(Self.changesLimit, bytes / Self.bytesPerChange)
    }

    /// Adds a change, which may be negative.
    mutating func add(_ change: Int64) {
        bytes = bytes.adding(clamping: change)
        changes = changes.adding(clamping: 1)
        write()
    }

    /// Sets the measured size, bytes, and adds the changes since the counter was `before`.
    mutating func set(_ exact: Int64, before: Int64) {
        bytes = exact.adding(clamping: max(0, bytes.subtracting(clamping: before)))
        changes = 0
        write()
    }

    private func write() {
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: Self.length / 8) { numbers in
            _ = numbers.initialize(from: [Self.format, bytes, changes])
            _ = pwrite(descriptor, numbers.baseAddress, Self.length, 0)
        }
    }

    /// The approximate space of a file on disk: whole blocks of 4 KiB.
    static func size(_ bytes: Int64) -> Int64 { bytes.adding(clamping: 4_095) / 4_096 * 4_096 }
}
