import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("A netrc file in a credential storage", .timeLimit(.minutes(1)))
struct NetrcStorageTests {
    private let folder: TestSupport.TemporaryFolder
    private let storage: URLCredentialStorage

    init() throws {
        folder = try TemporaryFolder("netrc")
        storage = URLCredentialStorage(netrcFile: URL(filePath: folder.path("netrc")))
    }

    private func space(
        _ host: String = "example.com",
        _ method: String = NSURLAuthenticationMethodHTTPBasic
    ) -> URLProtectionSpace {
        URLProtectionSpace(
            host: host,
            port: 80,
            protocol: "http",
            realm: "r",
            authenticationMethod: method
        )
    }

    @Test("C-04 a session authenticates with netrc's entry for the host")
    func session() async throws {
        let server = try SocketServer { connection in
            while let head = try connection.nextHead() {
                if head.values("Authorization") == ["Basic dTpw"] {
                    try connection.respond(body: "in")
                } else {
                    try connection.send(
                        "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"r\"\r\n"
                            + "Content-Length: 0\r\n\r\n"
                    )
                }
            }
        }
        try folder.write("machine 127.0.0.1 login u password p\n", to: "netrc")
        let session = try URLSession.testing { $0.urlCredentialStorage = storage }
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(from: try url(server.url()))
        #expect(String(decoding: data, as: UTF8.self) == "in")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(server.requestCount == 2)
    }

    @Test("C-04 a program's own credentials count before netrc, and default serves no host")
    func order() throws {
        #expect(storage.defaultCredential(for: space()) == nil)
        try folder.write(
            "default login d password d\nmachine example.com login u password p\n",
            to: "netrc"
        )
        #expect(storage.defaultCredential(for: space())?.user == "u")
        #expect(storage.credentials(for: space())?.keys.sorted() == ["u"])
        #expect(storage.defaultCredential(for: space("other.example")) == nil)
        #expect(
            storage.defaultCredential(
                for: space("example.com", NSURLAuthenticationMethodServerTrust)
            )
                == nil
        )
        let own = URLCredential(user: "own", password: "x", persistence: .forSession)
        storage.setDefaultCredential(own, for: space())
        #expect(storage.defaultCredential(for: space())?.user == "own")
        #expect(storage.credentials(for: space())?.keys.sorted() == ["own", "u"])
    }

    @Test("C-04 a malformed file, a folder or a pipe has no entries, and does not block")
    func unusable() throws {
        try folder.write("machine example.com login u password \"p\n", to: "netrc")
        #expect(storage.defaultCredential(for: space()) == nil)
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, folder.path("")] {
            let storage = URLCredentialStorage(netrcFile: URL(filePath: path))
            #expect(storage.defaultCredential(for: space()) == nil)
        }
    }
}
