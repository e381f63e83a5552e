import Foundation

/// A file as a server of a test gives it: with the ranges and validators, and the faults, that the
/// test wants.
///
/// ```swift
/// let server = try SocketServer { try ServedFile(bytes).serve($0) }
/// ```
public struct ServedFile: Sendable {
    /// The whole file.
    public var bytes: [UInt8]
    /// The ETag with its quotes; none is sent where `nil`.
    public var entityTag: String? = "\"one\""
    /// Last-Modified; none is sent where `nil`.
    public var lastModified: String?
    /// Whether a Range gets a 206.
    public var knowsRanges = true
    /// Whether If-Range is looked at.
    public var knowsIfRange = true
    /// Whether the response has a Content-Length; without one it is chunked.
    public var hasLength = true
    /// The most bytes of a range that are sent, though more are asked for.
    public var longestPart: Int?
    /// After how many bytes of the body the connection ends, in every response; where there are no
    /// more, before what would be the end.
    public var cutAfter: Int?
    /// After how many bytes of the body the rest waits for a gate, in the first connection's response.
    public var hold: (after: Int, gate: Gate)?
    /// What is added to the first byte of a range that was asked for.
    public var shift = 0
    /// What Content-Range says in place of the truth.
    public var contentRange: String?
    /// The status in place of 200 or 206.
    public var status: Int?
    /// Further lines of the head.
    public var fields: [String] = []

    /// A file with a strong ETag.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads a request and responds to it.
    public func serve(_ connection: SocketConnection) throws {
        let head = try connection.readHead()
        // What is left unread when a connection is closed takes what was sent with it.
        _ = try connection.readBody(head)
        let range = wanted(head)
        if let range, range.lowerBound >= bytes.count {
            let total = contentRange ?? "bytes */\(bytes.count)"
            return try connection.send(
                lines(status ?? 416, ["Content-Range: \(total)", "Content-Length: 0"])
            )
        }
        let body = range.map { bytes[$0] } ?? bytes[...]
        var more: [String] = []
        if range != nil {
            let text =
                contentRange ?? "bytes \(body.startIndex)-\(body.endIndex - 1)/\(bytes.count)"
            more.append("Content-Range: \(text)")
        }
        more.append(hasLength ? "Content-Length: \(body.count)" : "Transfer-Encoding: chunked")
        try connection.send(lines(status ?? (range == nil ? 200 : 206), more))
        let sent = Array(body.prefix(cutAfter ?? .max))
        if hasLength {
            let first = connection.number == 0 ? hold?.after ?? .max : .max
            try connection.send(Array(sent.prefix(first)))
            if first < sent.count { try hold?.gate.wait() }
            try connection.send(Array(sent.dropFirst(first)))
        } else {
            if !sent.isEmpty {
                try connection.send(Array("\(String(sent.count, radix: 16))\r\n".utf8) + sent)
                try connection.send("\r\n")
            }
            if cutAfter == nil { try connection.send("0\r\n\r\n") }
        }
    }

    /// The bytes that are asked for; `nil`: all of them.
    private func wanted(_ head: HTTPHead) -> Range<Int>? {
        guard knowsRanges, let text = head.values("Range").first, text.hasPrefix("bytes=") else {
            return nil
        }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard let first = ends.first.flatMap({ Int($0) }) else { return nil }
        if knowsIfRange, let condition = head.values("If-Range").first,
            condition != entityTag, condition != lastModified
        {
            return nil
        }
        let start = max(0, first + shift)
        let last = ends.count > 1 ? Int(ends[1]) : nil
        let end = min(last.map { $0 + 1 + shift } ?? .max, bytes.count)
        return start..<max(start, min(end, longestPart.map { start + $0 } ?? .max))
    }

    private func lines(_ status: Int, _ more: [String]) -> String {
        var lines = ["HTTP/1.1 \(status) Whatever", "Date: Sun, 06 Nov 1994 08:49:37 GMT"]
        if let entityTag { lines.append("ETag: \(entityTag)") }
        if let lastModified { lines.append("Last-Modified: \(lastModified)") }
        lines += fields + more + ["Connection: close"]
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }
}
