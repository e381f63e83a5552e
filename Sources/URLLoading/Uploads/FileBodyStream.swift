public import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage

/// A file's content as a body, read while it is sent.
///
/// The length is what it is when the stream is made. A file that is cut short meanwhile fails the
/// task; what is added to it is not sent.
public final class FileBodyStream: HTTPBodyStream {
    private let descriptor: FileDescriptor
    private let path: String
    private let length: Int64
    private let offset = Mutex<Int64>(0)

    /// Opens a file.
    ///
    /// Throws `fileDoesNotExist`, `fileIsDirectory`, `noPermissionsToReadFile`, or `cannotOpenFile`.
    public init(_ file: URL) throws(URLError) {
        path = file.path
        do {
            // Without O_NONBLOCK a FIFO that nobody writes to would hold the caller up.
            descriptor = try FileDescriptor.open(
                path,
                .readOnly,
                options: [.closeOnExec, .nonBlocking]
            )
        } catch {
            throw URLError(opening: path, error as? Errno ?? .ioError)
        }
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            try? descriptor.close()
            if status.st_mode & S_IFMT == S_IFDIR {
                throw URLError(.fileIsDirectory, detail: path)
            }
            throw URLError(.cannotOpenFile, detail: "\(path) is not a regular file")
        }
        length = Int64(status.st_size)
    }

    deinit {
        try? descriptor.close()
    }

    /// The length of the whole body, bytes.
    public var contentLength: Int64? { length }

    /// Reads the next bytes of the file.
    ///
    /// Throws `cannotOpenFile` where the file was cut short meanwhile, or the disk fails.
    public func read(
        into space: UnsafeMutableRawBufferPointer
    ) throws(URLError) -> HTTPBodyStreamRead {
        try offset.withLock { offset throws(URLError) in
            let wanted = Int(min(Int64(space.count), length - offset))
            guard wanted > 0 else { return .end }
            let count: Int
            do {
                count = try descriptor.read(
                    fromAbsoluteOffset: offset,
                    into: UnsafeMutableRawBufferPointer(rebasing: space[..<wanted])
                )
            } catch {
                throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
            }
            guard count > 0 else {
                throw URLError(
                    .cannotOpenFile,
                    detail: "\(path) was cut to \(offset) bytes while it was sent (of \(length))"
                )
            }
            offset += Int64(count)
            return .bytes(count)
        }
    }

    /// Goes anywhere within the file.
    public func seek(to offset: Int64) -> Bool {
        guard offset >= 0, offset <= length else { return false }
        self.offset.withLock { $0 = offset }
        return true
    }
}
