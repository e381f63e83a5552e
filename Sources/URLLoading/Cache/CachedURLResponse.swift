public import FoundationEssentials

/// A response and its body in a cache; Foundation's `CachedURLResponse`.
public final class CachedURLResponse: Sendable {
    /// The response.
    public let response: URLResponse
    /// Where it may be kept.
    public let storagePolicy: URLCache.StoragePolicy
    /// Values of the program's own that are stored with it.
    ///
    /// Texts, numbers, `Bool` and `Data` are stored on disk; other values only in memory.
    public let userInfo: [String: any Sendable]?
    private let body: any CacheBody

    /// Makes one of a body in memory.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - data: its body.
    ///   - userInfo: what is kept with it.
    ///   - storagePolicy: where it may be kept.
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
    /// A body on disk is mapped, and read on access. It stays complete, also when the cache removes it.
    public var data: Data { body.data }

    /// Whether this is its body: a delegate has changed only what surrounds it.
    func hasBody(_ other: any CacheBody) -> Bool { body === other }
}
