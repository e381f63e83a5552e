// Shows a download that goes on when the program has ended. The first run starts it and ends at
// once. One with --attach, at any time later and also in another login, waits for it and says what
// has come of it: the session is known by its identifier.
// Run: swift run BackgroundDownload [--attach] URL FILE

import Dispatch
import FoundationEssentials
import Glibc
import URLLoading

/// Moves the file to where it belongs, and prints what the session tells.
final class DownloadDelegate: URLSessionDownloadDelegate {
    private let target: URL
    let isInvalid = DispatchSemaphore(value: 0)

    init(target: URL) {
        self.target = target
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didFinishDownloadingTo location: URL
    ) {
        do {
            try FileManager.default.moveItem(at: location, to: target)
            print("saved \(target.path)")
        } catch {
            print("not saved: \(error)")
        }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        print(error.map { "failed: \($0)" } ?? "completed")
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
        print("all is done")
        session.finishTasksAndInvalidate()
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        if let error { print("the session cannot be used: \(error)") }
        isInvalid.signal()
    }
}

// First of all: the same executable is started anew for the transfers.
TransferProcess.serve()

var arguments = Array(CommandLine.arguments.dropFirst())
let attaches = arguments.first == "--attach"
if attaches { arguments.removeFirst() }
guard arguments.count == 2, let url = URL(string: arguments[0]) else {
    print("usage: BackgroundDownload [--attach] URL FILE")
    exit(2)
}
let delegate = DownloadDelegate(target: URL(filePath: arguments[1]))
let configuration = URLSessionConfiguration.background(
    withIdentifier: "com.example.background-download"
)
// The delegate pins no keys: the download does not wait for its word about each server.
configuration.background.asksAboutTrustedServers = false
let session = URLSession(configuration: configuration, delegate: delegate)
guard attaches else {
    session.downloadTask(with: url).resume()
    // The download has been handed over: nothing here needs to live on.
    exit(0)
}
delegate.isInvalid.wait()
