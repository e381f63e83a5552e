import Synchronization

/// A program's own way of loading, as Foundation's `URLProtocol`: for a scheme of its
/// own, or in place of HTTP.
///
/// A subclass decides which requests it loads, and responds through its ``client``. Register it in
/// `URLSessionConfiguration.protocolClasses`, or for ``URLSession/shared`` with
/// ``registerClass(_:)``. The classes are asked in order, before the library's own ways of loading.
/// Background sessions have none.
///
/// One object loads one request once. Its methods are called one at a time, on a queue of its own.
open class URLProtocol {
    /// What to load, with the session's headers and the task's body.
    public let request: URLRequest
    /// The receiver of the response; may be called from any thread.
    public let client: (any URLProtocolClient)?
    /// The cached response to the request.
    public let cachedResponse: CachedURLResponse?
    /// The task that is carried out.
    public internal(set) var task: URLSessionTask?

    /// Makes an object that loads a request.
    ///
    /// A subclass that has a designated initializer of its own overrides this one too.
    ///
    /// - Parameters:
    ///   - request: as ``canonicalRequest(for:)`` has made it.
    ///   - cachedResponse: the cached response to it.
    ///   - client: the receiver of the response.
    public required init(
        request: URLRequest,
        cachedResponse: CachedURLResponse?,
        client: (any URLProtocolClient)?
    ) {
        self.request = request
        self.cachedResponse = cachedResponse
        self.client = client
    }

    /// Whether this class loads such requests; `false` unless a subclass overrides it.
    ///
    /// Called on any thread, before an object is made.
    open class func canInit(with request: URLRequest) -> Bool { false }

    /// Whether this class loads a task's current request; asks ``canInit(with:)-(URLRequest)`` unless
    /// a subclass overrides it.
    open class func canInit(with task: URLSessionTask) -> Bool {
        task.currentRequest.map { canInit(with: $0) } ?? false
    }

    /// The canonical form of a request; unchanged unless a subclass overrides it.
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Begins to load.
    ///
    /// It may respond before it returns, but should return soon: ``stopLoading()`` is called only after it has
    /// returned.
    open func startLoading() {
        client?.urlProtocol(
            self,
            didFailWithError: URLError(.unsupportedURL, detail: "the protocol does not load")
        )
    }

    /// Ends loading.
    ///
    /// Called once for each ``startLoading()``, after the response has ended or failed, or the task was
    /// cancelled. Calls of the client are ignored from then on.
    open func stopLoading() {}
}

// What a program keeps with a request, for its own protocols.
extension URLProtocol {
    /// The value of a key that was stored with a request.
    public class func property(forKey key: String, in request: URLRequest) -> (any Sendable)? {
        request.protocolProperties[key]
    }

    /// Stores a value with a request; it is never sent, and copies of the request have it.
    ///
    /// A protocol that gives a request to the library sets this, so that it is not asked
    /// for it again. Foundation has an `NSMutableURLRequest` here.
    public class func setProperty(
        _ value: any Sendable,
        forKey key: String,
        in request: inout URLRequest
    ) {
        request.protocolProperties[key] = value
    }

    /// Removes a value that was stored with a request.
    public class func removeProperty(forKey key: String, in request: inout URLRequest) {
        request.protocolProperties[key] = nil
    }
}

// What `URLSession.shared` asks, which has no configuration that could be changed.
extension URLProtocol {
    private static let registered = Mutex<[URLProtocol.Type]>([])

    /// Registers a class for ``URLSession/shared``, before those that were registered earlier.
    ///
    /// - Parameter protocolClass: the class; of two registrations the last one counts.
    /// - Returns: `true`.
    @discardableResult
    public class func registerClass(_ protocolClass: URLProtocol.Type) -> Bool {
        registered.withLock { classes in
            classes.removeAll { $0 == protocolClass }
            classes.insert(protocolClass, at: 0)
        }
        return true
    }

    /// Unregisters a class for ``URLSession/shared``.
    public class func unregisterClass(_ protocolClass: URLProtocol.Type) {
        registered.withLock { $0.removeAll { $0 == protocolClass } }
    }

    /// The last registered first.
    static var registeredClasses: [URLProtocol.Type] { registered.withLock { $0 } }
}

extension URLSessionConfiguration {
    /// The program's own protocols, asked in this order before the library's own ways of loading.
    ///
    /// Default: an empty list; `nil` means the same. It is optional as in Foundation, whose list is never `nil`
    /// either. Background sessions with any protocol refuse tasks.
    public var protocolClasses: [URLProtocol.Type]? {
        get { locked.withLock { $0.protocolClasses } }
        set { locked.withLock { $0.protocolClasses = newValue ?? [] } }
    }
}

extension URLSession {
    /// The classes that are asked whether a request is theirs, in this order.
    var protocolClasses: [URLProtocol.Type] {
        isShared ? URLProtocol.registeredClasses : settings.protocolClasses
    }
}
