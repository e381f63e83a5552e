import Synchronization

extension URLSessionConfiguration {
    /// Whether tasks for which there is no network wait for one, where they would fail otherwise.
    ///
    /// That is a task whose hop comes to nothing before anything of it has left: there is no route, no
    /// link, no address to connect from, or nobody who could be asked for the host's address. A host
    /// that refuses, or is known to nobody, is none of that; neither is a connection that breaks.
    /// Such a task tells its delegate, by `urlSession(_:taskIsWaitingForConnectivity:)`, and tries
    /// again when the kernel says that links, addresses or routes have changed, and after a while in
    /// any case. ``timeoutIntervalForRequest`` does not count meanwhile,
    /// ``timeoutIntervalForResource`` does.
    ///
    /// Default: `false`.
    public var waitsForConnectivity: Bool {
        get { locked.withLock { $0.waitsForConnectivity } }
        set { locked.withLock { $0.waitsForConnectivity = newValue } }
    }
}
