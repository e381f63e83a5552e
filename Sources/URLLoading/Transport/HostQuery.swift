import CurlMulti
import Dispatch
import Synchronization

/// Asks once more for the address of a name that libcurl found none for.
///
/// libcurl does not report whether the name is unknown or no name server could be reached.
///
/// On a thread of its own: a name server that does not respond blocks getaddrinfo(3) for as long as
/// resolv.conf(5) says, often half a minute, and that cannot be cancelled.
final class HostQuery: Sendable {
    /// A name server that takes longer counts as unreachable.
    private static let timeout: Int32 = 2_000

    private enum Finding {
        case pending
        /// There is no such name, or it has no address of the kind.
        case permanent
        /// The name service did not respond, or has an address now.
        case transient
    }

    private let finding = Mutex(Finding.pending)

    /// Begins to ask.
    ///
    /// - Parameters:
    ///   - name: the host; what is no name but an address has nothing to be looked up.
    ///   - family: which addresses count.
    ///   - done: called once, on a thread of the look-up's, when something is known.
    init(
        _ name: String,
        _ family: URLSessionConfiguration.AddressFamily,
        done: @escaping @Sendable () -> Void
    ) {
        let finish: @Sendable (Finding) -> Void = { [weak self] finding in
            self?.settle(finding, done)
        }
        DispatchQueue.global().async {
            finish(NameLookUp.of(name, family) == .unknown ? .permanent : .transient)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(Self.timeout))) {
            finish(.transient)
        }
    }

    /// Whether nothing is known yet.
    var isPending: Bool { finding.withLock { $0 == .pending } }

    /// Whether the next try may succeed.
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

/// Hosts by the names that servers know them by.
package enum CanonicalHost {
    /// A URL's host in lower case, in IDNA's ASCII where it has other letters.
    package static func name(_ host: String) -> String {
        known(host) ?? host.asciiLowercased
    }

    /// The same; `nil` where the host has other letters, and is the name of no server.
    package static func known(_ host: String) -> String? {
        let isASCII = host.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") }
        guard !isASCII, !host.utf8.contains(UInt8(ascii: ":")) else {
            return host.asciiLowercased
        }
        return InternationalName.ascii(host)
    }
}
