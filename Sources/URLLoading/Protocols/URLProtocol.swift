import Synchronization

/// A way of loading that a program brings along, as Foundation's `URLProtocol`: for a scheme of its
/// own, or in the place of HTTP.
///
/// A subclass says which requests are its own, and responds through its ``client``. It is made
/// known by `URLSessionConfiguration.protocolClasses`, and for ``URLSession/shared`` by
/// ``registerClass(_:)``. Its classes are asked in their order, before everything that the library
/// loads itself. Background sessions have none.
///
/// One object loads one request once. Its methods are called one at a time, on a queue of its own.
open class URLProtocol {
    /// What to load, with the session's headers and the task's body.
    public let request: URLRequest
    /// What takes the response, from any thread.
    public let client: (any URLProtocolClient)?
    /// What the cache has of such a request.
    public let cachedResponse: CachedURLResponse?
    /// The task that is carried out.
    public internal(set) var task: URLSessionTask?

    /// Makes an object that is going to load a request.
    ///
    /// A subclass that has a designated initializer of its own overrides this one too.
    ///
    /// - Parameters:
    ///   - request: as ``canonicalRequest(for:)`` has made it.
    ///   - cachedResponse: what the cache has of it.
    ///   - client: what takes the response.
    public required init(
        request: URLRequest,
        cachedResponse: CachedURLResponse?,
        client: (any URLProtocolClient)?
    ) {
        self.request = request
        self.cachedResponse = cachedResponse
        self.client = client
    }

    /// Whether this class loads such requests; `false` unless a subclass says otherwise.
    ///
    /// Called on any thread, before an object is made.
    open class func canInit(with request: URLRequest) -> Bool { false }

    /// Whether this class carries out what a task is at; asks ``canInit(with:)-(URLRequest)`` unless
    /// a subclass says otherwise.
    open class func canInit(with task: URLSessionTask) -> Bool {
        task.currentRequest.map { canInit(with: $0) } ?? false
    }

    /// The form of a request under which it is loaded; itself unless a subclass says otherwise.
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Begins to load.
    ///
    /// It may respond before it returns, but it should not run on: ``stopLoading()`` is not called
    /// before it has returned.
    open func startLoading() {
        client?.urlProtocol(
            self,
            didFailWithError: URLError(.unsupportedURL, detail: "the protocol does not load")
        )
    }

    /// Ends loading.
    ///
    /// Called once for each ``startLoading()``, after the response has ended, failed, or is not
    /// wanted any more. Calls of the client are ignored from then on.
    open func stopLoading() {}
}

// What a program keeps with a request, for its own protocols.
extension URLProtocol {
    /// What was kept with a request by a key.
    public class func property(forKey key: String, in request: URLRequest) -> (any Sendable)? {
        request.protocolProperties[key]
    }

    /// Keeps something with a request; it is never sent, and stays with the copies.
    ///
    /// A protocol that gives a request to the library sets this on it, so as not to be asked
    /// for it again. Foundation has an `NSMutableURLRequest` here.
    public class func setProperty(
        _ value: any Sendable,
        forKey key: String,
        in request: inout URLRequest
    ) {
        request.protocolProperties[key] = value
    }

    /// Forgets what was kept with a request.
    public class func removeProperty(forKey key: String, in request: inout URLRequest) {
        request.protocolProperties[key] = nil
    }
}

// What `URLSession.shared` asks, which has no configuration that could be changed.
extension URLProtocol {
    private static let registered = Mutex<[URLProtocol.Type]>([])

    /// Has ``URLSession/shared`` ask a class, before those that were registered earlier.
    ///
    /// - Parameter protocolClass: the class; registered twice, it counts once, as the last.
    /// - Returns: `true`.
    @discardableResult
    public class func registerClass(_ protocolClass: URLProtocol.Type) -> Bool {
        registered.withLock { classes in
            classes.removeAll { $0 == protocolClass }
            classes.insert(protocolClass, at: 0)
        }
        return true
    }

    /// Has ``URLSession/shared`` ask a class no more.
    public class func unregisterClass(_ protocolClass: URLProtocol.Type) {
        registered.withLock { $0.removeAll { $0 == protocolClass } }
    }

    /// The last registered first.
    static var registeredClasses: [URLProtocol.Type] { registered.withLock { $0 } }
}

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
    /// The classes that are asked whether a request is theirs, in this order.
    var protocolClasses: [URLProtocol.Type] {
        isShared ? URLProtocol.registeredClasses : settings.protocolClasses
    }
}
