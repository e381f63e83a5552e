import FoundationEssentials
import Glibc
import Synchronization

/// The buffers for a body's delivery; a buffer that the delegate has released is filled again.
///
/// A fresh one for each piece would have the kernel zero its pages each time.
final class DeliveryBuffers: Sendable {
    /// Bytes; libcurl's pieces are 16 KiB at most, and each delivery costs a block on a queue.
    static let size = 256 << 10
    /// What a delivery window has room for, and the one that is being filled.
    private static let mostIdle = DeliveryWindow.limit / size + 1

    /// One buffer.
    // Unchecked: the holder of the value is the buffer's only owner.
    struct Buffer: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
        /// Whether the kernel has made it, and not the allocator.
        fileprivate let isMapped: Bool

        /// `size` bytes, whatever is in them.
        var bytes: UnsafeMutableRawBufferPointer {
            UnsafeMutableRawBufferPointer(start: start, count: DeliveryBuffers.size)
        }
    }

    private struct State {
        var idle: [Buffer] = []
        var hasMade = false
        var isClosed = false
    }

    private let state = Mutex(State())

    deinit {
        close()
    }

    /// A buffer, whatever was in it.
    func take() -> Buffer {
        let (idle, isFirst) = state.withLock { state in
            defer { state.hasMade = true }
            return (state.idle.popLast(), !state.hasMade)
        }
        return idle ?? Self.make(isFirst: isFirst)
    }

    /// The first bytes of a buffer, which comes back here with the last copy of the data.
    func data(_ buffer: Buffer, count: Int) -> Data {
        Data(
            bytesNoCopy: buffer.start,
            count: count,
            deallocator: .custom { [self] _, _ in giveBack(buffer) }
        )
    }

    /// Takes a buffer back that is not read any more.
    func giveBack(_ buffer: Buffer) {
        let isKept = state.withLock { state in
            guard !state.isClosed, state.idle.count < Self.mostIdle else { return false }
            state.idle.append(buffer)
            return true
        }
        if !isKept { Self.free(buffer) }
    }

    /// Frees those that are idle, and from now on each that comes back.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for buffer in idle { Self.free(buffer) }
    }

    /// Makes a buffer: the allocator the first, which is all that a small body needs.
    ///
    /// The others the kernel makes: blocks of this size, each freed by another thread, would have the
    /// allocator's heap grow to more than twice of what is in them.
    private static func make(isFirst: Bool) -> Buffer {
        if !isFirst, let start = map() { return Buffer(start: start, isMapped: true) }
        return Buffer(start: .allocate(byteCount: size, alignment: 64), isMapped: false)
    }

    private static func map() -> UnsafeMutableRawPointer? {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        let start = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0)
        return start == MAP_FAILED ? nil : start
    }

    private static func free(_ buffer: Buffer) {
        if buffer.isMapped {
            munmap(buffer.start, size)
        } else {
            buffer.start.deallocate()
        }
    }
}
