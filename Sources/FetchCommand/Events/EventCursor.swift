import CLinux
import FoundationEssentials
import SystemPackage
import URLLoading

/// The last event of a background session in an events file, so that none is delivered twice.
enum EventCursor {
    /// The members of a line that form the cursor.
    private struct Line: Decodable {
        let session: String
        let sequence: Int
    }

    /// How much of a file's end is searched, in bytes: another program may have written it.
    static let limit: Int64 = 16 << 20
    /// The size of the first search window, and the factor by which it grows.
    private static let first: (size: Int64, factor: Int64) = (64 << 10, 16)

    /// Finds the last event of a background session at a file's end, and truncates a partial last
    /// line.
    ///
    /// A killed command leaves such a partial line. A partial line that is not an event is kept.
    ///
    /// An event beyond the limit is ignored: it was acknowledged long ago, so the session has
    /// recorded it. If a full disk prevented the record, the session delivers the event again, with
    /// `isRedelivery`.
    static func take(from path: String, within limit: Int64 = limit) -> BackgroundCursor? {
        let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking, .noFollow]
        // If the file is refused here, `EventLog` reports the error when it opens the file.
        guard let target = try? FolderTrust.resolve(path), FileFacts.isFile(target),
            let file = try? FileDescriptor.open(FilePath(target), .readWrite, options: options)
        else { return nil }
        defer { try? file.close() }
        guard (try? FolderTrust.check(file, at: target)) != nil else { return nil }
        guard var size = try? file.seek(offset: 0, from: .end) else { return nil }
        var window = min(first.size, limit)
        while size > 0 {
            let start = max(0, size - window)
            guard let tail = read(file, at: start, Int(size - start)) else { return nil }
            let isWhole = start == 0
            // The index after the last complete line.
            let end = tail.lastIndex(of: newline).map { $0 + 1 } ?? 0
            if end > 0 || isWhole, end < tail.count, isBegun(tail[end...]) {
                size = start + Int64(end)
                try? file.resize(to: size)
            }
            if let cursor = lastCursor(in: tail[..<end], isWhole: isWhole) { return cursor }
            guard !isWhole, window < limit else { return nil }
            window = min(window * first.factor, limit)
        }
        return nil
    }

    /// Whether the bytes are the beginning of an event's line.
    private static func isBegun(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = Array(#"{"schema":1,"event":""#.utf8)
        return bytes.prefix(head.count).elementsEqual(head.prefix(bytes.count))
    }

    /// Whether the line may be a background session's event; decoding every line would be slow.
    private static func hasNumber(_ line: ArraySlice<UInt8>) -> Bool {
        let name = Array(#""sequence":"#.utf8)
        return line.withUnsafeBytes {
            linux_contains($0.baseAddress, $0.count, name, name.count) != 0
        }
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

    /// The cursor of the last line that has one; the first line is complete only if `isWhole`.
    private static func lastCursor(in bytes: ArraySlice<UInt8>, isWhole: Bool) -> BackgroundCursor?
    {
        var rest = bytes.dropLast()
        while !rest.isEmpty {
            let start = rest.lastIndex(of: newline).map { $0 + 1 }
            guard start != nil || isWhole else { return nil }
            let line = rest[(start ?? rest.startIndex)...]
            rest = rest[..<max(rest.startIndex, line.startIndex - 1)]
            guard hasNumber(line),
                let event = try? JSONDecoder().decode(Line.self, from: Data(line))
            else { continue }
            return BackgroundCursor(token: event.session, sequence: event.sequence)
        }
        return nil
    }
}
