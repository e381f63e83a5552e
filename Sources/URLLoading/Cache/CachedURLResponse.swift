public import FoundationEssentials

/// A response and its body in a cache; Foundation's `CachedURLResponse`.
public final class CachedURLResponse: Sendable {
    /// The response.
    public let response: URLResponse
    /// The places where the cache may store the response.
    public let storagePolicy: URLCache.StoragePolicy
    /// Values that the program stores with the response.
    ///
    /// The cache stores texts, numbers, `Bool` and `Data` on disk; other values only in memory.
    public let userInfo: [String: any Sendable]?
    private let body: any CacheBody

    /// Creates a response with a body in memory.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - data: its body.
    ///   - userInfo: values to store with the response.
    ///   - storagePolicy: the places where the cache may store the response.
    public init(
        response: URLResponse,
        data: Data,
        userInfo: [String: any Sendable]? = nil,
        storagePolicy: URLCache.StoragePolicy = .allowed
    ) {
        self.response = response
        self.userInfo = userInfo
        self.storagePolicy = storagePolicy
        body = MemoryBody(data)
    }

    init(
        response: URLResponse,
        body: any CacheBody,
        userInfo: [String: any Sendable]?,
        storagePolicy: URLCache.StoragePolicy
    ) {
        self.response = response
        self.userInfo = userInfo
        self.storagePolicy = storagePolicy
        self.body = body
    }

    /// The body.
    ///
    /// A body on disk is mapped, and read on access. It stays complete if the cache evicts the response.
    public var data: Data { body.data }

    /// Whether this is the response's body, so that a delegate has changed only its metadata.
    func hasBody(_ other: any CacheBody) -> Bool { body === other }
}
