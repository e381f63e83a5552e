import FoundationEssentials
import Glibc
import Synchronization

/// Buffers for delivering a body; a buffer that the delegate has released is reused.
///
/// For a new buffer the kernel would have to zero its pages each time.
final class DeliveryBuffers: Sendable {
    /// Bytes; libcurl's pieces are at most 16 KiB, and each delivery costs a block on a queue.
    static let size = 256 << 10
    /// As many as fit in a delivery window, and the one being filled.
    private static let maximumIdle = DeliveryWindow.limit / size + 1

    /// A buffer of `size` bytes.
    // Unchecked: the holder of the value is the buffer's only owner.
    struct Buffer: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
        /// Whether the buffer is from mmap(2), not from the allocator.
        fileprivate let isMapped: Bool

        /// `size` bytes with arbitrary contents.
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

    /// A buffer with arbitrary contents.
    func take() -> Buffer {
        let (idle, isFirst) = state.withLock { state in
            defer { state.hasMade = true }
            return (state.idle.popLast(), !state.hasMade)
        }
        return idle ?? Self.make(isFirst: isFirst)
    }

    /// Data over the first bytes of a buffer; the release of the last copy returns the buffer.
    func data(_ buffer: Buffer, count: Int) -> Data {
        Data(
            bytesNoCopy: buffer.start,
            count: count,
            deallocator: .custom { [self] _, _ in recycle(buffer) }
        )
    }

    /// Takes back a buffer that has no readers.
    func recycle(_ buffer: Buffer) {
        let isKept = state.withLock { state in
            guard !state.isClosed, state.idle.count < Self.maximumIdle else { return false }
            state.idle.append(buffer)
            return true
        }
        if !isKept { Self.free(buffer) }
    }

    /// Frees the idle buffers, and from now on each returned buffer.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for buffer in idle { Self.free(buffer) }
    }

    /// Creates a buffer: the first from the allocator, which is sufficient for a small body.
    ///
    /// Further buffers are mapped. Allocated blocks of this size that other threads free would make the
    /// heap grow to more than twice its contents.
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
