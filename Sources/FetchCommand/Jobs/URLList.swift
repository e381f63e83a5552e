import Glibc
import SystemPackage
import URLLoading

/// The URLs of a file or a pipe, read line by line as they arrive.
@MainLoop
final class URLList {
    enum Next {
        case line(URLLines.Line)
        /// No complete line with a URL has arrived yet.
        case wait
        case end
        case failed(URLError)
    }

    nonisolated let name: String
    nonisolated let descriptor: FileDescriptor
    private let isOwned: Bool
    private var lines = URLLines()
    private var hasEnded = false

    /// Opens the file; throws `cannotOpenFile`.
    nonisolated init(_ source: InputPath) throws(URLError) {
        switch source {
        case .standardInput:
            (name, descriptor, isOwned) = ("standard input", .standardInput, false)
        case .file(let path):
            name = path
            isOwned = true
            descriptor = try mapError(
                FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            ) { (error: any Error) in
                URLError(.cannotOpenFile, detail: "--input-file \(path): \(error)")
            }
        }
    }

    deinit {
        if isOwned { try? descriptor.close() }
    }

    /// Takes the next line that has a URL.
    ///
    /// A call reads once: signals come between two calls, also in a list that never ends.
    func next() -> Next {
        if let line = lines.next() { return .line(line) }
        if hasEnded { return .end }
        guard isReadable else { return .wait }
        do {
            try read()
        } catch {
            hasEnded = true
            return .failed(URLError(.cannotOpenFile, detail: "--input-file \(name): \(error)"))
        }
        return lines.next().map(Next.line) ?? (hasEnded ? .end : .wait)
    }

    private var isReadable: Bool {
        var asked = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&asked, 1, 0) != 0
    }

    private func read() throws {
        try withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { space in
            let count = try descriptor.read(into: space)
            lines.append(UnsafeRawBufferPointer(rebasing: space[..<count]))
            hasEnded = count == 0
        }
        if hasEnded { lines.end() }
    }
}

/// Splits a list of URLs into lines as bytes arrive, of which it buffers at most one line.
struct URLLines {
    /// One line that is neither empty nor a comment.
    struct Line: Equatable {
        enum Content: Equatable {
            /// The URL as written, trimmed of blanks.
            case url(String)
            case invalid(String)
        }

        /// Counts from 1.
        let number: Int
        let content: Content
    }

    /// The maximum length of a line, in bytes: more than servers accept.
    static let longest = 64 << 10

    /// The received bytes; those from `start` on are not parsed.
    private var buffer: [UInt8] = []
    private var start = 0
    private var number = 0
    /// Whether the rest of a line that is too long has yet to arrive.
    private var isSkipping = false
    private var hasEnded = false

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        buffer.removeFirst(start)
        start = 0
        buffer += bytes
    }

    mutating func end() { hasEnded = true }

    /// The next line that is neither empty nor a comment; `nil` if none has arrived yet.
    mutating func next() -> Line? {
        while let bytes = take() {
            number += 1
            if isSkipping {
                isSkipping = false
                continue
            }
            let text = (number == 1 ? bytes.withoutByteOrderMark : bytes[...]).trimming(\.isSpace)
            guard let first = text.first, first != UInt8(ascii: "#") else { continue }
            let url = String(validating: text, as: UTF8.self)
            return Line(
                number: number,
                content: url.map { .url($0) } ?? .invalid("it is not UTF-8")
            )
        }
        guard !isSkipping, buffer.count - start > Self.longest else { return nil }
        isSkipping = true
        start = buffer.endIndex
        let words = "it has more than \(Self.longest) bytes"
        return Line(number: number + 1, content: .invalid(words))
    }

    /// The bytes up to the next line end; at the end of the input, the rest.
    private mutating func take() -> ArraySlice<UInt8>? {
        let rest = buffer[start...]
        if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            start = end + 1
            return rest[..<end]
        }
        if isSkipping { start = buffer.endIndex }
        guard hasEnded, !rest.isEmpty else { return nil }
        start = buffer.endIndex
        return rest
    }
}
