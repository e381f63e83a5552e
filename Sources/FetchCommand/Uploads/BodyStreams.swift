import FoundationEssentials
import Synchronization
import SystemPackage
import URLLoading

/// Several streams, read one after another.
final class JoinedStream: HTTPBodyStream {
    let contentLength: Int64?
    private let rest: Mutex<ArraySlice<any HTTPBodyStream>>

    init(_ streams: [any HTTPBodyStream]) {
        contentLength = streams.reduce(0) { sum, stream in
            guard let sum, let length = stream.contentLength else { return nil }
            return sum.adding(clamping: length)
        }
        rest = Mutex(streams[...])
    }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead {
        try rest.withLock { rest throws(URLError) in
            while let stream = rest.first {
                let read = try stream.read(into: space)
                guard read == .end else { return read }
                rest.removeFirst()
            }
            return .end
        }
    }
}

/// A stream without CR, LF and NUL bytes, as curl sends `-d @FILE`.
final class LineJoiningStream: HTTPBodyStream {
    private let source: any HTTPBodyStream

    init(_ source: any HTTPBodyStream) {
        self.source = source
    }

    /// Unknown until the source was read completely.
    var contentLength: Int64? { nil }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead {
        while true {
            let read = try source.read(into: space)
            guard case .bytes(let count) = read else { return read }
            var kept = 0
            for index in 0..<count where !Self.isDropped(space[index]) {
                space[kept] = space[index]
                kept += 1
            }
            if kept > 0 { return .bytes(kept) }
        }
    }

    /// Seeks to the beginning if the source can.
    func seek(to offset: Int64) -> Bool { offset == 0 && source.seek(to: 0) }

    /// Whether curl drops the byte.
    static func isDropped(_ byte: UInt8) -> Bool {
        byte == 0x0D || byte == 0x0A || byte == 0
    }
}

/// A file that is not a regular one, opened by its path and closed at the end.
final class OpenedStream: HTTPBodyStream {
    private let descriptor: FileDescriptor
    private let stream: DescriptorBodyStream

    /// Throws `cannotOpenFile`.
    init(_ path: String) throws(URLError) {
        do {
            // Opening a FIFO without a writer would block; poll(2) waits for the writer.
            descriptor = try FileDescriptor.open(
                path,
                .readOnly,
                options: [.closeOnExec, .nonBlocking]
            )
        } catch {
            throw URLError(.cannotOpenFile, detail: "\(path): \(error)")
        }
        stream = DescriptorBodyStream(descriptor.rawValue)
    }

    deinit {
        try? descriptor.close()
    }

    var contentLength: Int64? { stream.contentLength }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead {
        try stream.read(into: space)
    }
}

/// A file's content after an offset, as a body.
final class RestOfFileStream: HTTPBodyStream {
    private let file: FileBodyStream
    private let offset: Int64
    let contentLength: Int64?

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - offset: the offset of the first byte to read.
    ///   - size: the file's size in bytes when the plan was made.
    /// - Throws: errors of opening the file; `cannotOpenFile` if its size has changed.
    init(_ path: String, from offset: Int64, size: Int64) throws(URLError) {
        file = try FileBodyStream(URL(filePath: AbsolutePath.of(path)))
        self.offset = offset
        contentLength = size - offset
        guard file.contentLength == size, file.seek(to: offset) else {
            throw URLError(.cannotOpenFile, detail: "\(path) is now shorter than \(size) bytes")
        }
    }

    func read(into space: UnsafeMutableRawBufferPointer) throws(URLError) -> HTTPBodyStreamRead {
        try file.read(into: space)
    }

    func seek(to offset: Int64) -> Bool {
        guard offset >= 0, offset <= contentLength ?? 0 else { return false }
        return file.seek(to: self.offset + offset)
    }
}
