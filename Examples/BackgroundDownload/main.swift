// Shows a download that continues after the program has exited. The first run starts the download and
// exits at once. A later run with --attach waits for the download, and prints the result. It finds the
// session by its identifier, even in another login.
// Run: swift run BackgroundDownload [--attach] URL FILE

import Dispatch
import FoundationEssentials
import Glibc
import URLLoading

/// Moves the file to its destination, and prints the session's events.
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

// First of all, because the library starts the same executable again as the transfer process.
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
// The delegate pins no keys, so the download need not wait for its decision about each server.
configuration.background.asksAboutTrustedServers = false
let session = URLSession(configuration: configuration, delegate: delegate)
guard attaches else {
    session.downloadTask(with: url).resume()
    // The transfer process has the download, so this process may exit.
    exit(0)
}
delegate.isInvalid.wait()
