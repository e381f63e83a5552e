import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

/// Continued files, which are compared as a whole.
@Suite("Digests of continued files", .timeLimit(.minutes(1)))
struct ContinuedDigestTests {
    private let folder: TestSupport.TemporaryFolder
    private let bytes = PseudoRandom.bytes(200_000)

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    /// Whether the server's file is the right one.
    enum Whole: CaseIterable {
        case good
        case bad
    }

    /// The source of the digest.
    enum Word: CaseIterable {
        case caller
        case server
    }

    @Test(
        "a digest in the trailer of a partial response is compared with the whole file",
        arguments: [true, false]
    )
    func trailerOfPart(isGood: Bool) async throws {
        let value = isGood ? try DigestText.sha256(bytes) : DigestText.wrong
        let server = try SocketServer { [bytes] connection in
            guard connection.number == 1 else {
                var file = ServedFile(bytes)
                if connection.number == 0 { file.cutAfter = 100_000 }
                return try file.serve(connection)
            }
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 206 Partial Content\r\nTransfer-Encoding: chunked\r\nETag: \"one\"\r\n"
                    + "Content-Range: bytes 100000-\(bytes.count - 1)/\(bytes.count)\r\n"
                    + "Trailer: Repr-Digest\r\n\r\n"
            )
            let rest = bytes.dropFirst(100_000)
            try connection.send(Array("\(String(rest.count, radix: 16))\r\n".utf8) + rest)
            try connection.send("\r\n0\r\nRepr-Digest: \(value)\r\n\r\n")
        }
        let recorder = RecordingDelegate(
            .init(finished: { [folder] in rename($0.path, folder.path("whole")) })
        )
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let first = session.downloadTask(with: try url(server.url()))
        first.resume()
        #expect(await recorder.completion(of: first) == .networkConnectionLost)
        let data = try #require((first.error as? URLError)?.downloadTaskResumeData)
        let task = session.downloadTask(withResumeData: data)
        task.resume()
        #expect(await recorder.completion(of: task) == nil)
        // After a difference the whole file is sent again, once.
        #expect(server.requestCount == (isGood ? 2 : 3))
        #expect(isSameBytes(folder.read("whole"), bytes))
    }

    @Test(
        "a wrong part is detected when its rest has arrived, and the download starts over once",
        arguments: Whole.allCases,
        Word.allCases
    )
    func continued(whole: Whole, word: Word) async throws {
        let cuts = Flag()
        let value = try whole == .good ? DigestText.sha256(bytes) : DigestText.wrong
        let server = try SocketServer { [bytes] connection in
            var file = ServedFile(bytes)
            if !cuts.isUp { file.cutAfter = 100_000 }
            if cuts.isUp, word == .server { file.fields = ["Repr-Digest: \(value)"] }
            try file.serve(connection)
        }
        let part = folder.path("part")
        let recorder = RecordingDelegate(
            .init(
                destination: .partFile(URL(filePath: part), keepsResumeData: true),
                finished: { [folder] in rename($0.path, folder.path("whole")) }
            )
        )
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let first = session.downloadTask(with: try url(server.url()))
        first.resume()
        #expect(await recorder.completion(of: first) == .networkConnectionLost)
        var data = try ResumeData(try #require((first.error as? URLError)?.downloadTaskResumeData))
        // One byte has changed.
        var broken = Array(bytes.prefix(100_000))
        broken[50_000] ^= 1
        unlink(part)
        _ = try folder.write(broken, to: "part")
        data.identity = FileStatus(part)?.identity
        cuts.raise()
        let task = session.downloadTask(
            with: URLRequest(url: try url(server.url())),
            continuing: data
        )
        if word == .caller {
            let hex = try whole == .good ? sha256(bytes) : String(repeating: "0", count: 64)
            task.expectedDigest = ExpectedDigest(try #require(BodyDigest(.sha256, hex: hex)))
        }
        task.resume()
        let code = await recorder.completion(of: task)
        #expect(code == (whole == .good ? nil : .bodyDigestMismatch))
        let reasons = recorder.calls(task).compactMap { call in
            if case .startedOver(let reason) = call { "\(reason)" } else { nil }
        }
        #expect(reasons.count == 1)
        #expect(reasons.first?.contains("the received file does not match its digest") == true)
        #expect(server.heads.map { $0.values("Range") } == [[], ["bytes=100000-"], []])
        #expect(folder.names() == (whole == .good ? ["whole"] : []))
        if whole == .good { #expect(isSameBytes(folder.read("whole"), bytes)) }
    }

    @Test("a caller may forbid the second attempt of a continued file")
    func noSecondTry() async throws {
        let isSecond = Flag()
        let server = try SocketServer { [bytes] connection in
            var file = ServedFile(bytes)
            if !isSecond.isUp { file.cutAfter = 100_000 }
            try file.serve(connection)
        }
        let recorder = RecordingDelegate(
            .init(destination: .partFile(URL(filePath: folder.path("part"))))
        )
        let session = try URLSession.testing(recorder)
        defer { session.finishTasksAndInvalidate() }
        let first = session.downloadTask(with: try url(server.url()))
        first.resume()
        _ = await recorder.completion(of: first)
        let data = try #require((first.error as? URLError)?.downloadTaskResumeData)
        isSecond.raise()
        let task = session.downloadTask(withResumeData: data)
        task.expectedDigest = ExpectedDigest(
            try #require(BodyDigest(.md5, bytes: Array(repeating: 0, count: 16)))
        )
        task.startsOverOnDigestMismatch = false
        task.resume()
        #expect(await recorder.completion(of: task) == .bodyDigestMismatch)
        #expect(server.requestCount == 2)
        #expect(folder.names() == [])
    }
}
