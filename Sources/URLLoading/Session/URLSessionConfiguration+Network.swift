import FoundationEssentials
import Synchronization

/// Which networks a session may use, as a program has said.
struct NetworkAccess: Sendable, Hashable {
    var cellular = true
    var expensive = true
    var constrained = true
}

// How connections are shared, which class their packets have, and which networks they use.
extension URLSessionConfiguration {
    /// Whether requests to one server share an HTTP/2 connection at the same time.
    ///
    /// With `false` each request that is under way has a connection of its own, no more than
    /// ``httpMaximumConnectionsPerHost``. HTTP/1.1 has no pipelining here (requests that are sent
    /// before the previous response has arrived), because libcurl no longer supports it. Default:
    /// `true`; Foundation's default is `false`, which shares its HTTP/2 connections anyway.
    public var httpShouldUsePipelining: Bool {
        get { locked.withLock { $0.multiplexes } }
        set { locked.withLock { $0.multiplexes = newValue } }
    }

    /// The purpose of the session's traffic.
    ///
    /// Packets have the class that [RFC 4594](https://www.rfc-editor.org/rfc/rfc4594) or
    /// [RFC 8622](https://www.rfc-editor.org/rfc/rfc8622) has for it, which routers may use. It
    /// changes nothing else. Default: `default`, and no class.
    public var networkServiceType: URLRequest.NetworkServiceType {
        get { locked.withLock { $0.networkServiceType } }
        set { locked.withLock { $0.networkServiceType = newValue } }
    }

    /// Foundation's permission to use cellular networks; it has no effect here.
    ///
    /// Linux does not know which networks are cellular. ``TransportOptions/interface`` binds a session
    /// to one interface. Default: `true`.
    public var allowsCellularAccess: Bool {
        get { locked.withLock { $0.networkAccess.cellular } }
        set { locked.withLock { $0.networkAccess.cellular = newValue } }
    }

    /// Foundation's permission to use expensive networks; it has no effect here.
    ///
    /// As with ``allowsCellularAccess``. Default: `true`.
    public var allowsExpensiveNetworkAccess: Bool {
        get { locked.withLock { $0.networkAccess.expensive } }
        set { locked.withLock { $0.networkAccess.expensive = newValue } }
    }

    /// Foundation's permission to use networks in Low Data Mode; it has no effect here.
    ///
    /// As with ``allowsCellularAccess``. Default: `true`.
    public var allowsConstrainedNetworkAccess: Bool {
        get { locked.withLock { $0.networkAccess.constrained } }
        set { locked.withLock { $0.networkAccess.constrained = newValue } }
    }
}

extension URLRequest {
    /// The purpose of traffic, with Foundation's names and numbers.
    public enum NetworkServiceType: UInt, Codable, Sendable, Hashable {
        /// Nothing in particular.
        case `default` = 0
        /// Foundation's old name for calls over IP, with the class of ``voice``.
        case voip = 1
        /// Video.
        case video = 2
        /// Work in the background, which gives way to everything else.
        case background = 3
        /// Speech.
        case voice = 4
        /// Data that a user waits for.
        case responsiveData = 6
        /// Sound and pictures that are played while they come.
        case avStreaming = 8
        /// Sound and pictures of a conversation.
        case responsiveAV = 9
        /// Signals that begin and end calls.
        case callSignaling = 11

        /// The DSCP of [RFC 4594 §3](https://www.rfc-editor.org/rfc/rfc4594#section-3) and
        /// [RFC 8622](https://www.rfc-editor.org/rfc/rfc8622), shifted to its place.
        var trafficClass: UInt8 {
            let codePoint: UInt8 =
                switch self {
                case .default: 0
                case .background: 1
                case .responsiveData: 18
                case .avStreaming: 26
                case .video, .responsiveAV: 34
                case .callSignaling: 40
                case .voip, .voice: 46
                }
            return codePoint << 2
        }
    }
}
