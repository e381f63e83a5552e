import FoundationEssentials
import SystemPackage
import URLLoading

/// How far an events file says that a background session has been told: so that nothing is told
/// twice to whoever reads it, though a command was killed.
enum EventMark {
    /// The members that say so.
    private struct Line: Decodable {
        let session: String
        let sequence: Int
    }

    /// How much of a file is read at once, from its end.
    private static let step = 64 << 10

    /// Looks for the last event of a background session in a file, and cuts off the line at its end
    /// that a killed command has not finished; what is no line of events stays.
    ///
    /// - Parameter path: the file.
    /// - Returns: the mark; `nil` where the file is not there, or is no regular one, or tells of none.
    static func take(from path: String) -> BackgroundMark? {
        let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
        guard FileFacts.isFile(path),
            let file = try? FileDescriptor.open(FilePath(path), .readWrite, options: options)
        else { return nil }
        defer { try? file.close() }
        guard let size = try? file.seek(offset: 0, from: .end), size > 0 else { return nil }
        var tail: [UInt8] = []
        var start = size
        var isCut = false
        while start > 0 {
            let count = min(Int64(step), start)
            start -= count
            guard let piece = read(file, at: start, Int(count)) else { return nil }
            tail = piece + tail
            if !isCut {
                guard let last = tail.lastIndex(of: newline) else { continue }
                let torn = tail[(last + 1)...]
                if !torn.isEmpty {
                    guard isBegun(torn) else { return nil }
                    try? file.resize(to: start + Int64(last) + 1)
                    tail.removeSubrange((last + 1)...)
                }
                isCut = true
            }
            if let mark = lastMark(in: tail, isWhole: start == 0) { return mark }
        }
        if !isCut, isBegun(tail[...]) { try? file.resize(to: 0) }
        return nil
    }

    /// Whether it is the beginning of an event.
    private static func isBegun(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = Array(#"{"schema":"#.utf8)
        return bytes.prefix(head.count).elementsEqual(head.prefix(bytes.count))
    }

    private static let newline = UInt8(ascii: "\n")

    private static func read(_ file: FileDescriptor, at offset: Int64, _ count: Int) -> [UInt8]? {
        var space = [UInt8](repeating: 0, count: count)
        let filled = try? space.withUnsafeMutableBytes { bytes in
            var done = 0
            while done < count {
                let place = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
                let got = try file.read(fromAbsoluteOffset: offset + Int64(done), into: place)
                guard got > 0 else { break }
                done += got
            }
            return done == count
        }
        return filled == true ? space : nil
    }

    /// The first line may have lost its beginning.
    private static func lastMark(in bytes: [UInt8], isWhole: Bool) -> BackgroundMark? {
        let lines = bytes.split(separator: newline).dropFirst(isWhole ? 0 : 1)
        for line in lines.reversed() {
            guard let told = try? JSONDecoder().decode(Line.self, from: Data(line)) else {
                continue
            }
            return BackgroundMark(token: told.session, sequence: told.sequence)
        }
        return nil
    }
}
