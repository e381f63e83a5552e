import URLLoading

extension TaskRun {
    /// Whether a server is the one that the URL names, and not one that a redirect leads to.
    func isHome(_ space: URLProtectionSpace) -> Bool {
        guard !space.isProxy(), let home = get(\.secureHome) ?? plan.address.origin else {
            return false
        }
        return space.host.hasBytes(of: home.host.unbracketed) && space.port == home.port
            && space.protocol == home.scheme
    }

    /// Who one is there: a credential belongs to the origin that it was given for.
    func identity(at space: URLProtectionSpace) -> Identity {
        isHome(space) ? plan.identity : .none
    }
}
