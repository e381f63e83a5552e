import Synchronization

/// A program's own way of loading, as Foundation's `URLProtocol`: for its own scheme, or instead of HTTP.
///
/// A subclass decides which requests it loads, and responds through its ``client``. Register it in
/// `URLSessionConfiguration.protocolClasses`, or for ``URLSession/shared`` with ``registerClass(_:)``. A
/// task asks the classes in order, before the library's own ways of loading. Background sessions do not
/// support protocols.
///
/// One object loads one request once. The session calls its methods one at a time, on the object's own
/// queue.
open class URLProtocol {
    /// The request, with the session's headers and the task's body.
    public let request: URLRequest
    /// The receiver of the response; any thread may call it.
    public let client: (any URLProtocolClient)?
    /// The cached response to the request.
    public let cachedResponse: CachedURLResponse?
    /// The task that this object carries out.
    public internal(set) var task: URLSessionTask?

    /// Creates an object that loads a request.
    ///
    /// A subclass with its own designated initializer must override this one too.
    ///
    /// - Parameters:
    ///   - request: the result of ``canonicalRequest(for:)``.
    ///   - cachedResponse: the cached response to the request.
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

    /// Whether this class loads a request; `false` unless a subclass overrides the method.
    ///
    /// Called on any thread, before an object is created.
    open class func canInit(with request: URLRequest) -> Bool { false }

    /// Whether this class loads a task's current request; calls ``canInit(with:)-(URLRequest)`` unless
    /// a subclass overrides the method.
    open class func canInit(with task: URLSessionTask) -> Bool {
        task.currentRequest.map { canInit(with: $0) } ?? false
    }

    /// The canonical form of a request; unchanged unless a subclass overrides the method.
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Begins to load.
    ///
    /// The method may respond before it returns, but should return soon: the session calls ``stopLoading()``
    /// only afterwards.
    open func startLoading() {
        client?.urlProtocol(
            self,
            didFailWithError: URLError(.unsupportedURL, detail: "startLoading() is not overridden")
        )
    }

    /// Ends loading.
    ///
    /// Called once for each ``startLoading()``, after the response has ended or failed, or the program has
    /// cancelled the task. The client ignores later calls.
    open func stopLoading() {}
}

// Properties that a program stores with a request, for its own protocols.
extension URLProtocol {
    /// The value that the program has stored with a request for a key.
    public class func property(forKey key: String, in request: URLRequest) -> (any Sendable)? {
        request.protocolProperties[key]
    }

    /// Stores a value with a request; copies of the request have the value, and no task sends it.
    ///
    /// A protocol that passes a request back to the library sets a property, to recognize the request
    /// later. Foundation has an `NSMutableURLRequest` here.
    public class func setProperty(
        _ value: any Sendable,
        forKey key: String,
        in request: inout URLRequest
    ) { request.protocolProperties[key] = value }

    /// Removes a stored value from a request.
    public class func removeProperty(forKey key: String, in request: inout URLRequest) {
        request.protocolProperties[key] = nil
    }
}

// Protocols of `URLSession.shared`, whose configuration cannot be changed.
extension URLProtocol {
    private static let registered = Mutex<[URLProtocol.Type]>([])

    /// Registers a class for ``URLSession/shared``, before the classes registered earlier.
    ///
    /// - Parameter protocolClass: the class; a repeated registration moves it to the front.
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
    /// Default: an empty list, which `nil` means too. The type is optional as in Foundation, whose list
    /// is never `nil`. Background sessions with a protocol refuse tasks.
    public var protocolClasses: [URLProtocol.Type]? {
        get { locked.withLock { $0.protocolClasses } }
        set { locked.withLock { $0.protocolClasses = newValue ?? [] } }
    }
}

extension URLSession {
    /// The classes that a task asks about each request, in this order.
    var protocolClasses: [URLProtocol.Type] {
        isShared ? URLProtocol.registeredClasses : settings.protocolClasses
    }
}
