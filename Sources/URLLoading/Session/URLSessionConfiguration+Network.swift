import FoundationEssentials
import Synchronization

// Sharing of connections, traffic class of packets, and permitted networks.
extension URLSessionConfiguration {
    /// Whether requests to one server share an HTTP/2 connection at the same time.
    ///
    /// With `false` each running request has its own connection, up to
    /// ``httpMaximumConnectionsPerHost``. HTTP/1.1 pipelining (requests sent before the previous
    /// response) is not available, because libcurl no longer supports it. Default: `true`; Foundation's
    /// default is `false`, but its HTTP/2 connections are shared anyway.
    public var httpShouldUsePipelining: Bool {
        get { locked.withLock { $0.multiplexes } }
        set { locked.withLock { $0.multiplexes = newValue } }
    }

    /// The purpose of the session's traffic.
    ///
    /// Packets carry the traffic class that [RFC 4594](https://www.rfc-editor.org/rfc/rfc4594) or [RFC
    /// 8622](https://www.rfc-editor.org/rfc/rfc8622) assigns to the purpose, which routers may use. No
    /// other effect. Default: `default`, without a class.
    public var networkServiceType: URLRequest.NetworkServiceType {
        get { locked.withLock { $0.networkServiceType } }
        set { locked.withLock { $0.networkServiceType = newValue } }
    }

    /// Foundation's permission to use cellular networks; it has no effect here.
    ///
    /// Linux does not know which networks are cellular. ``TransportOptions/interface`` binds a session
    /// to one interface. Default: `true`.
    public var allowsCellularAccess: Bool {
        get { locked.withLock { $0.allowsCellular } }
        set { locked.withLock { $0.allowsCellular = newValue } }
    }

    /// Foundation's permission to use expensive networks; it has no effect here.
    ///
    /// As with ``allowsCellularAccess``. Default: `true`.
    public var allowsExpensiveNetworkAccess: Bool {
        get { locked.withLock { $0.allowsExpensive } }
        set { locked.withLock { $0.allowsExpensive = newValue } }
    }

    /// Foundation's permission to use networks in Low Data Mode; it has no effect here.
    ///
    /// As with ``allowsCellularAccess``. Default: `true`.
    public var allowsConstrainedNetworkAccess: Bool {
        get { locked.withLock { $0.allowsConstrained } }
        set { locked.withLock { $0.allowsConstrained = newValue } }
    }
}

extension URLRequest {
    /// The purpose of traffic, with Foundation's names and numbers.
    public enum NetworkServiceType: UInt, Codable, Sendable, Hashable {
        /// No particular purpose.
        case `default` = 0
        /// Foundation's old name for calls over IP, with the class of ``voice``.
        case voip = 1
        /// Video.
        case video = 2
        /// Background work, which yields to all other traffic.
        case background = 3
        /// Speech.
        case voice = 4
        /// Data that a user waits for.
        case responsiveData = 6
        /// Audio and video that are played while they arrive.
        case avStreaming = 8
        /// Audio and video of a conversation.
        case responsiveAV = 9
        /// Signals that begin and end calls.
        case callSignaling = 11

        /// The DSCP of [RFC 4594 §3](https://www.rfc-editor.org/rfc/rfc4594#section-3) and [RFC
        /// 8622](https://www.rfc-editor.org/rfc/rfc8622), shifted into the traffic class byte.
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
