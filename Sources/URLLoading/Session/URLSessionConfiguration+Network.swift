import FoundationEssentials
import Synchronization

/// Which networks a session may use, as a program has said.
struct NetworkAccess: Sendable, Hashable {
    var cellular = true
    var expensive = true
    var constrained = true
}

// How connections are shared, marked and chosen.
extension URLSessionConfiguration {
    /// Whether requests to one server share an HTTP/2 connection at the same time.
    ///
    /// With `false` each request that is under way has a connection of its own, no more than
    /// ``httpMaximumConnectionsPerHost``. HTTP/1.1 knows no such thing here: what Foundation calls
    /// pipelining, requests sent before the response to the one before has come, no longer exists in
    /// libcurl. Default: `true`; Foundation's default is `false`, which keeps its HTTP/2 connections
    /// shared all the same.
    public var httpShouldUsePipelining: Bool {
        get { locked.withLock { $0.multiplexes } }
        set { locked.withLock { $0.multiplexes = newValue } }
    }

    /// What the session's traffic is for.
    ///
    /// Packets are marked with the class that [RFC 4594](https://www.rfc-editor.org/rfc/rfc4594) or
    /// [RFC 8622](https://www.rfc-editor.org/rfc/rfc8622) has for it, which routers may heed. It
    /// changes nothing else. Default: `default`, and no mark.
    public var networkServiceType: URLRequest.NetworkServiceType {
        get { locked.withLock { $0.networkServiceType } }
        set { locked.withLock { $0.networkServiceType = newValue } }
    }

    /// Foundation's leave to use cellular networks, which restricts nothing here.
    ///
    /// Linux does not tell which networks are cellular. ``TransportOptions/interface`` binds a session
    /// to one interface. Default: `true`.
    public var allowsCellularAccess: Bool {
        get { locked.withLock { $0.networkAccess.cellular } }
        set { locked.withLock { $0.networkAccess.cellular = newValue } }
    }

    /// Foundation's leave to use networks that cost, which restricts nothing here.
    ///
    /// As with ``allowsCellularAccess``. Default: `true`.
    public var allowsExpensiveNetworkAccess: Bool {
        get { locked.withLock { $0.networkAccess.expensive } }
        set { locked.withLock { $0.networkAccess.expensive = newValue } }
    }

    /// Foundation's leave to use networks in Low Data Mode, which restricts nothing here.
    ///
    /// As with ``allowsCellularAccess``. Default: `true`.
    public var allowsConstrainedNetworkAccess: Bool {
        get { locked.withLock { $0.networkAccess.constrained } }
        set { locked.withLock { $0.networkAccess.constrained = newValue } }
    }
}

extension URLRequest {
    /// What traffic is for, with Foundation's names and numbers.
    public enum NetworkServiceType: UInt, Codable, Sendable, Hashable {
        /// Nothing in particular.
        case `default` = 0
        /// Foundation's old word for calls over IP, marked as ``voice`` is.
        case voip = 1
        /// Video.
        case video = 2
        /// Work in the background, which gives way to everything else.
        case background = 3
        /// Speech.
        case voice = 4
        /// What a person waits for.
        case responsiveData = 6
        /// Sound and pictures that are played while they come.
        case avStreaming = 8
        /// Sound and pictures of a conversation.
        case responsiveAV = 9
        /// What sets calls up and ends them.
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
