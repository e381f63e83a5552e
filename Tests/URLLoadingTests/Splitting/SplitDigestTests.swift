import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

/// Digests in parts: of themselves, and of the whole.
@Suite("Digests of parts", .timeLimit(.minutes(2)))
struct SplitDigestTests {
    private let stage: SplitStage

    init() throws {
        stage = try SplitStage()
    }

    /// A server whose parts carry the digest of the file's bytes, whatever their own bytes are.
    private func server(
        _ behavior: @escaping @Sendable (_ number: Int) -> PartServer.Part
    ) throws -> PartServer {
        try PartServer(
            stage.bytes,
            goesOnAfter: nil,
            behavior,
            fields: { ["Content-Digest: \((try? DigestText.sha256($0)) ?? "")"] }
        )
    }

    @Test("the task drops a part that differs from its Content-Digest, and requests it again")
    func spoiltPart() async throws {
        let server = try server { $0 == 1 ? .spoilt : .good }
        let outcome = try await stage.download(server.url) { task, recorder in
            #expect(
                await eventually {
                    recorder.calls(task).contains {
                        if case .startedOver = $0 { true } else { false }
                    }
                }
            )
            server.releaseFirst()
        }
        #expect(outcome.error == nil, "\(outcome)")
        #expect(stage.isWhole())
        let reasons = outcome.calls.compactMap { call in
            if case .startedOver(let reason) = call { "\(reason)" } else { nil }
        }
        #expect(reasons.count == 1 && reasons[0].contains("Content-Digest"), "\(reasons)")
    }

    @Test("the task also drops a wrong part that is the last to end")
    func spoiltLast() async throws {
        let server = try server { $0 == 0 ? .spoiltAtLast : .good }
        let outcome = try await stage.download(server.url, streams: 2) { task, _ in
            // The first response would go on into a part whose response has not begun.
            #expect(await eventually { server.isHolding && task.countOfBytesReceived > 3_000_000 })
            server.releaseFirst()
        }
        #expect(outcome.error == nil, "\(outcome)")
        #expect(stage.isWhole())
        #expect(
            outcome.calls.contains { if case .startedOver = $0 { true } else { false } },
            "\(outcome.calls)"
        )
    }

    @Test(
        "the task compares a part's digest of the whole with the whole",
        arguments: [true, false]
    )
    func reprDigest(isRight: Bool) async throws {
        let digest = try isRight ? DigestText.sha256(stage.bytes) : DigestText.wrong
        let server = try PartServer(
            stage.bytes,
            goesOnAfter: nil,
            fields: { _ in ["Repr-Digest: \(digest)"] }
        )
        let outcome = try await stage.download(server.url) { task, _ in
            // The first response has contained no more than 200,000 of them.
            #expect(await eventually { task.countOfBytesReceived > 200_000 })
            server.releaseFirst()
        }
        #expect(outcome.error == (isRight ? nil : .bodyDigestMismatch), "\(outcome)")
        #expect(isRight ? stage.isWhole() : stage.folder.names() == [])
    }
}
