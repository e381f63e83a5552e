import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

/// Parts that the server refuses, breaks off, delays, or confuses.
@Suite("Parts that go wrong", .timeLimit(.minutes(2)))
struct SplitFaultTests {
    private let stage: SplitStage

    init() throws {
        stage = try SplitStage()
    }

    @Test("the client requests a temporarily refused part again after the refusal's time")
    func retryAfter() async throws {
        let server = try PartServer(stage.bytes, goesOnAfter: 3, firstBreaks: true) {
            $0 < 3 ? .busy(1) : .good
        }
        let began = ContinuousClock.now
        let outcome = try await stage.download(server.url)
        #expect(outcome.error == nil, "\(outcome)")
        #expect(ContinuousClock.now - began >= .seconds(1))
        #expect(stage.isWhole())
        #expect(server.ranges.count >= 4)
    }

    @Test("accepted streams download the rest where the server refuses others for long")
    func servedGoOn() async throws {
        let server = try PartServer(stage.bytes, goesOnAfter: 3) { _ in .busy(300) }
        let outcome = try await stage.download(server.url)
        #expect(outcome.error == nil, "\(outcome)")
        #expect(stage.isWhole())
        #expect(server.ranges.count >= 3)
    }

    @Test(
        "the client returns the range of a wrong part, and does not write the part",
        arguments: 0..<7
    )
    func wrongParts(kind: Int) async throws {
        let parts: [PartServer.Part] = [
            .otherVersion, .whole, .otherWhole, .shifted, .otherLength, .status(403), .coded,
        ]
        let part = parts[kind]
        let server = try PartServer(stage.bytes, goesOnAfter: nil) { _ in part }
        let outcome = try await stage.download(
            server.url,
            streams: 2,
            whileRunning: { task, recorder in
                let isOne = await eventually {
                    recorder.calls(task).contains {
                        if case .split(1, _?) = $0 { true } else { false }
                    }
                }
                #expect(isOne)
                server.releaseFirst()
            }
        )
        #expect(outcome.error == nil)
        #expect(stage.isWhole())
        #expect(outcome.splits.first == .split(2, nil))
        guard case .split(1, let limit?)? = outcome.splits.last else {
            Issue.record("\(outcome.splits)")
            return
        }
        switch kind {
        case 0, 2, 4, 6: #expect(limit == .entityChanged)
        case 1: #expect(limit == .rangesNotSupported)
        case 3: if case .unexpectedRange = limit {} else { Issue.record("\(limit)") }
        default: #expect(limit == .refused(403))
        }
    }

    @Test("the client requests a broken part again from its last byte", arguments: [true, false])
    func brokenParts(isReset: Bool) async throws {
        let server = try PartServer(stage.bytes, goesOnAfter: isReset ? 1 : 4) { number in
            number < 3 ? (isReset ? .reset : .short) : .good
        }
        let outcome = try await stage.download(server.url, streams: 2)
        #expect(outcome.error == nil)
        #expect(stage.isWhole())
        #expect(isReset || outcome.splits == [.split(2, nil)], "\(outcome.splits)")
        #expect(outcome.addsUp(to: 8_000_000))
    }

    @Test("further streams download the rest where the first response breaks off")
    func brokenFirst() async throws {
        let server = try PartServer(stage.bytes, firstBreaks: true)
        let outcome = try await stage.download(server.url, streams: 3)
        #expect(outcome.error == nil)
        #expect(stage.isWhole())
        #expect(outcome.addsUp(to: 8_000_000))
        #expect(server.heads.count { $0["Range"] == nil } == 1)
    }

    @Test("T-08 one stream downloads the whole file where the server has a new version")
    func changedMeanwhile() async throws {
        let server = try PartServer(stage.bytes, firstBreaks: true) { _ in .otherWhole }
        let outcome = try await stage.download(server.url, streams: 2)
        #expect(outcome.calls.contains(.startedOver(.entityChanged)), "\(outcome.calls)")
        #expect(outcome.splits.count { $0 == .split(2, nil) } == 1)
    }

    @Test("a download whose streams all fail keeps its holes, and continues")
    func continued() async throws {
        let server = try PartServer(stage.bytes, goesOnAfter: nil) { $0 < 3 ? .stalled : .silent }
        let first = try await stage.download(
            server.url,
            streams: 4,
            configuring: {
                $0.timeoutIntervalForRequest = 4
            }
        )
        #expect(first.error == .timedOut)
        let data = try #require(first.resumeData)
        let received = try ResumeData(data).received
        #expect(received.ranges.ranges.count == 4, "\(received.ranges)")
        let good = try PartServer(stage.bytes)
        let moved = try #require(String(data: data, encoding: .utf8))
            .replacing(server.url, with: good.url)
        for streams in [1] {
            let second = try await stage.download(
                good.url,
                streams: streams,
                resumeData: Data(moved.utf8)
            )
            #expect(second.error == nil)
            #expect(stage.isWhole())
            #expect(second.addsUp(to: 8_000_000, from: received.ranges.count))
        }
        let missing = received.ranges.gaps(upTo: 8_000_000).map {
            "bytes=\($0.lowerBound)-\($0.upperBound == 8_000_000 ? "" : "\($0.upperBound - 1)")"
        }
        #expect(
            good.ranges.map { $0.replacing("-7999999", with: "-") } == missing,
            "nothing comes twice"
        )
        #expect(good.heads.allSatisfy { $0["If-Range"] == PartServer.entityTag })
    }

    @Test("the download times out once when all streams are silent")
    func silence() async throws {
        let server = try PartServer(stage.bytes, goesOnAfter: nil) { _ in .silent }
        let clock = ContinuousClock()
        let start = clock.now
        let outcome = try await stage.download(
            server.url,
            streams: 8,
            configuring: {
                $0.timeoutIntervalForRequest = 2
            }
        )
        #expect(outcome.error == .timedOut)
        // In series, they would take twice that.
        #expect(clock.now - start < .seconds(8))
    }
}
