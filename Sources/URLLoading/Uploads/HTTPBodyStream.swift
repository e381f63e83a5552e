import CLinux
public import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage

/// A request's body that the session reads in pieces while it sends the body.
///
/// The session's transfer thread reads it, one call at a time, and the stream must not block that thread: a
/// stream without available bytes returns the descriptor to wait for. A task sends a stream once; if it
/// needs the body again, it asks the delegate for a new stream.
public protocol HTTPBodyStream: AnyObject, Sendable {
    /// The length of the whole body, bytes; `nil` if the stream knows it only at its end.
    var contentLength: Int64? { get }

    /// Copies the next bytes of the body into the space, as many as are available and fit.
    ///
    /// Throws the error of the task.
    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead

    /// Seeks to this offset, if possible.
    ///
    /// - Returns: whether the next read starts there.
    func seek(to offset: Int64) -> Bool
}

extension HTTPBodyStream {
    /// Returns `false`.
    public func seek(to offset: Int64) -> Bool {
        false
    }
}

/// The result of reading a body.
public enum HTTPBodyStreamRead: Sendable, Hashable {
    /// This number of bytes, at least one.
    case bytes(Int)
    /// The body has ended.
    case end
    /// No bytes are available: read again when poll(2) reports this descriptor as readable or ended.
    case waitForReadable(CInt)
}

/// A body in memory.
public final class DataBodyStream: HTTPBodyStream {
    private let data: Data
    private let offset = Mutex(0)

    /// Sends these bytes.
    public init(_ data: Data) {
        self.data = data
    }

    /// The length of the whole body, bytes.
    public var contentLength: Int64? { Int64(data.count) }

    /// Copies the next bytes; never waits.
    public func read(
        into space: UnsafeMutableRawBufferPointer
    ) throws(URLError) -> HTTPBodyStreamRead {
        offset.withLock { offset in
            let count = min(space.count, data.count - offset)
            guard count > 0 else { return .end }
            let start = data.startIndex + offset
            data.copyBytes(to: space.bindMemory(to: UInt8.self), from: start..<start + count)
            offset += count
            return .bytes(count)
        }
    }

    /// Seeks within the data.
    public func seek(to offset: Int64) -> Bool {
        guard offset >= 0, offset <= data.count else { return false }
        self.offset.withLock { $0 = Int(offset) }
        return true
    }
}

/// A file's content as a body; the session reads it while it sends it.
///
/// The length is the file's length when the stream is created. The task fails if the file becomes shorter;
/// it does not send bytes that another process adds later.
public final class FileBodyStream: HTTPBodyStream {
    private let stream: DescriptorBodyStream

    /// Opens a file.
    ///
    /// Throws `fileDoesNotExist`, `fileIsDirectory`, `noPermissionsToReadFile`, or `cannotOpenFile`.
    public convenience init(_ file: URL) throws(URLError) {
        try self.init(file, from: 0)
    }

    /// Opens a file, whose bytes before an offset are not part of the body.
    package init(_ file: URL, from start: Int64) throws(URLError) {
        let (descriptor, _) = try FileStatus.open(file.path)
        guard lseek(descriptor.rawValue, off_t(start), SEEK_SET) >= 0 else {
            let reason = Errno(rawValue: errno)
            try? descriptor.close()
            throw URLError(.cannotOpenFile, at: file.path, reason)
        }
        stream = DescriptorBodyStream(descriptor.rawValue, isOwned: true, name: file.path)
    }

    /// The length of the whole body, bytes.
    public var contentLength: Int64? { stream.contentLength }

    /// Reads the next bytes of the file.
    ///
    /// Throws `cannotOpenFile` where the file was truncated meanwhile, or the disk fails.
    public func read(
        into space: UnsafeMutableRawBufferPointer
    ) throws(URLError) -> HTTPBodyStreamRead {
        try stream.read(into: space)
    }

    /// Seeks within the file.
    public func seek(to offset: Int64) -> Bool {
        stream.seek(to: offset)
    }
}

/// The bytes of a descriptor: a regular file from its current offset, or a pipe, a terminal, or
/// a socket to its end.
///
/// The caller still owns a descriptor that it gave: the stream neither closes it nor makes it
/// non-blocking, which would affect every process that shares it. It reads only when poll(2) reports
/// that a read does not block.
public final class DescriptorBodyStream: HTTPBodyStream {
    /// 1 MiB: an upload from a pipe then takes 0.44 of the time with the kernel's 64 KiB.
    private static let pipeSize: CInt = 1 << 20

    /// The rest of a regular file, bytes; `nil` for other descriptors.
    public let contentLength: Int64?
    private let descriptor: FileDescriptor
    private let isOwned: Bool
    /// The name for messages.
    private let name: String
    private let start: Int64
    private let count = Mutex<Int64>(0)

    /// Sends the bytes of a descriptor until its end.
    public convenience init(_ descriptor: CInt) {
        self.init(descriptor, isOwned: false, name: "the body's file")
    }

    /// Opens a file that is not a regular one, and closes it at the end; throws `cannotOpenFile`.
    package convenience init(opening path: String) throws(URLError) {
        do {
            // Opening a FIFO without a writer would block; poll(2) waits for the writer.
            let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
            let file = try FileDescriptor.open(path, .readOnly, options: options)
            self.init(file.rawValue, isOwned: true, name: path)
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
        }
    }

    fileprivate init(_ descriptor: CInt, isOwned: Bool, name: String) {
        self.descriptor = FileDescriptor(rawValue: descriptor)
        self.isOwned = isOwned
        self.name = name
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        start = isFile ? Int64(lseek(descriptor, 0, SEEK_CUR)) : 0
        contentLength = isFile ? max(0, Int64(status.st_size) - start) : nil
        // Only a pipe accepts the size, up to the user's limit; a failure does not matter.
        if !isFile { _ = linux_enlarge_pipe(descriptor, Self.pipeSize) }
    }

    deinit {
        if isOwned { try? descriptor.close() }
    }

    /// Reads the available bytes, without blocking.
    ///
    /// Throws `cannotOpenFile` where a file was truncated meanwhile, or reading fails.
    public func read(
        into space: UnsafeMutableRawBufferPointer
    ) throws(URLError) -> HTTPBodyStreamRead {
        if contentLength == nil {
            var asked = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&asked, 1, 0) != 0 else {
                return .waitForReadable(descriptor.rawValue)
            }
        }
        return try count.withLock { count throws(URLError) in
            let left = contentLength.map { Int(clamping: $0 - count) } ?? space.count
            let room = UnsafeMutableRawBufferPointer(rebasing: space.prefix(max(0, left)))
            guard !room.isEmpty else { return .end }
            let taken: Int
            do {
                taken = try descriptor.read(into: room)
            } catch Errno.resourceTemporarilyUnavailable {
                return .waitForReadable(descriptor.rawValue)
            } catch {
                throw URLError(.cannotOpenFile, detail: "\(name): \(error)")
            }
            if taken == 0, let contentLength {
                let (end, length) = (start + count, start + contentLength)
                let words = "\(name) was cut to \(end) bytes while it was sent (of \(length))"
                throw URLError(.cannotOpenFile, detail: words)
            }
            count += Int64(taken)
            return taken == 0 ? .end : .bytes(taken)
        }
    }

    /// Seeks in a regular file.
    public func seek(to offset: Int64) -> Bool {
        guard let contentLength, (0...contentLength).contains(offset) else { return false }
        return count.withLock { count in
            guard lseek(descriptor.rawValue, off_t(start + offset), SEEK_SET) >= 0 else {
                return false
            }
            count = offset
            return true
        }
    }
}
