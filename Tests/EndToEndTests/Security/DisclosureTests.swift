import Foundation
import Glibc
import TestSupport
import Testing

/// Information that a run discloses besides its request.
@Suite("Information for other parties", .timeLimit(.minutes(1)))
struct DisclosureTests {
    /// Redirects a client to a target.
    private static func server(to target: String) throws -> SocketServer {
        try SocketServer { connection in
            while try connection.nextHead() != nil {
                try connection.respond("302 Found", ["Location: \(target)"])
            }
        }
    }

    /// Requires a user, and accepts any.
    private static func asking() throws -> SocketServer {
        try SocketServer { connection in
            while let head = try connection.nextHead() {
                guard head["Authorization"] == nil else {
                    return try connection.respond(body: "in")
                }
                let field = #"WWW-Authenticate: Basic realm="x""#
                try connection.respond("401 Unauthorized", [field])
            }
        }
    }

    @Test("neither a file's attributes nor a Referer disclose a body's origin")
    func origin() async throws {
        let other = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "body")
        }
        let home = try Self.server(to: other.url("/file"))
        let url = home.url("/file?token=s3cret").replacing("http://", with: "http://me:s3cret@")
        let result = try await FetchProcess.run("-q", url)
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.readText("file") == "body")
        let attributes = try await FetchProcess.shell(
            #"python3 -c 'import os, sys; print(os.listxattr(sys.argv[1]))' "$1""#,
            result.folder.path("file")
        )
        #expect(attributes.stdoutText == "[]\n", "\(attributes)")
        #expect(other.heads.count == 1)
        #expect(other.heads.allSatisfy { !$0.text.contains("s3cret") && $0["Referer"] == nil })
    }

    @Test("A-07 a proxy's credential is not sent to another proxy that a redirect leads through")
    func proxies() async throws {
        let first = try SocketServer { connection in
            while let head = try connection.nextHead() {
                if head["Proxy-Authorization"] == nil {
                    let field = #"Proxy-Authenticate: Basic realm="x""#
                    try connection.respond("407 Proxy Authentication Required", [field])
                } else {
                    try connection.respond("302 Found", ["Location: https://b.example/"])
                }
            }
        }
        let second = try SocketServer { connection in
            while try connection.nextHead() != nil {
                let field = #"Proxy-Authenticate: Basic realm="x""#
                try connection.respond("407 Proxy Authentication Required", [field])
            }
        }
        let result = try await FetchProcess.run(
            "-qO-",
            "-t1",
            "http://a.example/",
            environment: [
                "http_proxy": first.url().replacing("http://", with: "http://me:s3cret@"),
                "https_proxy": second.url(),
            ]
        )
        #expect(result.status == 6, "\(result)")
        #expect(first.heads.last?["Proxy-Authorization"] != nil)
        #expect(second.wasCalled)
        #expect(second.heads.allSatisfy { $0["Proxy-Authorization"] == nil })
    }

    @Test(
        "C-04 a token stays with its origin, though netrc has an entry for the redirect's host",
        arguments: ["machine localhost login bob password bobs", "default login bob password bobs"]
    )
    func token(netrc: String) async throws {
        let other = try Self.asking()
        let home = try Self.server(to: "http://localhost:\(other.port)/")
        let house = try TemporaryFolder("home")
        try house.write(netrc + "\n", to: ".netrc")
        #expect(chmod(house.path(".netrc"), 0o600) == 0)
        let result = try await FetchProcess.run(
            "-qO-",
            "--bearer",
            "s3cret",
            home.url(),
            home: house
        )
        #expect(result.status == 6, "\(result)")
        #expect(other.wasCalled)
        #expect(other.heads.allSatisfy { $0["Authorization"] == nil }, "\(other.heads)")
    }

    @Test("C-04 netrc's password of another user of the host is not sent")
    func user() async throws {
        let server = try Self.asking()
        let house = try TemporaryFolder("home")
        try house.write("machine 127.0.0.1 login bob password bobs\n", to: ".netrc")
        #expect(chmod(house.path(".netrc"), 0o600) == 0)
        let url = server.url().replacing("http://", with: "http://alice@")
        let result = try await FetchProcess.run("-qO-", url, home: house)
        #expect(result.status == 6, "\(result)")
        #expect(server.heads.allSatisfy { $0["Authorization"] == nil }, "\(server.heads)")
    }

    @Test(
        "an interim response does not name the file, and an existing file stays",
        arguments: ["f", "g"]
    )
    func interim(name: String) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            let field = "Content-Disposition: attachment; filename="
            try connection.send("HTTP/1.1 103 Early Hints\r\n\(field)\(name)\r\n\r\n")
            try connection.respond("200 OK", [field + "f"], body: "new")
        }
        let folder = try TemporaryFolder("interim")
        try folder.write("old", to: "f")
        let result = try await FetchProcess.run(
            "-q",
            "--content-disposition",
            server.url("/x"),
            in: folder
        )
        #expect(result.status == 0, "\(result)")
        #expect(folder.names() == ["f", "f.1"])
        #expect(folder.readText("f") == "old" && folder.readText("f.1") == "new")
    }
}
