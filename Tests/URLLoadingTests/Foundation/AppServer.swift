import Foundation
import TestSupport
import Testing
import URLLoading

// Each test in this folder is usual Foundation code: it imports Foundation and uses its names. The tests
// compile the code unchanged, and run it against this server. Code that does not compile, or behaves
// differently, shows an error of the library, or a difference that its documentation describes.

/// The server of the snippets' apps: a small JSON service, one for each test.
final class AppServer: Sendable {
    private let server: SocketServer

    init() throws {
        server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                let body = try connection.readBody(head)
                try Self.respond(head, body, connection)
            }
        }
    }

    /// A URL of the service.
    func url(_ path: String) throws -> URL {
        try #require(URL(string: server.url(path)))
    }

    /// The heads of the requests until now.
    var requests: [HTTPHead] { server.heads }

    /// How many connections clients have opened.
    var connectionCount: Int { server.connectionCount }

    private static let user = #"{"id":1,"name":"Ada"}"#

    private static func respond(
        _ head: HTTPHead,
        _ body: [UInt8],
        _ connection: SocketConnection
    ) throws {
        let json = "Content-Type: application/json; charset=utf-8"
        let path = head.target.prefix { $0 != "?" }
        switch (head.method, path) {
        case (_, "/users") where ["POST", "PUT"].contains(head.method):
            try connection.respond("201 Created", [json], body: body)
        case ("DELETE", _): try connection.respond("204 No Content")
        case (_, "/users"): try connection.respond("200 OK", [json], body: user)
        case (_, "/missing"): try connection.respond("404 Not Found", [json], body: "{}")
        case (_, "/text"):
            let type = "Content-Type: text/plain; charset=utf-8"
            try connection.respond("200 OK", [type], body: "one\ntwo\r\n\nthree")
        case (_, "/headers"):
            try connection.respond(body: head.text)
        case (_, "/redirect"):
            try connection.respond("302 Found", ["Location: /users"], body: "moved")
        case (_, "/login"):
            let cookies = ["Set-Cookie: session=abc; Path=/", "Set-Cookie: theme=dark; Path=/"]
            try connection.respond("200 OK", cookies)
        case (_, "/private"):
            let isKnown = head["Authorization"] == "Basic YWRhOnNlY3JldA=="
            let ask = #"WWW-Authenticate: Basic realm="app""#
            try isKnown
                ? connection.respond(body: "welcome")
                : connection.respond("401 Unauthorized", [ask], body: "denied")
        case (_, "/cached"):
            let fields = ["Cache-Control: max-age=600", json]
            try connection.respond("200 OK", fields, body: user)
        case (_, "/hints"):
            let early = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"
            try connection.send(early)
            try connection.respond("200 OK", [json], body: user)
        case (_, "/file"): try file(head, connection)
        case (_, "/hang"): try connection.waitForPeerToClose()
        case (_, "/cut"):
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            connection.close()
        default: try connection.respond("404 Not Found")
        }
    }

    /// The 200,000 bytes of the file for downloads.
    static let fileBytes = PseudoRandom.bytes(200_000)

    private static func file(_ head: HTTPHead, _ connection: SocketConnection) throws {
        let fields = [
            #"ETag: "one""#, "Accept-Ranges: bytes",
            #"Content-Disposition: attachment; filename="report.bin""#,
        ]
        if let range = head["Range"], let first = Int(range.dropFirst(6).dropLast()) {
            let total = fileBytes.count
            let part = ["Content-Range: bytes \(first)-\(total - 1)/\(total)"]
            return try connection.respond(
                "206 Partial Content",
                fields + part,
                body: Array(fileBytes[first...])
            )
        }
        guard head.target.hasSuffix("?slow") else {
            return try connection.respond("200 OK", fields, body: fileBytes)
        }
        let lines = ["HTTP/1.1 200 OK", "Content-Length: \(fileBytes.count)"] + fields
        try connection.send(lines.map { $0 + "\r\n" }.joined() + "\r\n")
        try connection.send(Array(fileBytes[..<100_000]))
        try connection.waitForPeerToClose()
    }
}

/// A user of the service.
struct User: Codable, Equatable, Sendable {
    var id: Int
    var name: String
}

/// The name that such a program gives to the library's errors, once: Foundation has another type of this
/// name.
typealias URLError = URLLoading.URLError

/// A configuration that stores nothing on this machine.
func appConfiguration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.connectionProxyDictionary = [:]
    return configuration
}
