import FoundationEssentials
import Synchronization
import URLLoading

/// A delegate that records where the client uses TLS for an http URL.
final class UpgradeRecorder: URLSessionTaskDelegate {
    private let urls = Mutex<[String]>([])

    /// The upgraded URLs.
    var upgrades: [String] { urls.withLock { $0 } }

    func urlSession(_ session: URLSession, task: URLSessionTask, didUpgradeTo url: URL) {
        urls.withLock { $0.append(url.absoluteString) }
    }
}
