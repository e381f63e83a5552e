import Glibc
import SystemPackage
import URLLoading

/// The URLs of a file, a line at a time, as they come.
///
/// It never holds more than one line and what came with it.
@MainLoop
final class URLList {
    /// What comes next.
    enum Next {
        /// A URL as it was written, and the number of its line.
        case url(String, line: Int)
        /// A line that cannot be one, and why.
        case flaw(String, line: Int)
        /// Nothing is there yet.
        case wait
        case end
        case failed(URLError)
    }

    /// What a line may have, bytes: more than any server takes.
    private static let longestLine = 64 << 10

    /// What it is called in messages.
    nonisolated let name: String
    nonisolated let descriptor: FileDescriptor
    private let isOwned: Bool
    /// What was read, from `start` on not looked at.
    private var buffer: [UInt8] = []
    private var start = 0
    private var line = 0
    private var hasEnded = false
    /// Whether the rest of a line that is too long is still to come.
    private var isSkipping = false

    /// Opens the file.
    ///
    /// - Parameter source: where it is.
    /// - Throws: `cannotOpenFile`, `fileIsDirectory`.
    nonisolated init(_ source: URLListSource) throws(URLError) {
        switch source {
        case .standardInput:
            (name, descriptor, isOwned) = ("standard input", .standardInput, false)
        case .file(let path):
            name = path
            isOwned = true
            do {
                descriptor = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            } catch {
                throw URLError(.cannotOpenFile, detail: "--input-file \(path): \(error)")
            }
        }
    }

    deinit {
        if isOwned { try? descriptor.close() }
    }

    /// Takes the next line that has something in it.
    func next() -> Next {
        while true {
            if let bytes = takeLine() {
                line += 1
                if isSkipping {
                    isSkipping = false
                    continue
                }
                let text = bytes.drop(while: Self.isBlank)
                guard let first = text.first, first != UInt8(ascii: "#") else { continue }
                let trimmed = text.prefix(
                    1 + (text.lastIndex { !Self.isBlank($0) } ?? 0) - text.startIndex
                )
                guard let url = String(validating: trimmed, as: UTF8.self) else {
                    return .flaw("it is not UTF-8", line: line)
                }
                return .url(url, line: line)
            }
            if hasEnded { return .end }
            if buffer.count - start > Self.longestLine {
                let isNew = !isSkipping
                buffer = []
                start = 0
                isSkipping = true
                if isNew {
                    return .flaw("it has more than \(Self.longestLine) bytes", line: line + 1)
                }
            }
            guard isReadable else { return .wait }
            do {
                try read()
            } catch {
                hasEnded = true
                start = buffer.endIndex
                return .failed(URLError(.cannotOpenFile, detail: "\(name): \(error)"))
            }
        }
    }

    /// The bytes up to the next end of a line; at the end of the file, what is left.
    private func takeLine() -> ArraySlice<UInt8>? {
        let rest = buffer[start...]
        if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            start = end + 1
            return rest[..<end]
        }
        guard hasEnded, !rest.isEmpty else { return nil }
        start = buffer.endIndex
        return rest
    }

    private var isReadable: Bool {
        var asked = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        return poll(&asked, 1, 0) != 0
    }

    private func read() throws {
        buffer.removeFirst(start)
        start = 0
        let count = try withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { space in
            let count = try descriptor.read(into: UnsafeMutableRawBufferPointer(space))
            buffer += space[..<count]
            return count
        }
        hasEnded = count == 0
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0d).contains(byte)
    }
}
