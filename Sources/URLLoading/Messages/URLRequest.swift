public import FoundationEssentials

/// A request: what to load and how, as Foundation's `URLRequest`.
public struct URLRequest: Sendable {
    /// What is set.
    private struct Values {
        var url: URL?
        var ownMethod: String?
        var requestTarget: String?
        var body: Data?
        var bodyStream: (any HTTPBodyStream)?
        var headerFields = HTTPHeaderFields()
        var cachePolicy = CachePolicy.useProtocolCachePolicy
        var handlesCookies = true
        var mainDocumentURL: URL?
        var ownTimeout: TimeInterval?
        var protocolProperties: [String: any Sendable] = [:]
    }

    // Unchecked: `values` is written only after `isKnownUniquelyReferenced` has shown that no other
    // request, and so no other thread, has this object.
    private final class Storage: @unchecked Sendable {
        @exclusivity(unchecked) var values: Values

        init(_ values: Values) {
            self.values = values
        }
    }

    /// One reference: a request is passed on some dozen times, and hardly ever changed.
    private var storage: Storage

    private var values: Values {
        _read { yield storage.values }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.values) }
            yield &storage.values
        }
    }

    /// The URL to load.
    public var url: URL? {
        get { values.url }
        set { values.url = newValue }
    }
    /// The method; setting `nil` makes it `GET` again.
    ///
    /// Default: `GET`; of an upload task whose request was given none, `PUT`.
    public var httpMethod: String? {
        get { ownMethod ?? "GET" }
        set { ownMethod = newValue }
    }
    /// The method that was set, where any was.
    private(set) var ownMethod: String? {
        get { values.ownMethod }
        set { values.ownMethod = newValue }
    }
    /// What is on the request line in the place of the URL's path and query, as it is written, such
    /// as `*` for `OPTIONS`; `nil`: these.
    ///
    /// The URL still says which server is asked, and which cookies and credentials are sent.
    /// Visible ASCII alone, at least one character: else the task fails with `badURL`. A redirect
    /// names a target of its own, and this one is dropped. The response is not the URL's. It is
    /// neither kept in the cache nor taken from it, and a download of it cannot be continued. A
    /// background session takes no such request. Not in Foundation.
    public var httpRequestTarget: String? {
        get { values.requestTarget }
        set { values.requestTarget = newValue }
    }
    /// The body, kept in memory; not for upload tasks, whose body is theirs.
    public var httpBody: Data? {
        get { values.body }
        set {
            values.body = newValue
            if newValue != nil { values.bodyStream = nil }
        }
    }
    /// The body as a stream; when it is wanted again, the delegate's `needNewBodyStream` is asked.
    public var httpBodyStream: (any HTTPBodyStream)? {
        get { values.bodyStream }
        set {
            values.bodyStream = newValue
            if newValue != nil { values.body = nil }
        }
    }
    /// The header fields.
    public var headerFields: HTTPHeaderFields {
        _read { yield values.headerFields }
        _modify { yield &values.headerFields }
    }
    /// Whether a response may come from the cache.
    ///
    /// Under a session's own policy the stricter of the two holds. Default: what the session says.
    public var cachePolicy: CachePolicy {
        get { values.cachePolicy }
        set { values.cachePolicy = newValue }
    }
    /// Whether the session's cookies go with it, and its responses' are kept.
    ///
    /// Default: `true`.
    public var httpShouldHandleCookies: Bool {
        get { values.handlesCookies }
        set { values.handlesCookies = newValue }
    }
    /// The document for which this is loaded; `nil`: the request is one itself.
    ///
    /// The policy `onlyFromMainDocumentDomain` keeps no cookies of other hosts than its own. It stays
    /// the same when a server redirects.
    public var mainDocumentURL: URL? {
        get { values.mainDocumentURL }
        set { values.mainDocumentURL = newValue }
    }
    /// What was set, where anything was.
    private(set) var ownTimeout: TimeInterval? {
        get { values.ownTimeout }
        set { values.ownTimeout = newValue }
    }
    /// What the program's own protocols keep with it.
    var protocolProperties: [String: any Sendable] {
        get { values.protocolProperties }
        set { values.protocolProperties = newValue }
    }

    /// Foundation's default for ``timeoutInterval``, seconds.
    static let defaultTimeout: TimeInterval = 60

    /// A GET request.
    ///
    /// - Parameters:
    ///   - url: the URL to load.
    ///   - cachePolicy: see ``cachePolicy-swift.property``.
    ///   - timeoutInterval: see ``timeoutInterval``.
    public init(
        url: URL,
        cachePolicy: CachePolicy = .useProtocolCachePolicy,
        timeoutInterval: TimeInterval? = nil
    ) {
        storage = Storage(
            Values(url: url, cachePolicy: cachePolicy, ownTimeout: timeoutInterval)
        )
    }

    /// How long the network may be silent, in seconds; 0, less, or infinity: no limit.
    ///
    /// The session's `timeoutIntervalForRequest` holds where it is shorter, or none was set here.
    /// Default: 60.
    public var timeoutInterval: TimeInterval {
        get { ownTimeout ?? Self.defaultTimeout }
        set { ownTimeout = newValue }
    }

    /// The idle time-out under a session's own: the stricter of the two.
    func idleTimeout(sessionTimeout: TimeInterval) -> Duration? {
        let session = Duration(timeout: sessionTimeout)
        guard let own = ownTimeout.map(Duration.init(timeout:)) else { return session }
        switch (own, session) {
        case (let own?, let session?): return min(own, session)
        case (let own, let session): return own ?? session
        }
    }
}

extension URLRequest {
    /// Whether nothing in a request target could end it, or the request line.
    package static func isRequestTarget(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// The header fields as a dictionary; setting it replaces them all.
    public var allHTTPHeaderFields: [String: String]? {
        get { headerFields.fields.isEmpty ? nil : headerFields.dictionary }
        set { headerFields = HTTPHeaderFields(newValue ?? [:]) }
    }

    /// The value of a header field, its name in any case.
    public func value(forHTTPHeaderField field: String) -> String? {
        headerFields[field]
    }

    /// Sets a header field; `nil` removes it.
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {
        headerFields[field] = value
    }

    /// Adds a value to a header field.
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
        headerFields.add(value, to: field)
    }
}

extension Duration {
    /// A time-out as Foundation has it, in seconds; `nil` for none.
    ///
    /// Zero, negative, infinite and NaN are none.
    init?(timeout seconds: TimeInterval) {
        guard seconds > 0, seconds < 1e9 else { return nil }
        self = .nanoseconds(Int64(seconds * 1e9))
    }
}
