import FoundationEssentials
import Glibc
import TestSupport

@testable import URLLoading

/// A folder, a file for several streams, and the outcome of its download.
struct SplitStage {
    let folder: TestSupport.TemporaryFolder
    let bytes = PseudoRandom.bytes(8_000_000)

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    /// The outcome of a download.
    struct Outcome {
        var error: URLError.Code?
        var calls: [RecordingDelegate.Call]
        var resumeData: Data?

        var splits: [RecordingDelegate.Call] {
            calls.filter { if case .split = $0 { true } else { false } }
        }

        /// Whether the reported counts add up, and never decrease.
        func addsUp(to total: Int64, from start: Int64 = 0) -> Bool {
            var sum = start
            for case .wrote(let bytes, let all, _) in calls {
                guard bytes > 0, all == sum + bytes else { return false }
                sum = all
            }
            return sum == total
        }
    }

    /// Downloads the file under the name `whole`.
    func download(
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

    /// Whether the whole file is there, and nothing else.
    func isWhole() -> Bool {
        isSameBytes(folder.read("whole"), bytes) && folder.names() == ["whole"]
    }
}
