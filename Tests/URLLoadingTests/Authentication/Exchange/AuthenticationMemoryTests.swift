import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Accepted credentials of a session")
struct AuthenticationMemoryTests {
    private func token(_ path: String) throws -> AuthenticationToken {
        AuthenticationToken(
            space: space(),
            proof: .field("Basic x"),
            credential: URLCredential(user: "me", password: "pw", persistence: .forSession),
            url: try url("https://h.example" + path)
        )
    }

    @Test(
        "A-04 a credential that was accepted nearer to the root is sent there too",
        arguments: [["/a/b/x", "/a/y"], ["/a/y", "/a/b/x"], ["/a/y"]]
    )
    func widens(paths: [String]) throws {
        let memory = AuthenticationMemory()
        for path in paths { memory.note(try token(path)) }
        for path in ["/a/", "/a/z", "/a/b/z", "/a/c/d"] {
            #expect(memory.token(for: try url("https://h.example" + path)) != nil, "\(path)")
        }
        for path in ["/", "/b", "/ab/c"] {
            #expect(memory.token(for: try url("https://h.example" + path)) == nil, "\(path)")
        }
    }
}
