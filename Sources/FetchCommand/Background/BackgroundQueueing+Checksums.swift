import URLLoading

// The expected digests of the tasks. A list from a URL is fetched before anything is queued.
extension BackgroundQueueing {
    /// The expected digest of a task's body; nil if there is none.
    ///
    /// Throws the task's outcome if the digest cannot be found.
    mutating func digest(of task: TaskPlan) async throws -> ExpectedDigest? {
        if let expected = task.expected { return expected }
        guard plan.checksums != .none else { return nil }
        let (session, delegate) = fetching ?? makeSession()
        fetching = (session, delegate)
        let runner = TaskRunner(
            run: TaskRun(task),
            number: 0,
            session: session,
            delegate: delegate,
            signals: signals
        )
        try await delegate.checksums.load(for: runner)
        return try delegate.checksums.find(for: task)
    }

    private func makeSession() -> (session: URLSession, delegate: RunDelegate) {
        let delegate = RunDelegate(plan, printer, StreamFiles(.none), reports, Waiter())
        let configuration = URLSessionConfiguration.make(plan.session)
        configuration.urlCredentialStorage = nil
        configuration.keepCookies(plan.session.cookies)
        let session = URLSession(
            configuration: configuration,
            delegate: delegate,
            delegateQueue: nil
        )
        return (session, delegate)
    }
}
