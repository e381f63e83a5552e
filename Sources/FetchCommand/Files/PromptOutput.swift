import CLinux
import Glibc
import SystemPackage
import URLLoading

/// An output that is written to without ever waiting for its reader.
///
/// A non-blocking flag on our descriptor would affect every process that shares it. So a pipe or a
/// terminal is opened once more, non-blocking, and a socket gets a flag with each write.
final class PromptOutput: Sendable {
    private enum Kind {
        /// A file, or a device that is no terminal: there is no reader to wait for.
        case blocking
        /// Our own descriptor, non-blocking.
        case ownPipe
        case socket
        /// It cannot be opened again, as after su(1): this many bytes at once, each time after
        /// poll(2).
        case cautious(Int)
    }

    /// The descriptor for poll(2), if not all was written.
    let descriptor: CInt
    private let output: OutputDescriptor
    private let kind: Kind

    /// - Parameters:
    ///   - output: where the bytes go.
    ///   - opens: whether to open it once more; `false` is for tests.
    init(_ output: OutputDescriptor, opens: Bool = true) {
        self.output = output
        let shared = output.descriptor.rawValue
        let kind = output.place?.kind
        let isTerminal = kind == S_IFCHR && output.isTerminal
        guard kind == S_IFIFO || isTerminal else {
            descriptor = shared
            self.kind = kind == S_IFSOCK ? .socket : .blocking
            return
        }
        let options = FileDescriptor.OpenOptions(rawValue: O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        let path = FilePath("/proc/self/fd/\(shared)")
        if opens, let own = try? FileDescriptor.open(path, .writeOnly, options: options) {
            descriptor = own.rawValue
            self.kind = .ownPipe
        } else {
            descriptor = shared
            // What poll(2) says there is room for: pipe(7); of a terminal only that there is some.
            self.kind = .cautious(isTerminal ? 64 : Int(PIPE_BUF))
        }
    }

    deinit {
        if case .ownPipe = kind { close(descriptor) }
    }

    /// Writes as much as possible without waiting, perhaps 0 bytes.
    ///
    /// Throws what ``OutputDescriptor/write(_:)`` does.
    func write(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = try writeOnce(rest)
            guard count > 0 else { break }
            written += count
        }
        return written
    }

    private func writeOnce(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        var count: Int
        switch kind {
        case .blocking: return try output.writeSome(bytes)
        case .ownPipe: count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        case .socket:
            let flags = CInt(Int(MSG_DONTWAIT) | Int(MSG_NOSIGNAL))
            count = send(descriptor, bytes.baseAddress, bytes.count, flags)
        case .cautious(let piece):
            let first = UnsafeRawBufferPointer(rebasing: bytes.prefix(piece))
            return output.takes(first.count) ? try output.writeSome(first) : 0
        }
        guard count < 0 else { return count }
        switch Errno(rawValue: errno) {
        case .resourceTemporarilyUnavailable: return 0
        case .interrupted: return try writeOnce(bytes)
        case .brokenPipe, .connectionReset: throw OutputClosed()
        case let error: throw URLError(.cannotWriteToFile, detail: "\(output.name): \(error)")
        }
    }
}
