import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import URLLoading

@Suite("Digests of files", .timeLimit(.minutes(1)))
struct FileDigestTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    private func open(_ path: String) throws -> FileDescriptor {
        try FileDescriptor.open(path, .readOnly)
    }

    private func finish(_ digest: FileDigest, at length: Int64) async throws -> [String] {
        try await withCheckedContinuation { continuation in
            digest.finish(at: length) { continuation.resume(returning: $0) }
        }.get().map(\.hex)
    }

    @Test("the digest reads a growing file behind its writer, and agrees with sha256sum")
    func follows() async throws {
        let bytes = PseudoRandom.bytes(3_000_000)
        let path = try folder.write([], to: "file")
        let writer = try FileDescriptor.open(path, .writeOnly)
        defer { try? writer.close() }
        let digest = try FileDigest(open(path), path, [.sha256, .md5])
        for start in stride(from: 0, to: bytes.count, by: 100_000) {
            try writer.writeAll(bytes[start..<start + 100_000])
            digest.advance(to: Int64(start + 100_000))
        }
        let made = try await finish(digest, at: 3_000_000)
        #expect(made.count == 2)
        #expect(made.last == (try sha256(bytes)))
    }

    @Test("the digest fails for a file that is shorter than the caller stated")
    func shorter() async throws {
        let path = try folder.write([1, 2, 3], to: "file")
        let digest = try FileDigest(open(path), path, [.sha256])
        let code = await errorCode { _ = try await finish(digest, at: 4) }
        #expect(code == .cannotOpenFile)
    }

    @Test("the digest ends as cancelled after a stop")
    func stops() async throws {
        let path = try folder.write(PseudoRandom.bytes(1_000_000), to: "file")
        let digest = try FileDigest(open(path), path, [.sha256])
        digest.stop()
        let code = await errorCode { _ = try await finish(digest, at: 1_000_000) }
        #expect(code == .cancelled)
    }

    @Test("the digest compares a whole file")
    func compares() async throws {
        let bytes = PseudoRandom.bytes(700_000)
        let path = try folder.write(bytes, to: "file")
        let right = try #require(BodyDigest(.sha256, hex: try sha256(bytes)))
        let wrong = try #require(BodyDigest(.sha256, bytes: Array(repeating: 0, count: 32)))
        for (expected, isSame) in [(right, true), (wrong, false)] {
            let digest = try FileDigest(of: path, .sha256)
            let mismatch = try await withCheckedContinuation { continuation in
                digest.compare(with: ExpectedDigest(expected)) {
                    continuation.resume(returning: $0)
                }
            }.get()
            #expect((mismatch == nil) == isSame)
            if let mismatch { #expect(mismatch.actual == right) }
        }
        #expect(throws: URLError.self) { try FileDigest(of: path + "x", .sha256) }
    }
}
