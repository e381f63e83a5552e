import Glibc
import SystemPackage
import URLLoading

/// Where bodies go that have no file: a descriptor, written to until somebody stops reading.
struct OutputDescriptor: Sendable {
    let descriptor: FileDescriptor
    /// What it is called in messages.
    let name: String

    static let standardOutput = OutputDescriptor(descriptor: .standardOutput, name: "stdout")
    static let standardError = OutputDescriptor(descriptor: .standardError, name: "stderr")

    private init(descriptor: FileDescriptor, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// Opens a device, a FIFO or the like for writing; never made, never emptied.
    ///
    /// Throws `cannotOpenFile`.
    init(opening path: String) throws(URLError) {
        do {
            descriptor = try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
        }
        name = path
    }

    /// Writes all of it, waiting as long as the reader does.
    ///
    /// Throws `OutputClosed` where the reader has gone, a `URLError` for all else.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            do {
                let count = try descriptor.write(UnsafeRawBufferPointer(rebasing: rest))
                rest = rest.dropFirst(count)
            } catch Errno.brokenPipe {
                throw OutputClosed()
            } catch Errno.resourceTemporarilyUnavailable {
                // Somebody has made it non-blocking for all who share it.
                try waitUntilWritable()
            } catch {
                throw URLError(.cannotWriteToFile, detail: "\(name): \(error)")
            }
        }
    }

    private func waitUntilWritable() throws {
        var asked = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
        guard poll(&asked, 1, -1) >= 0 || errno == EINTR else {
            throw URLError(.cannotWriteToFile, detail: "\(name): \(Errno(rawValue: errno))")
        }
    }
}
