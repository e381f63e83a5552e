/// An answer as it is stored, without its body.
struct StoredAnswer: Sendable, Hashable {
    let key: CacheKey
    var status: Int
    var httpVersion: String
    var reason: String
    /// The fields that may be stored.
    var fields: HTTPHeaderFields
    /// When the request left, and when the answer came, in seconds since 1970.
    var requestTime: Double
    var responseTime: Double
    /// What the answer was selected by.
    var selection: VarySelection

    /// What of an answer is stored.
    init(
        _ head: HopHead,
        to request: CacheRequest,
        requestTime: Double,
        responseTime: Double
    ) {
        key = request.key
        status = head.status
        httpVersion = head.httpVersion
        reason = head.reason
        fields = StoredFields.storable(head.fields)
        self.requestTime = requestTime
        self.responseTime = responseTime
        selection = VarySelection(VarySelection.names(head.fields) ?? [], of: request.fields)
    }

    /// An answer that was read from the disk.
    init(
        key: CacheKey,
        head: HopHead,
        requestTime: Double,
        responseTime: Double,
        selection: VarySelection
    ) {
        self.key = key
        status = head.status
        httpVersion = head.httpVersion
        reason = head.reason
        fields = head.fields
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.selection = selection
    }
}
