import CLinux
import SystemPackage

/// What comes out of a pipe, a terminal, or any other descriptor, as a body of unknown length.
///
/// The descriptor stays the caller's: it is neither closed nor made non-blocking (that would change
/// it for every process that shares it). It is read only when poll(2) says that it will not wait.
public final class DescriptorBodyStream: HTTPBodyStream {
    /// 1 MiB: upload from a pipe takes 0.44 of the time it takes through the kernel's 64 KiB.
    private static let pipeSize: CInt = 1 << 20

    private let descriptor: CInt

    /// Sends what can be read from a descriptor until it ends.
    public init(_ descriptor: CInt) {
        self.descriptor = descriptor
        // Only a pipe takes it, and only up to the user's limit; either way the body is the same.
        _ = linux_set_pipe_size(descriptor, Self.pipeSize)
    }

    public var contentLength: Int64? { nil }

    public func read(
        into space: UnsafeMutableRawBufferPointer
    ) throws(URLError) -> HTTPBodyStreamRead {
        var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard CLinux.poll(&asked, 1, 0) != 0 else { return .waitForReadable(descriptor) }
        do {
            let count = try FileDescriptor(rawValue: descriptor).read(into: space)
            return count == 0 ? .end : .bytes(count)
        } catch Errno.resourceTemporarilyUnavailable {
            return .waitForReadable(descriptor)
        } catch {
            throw URLError(.cannotOpenFile, detail: "reading the body: \(error)")
        }
    }
}
