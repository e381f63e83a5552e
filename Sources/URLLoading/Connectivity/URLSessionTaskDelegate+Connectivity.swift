extension URLSessionTaskDelegate {
    /// The session's delegate is told.
    public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask)
    {
        session.taskDelegate(behind: self)?.urlSession(session, taskIsWaitingForConnectivity: task)
    }
}
