import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// Tasks compare bodies with the digests that servers and callers name.
@Suite("Digests of tasks", .timeLimit(.minutes(1)))
struct DigestTaskTests {
    private let folder: TestSupport.TemporaryFolder
    private let bytes = PseudoRandom.bytes(200_000)

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    /// The field that names the digest.
    enum Named: String, CaseIterable {
        case content = "Content-Digest"
        case repr = "Repr-Digest"
    }

    /// The kind of the loading task.
    enum Asking: CaseIterable {
        case data
        case download
    }

    private func load(_ asking: Asking, _ address: String) async throws -> [UInt8] {
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        switch asking {
        case .data: return Array(try await session.data(from: try url(address)).0)
        case .download:
            let name = "\(UInt64.random(in: 0 ... .max))"
            return try await withCheckedThrowingContinuation { continuation in
                let address = try? url(address)
                guard let address else { return continuation.resume(returning: []) }
                session.downloadTask(with: address) { [folder] location, _, error in
                    if let error { return continuation.resume(throwing: error) }
                    if let location { rename(location.path, folder.path(name)) }
                    continuation.resume(returning: folder.read(name) ?? [])
                }.resume()
            }
        }
    }

    @Test(
        "the task compares nginx's digest with the body",
        arguments: Asking.allCases,
        Named.allCases
    )
    func nginx(asking: Asking, field: Named) async throws {
        let nginx = try Nginx.shared
        let name = "digest-\(asking)-\(field.rawValue)"
        _ = try nginx.addFile(name, bytes: bytes)
        let parameter = field == .content ? "content" : "repr"
        let base = nginx.url("/digest/\(name)?\(parameter)=")
        #expect(isSameBytes(try await load(asking, base + DigestText.sha256(bytes)), bytes))
        let error = await #expect(throws: URLError.self) {
            try await load(asking, base + DigestText.wrong)
        }
        #expect(error?.code == .bodyDigestMismatch)
        #expect(error?.digestMismatch?.source.rawValue == field.rawValue)
        #expect(error?.digestMismatch?.actual.hex == (try sha256(bytes)))
    }

    @Test("the task compares a coded body with its coding's digest, and delivers it decoded")
    func coded() async throws {
        let coded = Coder.gzip.code(bytes)
        for (body, field, isGood) in [(coded, coded, true), (coded, bytes, false)] {
            let value = try DigestText.sha256(field)
            let server = try SocketServer { connection in
                _ = try connection.readHead()
                try connection.respond(
                    "200 OK",
                    ["Content-Encoding: gzip", "Repr-Digest: \(value)"],
                    body: body
                )
            }
            let session = try URLSession.testing()
            defer { session.finishTasksAndInvalidate() }
            if isGood {
                #expect(isSameBytes(try await load(.data, server.url()), bytes))
            } else {
                let code = await errorCode { _ = try await load(.data, server.url()) }
                #expect(code == .bodyDigestMismatch)
            }
        }
    }

    @Test("the task compares the caller's digest with the decoded body")
    func codedForCaller() async throws {
        let coded = Coder.gzip.code(bytes)
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond("200 OK", ["Content-Encoding: gzip"], body: coded)
        }
        let right = try #require(BodyDigest(.sha256, hex: try sha256(bytes)))
        let wrong = try #require(BodyDigest(.sha256, hex: try sha256(coded)))
        for (digest, code) in [(right, nil), (wrong, URLError.Code.bodyDigestMismatch)] {
            let recorder = RecordingDelegate()
            let session = try URLSession.testing(recorder)
            defer { session.finishTasksAndInvalidate() }
            let task = session.dataTask(with: try url(server.url()))
            task.expectedDigest = ExpectedDigest(digest)
            task.resume()
            #expect(await recorder.completion(of: task) == code)
            #expect(isSameBytes(recorder.data(task), bytes))
        }
    }

    @Test("the task compares a digest in a trailer where the header announced it")
    func trailer() async throws {
        for (value, isGood) in [(try DigestText.sha256(bytes), true), (DigestText.wrong, false)] {
            for announces in [true, false] {
                let server = try SocketServer { [bytes] connection in
                    _ = try connection.readHead()
                    try connection.send(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
                            + (announces ? "Trailer: X-Other, repr-digest\r\n" : "") + "\r\n"
                    )
                    let size = String(bytes.count, radix: 16)
                    try connection.send(Array("\(size)\r\n".utf8) + bytes)
                    try connection.send("\r\n0\r\nRepr-Digest: \(value)\r\n\r\n")
                }
                let code = await errorCode { _ = try await load(.download, server.url()) }
                #expect(code == (isGood || !announces ? nil : .bodyDigestMismatch))
            }
        }
    }

    @Test("the task reads a digest in nginx's trailers too")
    func nginxTrailer() async throws {
        let nginx = try Nginx.shared
        _ = try nginx.addFile("digest-trailer", bytes: bytes)
        let base = nginx.url("/digest-trailer/digest-trailer?repr=")
        #expect(isSameBytes(try await load(.data, base + DigestText.sha256(bytes)), bytes))
        let code = await errorCode { _ = try await load(.data, base + DigestText.wrong) }
        #expect(code == .bodyDigestMismatch)
    }

    /// Responses whose digest is of something else than their content.
    enum Unrelated: CaseIterable {
        case head
        case noContent
        case part
        case md5
        case garbled
        case ignored
    }

    @Test("the task compares no digest without content, of a part, or of an unknown kind")
    func unrelated() async throws {
        for kind in Unrelated.allCases {
            let server = try SocketServer { [bytes] connection in
                _ = try connection.readHead()
                let field = kind == .garbled ? "sha-256=nonsense" : DigestText.wrong
                let line = "Repr-Digest: \(kind == .md5 ? "md5=:AAAAAAAAAAAAAAAAAAAAAA==:" : field)"
                switch kind {
                case .head:
                    try connection.send(
                        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\(line)\r\n"
                            + "Content-Digest: \(DigestText.wrong)\r\n\r\n"
                    )
                case .noContent:
                    try connection.send("HTTP/1.1 204 None\r\n\(line)\r\n\r\n")
                case .part:
                    try connection.respond(
                        "206 Part",
                        [line, "Content-Range: bytes 0-9/200000"],
                        body: Array(bytes.prefix(10))
                    )
                case .md5, .garbled, .ignored:
                    try connection.respond("200 OK", [line], body: bytes)
                }
            }
            let session = try URLSession.testing {
                $0.transport.checksDigestFields = kind != .ignored
            }
            defer { session.finishTasksAndInvalidate() }
            var request = URLRequest(url: try url(server.url()))
            if kind == .head { request.httpMethod = "HEAD" }
            if kind == .part { request.headerFields["Range"] = "bytes=0-9" }
            let code = await errorCode { _ = try await session.data(for: request) }
            #expect(code == nil, "\(kind)")
        }
    }

    @Test("the task reads a large file on another thread, and removes it on a mismatch")
    func large() async throws {
        let large = PseudoRandom.bytes(9_000_000)
        let right = try #require(BodyDigest(.sha512, hex: try await sha512(large)))
        let wrong = try #require(BodyDigest(.sha512, bytes: Array(repeating: 0, count: 64)))
        let server = try SocketServer { try ServedFile(large).serve($0) }
        for (digest, isGood) in [(right, true), (wrong, false)] {
            let part = folder.path("large-\(isGood)")
            let recorder = RecordingDelegate(
                .init(
                    destination: .partFile(URL(filePath: part), keepsResumeData: true),
                    finished: { [folder] in rename($0.path, folder.path("whole")) }
                )
            )
            let session = try URLSession.testing(recorder)
            defer { session.finishTasksAndInvalidate() }
            let task = session.downloadTask(with: try url(server.url()))
            task.expectedDigest = ExpectedDigest(digest)
            task.resume()
            #expect(await recorder.completion(of: task) == (isGood ? nil : .bodyDigestMismatch))
            #expect((task.error as? URLError)?.downloadTaskResumeData == nil)
            #expect(isSameBytes(folder.read("whole"), large))
            #expect(folder.names() == ["whole"])
        }
        #expect(server.requestCount == 2)
    }

    private func sha512(_ bytes: [UInt8]) async throws -> String {
        let path = try folder.write(bytes, to: "bytes")
        defer { unlink(path) }
        let printed = try await FetchProcess(shell: #"sha512sum "$1""#, [path]).run().stdoutText
        return String(printed.prefix(128))
    }

    @Test("C-01 the cache keeps no body that differs from its digest")
    func cache() async throws {
        for (value, requests) in [(try DigestText.sha256(bytes), 1), (DigestText.wrong, 2)] {
            let server = try SocketServer { [bytes] connection in
                _ = try connection.readHead()
                try connection.respond(
                    "200 OK",
                    ["Cache-Control: max-age=600", "Repr-Digest: \(value)"],
                    body: bytes
                )
            }
            let session = try URLSession.testing {
                $0.urlCache = URLCache(memoryCapacity: 4 << 20, diskCapacity: 0)
            }
            defer { session.finishTasksAndInvalidate() }
            for _ in 1...2 { _ = try? await session.data(from: try url(server.url())) }
            #expect(server.requestCount == requests)
        }
    }

    @Test("the task compares local files and data URLs too")
    func local() async throws {
        let path = try folder.write(bytes, to: "local")
        let session = try URLSession.testing()
        defer { session.finishTasksAndInvalidate() }
        for address in ["file://\(path)", "data:,hello"] {
            let task = try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<URLError?, any Error>) in
                guard let location = try? url(address) else {
                    return continuation.resume(returning: nil)
                }
                let task = session.dataTask(with: URLRequest(url: location)) { _, _, error in
                    continuation.resume(returning: error as? URLError)
                }
                task.expectedDigest = BodyDigest(.sha1, bytes: Array(repeating: 0, count: 20))
                    .map { ExpectedDigest($0) }
                task.resume()
            }
            #expect(task?.code == .bodyDigestMismatch)
        }
    }
}
