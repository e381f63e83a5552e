import CLinux
import Glibc
import SystemPackage
import URLLoading

/// An output whose writes never block.
///
/// O_NONBLOCK on a shared descriptor would affect every process that shares it. So a pipe or a
/// terminal is opened again as non-blocking, and a socket gets MSG_DONTWAIT with each write.
final class PromptOutput: Sendable {
    private enum Kind {
        /// A file, or a device other than a terminal: writes do not wait for a reader.
        case blocking
        /// A pipe or terminal opened again, non-blocking; this object owns the descriptor.
        case ownPipe
        case socket
        /// Opening failed, as after su(1): at most this many bytes a write, each after poll(2).
        case polled(Int)
    }

    /// The descriptor for poll(2) after a partial write.
    let descriptor: CInt
    private let output: OutputDescriptor
    private let kind: Kind

    /// `opens`: whether to open the output again; `false` is for tests.
    init(_ output: OutputDescriptor, opens: Bool = true) {
        self.output = output
        let shared = output.descriptor.rawValue
        let kind = output.place?.kind
        guard kind == S_IFIFO || kind == S_IFCHR && output.isTerminal else {
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
            self.kind = .polled(output.promptLength)
        }
    }

    deinit {
        if case .ownPipe = kind { close(descriptor) }
    }

    /// Writes as many bytes as possible without blocking; throws as ``OutputDescriptor/write(_:)``.
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
        case .polled(let piece):
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
