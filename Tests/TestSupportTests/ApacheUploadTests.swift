import Foundation
import TestSupport
import Testing

@Suite
struct ApacheUploadTests {
    let apache: Apache

    init() throws {
        apache = try Apache.shared
    }

    @Test(arguments: [("basic", "--basic"), ("digest", "--digest")])
    func storesBodies(place: String, flag: String) async throws {
        let bytes = PseudoRandom.bytes(3_000_001)
        let folder = try TemporaryFolder()
        let response = try await CurlResponse.get(
            flag,
            "-T",
            try folder.write(bytes, to: "body"),
            apache.url("/\(place)/uploads/stored-\(place)"),
            user: .usual
        )
        #expect(response.statuses.last == 201, "\(response)")
        #expect(try sha256(file: apache.uploaded("stored-\(place)")) == sha256(bytes))
    }

    @Test
    func sumsUpBodies() async throws {
        let bytes = PseudoRandom.bytes(1_000_003)
        let folder = try TemporaryFolder()
        let body = try folder.write(bytes, to: "body")
        let sum = try sha256(bytes)
        for arguments in [["-T", body], ["--data-binary", "@\(body)"]] {
            let response = try await CurlResponse.get(
                "--digest",
                arguments[0],
                arguments[1],
                apache.url("/digest/sum"),
                user: .usual
            )
            #expect(response.body.contains("sha256: \(sum)\n"), "\(response)")
            #expect(response.body.contains("user: name\nlength: 1000003\n"))
        }
        let chunked = try await CurlResponse.get(
            "-T",
            body,
            "-H",
            "Transfer-Encoding: chunked",
            apache.url("/basic/sum"),
            user: .usual
        )
        #expect(chunked.body.contains("sha256: \(sum)\n"), "\(chunked)")
        #expect(chunked.body.contains("length: \n"))
    }

    @Test(arguments: ["/redirect/307/digest/sum", "/digest/again/sum"])
    func redirectsBodies(path: String) async throws {
        let bytes = PseudoRandom.bytes(500_000)
        let folder = try TemporaryFolder()
        let response = try await CurlResponse.get(
            "--digest",
            "--location",
            "-T",
            try folder.write(bytes, to: "body"),
            apache.url(path),
            user: .usual
        )
        #expect(response.statuses.contains(307) && response.statuses.contains(401), "\(response)")
        #expect(response.body.contains(try sha256(bytes)), "\(response)")
    }

    /// The size that the authentication tests send; the file is sparse and costs no disk space.
    @Test
    func takesLargeBodies() async throws {
        let folder = try TemporaryFolder()
        let body = try folder.write([], to: "body")
        let size = 256 << 20
        #expect(truncate(body, size) == 0)
        let response = try await CurlResponse.get(
            "--digest",
            "-T",
            body,
            apache.url("/digest/sum"),
            user: .usual
        )
        #expect(response.body.contains("length: \(size)\n"), "\(response)")
        let ofZeros = "a6d72ac7690f53be6ae46ba88506bd97302a093f7108472bd9efc3cefda06484"
        #expect(response.body.contains("sha256: \(ofZeros)\n"), "\(response)")
    }
}
