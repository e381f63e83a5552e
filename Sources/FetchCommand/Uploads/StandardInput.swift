import Glibc
import Synchronization
import URLLoading

/// Standard input as a body: once from a pipe, again and again from a file.
final class StandardInput: Sendable {
    private let stream = Mutex<DescriptorBodyStream?>(nil)

    /// A stream at the first byte; `nil` where that byte has been taken for good.
    func open() -> (any HTTPBodyStream)? {
        stream.withLock { stream in
            if let stream { return stream.seek(to: 0) ? stream : nil }
            let opened = DescriptorBodyStream(STDIN_FILENO)
            stream = opened
            return opened
        }
    }
}
