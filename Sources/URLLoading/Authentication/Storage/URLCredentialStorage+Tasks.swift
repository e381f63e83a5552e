import Dispatch

// Foundation's forms for a task. A task makes no difference to what is kept; the key store is asked
// one thing after another, and answers are given on the delegate queue of the task's session.
extension URLCredentialStorage {
    /// The credentials for a space by their users; `nil` where there are none.
    public func getCredentials(
        for space: URLProtectionSpace,
        task: URLSessionTask,
        completionHandler: @escaping @Sendable ([String: URLCredential]?) -> Void
    ) {
        queue.async {
            let found = self.credentials(for: space)
            task.session.queue.async { completionHandler(found) }
        }
    }

    /// The credential that is tried without asking.
    public func getDefaultCredential(
        for space: URLProtectionSpace,
        task: URLSessionTask,
        completionHandler: @escaping @Sendable (URLCredential?) -> Void
    ) {
        queue.async {
            let found = self.defaultCredential(for: space)
            task.session.queue.async { completionHandler(found) }
        }
    }

    /// Keeps a credential for a space.
    public func set(
        _ credential: URLCredential,
        for space: URLProtectionSpace,
        task: URLSessionTask
    ) {
        queue.async { self.set(credential, for: space) }
    }

    /// Keeps a credential for a space, and makes it the default.
    public func setDefaultCredential(
        _ credential: URLCredential,
        for space: URLProtectionSpace,
        task: URLSessionTask
    ) {
        queue.async { self.setDefaultCredential(credential, for: space) }
    }

    /// Forgets a credential.
    ///
    /// - Parameters:
    ///   - credential: the credential.
    ///   - space: what it is for.
    ///   - options: Foundation's; none has a meaning here.
    ///   - task: the task that it was used by.
    public func remove(
        _ credential: URLCredential,
        for space: URLProtectionSpace,
        options: [String: any Sendable]? = [:],
        task: URLSessionTask
    ) {
        queue.async { self.remove(credential, for: space) }
    }
}
