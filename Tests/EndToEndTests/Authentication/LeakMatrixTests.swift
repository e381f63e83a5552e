import TestSupport
import Testing

/// Credentials of one origin, observed on the wire after each kind of redirect.
@Suite("Credentials across redirects", .timeLimit(.minutes(2)))
struct LeakMatrixTests {
    /// The target of the redirect, as seen from its server.
    enum Way: String, CaseIterable, Sendable {
        case sameOrigin, otherPort, otherHost, downgrade
    }

    /// The flags with a credential, and its field and value on the wire.
    struct Given: CustomTestStringConvertible, Sendable {
        let flags: [String]
        let field: String
        let value: String

        var testDescription: String { "\(flags.joined(separator: " ")): \(field)" }
    }

    static let all = [
        Given(
            flags: ["-H", "Authorization: Bearer s3cret"],
            field: "Authorization",
            value: "s3cret"
        ),
        Given(flags: ["-H", "Cookie: a=s3cret"], field: "Cookie", value: "s3cret"),
        Given(
            flags: ["-H", "X-Key: s3cret", "--secret-header", "x-key"],
            field: "X-Key",
            value: "s3cret"
        ),
        Given(flags: ["--bearer", "s3cret"], field: "Authorization", value: "s3cret"),
        Given(
            flags: ["--auth", "basic", "-u", "me:s3cret"],
            field: "Authorization",
            value: "bWU6czNjcmV0"
        ),
        Given(flags: ["-u", "me:s3cret"], field: "Authorization", value: "bWU6czNjcmV0"),
    ]

    /// Challenges the client, and then returns the credentials; `/in` redirects to the target.
    private static func server(to target: String? = nil) throws -> SocketServer {
        try SocketServer { connection in
            while let head = try connection.nextHead() {
                if head["Authorization"] == nil {
                    let field = #"WWW-Authenticate: Basic realm="x""#
                    try connection.respond("401 Unauthorized", [field])
                } else if head.target == "/in" {
                    try connection.respond("302 Found", ["Location: \(target ?? "/there")"])
                } else {
                    try connection.respond(body: "there")
                }
            }
        }
    }

    @Test("T-09 a credential for an origin stays at that origin", arguments: all, Way.allCases)
    func matrix(given: Given, way: Way) async throws {
        let other = try Self.server()
        let target =
            switch way {
            case .sameOrigin: "/there"
            case .otherPort, .downgrade: other.url("/there")
            case .otherHost: "http://localhost:\(other.port)/there"
            }
        let home = try Self.server(to: target)
        let nginx = try Nginx.shared
        // Over TLS, nginx sends the redirect.
        let start =
            way == .downgrade
            ? nginx.tlsURL("/redirect/to-http?host=127.0.0.1:\(other.port)") : home.url("/in")
        // The server requires an Authorization field beside any other field.
        let listener =
            given.field == "Authorization" ? [] : ["--auth", "basic", "-u", "you:else"]
        let result = try await FetchProcess(
            ["-vv", "-O", "-", "--ca-certificate", nginx.certificates.authority] + given.flags
                + listener + [start]
        ).run()
        let there = way == .sameOrigin ? home : other
        let heads = there.heads.filter { $0.target != "/in" }
        #expect(!heads.isEmpty, "\(result)")
        let carries = heads.contains { $0.text.contains(given.value) }
        #expect(carries == (way == .sameOrigin), "\(heads.map(\.text))")
        if way != .sameOrigin {
            // The other server receives none of this origin's credentials.
            #expect(heads.allSatisfy { $0["Authorization"] == nil }, "\(heads.map(\.text))")
            #expect(result.status == 6, "\(result)")
        }
        #expect(!result.stderr.contains(given.value), "\(result.stderr)")
    }
}
