import URLLoading

/// Through which proxy.
enum ProxyPlan: Equatable, Sendable {
    /// As the environment says (`https_proxy` and its kin), but directly to these hosts if any.
    case environment(exceptions: [String])
    case none
    case proxy(ProxyServer, exceptions: [String])
}
