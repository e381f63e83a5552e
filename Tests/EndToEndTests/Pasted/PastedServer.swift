import Foundation
import Synchronization
import TestSupport

/// The server for pasted lines, which records its requests.
final class PastedServer: Sendable {
    /// The compared properties of a request.
    struct Request: Hashable, Sendable {
        let method: String
        let target: String
        let body: String
        /// The fields that lines set, by their names in lower case.
        let fields: [String: String]
    }

    let server: SocketServer
    private let log: Log

    private final class Log: Sendable {
        let requests = Mutex<[Request]>([])
    }

    init() throws {
        let log = Log()
        self.log = log
        server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                if head["Expect"]?.lowercased() == "100-continue" {
                    try connection.send("HTTP/1.1 100 Continue\r\n\r\n")
                }
                let body = try connection.readBody(head)
                if head.method == "CONNECT" {
                    // The tunnel ends at this server.
                    log.requests.withLock { $0.append(Request(head, body)) }
                    try connection.send("HTTP/1.1 200 Established\r\n\r\n")
                    continue
                }
                let count = log.requests.withLock { requests in
                    requests.append(Request(head, body))
                    return requests.count { $0.target == head.target }
                }
                try Self.respond(head, body, attempt: count, connection)
                guard head.version == "HTTP/1.1" else { break }
            }
        }
    }

    /// The requests received, each once.
    var requests: Set<Request> { Set(log.requests.withLock { $0 }) }

    private static let script = "echo installed \"$@\"\n"
    private static let dated = "Wed, 01 Jan 2025 00:00:00 GMT"
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)

    private static func respond(
        _ head: HTTPHead,
        _ body: [UInt8],
        attempt: Int,
        _ connection: SocketConnection
    ) throws {
        let path = String(head.target.prefix { $0 != "?" })
        var status = "200 OK"
        var fields: [String] = []
        var content = Array("body of \(path)\n".utf8)
        switch path {
        case _ where path.hasSuffix(".sh"): content = Array(script.utf8)
        case _ where path.hasSuffix(".tar.gz") || path.hasSuffix(".tgz"):
            content = Array(Data(base64Encoded: PastedRun.archive) ?? Data())
        case _ where path.hasPrefix("/status/"):
            status = "\(path.dropFirst(8)) Status"
            content = Array("error\n".utf8)
        case _ where path.hasPrefix("/redirect/"):
            status = "302 Found"
            fields = ["Location: /\(path.dropFirst(10))"]
            content = []
        case "/named", "/download":
            fields = ["Content-Disposition: attachment; filename=\"release.deb\""]
        case "/echo":
            content = Array("\(head.method) \(head.target)\n".utf8) + Request.plain(head, body)
        case "/json": content = Array("{\"tag_name\": \"v1.2.3\"}\n".utf8)
        case "/private" where head["Authorization"] != "Basic dXNlcjpwYXNz":
            status = "401 Unauthorized"
            fields = ["WWW-Authenticate: Basic realm=\"r\""]
            content = Array("error\n".utf8)
        case "/flaky" where attempt == 1:
            status = "503 Busy"
            content = Array("error\n".utf8)
        case "/empty":
            return try connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        case "/chunked":
            return try connection.send(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: text/plain\r\n\r\n"
                    + "5;x=1\r\nbody \r\n3\r\nin \r\n0\r\nX-T: 1\r\n\r\n"
            )
        case "/packed":
            let coded = Coder.gzip.code(content)
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n")
            try connection.send("\(String(coded.count, radix: 16))\r\n")
            return try connection.send(coded + Array("\r\n0\r\n\r\n".utf8))
        case "/cookie": fields = ["Set-Cookie: a=1; Path=/"]
        case "/dated":
            fields = ["Last-Modified: \(dated)"]
            if head["If-Modified-Since"] != nil {
                return try connection.send("HTTP/1.1 304 Not Modified\r\n\r\n")
            }
        case "/letters":
            fields = ["Accept-Ranges: bytes", "ETag: \"1\"", "Last-Modified: \(dated)"]
            if head["If-None-Match"] == "\"1\"" {
                return try connection.send("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n")
            }
            content = letters
            if let range = head["Range"]?.dropFirst(6).split(
                separator: "-",
                omittingEmptySubsequences: false
            ) {
                let first = Int(range[0]) ?? letters.count - (Int(range[1]) ?? 0)
                let last =
                    Int(range[0]) == nil ? letters.count - 1 : Int(range[1]) ?? letters.count - 1
                guard first < letters.count else {
                    fields.append("Content-Range: bytes */\(letters.count)")
                    status = "416 Range"
                    content = []
                    break
                }
                status = "206 Partial Content"
                content = Array(letters[first...min(last, letters.count - 1)])
                fields.append("Content-Range: bytes \(first)-\(first + content.count - 1)/26")
            }
        default: break
        }
        if head.method == "HEAD" {
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(content.count)"] + fields
            return try connection.send(lines.map { $0 + "\r\n" }.joined() + "\r\n")
        }
        try connection.respond(status, fields, body: content)
    }
}

extension PastedServer.Request {
    init(_ head: HTTPHead, _ body: [UInt8]) {
        method = head.method
        target = head.target
        self.body = String(decoding: Self.plain(head, body), as: UTF8.self)
        let names = [
            "authorization", "cookie", "referer", "range", "if-modified-since", "x-a", "x-b",
            "content-range", "if-none-match", "te",
        ]
        fields = Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                head[name].map { (name, $0.replacing(head["Host"] ?? "", with: "HOST")) }
            }
        )
    }

    /// The body without a form's boundary, which is random.
    static func plain(_ head: HTTPHead, _ body: [UInt8]) -> [UInt8] {
        guard let type = head["Content-Type"], let place = type.range(of: "boundary=") else {
            return body
        }
        let text = String(decoding: body, as: UTF8.self)
        let boundary = String(type[place.upperBound...])
        // curl's parts may have their fields in another order than fetch's.
        return Array(text.replacing(boundary, with: "B").utf8)
    }
}
