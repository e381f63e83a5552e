import Synchronization

extension URLSessionConfiguration {
    /// What the program brings along to load with, asked in this order before everything that the
    /// library loads itself.
    ///
    /// Default: an empty list; `nil` is one too. Optional as in Foundation, whose list is never `nil`
    /// either. Background sessions refuse tasks where there is any.
    public var protocolClasses: [URLProtocol.Type]? {
        get { locked.withLock { $0.protocolClasses } }
        set { locked.withLock { $0.protocolClasses = newValue ?? [] } }
    }
}

extension URLSession {
    /// Who is asked whether a request is theirs, in this order.
    var protocolClasses: [URLProtocol.Type] {
        isShared ? URLProtocol.registeredClasses : settings.protocolClasses
    }
}
