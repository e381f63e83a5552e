import FoundationEssentials
import Glibc
import Synchronization

/// The buffers that a body is handed on in; one that the delegate has let go of is filled again.
///
/// A fresh one for each piece would have the kernel zero its pages each time.
final class DeliveryBuffers: Sendable {
    /// Bytes; libcurl's pieces are 16 KiB at most, and each delivery costs a turn of a queue.
    static let size = 256 << 10
    /// What a delivery window has room for, and the one that is being filled.
    private static let mostIdle = DeliveryWindow.limit / size + 1

    /// One buffer, by its first byte.
    // Unchecked: whoever has the pointer is the buffer's only owner.
    private struct Buffer: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
    }

    private struct State {
        var idle: [Buffer] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    deinit {
        close()
    }

    /// A buffer of `size` bytes, whatever was in it.
    func take() -> UnsafeMutableRawBufferPointer {
        let buffer = state.withLock { $0.idle.popLast() }
        let start = buffer?.start ?? Self.allocate()
        return UnsafeMutableRawBufferPointer(start: start, count: Self.size)
    }

    /// The first bytes of a buffer, which comes back here with the last copy of the data.
    func data(_ buffer: UnsafeMutableRawBufferPointer, count: Int) -> Data {
        guard let start = buffer.baseAddress else { return Data() }
        return Data(
            bytesNoCopy: start,
            count: count,
            deallocator: .custom { [self] start, _ in giveBack(start) }
        )
    }

    /// Takes a buffer back that nobody reads any more.
    func giveBack(_ start: UnsafeMutableRawPointer) {
        let isKept = state.withLock { state in
            guard !state.isClosed, state.idle.count < Self.mostIdle else { return false }
            state.idle.append(Buffer(start: start))
            return true
        }
        if !isKept { Self.free(start) }
    }

    /// Frees those that are idle, and from now on each that comes back.
    func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            defer { state.idle = [] }
            return state.idle
        }
        for buffer in idle { Self.free(buffer.start) }
    }

    /// Has the kernel make one: blocks of this size, each freed by another thread, have the
    /// allocator's heap grow to twice of what is in them.
    private static func allocate() -> UnsafeMutableRawPointer {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let start = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0),
            start != MAP_FAILED
        else { fatalError("out of memory") }
        return start
    }

    private static func free(_ start: UnsafeMutableRawPointer) {
        munmap(start, size)
    }
}
