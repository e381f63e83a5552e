import CurlMulti
import Dispatch
import Synchronization
import SystemPackage

/// Looks up a host name a second time, after libcurl found no address.
///
/// libcurl does not report whether the name is unknown or no name server responded.
///
/// The look-up has its own thread: getaddrinfo(3) blocks as long as resolv.conf(5) configures, often
/// half a minute, and cannot be cancelled. On the system's few threads, look-ups would delay timers.
final class HostQuery: Sendable {
    /// A name server that takes longer counts as unreachable.
    private static let timeout = DispatchTimeInterval.seconds(2)
    private static let timers = DispatchQueue(label: "URLLoading.HostQuery")

    private enum Finding {
        case pending
        /// The name does not exist, or has no address of the family.
        case permanent
        /// The name service did not respond, or now has an address.
        case transient
    }

    private let finding = Mutex(Finding.pending)

    /// Begins the look-up; calls `done` once, on any thread.
    init(
        _ name: String,
        _ family: URLSessionConfiguration.AddressFamily,
        done: @escaping @Sendable () -> Void
    ) {
        let finish: @Sendable (Finding) -> Void = { [weak self] finding in
            self?.settle(finding, done)
        }
        do throws(Errno) {
            try LoopThread.start {
                finish(NameLookUp.of(name, family) == .unknown ? .permanent : .transient)
            }
            Self.timers.asyncAfter(deadline: .now() + Self.timeout) { finish(.transient) }
        } catch {
            finish(.transient)
        }
    }

    var isPending: Bool { finding.withLock { $0 == .pending } }

    /// Whether a later attempt may succeed.
    var hasFailedForNow: Bool { finding.withLock { $0 == .transient } }

    private func settle(_ new: Finding, _ done: @Sendable () -> Void) {
        let isFirst = finding.withLock { finding in
            guard finding == .pending else { return false }
            finding = new
            return true
        }
        if isFirst { done() }
    }
}

/// Host names in the form that servers use.
package enum CanonicalHost {
    /// A URL's host in lower case, in IDNA's ASCII form if it has other letters.
    package static func name(_ host: String) -> String {
        known(host) ?? host.asciiLowercased
    }

    /// The same; `nil` where the host has no valid ASCII form.
    package static func known(_ host: String) -> String? {
        let isASCII = host.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") }
        guard !isASCII, !host.utf8.contains(UInt8(ascii: ":")) else { return host.asciiLowercased }
        return InternationalName.ascii(host)
    }
}
