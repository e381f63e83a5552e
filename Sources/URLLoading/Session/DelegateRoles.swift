import Synchronization

/// A session's delegate by its protocols; `nil` where it does not conform to one.
///
/// Computed once for each session: a cast to a protocol searches all types of the program, which takes
/// 1 % of a small fetch.
final class DelegateRoles: Sendable {
    let task: (any URLSessionTaskDelegate)?
    let data: (any URLSessionDataDelegate)?
    let download: (any URLSessionDownloadDelegate)?

    init(_ delegate: (any URLSessionDelegate)?) {
        task = delegate as? any URLSessionTaskDelegate
        data = task as? any URLSessionDataDelegate
        download = task as? any URLSessionDownloadDelegate
    }

    fileprivate init(_ delegate: some URLSessionDataDelegate & URLSessionDownloadDelegate) {
        task = delegate
        data = delegate
        download = delegate
    }
}

extension URLSession {
    /// The protocols that the session's delegate conforms to.
    var delegateRoles: DelegateRoles {
        locked.withLock { locked in
            if let roles = locked.roles { return roles }
            let roles = DelegateRoles(locked.delegate)
            locked.roles = roles
            return roles
        }
    }

    /// Notes the protocols of the session's delegate, so that calls need no cast.
    package func note(delegate: some URLSessionDataDelegate & URLSessionDownloadDelegate) {
        locked.withLock { locked in
            guard locked.delegate === delegate else { return }
            locked.roles = DelegateRoles(delegate)
        }
    }
}
