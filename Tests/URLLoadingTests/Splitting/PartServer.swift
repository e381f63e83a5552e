import Synchronization
import TestSupport

/// A server of one file that pauses its first response in the middle, until a test or the fate of the
/// parts releases it.
final class PartServer: Sendable {
    /// The response to a request for a part.
    enum Part: Sendable {
        case good
        /// Of another version of the file.
        case otherVersion
        /// The whole, as to a request without a range.
        case whole
        /// The whole of another version.
        case otherWhole
        /// Bytes that begin one later.
        case shifted
        /// A file of another length.
        case otherLength
        /// In a content coding that the first response did not have.
        case coded
        /// The connection ends after half of the bytes.
        case short
        /// The connection is reset after half of the bytes.
        case reset
        case status(Int)
        /// 503 for a number of seconds.
        case busy(Int)
        /// Bytes of which one is not the file's.
        case spoilt
        /// The same, and the last of them come after the end of the first response.
        case spoiltAtLast
        /// Half of the bytes, and then nothing until the client has gone.
        case stalled
        /// Nothing at all until the client has gone.
        case silent
    }

    private struct State {
        var parts = 0
        var mayGoOn = false
        var isHolding = false
        var hasEndedFirst = false
        var ranges: [String] = []
    }

    static let entityTag = "\"one\""

    let bytes: [UInt8]
    private let behavior: @Sendable (_ number: Int) -> Part
    private let fields: @Sendable (ArraySlice<UInt8>) -> [String]
    private let state = Mutex(State())
    private let server = Mutex<SocketServer?>(nil)

    /// - Parameters:
    ///   - bytes: the file.
    ///   - goesOnAfter: after how many responses to requests for parts the first response continues;
    ///     `nil`: at the test's signal.
    ///   - firstBreaks: whether the first response ends then.
    ///   - behavior: the responses to the requests for parts, by their number from 0.
    ///   - fields: further fields in a good part's head.
    /// - Throws: the listener's error.
    init(
        _ bytes: [UInt8],
        goesOnAfter: Int? = 1,
        firstBreaks: Bool = false,
        _ behavior: @escaping @Sendable (_ number: Int) -> Part = { _ in .good },
        fields: @escaping @Sendable (ArraySlice<UInt8>) -> [String] = { _ in [] }
    ) throws {
        self.bytes = bytes
        self.behavior = behavior
        self.fields = fields
        let opened = try SocketServer { [weak self] connection in
            while let head = try connection.nextHead() {
                guard let self else { return }
                guard let text = head["Range"], let range = Self.range(text, bytes.count) else {
                    return try self.respondFirst(connection, goesOnAfter, firstBreaks)
                }
                let number = self.state.withLock {
                    $0.ranges.append(text)
                    return $0.ranges.count - 1
                }
                guard try self.respond(connection, range, number) else { return }
            }
        }
        server.withLock { $0 = opened }
    }

    var url: String { server.withLock { $0?.url("/file") ?? "" } }
    var heads: [HTTPHead] { server.withLock { $0?.heads ?? [] } }
    /// The requested ranges.
    var ranges: [String] { state.withLock { $0.ranges } }

    /// Whether a part waits for the first response to end.
    var isHolding: Bool { state.withLock { $0.isHolding } }

    /// Releases the first response.
    func releaseFirst() {
        state.withLock { $0.mayGoOn = true }
    }

    private static func range(_ text: String, _ count: Int) -> Range<Int>? {
        let ends = text.dropFirst(6).split(separator: "-").compactMap { Int($0) }
        guard let first = ends.first else { return nil }
        return first..<(ends.count > 1 ? ends[1] + 1 : count)
    }

    private func respondFirst(
        _ connection: SocketConnection,
        _ goesOnAfter: Int?,
        _ breaks: Bool
    ) throws {
        defer { state.withLock { $0.hasEndedFirst = true } }
        try connection.send(
            "HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nETag: \(Self.entityTag)\r\n"
                + "Content-Length: \(bytes.count)\r\n\r\n"
        )
        let piece = 200_000
        try connection.send(Array(bytes.prefix(piece)))
        while !state.withLock({ $0.mayGoOn || $0.parts >= goesOnAfter ?? .max }) {
            connection.pause(.milliseconds(2))
        }
        if breaks { return connection.reset() }
        try connection.send(Array(bytes.dropFirst(piece)))
    }

    /// Responds to a request for a part.
    ///
    /// - Returns: whether the connection continues.
    private func respond(
        _ connection: SocketConnection,
        _ range: Range<Int>,
        _ number: Int
    ) throws -> Bool {
        let part = behavior(number)
        defer { state.withLock { $0.parts += 1 } }
        var body = Array(bytes[range])
        var more = fields(bytes[range]).map { $0 + "\r\n" }.joined()
        var tag = Self.entityTag
        var range = range
        var total = bytes.count
        switch part {
        case .whole, .otherWhole:
            if case .otherWhole = part { tag = "\"two\"" }
            try connection.respond("200 OK", ["ETag: \(tag)"], body: bytes)
            return true
        case .status(let status):
            try connection.respond("\(status) No", body: "no")
            return true
        case .busy(let seconds):
            try connection.respond("503 Busy", ["Retry-After: \(seconds)"], body: "no")
            return true
        case .silent:
            state.withLock { $0.parts += 1 }
            defer { state.withLock { $0.parts -= 1 } }
            try connection.waitForPeerToClose()
            return false
        case .otherVersion: tag = "\"two\""
        case .shifted: range = range.lowerBound + 1..<range.upperBound + 1
        case .otherLength: total += 1
        case .coded: more += "Content-Encoding: gzip\r\n"
        case .spoilt, .spoiltAtLast: body[body.count / 2] ^= 1
        case .good, .short, .reset, .stalled: break
        }
        try connection.send(
            "HTTP/1.1 206 Partial Content\r\nETag: \(tag)\r\n"
                + "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)\r\n"
                + "Content-Length: \(body.count)\r\n\(more)\r\n"
        )
        switch part {
        case .spoiltAtLast:
            try connection.send(Array(body.dropLast(1_000)))
            state.withLock { $0.isHolding = true }
            while !state.withLock({ $0.hasEndedFirst }) { connection.pause(.milliseconds(2)) }
            try connection.send(Array(body.suffix(1_000)))
            return true
        case .short:
            try connection.send(Array(body.prefix(body.count / 2)))
            return false
        case .reset:
            try connection.send(Array(body.prefix(body.count / 2)))
            connection.reset()
            return false
        case .stalled:
            try connection.send(Array(body.prefix(body.count / 2)))
            state.withLock { $0.parts += 1 }
            defer { state.withLock { $0.parts -= 1 } }
            try connection.waitForPeerToClose()
            return false
        default:
            try connection.send(body)
            return true
        }
    }
}
