import Glibc
import SystemPackage
import URLLoading

/// The URLs of a file or a pipe, a line at a time, as they come.
@MainLoop
final class URLList {
    /// What comes next.
    enum Next {
        case line(URLLines.Line)
        /// Nothing is there yet.
        case wait
        case end
        /// Nothing more can be had, and why.
        case failed(URLError)
    }

    /// What it is called in messages.
    nonisolated let name: String
    nonisolated let descriptor: FileDescriptor
    private let isOwned: Bool
    private var lines = URLLines()
    private var hasEnded = false

    /// Opens the file.
    ///
    /// - Parameter source: where it is.
    /// - Throws: `cannotOpenFile`.
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
            if let line = lines.next() { return .line(line) }
            if hasEnded { return .end }
            guard isReadable else { return .wait }
            do {
                try read()
            } catch {
                hasEnded = true
                return .failed(URLError(.cannotOpenFile, detail: "--input-file \(name): \(error)"))
            }
        }
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
