// Shows a download that can be stopped and continued. The program keeps resume data in FILE.resume,
// even if the connection was lost, and its next run continues from there.
// Run: swift run Download URL FILE [BYTES-AFTER-WHICH-TO-STOP]

import FoundationEssentials
import Glibc
import Synchronization
import URLLoading

final class Saver: URLSessionDownloadDelegate {
    let target: URL
    let limit: Int64
    let (end, ended) = AsyncStream<Void>.makeStream()
    private let isStopping = Atomic(false)

    init(target: URL, limit: Int64) {
        self.target = target
        self.limit = limit
    }

    var resumeFile: URL { target.appendingPathExtension("resume") }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        print("continued at \(fileOffset) of \(expectedTotalBytes)")
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        guard totalBytesWritten >= limit else { return }
        guard !isStopping.exchange(true, ordering: .relaxed) else { return }
        downloadTask.cancel { [self] resumeData in
            keep(resumeData)
        }
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        do {
            // The session removes the file when this method returns, so it is moved before.
            try FileManager.default.moveItem(at: location, to: target)
            try? FileManager.default.removeItem(at: resumeFile)
            print("saved \(downloadTask.countOfBytesReceived) bytes")
        } catch {
            print("cannot save: \(error)")
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        guard let error = error as? URLError else { return }
        print("error \(error.code.rawValue)")
        if error.code != .cancelled {
            keep(error.downloadTaskResumeData)
        }
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        ended.finish()
    }

    private func keep(_ resumeData: Data?) {
        let isKept = resumeData.map { (try? $0.write(to: resumeFile)) != nil } ?? false
        print(isKept ? "can be continued" : "has to begin again")
    }
}

let arguments = CommandLine.arguments
guard arguments.count >= 3, let url = URL(string: arguments[1]) else {
    print("usage: Download URL FILE [BYTES-AFTER-WHICH-TO-STOP]")
    exit(2)
}
let limit = arguments.count > 3 ? Int64(arguments[3]) : nil
let saver = Saver(target: URL(filePath: arguments[2]), limit: limit ?? .max)
let session = URLSession(configuration: .ephemeral, delegate: saver, delegateQueue: nil)
let task =
    if let resumeData = try? Data(contentsOf: saver.resumeFile) {
        session.downloadTask(withResumeData: resumeData)
    } else {
        session.downloadTask(with: url)
    }
task.resume()
session.finishTasksAndInvalidate()
for await _ in saver.end {}
