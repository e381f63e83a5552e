extension URLSessionConfiguration {
    /// What the program brings along to load with, asked in this order before everything that the
    /// library loads itself.
    ///
    /// Default: `nil`, nothing. Background sessions ask nobody.
    public var protocolClasses: [URLProtocol.Type]? {
        get { settings.protocolClasses }
        set { settings.protocolClasses = newValue }
    }
}

extension URLSession {
    /// Who is asked whether a request is theirs, in this order.
    var protocolClasses: [URLProtocol.Type] {
        isShared ? URLProtocol.registeredClasses : settings.protocolClasses ?? []
    }
}
