import CLinux
import Glibc
import SystemPackage
import URLLoading

/// An output that is not a file: a descriptor, written to until its reader closes it.
struct OutputDescriptor: Sendable {
    /// 512 KiB: a body through a pipe takes 0.6 of the time it takes through the kernel's 64 KiB.
    private static let pipeSize: CInt = 512 << 10

    let descriptor: FileDescriptor
    /// What it is called in messages.
    let name: String

    static let standardOutput = OutputDescriptor(descriptor: .standardOutput, name: "stdout")
    static let standardError = OutputDescriptor(descriptor: .standardError, name: "stderr")

    private init(descriptor: FileDescriptor, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    /// One that was open when the program began.
    init(_ number: CInt, name: String? = nil) {
        descriptor = FileDescriptor(rawValue: number)
        self.name = name ?? "descriptor \(number)"
    }

    /// Opens a device, a FIFO or the like for writing; never made, never emptied.
    ///
    /// Throws `cannotOpenFile`, also where it belongs to another user in a folder that others can
    /// write to.
    init(opening path: String) throws(URLError) {
        try self.init(path, [])
    }

    /// Makes a file, or empties the one that is there, unless it must stay; what others write to it
    /// meanwhile stays.
    ///
    /// A new one is for its owner alone where it `isPrivate`: what servers set may be in it.
    ///
    /// Throws `cannotOpenFile`, also where it belongs to another user in a folder that others can
    /// write to.
    init(
        creating path: String,
        empties: Bool = true,
        isPrivate: Bool = false
    ) throws(URLError) {
        try self.init(
            path,
            [.create, .append],
            FilePermissions(rawValue: isPrivate ? 0o600 : 0o666)
        )
        // Not with open(2): it is looked at first.
        guard empties, place?.kind == S_IFREG, ftruncate(descriptor.rawValue, 0) != 0 else {
            return
        }
        let reason = Errno(rawValue: errno)
        close()
        throw URLError(.cannotOpenFile, detail: "\(path): \(reason)")
    }

    private init(
        _ path: String,
        _ options: FileDescriptor.OpenOptions,
        _ permissions: FilePermissions = FilePermissions(rawValue: 0o666)
    ) throws(URLError) {
        do {
            let isOpen = Self.isDescriptor(path)
            let target = try isOpen ? path : FolderTrust.resolve(path) ?? path
            let file = try FileDescriptor.open(
                target,
                .writeOnly,
                options: options.union(isOpen ? .closeOnExec : [.closeOnExec, .noFollow]),
                permissions: permissions
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

    /// Whether a path is the kernel's name of what is open already.
    private static func isDescriptor(_ path: String) -> Bool {
        ["/dev/std", "/dev/fd/", "/proc/"].contains { path.utf8.starts(with: $0.utf8) }
    }

    /// Closes it; nothing is written to it any more.
    func close() {
        try? descriptor.close()
    }

    /// Whether a user watches the output.
    var isTerminal: Bool { isatty(descriptor.rawValue) != 0 }

    /// The file, pipe or whatever it leads to.
    var place: FilePlace? { FilePlace(descriptor: descriptor.rawValue) }

    /// Lets a pipe hold more, so that writer and reader wait for each other less often.
    ///
    /// Only a pipe takes it, and only up to the user's limit; either way the bytes are the same.
    func enlargePipe() {
        _ = linux_enlarge_pipe(descriptor.rawValue, Self.pipeSize)
    }

    /// Writes all of it, waiting as long as the reader does.
    ///
    /// Throws `OutputClosed` where the reader has gone, a `URLError` for all else.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(try writeSome(UnsafeRawBufferPointer(rebasing: rest)))
        }
    }

    /// Writes all of a file.
    ///
    /// Throws what ``write(_:)`` does, and `cannotOpenFile` where it cannot be read.
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

    /// Writes as much as the reader takes within a time, and drops the rest.
    func write(_ bytes: [UInt8], within timeout: Duration) {
        let end = MonotonicInstant.now + timeout
        // What poll(2) says there is room for: pipe(7); of a terminal it says only that there is some.
        let piece = isTerminal ? 64 : Int(PIPE_BUF)
        var rest = bytes[...]
        while !rest.isEmpty {
            let left = (end - .now) / .milliseconds(1)
            guard left > 0 else { return }
            var asked = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
            guard poll(&asked, 1, CInt(left) + 1) > 0 else { return }
            let count = rest.prefix(piece).withUnsafeBytes { try? writeSome($0) }
            guard let count else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes once, waits until that is possible, and returns the number of bytes.
    ///
    /// Throws what `write` does.
    func writeSome(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        do {
            return try descriptor.write(bytes)
        } catch Errno.brokenPipe {
            throw OutputClosed()
        } catch Errno.resourceTemporarilyUnavailable {
            // Another process that shares it has made it non-blocking.
            try waitUntilWritable()
            return 0
        } catch {
            throw URLError(.cannotWriteToFile, detail: "\(name): \(error)")
        }
    }

    /// Whether so many bytes are written without waiting for a reader.
    func takes(_ count: Int) -> Bool {
        var asked = pollfd(fd: descriptor.rawValue, events: Int16(POLLOUT), revents: 0)
        guard poll(&asked, 1, 0) > 0 else { return false }
        // Of a pipe poll(2) speaks for so many: pipe(7). A reader that has gone is found out at once.
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

/// The reader of a pipe has closed it.
///
/// This ends the run, and is no error.
struct OutputClosed: Error {}
