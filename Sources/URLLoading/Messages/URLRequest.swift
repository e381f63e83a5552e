public import FoundationEssentials

/// A request: the URL to load and its options, as Foundation's `URLRequest`.
public struct URLRequest: Sendable {
    /// The values of all properties.
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
    // request, and therefore no other thread, references this object.
    private final class Storage: @unchecked Sendable {
        @exclusivity(unchecked) var values: Values

        init(_ values: Values) {
            self.values = values
        }
    }

    /// One reference, because a task copies a request about a dozen times, and rarely changes it.
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
    /// The method; `nil` sets `GET`.
    ///
    /// Default: `GET`; for an upload task, `PUT`.
    public var httpMethod: String? {
        get { ownMethod ?? "GET" }
        set { ownMethod = newValue }
    }
    /// The method that the caller set; `nil`: none.
    private(set) var ownMethod: String? {
        get { values.ownMethod }
        set { values.ownMethod = newValue }
    }
    /// The request target on the request line instead of the URL's path and query, such as `*` for
    /// `OPTIONS`; `nil`: the URL's.
    ///
    /// The URL still determines the server, the cookies and the credentials. The target must be visible
    /// ASCII, at least one character, or the task fails with `badURL`. A redirect drops the target. The
    /// response does not belong to the URL, so it is not cached, and a download cannot be continued. A
    /// background session refuses such a request. Not in Foundation.
    public var httpRequestTarget: String? {
        get { values.requestTarget }
        set { values.requestTarget = newValue }
    }
    /// The body in memory; ignored by upload tasks, which have their own body.
    public var httpBody: Data? {
        get { values.body }
        set {
            values.body = newValue
            if newValue != nil { values.bodyStream = nil }
        }
    }
    /// The body as a stream; to send it again, the task calls the delegate's `needNewBodyStream`.
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
    /// Of this and the session's policy the stricter one applies. Default: the session's policy.
    public var cachePolicy: CachePolicy {
        get { values.cachePolicy }
        set { values.cachePolicy = newValue }
    }
    /// Whether the request sends the session's cookies, and stores those of its response.
    ///
    /// Default: `true`.
    public var httpShouldHandleCookies: Bool {
        get { values.handlesCookies }
        set { values.handlesCookies = newValue }
    }
    /// The document that needs the request; `nil`: the request's own URL.
    ///
    /// With the policy `onlyFromMainDocumentDomain` the session stores only cookies of the document's hosts.
    /// The value does not change when a server redirects.
    public var mainDocumentURL: URL? {
        get { values.mainDocumentURL }
        set { values.mainDocumentURL = newValue }
    }
    /// The time-out that the caller set; `nil`: none.
    private(set) var ownTimeout: TimeInterval? {
        get { values.ownTimeout }
        set { values.ownTimeout = newValue }
    }
    /// Values that the program's protocols store with the request.
    var protocolProperties: [String: any Sendable] {
        get { values.protocolProperties }
        set { values.protocolProperties = newValue }
    }

    /// Foundation's default for ``timeoutInterval``, seconds.
    static let defaultTimeout: TimeInterval = 60

    /// Creates a GET request.
    ///
    /// - Parameters:
    ///   - url: the URL to load.
    ///   - cachePolicy: see ``cachePolicy-swift.property``.
    ///   - timeoutInterval: see ``timeoutInterval``.
    public init(
        url: URL,
        cachePolicy: CachePolicy = .useProtocolCachePolicy,
        timeoutInterval: TimeInterval? = nil
    ) { storage = Storage(Values(url: url, cachePolicy: cachePolicy, ownTimeout: timeoutInterval)) }

    /// The longest silence of the network, in seconds; 0, less, or infinity: no limit.
    ///
    /// The session's `timeoutIntervalForRequest` applies if it is shorter, or if the caller set no value
    /// here. Default: 60.
    public var timeoutInterval: TimeInterval {
        get { ownTimeout ?? Self.defaultTimeout }
        set { ownTimeout = newValue }
    }

    /// The idle time-out under a session's: the shorter of the two.
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
    /// Whether a text is valid as a request target.
    package static func isRequestTarget(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// The header fields as a dictionary; setting it replaces all fields.
    public var allHTTPHeaderFields: [String: String]? {
        get { headerFields.fields.isEmpty ? nil : headerFields.dictionary }
        set { headerFields = HTTPHeaderFields(newValue ?? [:]) }
    }

    /// The value of a header field, whose name is case-insensitive.
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
    /// A time-out of Foundation, in seconds; `nil`, no limit, for zero, negative, infinite and NaN.
    init?(timeout seconds: TimeInterval) {
        guard seconds > 0, seconds < 1e9 else { return nil }
        self = .nanoseconds(Int64(seconds * 1e9))
    }
}
