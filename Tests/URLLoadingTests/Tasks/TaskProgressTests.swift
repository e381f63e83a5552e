import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("Progress of tasks", .timeLimit(.minutes(1)))
struct TaskProgressTests {
    private final class Seen: Sendable {
        private let state = Mutex<[Double]>([])
        var values: [Double] { state.withLock { $0 } }
        func add(_ value: Double) { state.withLock { $0.append(value) } }
    }

    @Test(
        "T-01 an observer gets progress on the delegate queue, up to the end",
        arguments: [true, false]
    )
    func observed(isDownload: Bool) async throws {
        let nginx = try Nginx.shared
        let file = try nginx.addLargeFile("t01-observed.bin", size: 400_000)
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder) {
            $0.transport.maximumBytesPerSecond = 600_000
        }
        defer { session.invalidateAndCancel() }
        let address = try url(nginx.url(file))
        let task =
            isDownload
            ? session.downloadTask(with: address)
            : session.dataTask(with: address) as URLSessionTask
        let seen = Seen()
        let observation = task.progress.observe(\.fractionCompleted, options: [.new, .initial]) {
            progress,
            change in
            seen.add(change.newValue ?? -1)
        }
        #expect(seen.values == [0])
        task.progress.resume()
        #expect(await recorder.completion(of: task) == nil)
        #expect(await eventually { seen.values.last == 1 })
        #expect(seen.values.count > 2)
        #expect(seen.values == seen.values.sorted())
        #expect(task.progress.isFinished)
        #expect(!task.progress.isCancelled)
        withExtendedLifetime(observation) {}
    }

    @Test("T-01 a task counts the body for a handler while it arrives")
    func collected() async throws {
        let nginx = try Nginx.shared
        let file = try nginx.addLargeFile("t01-collected.bin", size: 400_000)
        let session = try URLSession.testing { $0.transport.maximumBytesPerSecond = 600_000 }
        defer { session.invalidateAndCancel() }
        let seen = Seen()
        let observations = Mutex<[URLSessionTaskProgress.Observation]>([])
        let length = try await withCheckedThrowingContinuation { continuation in
            let task = session.dataTask(with: URL(string: nginx.url(file))!) { data, _, error in
                continuation.resume(with: data.map { .success($0.count) } ?? .failure(error!))
            }
            let observation = task.progress.observe(\.fractionCompleted) { progress, _ in
                seen.add(progress.fractionCompleted)
            }
            observations.withLock { $0.append(observation) }
            task.resume()
        }
        #expect(length == 400_000)
        #expect(await eventually { seen.values.last == 1 })
        #expect(seen.values.count > 2)
    }

    @Test("T-01 progress suspends, resumes and cancels its task, and an observation ends")
    func commands() async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
            _ = try connection.nextHead()
        }
        let recorder = RecordingDelegate()
        let session = try URLSession.testing(recorder)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: try url(server.url()))
        let progress = task.progress
        #expect(progress.isPaused)
        #expect(progress.isIndeterminate)
        let (kept, ended) = (Seen(), Seen())
        let observation = progress.observe(\.completedUnitCount) { progress, _ in
            kept.add(Double(progress.completedUnitCount))
        }
        progress.observe(\.completedUnitCount) { _, _ in ended.add(0) }.invalidate()
        progress.resume()
        #expect(await eventually { kept.values == [3] })
        #expect(progress.totalUnitCount == 100)
        progress.pause()
        #expect(progress.isPaused)
        progress.cancel()
        #expect(await recorder.completion(of: task) == .cancelled)
        #expect(progress.isCancelled)
        #expect(!progress.isFinished)
        #expect(progress.fractionCompleted < 1)
        #expect(ended.values.isEmpty)
        withExtendedLifetime(observation) {}
    }

    private func withProgress(
        sent: URLSessionTask.ByteCount,
        received: URLSessionTask.ByteCount,
        _ body: (URLSessionTaskProgress) -> Void
    ) throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: try url("http://h/"))
        task.locked.withLock { ($0.sent, $0.received) = (sent, received) }
        body(task.progress)
    }

    @Test("progress counts both directions together, and is unknown where one is")
    func together() throws {
        try withProgress(
            sent: .init(total: 10, expected: 10),
            received: .init(total: 20, expected: 50)
        ) { half in
            #expect(half.completedUnitCount == 30)
            #expect(half.totalUnitCount == 60)
            #expect(half.fractionCompleted == 0.5)
        }
        try withProgress(
            sent: .init(total: 0, expected: 0),
            received: .init(total: 20)
        ) { unknown in
            #expect(unknown.isIndeterminate)
            #expect(unknown.fractionCompleted == 0)
        }
    }

    @Test("progress survives the largest announced length beside sent bytes")
    func bounds() throws {
        try withProgress(
            sent: .init(total: 10, expected: 10),
            received: .init(total: .max, expected: .max)
        ) { all in
            #expect(all.completedUnitCount == .max)
            #expect(all.totalUnitCount == .max)
            #expect(all.fractionCompleted == 1)
        }
    }
}
