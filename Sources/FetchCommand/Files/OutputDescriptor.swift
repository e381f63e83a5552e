import CLinux
import Glibc
import SystemPackage
import URLLoading

/// A file descriptor for output, written to until its reader closes it.
struct OutputDescriptor: Sendable {
    /// In bytes; a body then takes 0.6 of the time that it takes with the kernel's 64 KiB.
    private static let pipeSize: CInt = 512 << 10

    let descriptor: FileDescriptor
    let name: String

    static let standardOutput = OutputDescriptor(STDOUT_FILENO, name: "stdout")
    static let standardError = OutputDescriptor(STDERR_FILENO, name: "stderr")

    /// A descriptor that was open when the program started.
    init(_ number: CInt, name: String? = nil) {
        descriptor = FileDescriptor(rawValue: number)
        self.name = name ?? "descriptor \(number)"
    }

    /// Opens a device or FIFO; throws `cannotOpenFile`, also for a foreign one in a shared folder.
    init(opening path: String) throws(URLError) { try self.init(path, []) }

    /// Creates a file for appending, and truncates an existing one if `empties`.
    ///
    /// Bytes that other processes append meanwhile are kept. A new file is readable for its owner
    /// alone, because it may contain secrets from servers.
    ///
    /// Throws `cannotOpenFile`, also if it belongs to another user in a folder that others can
    /// write to.
    init(creating path: String, empties: Bool = true) throws(URLError) {
        try self.init(path, [.create, .append])
        // O_TRUNC would truncate the file before its owner is checked.
        guard empties, place?.kind == S_IFREG, ftruncate(descriptor.rawValue, 0) != 0 else {
            return
        }
        let reason = Errno(rawValue: errno)
        close()
        throw URLError(.cannotOpenFile, detail: "\(path): \(reason)")
    }

    private init(_ path: String, _ options: FileDescriptor.OpenOptions) throws(URLError) {
        do {
            // The kernel's names of open descriptors.
            let isOpen = ["/dev/std", "/dev/fd/", "/proc/"].contains {
                path.utf8.starts(with: $0.utf8)
            }
            let target = try isOpen ? path : FolderTrust.resolve(path) ?? path
            let file = try FileDescriptor.open(
                target,
                .writeOnly,
                options: options.union(isOpen ? .closeOnExec : [.closeOnExec, .noFollow]),
                permissions: .ownerReadWrite
            )
            do throws(ForeignFile) {
                try FolderTrust.check(file, at: target)
            } catch {
                try? file.close()
                throw error
            }
            descriptor = file
        } catch let error as ForeignFile {
            throw URLError(.cannotOpenFile, detail: "\(error)")
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
        }
        name = path
    }

    /// Closes the descriptor; no method may be called afterwards.
    func close() { try? descriptor.close() }

    var isTerminal: Bool { isatty(descriptor.rawValue) != 0 }

    var place: FilePlace? { FilePlace(descriptor: descriptor.rawValue) }

    /// How many bytes a write may have once poll(2) has reported room (pipe(7)).
    var promptLength: Int { isTerminal ? 64 : Int(PIPE_BUF) }

    /// Enlarges a pipe's buffer, so that both sides wait less often; failure does not matter.
    func enlargePipe() { _ = linux_enlarge_pipe(descriptor.rawValue, Self.pipeSize) }

    /// Writes all bytes, blocking; throws `OutputClosed` without a reader, and else `URLError`.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(try writeSome(UnsafeRawBufferPointer(rebasing: rest)))
        }
    }

    /// Writes a whole file; throws as ``write(_:)``, and `cannotOpenFile` if it cannot be read.
    func copy(_ file: FileDescriptor) throws {
        do {
            let space = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
            defer { space.deallocate() }
            while true {
                let count = try file.read(into: space)
                guard count > 0 else { return }
                try write(UnsafeRawBufferPointer(rebasing: space[..<count]))
            }
        } catch let error as Errno {
            throw URLError(.cannotOpenFile, detail: "the body: \(error)")
        }
    }

    /// Writes as many bytes as the reader accepts within a time, and drops the rest.
    func write(_ bytes: [UInt8], within timeout: Duration) {
        let end = MonotonicInstant.now + timeout
        let piece = promptLength
        var rest = bytes[...]
        while !rest.isEmpty {
            let left = (end - .now) / .milliseconds(1)
            guard left > 0 else { return }
            var asked = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
            let ready = poll(&asked, 1, CInt(left) + 1)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return }
            let count = rest.prefix(piece).withUnsafeBytes { try? writeSome($0) }
            guard let count else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes once, blocking; returns the number of bytes, and throws as ``write(_:)`` does.
    func writeSome(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        do {
            return try descriptor.write(bytes)
        } catch Errno.brokenPipe {
            throw OutputClosed()
        } catch Errno.resourceTemporarilyUnavailable {
            // Another process shares the open file description, and has made it non-blocking.
            try waitUntilWritable()
            return 0
        } catch {
            throw URLError(.cannotWriteToFile, detail: "\(name): \(error)")
        }
    }

    /// The error for an output other than standard output whose reader has closed it.
    var closedError: URLError {
        URLError(.cannotWriteToFile, detail: "\(name): the reader has closed it")
    }

    /// Whether `count` bytes can be written without waiting for a reader.
    func takes(_ count: Int) -> Bool {
        var asked = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
        guard poll(&asked, 1, 0) > 0 else { return false }
        // pipe(7): poll(2) reports room for PIPE_BUF bytes; it also reports a closed pipe.
        guard count > Int(PIPE_BUF), asked.revents & Int16(POLLERR | POLLNVAL) == 0 else {
            return true
        }
        return place?.kind == S_IFREG
    }

    private func waitUntilWritable() throws {
        var asked = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
        guard poll(&asked, 1, -1) >= 0 || errno == EINTR else {
            throw URLError(.cannotWriteToFile, detail: "\(name): \(Errno(rawValue: errno))")
        }
    }
}

/// The reader has closed the pipe, which ends the run, and is not an error.
struct OutputClosed: Error {}
