import FoundationEssentials
import Synchronization
import URLLoading

/// A delegate that notes where TLS is used for an http URL.
final class UpgradeRecorder: URLSessionTaskDelegate {
    private let urls = Mutex<[String]>([])

    /// What was loaded.
    var upgrades: [String] { urls.withLock { $0 } }

    func urlSession(_ session: URLSession, task: URLSessionTask, didUpgradeTo url: URL) {
        urls.withLock { $0.append(url.absoluteString) }
    }
}
