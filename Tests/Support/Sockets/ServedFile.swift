import Foundation

/// A file that a test's server serves, with the ranges, validators and faults of the test.
///
/// ```swift
/// let server = try SocketServer { try ServedFile(bytes).serve($0) }
/// ```
public struct ServedFile: Sendable {
    /// The whole file.
    public var bytes: [UInt8]
    /// The ETag with its quotes; `nil`: not sent.
    public var entityTag: String? = "\"one\""
    /// Last-Modified; `nil`: not sent.
    public var lastModified: String?
    /// Whether the server responds to a Range with 206.
    public var knowsRanges = true
    /// Whether the server obeys If-Range.
    public var knowsIfRange = true
    /// Whether the response has a Content-Length; without one it is chunked.
    public var hasLength = true
    /// The maximum of bytes that the server sends of a range; `nil`: all.
    public var maximumPart: Int?
    /// The number of body bytes after which the connection ends, in every response.
    ///
    /// Where a body has no more bytes, the connection ends before the body's end is sent.
    public var cutAfter: Int?
    /// The number of body bytes after which the first connection's response waits for a gate.
    public var hold: (after: Int, gate: Gate)?
    /// Added to the first byte of a requested range.
    public var shift = 0
    /// A Content-Range in place of the right one.
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
        // Bytes left unread when a connection closes make the kernel drop sent bytes as well.
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

    /// The requested bytes; `nil`: all.
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
        return start..<max(start, min(end, maximumPart.map { start + $0 } ?? .max))
    }

    private func lines(_ status: Int, _ more: [String]) -> String {
        var lines = ["HTTP/1.1 \(status) Whatever", "Date: Sun, 06 Nov 1994 08:49:37 GMT"]
        if let entityTag { lines.append("ETag: \(entityTag)") }
        if let lastModified { lines.append("Last-Modified: \(lastModified)") }
        lines += fields + more + ["Connection: close"]
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }
}
