import Dispatch
import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Back pressure", .timeLimit(.minutes(1)))
struct BackPressureTests {
    @Test(
        "T-02 a slow delegate delays the transfer, and gets every byte",
        arguments: ["http/1.1", "tls", "h2"]
    )
    func slowDelegate(server: String) async throws {
        let nginx = try Nginx.shared
        let size = 12 << 20
        // Each case has its own name: a test that rewrites a file would make nginx serve it short.
        let file = try nginx.addLargeFile(
            "slow-delegate-\(server.filter(\.isLetter)).bin",
            size: size
        )
        let address =
            switch server {
            case "h2": nginx.http2URL(file)
            case "tls": nginx.tlsURL(file)
            default: nginx.url(file)
            }
        // The delegate blocks in its first call until its release.
        let brake = DispatchSemaphore(value: 0)
        let recorder = RecordingDelegate(
            .init(received: { _, _ in
                brake.wait()
                brake.signal()
            })
        )
        let session = try URLSession.testing(recorder)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: try url(address))
        task.resume()
        #expect(await eventually { task.countOfBytesReceived >= 1 << 20 })
        // The transfer is paused: it takes only the window and the current piece.
        #expect(await !happens(in: .milliseconds(300)) { task.countOfBytesReceived > 2 << 20 })
        brake.signal()
        #expect(await recorder.completion(of: task) == nil)
        #expect(isSameBytes(recorder.data(task), PseudoRandom.bytes(size)))
    }

    @Test("T-02 a suspended HTTP/2 stream does not delay another on its connection")
    func neighbours() async throws {
        let nginx = try Nginx.shared
        let file = try nginx.addLargeFile("neighbours.bin", size: 4 << 20)
        let session = try URLSession.testing()
        defer { session.invalidateAndCancel() }
        let (slow, _) = try await session.bytes(from: try url(nginx.http2URL(file)))
        let (data, _) = try await session.data(from: try url(nginx.http2URL(file)))
        #expect(data.count == 4 << 20)
        var count = 0
        for try await _ in slow { count += 1 }
        #expect(count == 4 << 20)
    }
}
