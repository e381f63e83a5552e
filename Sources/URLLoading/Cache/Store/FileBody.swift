import FoundationEssentials
import Glibc

/// A body in a file that nobody changes any more, by its descriptor: it may lose its name, and is
/// whole nevertheless.
final class FileBody: CacheBody {
    /// Up to here, bytes, a body is compared with its checksum before any of it is used; a larger
    /// one would keep its reader waiting, and is only known to have its length.
    private static let checkedLimit: Int64 = 64 << 20

    let length: Int64
    private let descriptor: CInt
    private let start: Int64
    let checksum: UInt64

    /// - Parameters:
    ///   - descriptor: becomes its own, and is closed with it.
    ///   - start: where the body begins in the file.
    ///   - length: of the body, bytes.
    ///   - checksum: what `CacheChecksum` makes of it.
    init(descriptor: CInt, start: Int64, length: Int64, checksum: UInt64) {
        self.descriptor = descriptor
        self.start = start
        self.length = length
        self.checksum = checksum
    }

    deinit {
        close(descriptor)
    }

    func read(into space: UnsafeMutableRawBufferPointer, at offset: Int64) throws(URLError) -> Int {
        let wanted = min(space.count, Int(clamping: length - offset))
        guard wanted > 0, let base = space.baseAddress else { return 0 }
        while true {
            let count = pread(descriptor, base, wanted, off_t(start + offset))
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw URLError(.networkConnectionLost, detail: "the cached body cannot be read")
            }
        }
    }

    /// Whether the body is what was stored.
    var isWhole: Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0,
            Int64(status.st_size) == start.adding(clamping: length)
        else {
            return false
        }
        guard length <= Self.checkedLimit else { return true }
        var sum = CacheChecksum()
        var offset: Int64 = 0
        return withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { space in
            while offset < length {
                guard let count = try? read(into: space, at: offset), count > 0 else {
                    return false
                }
                sum.update(UnsafeRawBufferPointer(rebasing: space[..<count]))
                offset += Int64(count)
            }
            return sum.value == checksum
        }
    }

    var data: Data {
        guard length > 0 else { return Data() }
        // A mapping begins at a page.
        let slack = Int(start) % Int(getpagesize())
        let size = Int(clamping: length).adding(clamping: slack)
        let mapped = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, off_t(start) - slack)
        guard let mapped, mapped != MAP_FAILED else { return copied }
        return Data(
            bytesNoCopy: mapped + slack,
            count: Int(length),
            deallocator: .custom { _, _ in munmap(mapped, size) }
        )
    }

    /// The body in memory, where it cannot be mapped.
    private var copied: Data {
        var data = Data(count: Int(length))
        var offset: Int64 = 0
        while offset < length {
            let count = data.withUnsafeMutableBytes { space in
                let rest = UnsafeMutableRawBufferPointer(rebasing: space[Int(offset)...])
                return try? read(into: rest, at: offset)
            }
            guard let count, count > 0 else { return data.prefix(Int(offset)) }
            offset += Int64(count)
        }
        return data
    }
}
