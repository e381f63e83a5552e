import CurlMulti
import Dispatch
import Synchronization
import SystemPackage

/// Looks up a host name a second time, after libcurl found no address.
///
/// libcurl does not report whether the name is unknown or no name server responded.
///
/// The look-up has its own thread: getaddrinfo(3) blocks as long as resolv.conf(5) configures, often
/// half a minute, and cannot be cancelled. Timers have a queue too, since others of the system may be busy.
final class HostQuery: Sendable {
    private struct State {
        var finding: NameLookUp?
        /// Called with the first finding, and released then: thread and timer may last longer.
        var done: (@Sendable () -> Void)?
    }

    private static let timers = DispatchQueue(label: "URLLoading.HostQuery")

    private let state: Mutex<State>

    /// Begins the look-up, which is late after the limit; calls `done` once, on any thread.
    init(
        _ name: String,
        _ family: URLSessionConfiguration.AddressFamily,
        limit: Duration,
        done: @escaping @Sendable () -> Void
    ) {
        state = Mutex(State(done: done))
        let finish: @Sendable (NameLookUp) -> Void = { [weak self] in self?.settle($0) }
        do throws(Errno) {
            try LoopThread.start { finish(NameLookUp.of(name, family)) }
            Self.timers.asyncAfter(deadline: .now() + limit / .seconds(1)) { finish(.late) }
        } catch {
            finish(.noResponse)
        }
    }

    /// The result; `nil` while the look-up runs.
    var result: NameLookUp? { state.withLock { $0.finding } }

    private func settle(_ new: NameLookUp) {
        let done = state.withLock { state in
            state.finding = state.finding ?? new
            return state.done.take()
        }
        done?()
    }
}

extension HopRequest {
    /// The limit of a second look-up; a name server that takes longer counts as unreachable.
    func lookUpLimit(after elapsed: Duration) -> Duration {
        // A task that waits repeats the request if no name server responds in this time. They may take two
        // attempts of 5 s with each of three servers (resolv.conf(5)).
        let limit = Duration.seconds(waitsForNetwork ? 60 : 2)
        return timeLimit.map { max(.zero, min(limit, $0 - elapsed)) } ?? limit
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
