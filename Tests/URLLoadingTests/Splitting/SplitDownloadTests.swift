import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Downloads in several streams", .timeLimit(.minutes(2)))
struct SplitDownloadTests {
    private let folder: TestSupport.TemporaryFolder
    private let bytes = PseudoRandom.bytes(8_000_000)

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    /// What a download has come to.
    private struct Outcome {
        var error: URLError.Code?
        var calls: [RecordingDelegate.Call]
        var resumeData: Data?

        var splits: [RecordingDelegate.Call] {
            calls.filter { if case .split = $0 { true } else { false } }
        }

        /// Whether the counts that were told add up, and never go back.
        func addsUp(to total: Int64, from start: Int64 = 0) -> Bool {
            var sum = start
            for case .wrote(let bytes, let all, _) in calls {
                guard bytes > 0, all == sum + bytes else { return false }
                sum = all
            }
            return sum == total
        }
    }

    private func download(
        _ address: String,
        streams: Int = 4,
        resumeData: Data? = nil,
        whileRunning: (URLSessionDownloadTask, RecordingDelegate) async throws -> Void = { _, _ in
        },
        configuring change: (URLSessionConfiguration) -> Void = { _ in }
    ) async throws -> Outcome {
        let recorder = RecordingDelegate(
            .init(finished: { [folder] in rename($0.path, folder.path("whole")) })
        )
        let session = try URLSession.testing(recorder) { configuration in
            configuration.transport.temporaryFolder = folder.path
            configuration.transport.maximumStreamsPerDownload = streams
            change(configuration)
        }
        defer { session.finishTasksAndInvalidate() }
        let task =
            try resumeData.map { session.downloadTask(withResumeData: $0) }
            ?? session.downloadTask(with: try url(address))
        task.resume()
        try await whileRunning(task, recorder)
        let error = await recorder.completion(of: task, within: .seconds(40))
        return Outcome(
            error: error,
            calls: recorder.calls(task),
            resumeData: (task.error as? URLError)?.downloadTaskResumeData
        )
    }

    private func isWhole() -> Bool {
        isSame(folder.read("whole"), bytes) && folder.names() == ["whole"]
    }

    enum Server: CaseIterable {
        case nginx
        case nginxOverTLS
        case nginxOverHTTP2
        case apache
        case apacheOverTLS
    }

    @Test("T-07 a download comes in several streams from real servers", arguments: Server.allCases)
    func realServers(server: Server) async throws {
        let name = "split-\(server)"
        let address: String
        switch server {
        case .nginx, .nginxOverTLS, .nginxOverHTTP2:
            let nginx = try Nginx.shared
            try nginx.addFile(name, bytes: bytes)
            let path = "/slow/\(name)?rate=3000000"
            address =
                switch server {
                case .nginx: nginx.url(path)
                case .nginxOverTLS: nginx.tlsURL(path)
                default: nginx.http2URL(path)
                }
        case .apache, .apacheOverTLS:
            let apache = try Apache.shared
            try folder.write(bytes, to: name)
            // Apache's tags are weak for a second.
            try folder.setModified(1_000_000_000, of: name)
            #expect(rename(folder.path(name), apache.uploaded(name)) == 0)
            let path = "/open/uploads/\(name)"
            address = server == .apache ? apache.url(path) : apache.tlsURL(path)
        }
        let outcome = try await download(address)
        #expect(outcome.error == nil)
        #expect(isWhole())
        #expect(outcome.splits == [.split(4, nil)], "\(outcome.calls)")
        #expect(outcome.addsUp(to: 8_000_000))
        guard server == .nginx || server == .nginxOverTLS || server == .nginxOverHTTP2 else {
            return
        }
        let log = try await Nginx.shared.accessLog("/slow/\(name)", waitingFor: 4)
        let parts = log.filter { $0.range != "-" }
        #expect(parts.count >= 3 && parts.allSatisfy { $0.status == 206 && $0.ifRange != "-" })
        #expect(parts.allSatisfy { $0.version == "HTTP/1.1" })
        #expect(Set(parts.map(\.connection)).count >= 3, "connections of their own")
    }

    @Test("a part that is refused for a while is asked for when that is over")
    func retryAfter() async throws {
        let server = try PartServer(bytes, goesOnAfter: 3, firstBreaks: true) {
            $0 < 3 ? .busy(1) : .good
        }
        let began = ContinuousClock.now
        let outcome = try await download(server.url)
        #expect(outcome.error == nil, "\(outcome)")
        #expect(ContinuousClock.now - began >= .seconds(1))
        #expect(isWhole())
        #expect(server.ranges.count >= 4)
    }

    private static func field(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let digest = try #require(BodyDigest(.sha256, hex: try sha256(Array(bytes))))
        return "\(name): sha-256=:\(Data(digest.bytes).base64EncodedString()):"
    }

    @Test("a part that is not what its Content-Digest says is not kept: all of it comes again")
    func spoiltPart() async throws {
        let server = try PartServer(
            bytes,
            goesOnAfter: nil,
            { $0 == 1 ? .spoilt : .good },
            fields: { [(try? Self.field("Content-Digest", $0)) ?? ""] }
        )
        let outcome = try await download(server.url) { task, recorder in
            #expect(
                await eventually {
                    recorder.calls(task).contains {
                        if case .startedOver = $0 { true } else { false }
                    }
                }
            )
            server.goOn()
        }
        #expect(outcome.error == nil, "\(outcome)")
        #expect(isWhole())
        let reasons = outcome.calls.compactMap { call in
            if case .startedOver(let reason) = call { "\(reason)" } else { nil }
        }
        #expect(reasons.count == 1 && reasons[0].contains("Content-Digest"), "\(reasons)")
    }

    @Test("a part that is wrong and the last to end is not kept either")
    func spoiltLast() async throws {
        let server = try PartServer(
            bytes,
            goesOnAfter: nil,
            { $0 == 0 ? .spoiltAtLast : .good },
            fields: { [(try? Self.field("Content-Digest", $0)) ?? ""] }
        )
        let outcome = try await download(server.url, streams: 2) { _, _ in
            #expect(await eventually { server.isHolding })
            server.goOn()
        }
        #expect(outcome.error == nil, "\(outcome)")
        #expect(isWhole())
        #expect(
            outcome.calls.contains { if case .startedOver = $0 { true } else { false } },
            "\(outcome.calls)"
        )
    }

    @Test("where some are refused for long, those that are served bring the rest")
    func servedGoOn() async throws {
        let server = try PartServer(bytes, goesOnAfter: 3) { _ in .busy(300) }
        let outcome = try await download(server.url)
        #expect(outcome.error == nil, "\(outcome)")
        #expect(isWhole())
        #expect(server.ranges.count >= 3)
    }

    @Test("what a part says of the whole is held against the whole", arguments: [true, false])
    func reprDigest(isRight: Bool) async throws {
        let value = try Self.field("Repr-Digest", isRight ? bytes : [0])
        let server = try PartServer(bytes, goesOnAfter: nil, fields: { _ in [value] })
        let outcome = try await download(server.url) { task, _ in
            // The first answer has brought no more than 200,000 of them.
            #expect(await eventually { task.countOfBytesReceived > 200_000 })
            server.goOn()
        }
        #expect(outcome.error == (isRight ? nil : .bodyDigestMismatch), "\(outcome)")
        #expect(isRight ? isWhole() : folder.names() == [])
    }

    @Test("a server that limits connections gets fewer, and the file is whole")
    func limitedConnections() async throws {
        let nginx = try Nginx.shared
        try nginx.addFile("split-limited", bytes: bytes)
        let outcome = try await download(
            // nginx lets the first second's bytes go at once: a part must have more.
            nginx.url("/crowded/split-limited?rate=700000"),
            streams: 6
        )
        #expect(outcome.error == nil)
        #expect(isWhole())
        #expect(outcome.splits.first == .split(6, nil))
        #expect(outcome.splits.contains(.split(2, .refused(503))), "\(outcome.splits)")
        #expect(outcome.addsUp(to: 8_000_000))
    }

    @Test(
        "a part that is not what was asked for is given back, and never written",
        arguments: 0..<6
    )
    func wrongParts(kind: Int) async throws {
        let parts: [PartServer.Part] = [
            .otherVersion, .whole, .otherWhole, .shifted, .otherLength, .status(403),
        ]
        let part = parts[kind]
        let server = try PartServer(bytes, goesOnAfter: nil) { _ in part }
        let outcome = try await download(
            server.url,
            streams: 2,
            whileRunning: { task, recorder in
                let isOne = await eventually {
                    recorder.calls(task).contains {
                        if case .split(1, _?) = $0 { true } else { false }
                    }
                }
                #expect(isOne)
                server.goOn()
            }
        )
        #expect(outcome.error == nil)
        #expect(isWhole())
        #expect(outcome.splits.first == .split(2, nil))
        guard case .split(1, let limit?)? = outcome.splits.last else {
            Issue.record("\(outcome.splits)")
            return
        }
        switch kind {
        case 0, 2, 4: #expect(limit == .entityChanged)
        case 1: #expect(limit == .rangesNotSupported)
        case 3: if case .unexpectedRange = limit {} else { Issue.record("\(limit)") }
        default: #expect(limit == .refused(403))
        }
    }

    @Test("a part that breaks off is taken up again where it stood", arguments: [true, false])
    func brokenParts(isReset: Bool) async throws {
        let server = try PartServer(bytes, goesOnAfter: isReset ? 1 : 4) { number in
            number < 3 ? (isReset ? .reset : .short) : .good
        }
        let outcome = try await download(server.url, streams: 2)
        #expect(outcome.error == nil)
        #expect(isWhole())
        #expect(isReset || outcome.splits == [.split(2, nil)], "\(outcome.splits)")
        #expect(outcome.addsUp(to: 8_000_000))
    }

    @Test("where the first answer breaks off, parts bring the rest")
    func brokenFirst() async throws {
        let server = try PartServer(bytes, firstBreaks: true)
        let outcome = try await download(server.url, streams: 3)
        #expect(outcome.error == nil)
        #expect(isWhole())
        #expect(outcome.addsUp(to: 8_000_000))
        #expect(server.heads.count { $0["Range"] == nil } == 1)
    }

    @Test("T-08 where nothing more comes of another version, the file comes anew, in one stream")
    func changedMeanwhile() async throws {
        let server = try PartServer(bytes, firstBreaks: true) { _ in .otherWhole }
        let outcome = try await download(server.url, streams: 2)
        #expect(outcome.calls.contains(.startedOver(.entityChanged)), "\(outcome.calls)")
        #expect(outcome.splits.count { $0 == .split(2, nil) } == 1)
    }

    @Test("no stream at all: the download fails, and is continued with its holes")
    func continued() async throws {
        let server = try PartServer(bytes, goesOnAfter: nil) { $0 < 3 ? .stalled : .silent }
        let first = try await download(
            server.url,
            streams: 4,
            configuring: {
                $0.timeoutIntervalForRequest = 1
            }
        )
        #expect(first.error == .timedOut)
        let data = try #require(first.resumeData)
        let pieces = try #require(try ResumeData(data).pieces)
        #expect(pieces.ranges.ranges.count == 4, "\(pieces.ranges)")
        let good = try PartServer(bytes)
        let moved = try #require(String(data: data, encoding: .utf8))
            .replacing(server.url, with: good.url)
        for streams in [1] {
            let second = try await download(
                good.url,
                streams: streams,
                resumeData: Data(moved.utf8)
            )
            #expect(second.error == nil)
            #expect(isWhole())
            #expect(second.addsUp(to: 8_000_000, from: pieces.ranges.count))
        }
        let missing = pieces.ranges.gaps(upTo: 8_000_000).map {
            "bytes=\($0.lowerBound)-\($0.upperBound == 8_000_000 ? "" : "\($0.upperBound - 1)")"
        }
        #expect(
            good.ranges.map { $0.replacing("-7999999", with: "-") } == missing,
            "nothing comes twice"
        )
        #expect(good.heads.allSatisfy { $0["If-Range"] == PartServer.entityTag })
    }

    @Test("T-08 a cancelled download keeps its holes, and several streams fill them")
    func cancelled() async throws {
        let server = try PartServer(bytes, goesOnAfter: nil) { _ in .stalled }
        let first = try await download(server.url, streams: 3) { task, _ in
            let half: Int64 = 2_000_000
            #expect(await eventually { task.countOfBytesReceived > half })
            _ = await task.cancelByProducingResumeData()
        }
        #expect(first.error == .cancelled)
        let data = try #require(first.resumeData)
        let good = try PartServer(bytes)
        let moved = try #require(String(data: data, encoding: .utf8))
            .replacing(server.url, with: good.url)
        let second = try await download(good.url, streams: 4, resumeData: Data(moved.utf8))
        #expect(second.error == nil)
        #expect(isWhole())
        #expect(second.calls.contains { if case .resumed = $0 { true } else { false } })
    }

    @Test("T-08 holes in a file that has changed on the server are not filled")
    func changedBetween() async throws {
        let server = try PartServer(bytes, goesOnAfter: nil) { _ in .stalled }
        let first = try await download(server.url, streams: 3) { task, _ in
            #expect(await eventually { task.countOfBytesReceived > 2_000_000 })
            _ = await task.cancelByProducingResumeData()
        }
        let data = try #require(first.resumeData)
        let other = try PartServer(PseudoRandom.bytes(8_000_000, seed: 2)) { _ in .otherVersion }
        other.goOn()
        let moved = try #require(String(data: data, encoding: .utf8))
            .replacing(server.url, with: other.url)
        let second = try await download(other.url, streams: 1, resumeData: Data(moved.utf8))
        #expect(second.error == nil)
        #expect(second.calls.contains(.startedOver(.entityChanged)))
        #expect(isSame(folder.read("whole"), other.bytes))
    }

    @Test("when all streams are silent the download times out, and not once for each of them")
    func silence() async throws {
        let server = try PartServer(bytes, goesOnAfter: nil) { _ in .silent }
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = try await download(
            server.url,
            streams: 4,
            configuring: {
                $0.timeoutIntervalForRequest = 1
            }
        )
        #expect(outcome.error == .timedOut)
        #expect(clock.now - start < .seconds(4))
    }

    @Test("the rate is that of all streams together")
    func rate() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addFile("split-rate", bytes: bytes)
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = try await download(
            nginx.tlsURL(path),
            configuring: {
                $0.transport.maximumBytesPerSecond = 4_000_000
            }
        )
        #expect(outcome.error == nil)
        #expect(isWhole())
        #expect(clock.now - start > .milliseconds(1_500))
    }

    @Test("suspended, all streams stand still; resumed, all go on")
    func suspended() async throws {
        let nginx = try Nginx.shared
        try nginx.addFile("split-suspended", bytes: bytes)
        try nginx.addLargeFile("split-clock", size: 2_000_000)
        let clock = try url(nginx.url("/slow/split-clock?rate=1000000"))
        let other = URLSession(configuration: .ephemeral)
        defer { other.finishTasksAndInvalidate() }
        let outcome = try await download(
            nginx.url("/slow/split-suspended?rate=1000000")
        ) { task, _ in
            #expect(await eventually { task.countOfBytesReceived > 500_000 })
            task.suspend()
            // Another download is the clock: while it comes at the same rate, more is under way for
            // this one, too, and then nothing is.
            _ = try await other.data(from: clock)
            let before = task.countOfBytesReceived
            _ = try await other.data(from: clock)
            #expect(task.countOfBytesReceived == before)
            task.resume()
        }
        #expect(outcome.error == nil)
        #expect(isWhole())
    }

    @Test("no more connections are used than the session allows")
    func connectionLimit() async throws {
        let nginx = try Nginx.shared
        try nginx.addFile("split-two", bytes: bytes)
        let outcome = try await download(
            nginx.tlsURL("/slow/split-two?rate=3000000"),
            streams: 8,
            configuring: { $0.httpMaximumConnectionsPerHost = 2 }
        )
        #expect(outcome.error == nil)
        #expect(isWhole())
        #expect(outcome.splits == [.split(2, nil)])
    }

    @Test("a small file, and one that nobody can be sure of, come in one stream")
    func notSplit() async throws {
        let nginx = try Nginx.shared
        let small = try nginx.addFile("split-small", bytes: PseudoRandom.bytes(100_000))
        let outcome = try await download(nginx.url(small))
        #expect(outcome.splits == [.split(1, .tooSmall)])
        try nginx.addFile("split-no-length", bytes: bytes)
        let unknown = try await download(nginx.url("/no-length/split-no-length"))
        #expect(unknown.error == nil)
        #expect(unknown.splits == [.split(1, .rangesNotSupported)], "\(unknown.splits)")
    }
}
