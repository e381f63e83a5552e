import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

/// A suite whose tests download the same bytes into their own folder.
protocol ResumingSuite {
    var folder: TestSupport.TemporaryFolder { get }
    var bytes: [UInt8] { get }
}

extension ResumingSuite {
    func session(_ recorder: RecordingDelegate) throws -> URLSession {
        try URLSession.testing(recorder) { $0.transport.temporaryFolder = folder.path }
    }

    /// A delegate that moves the downloaded file to `whole`.
    func recorder(_ destination: DownloadDestination = .temporary) -> RecordingDelegate {
        RecordingDelegate(
            .init(
                destination: destination,
                finished: { [folder] in rename($0.path, folder.path("whole")) }
            )
        )
    }

    /// The resume data of a download from a server that cuts its first response.
    func resumeData(
        _ server: SocketServer,
        _ destination: DownloadDestination = .temporary
    ) async throws -> Data {
        let recorder = recorder(destination)
        let session = try session(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.downloadTask(with: try url(server.url("/file")))
        task.resume()
        #expect(await recorder.completion(of: task) == .networkConnectionLost)
        return try #require((task.error as? URLError)?.downloadTaskResumeData)
    }

    /// Continues from resume data to the end.
    func resumeDownload(
        _ data: Data,
        _ destination: DownloadDestination = .temporary
    ) async throws -> [RecordingDelegate.Call] {
        let recorder = recorder(destination)
        let session = try session(recorder)
        defer { session.finishTasksAndInvalidate() }
        let task = session.downloadTask(withResumeData: data)
        task.resume()
        _ = await recorder.completion(of: task)
        return recorder.calls(task).filter { if case .response = $0 { false } else { true } }
    }

    /// A server of a file that a test may change between two responses.
    func server(_ file: FileOnServer) throws -> SocketServer {
        try SocketServer { try file.current.serve($0) }
    }
}

/// A server's file, which is cut short until its first change.
final class FileOnServer: Sendable {
    private let file: Mutex<ServedFile>

    init(_ bytes: [UInt8], cutAfter: Int = 100_000, hasLength: Bool = true) {
        var file = ServedFile(bytes)
        file.hasLength = hasLength
        file.cutAfter = cutAfter
        self.file = Mutex(file)
    }

    var current: ServedFile { file.withLock { $0 } }

    func change(_ change: (inout ServedFile) -> Void) {
        file.withLock { file in
            file.cutAfter = nil
            change(&file)
        }
    }
}
