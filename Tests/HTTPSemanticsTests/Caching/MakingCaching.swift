import HTTPSemantics
import Testing

/// The moment at which the tests' responses arrive: Tue, 14 Nov 2023 22:13:20 GMT.
let moment = 1_700_000_000.0
/// ``moment`` in the form of a header field.
let momentText = "Tue, 14 Nov 2023 22:13:20 GMT"

/// Header fields, each written `Name: value`.
func fields(_ lines: [String]) -> HTTPHeaderFields {
    var fields = HTTPHeaderFields()
    for line in lines {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? HTTPSyntax.trimmed(parts[1]) : ""
        fields.add(String(value), to: String(parts[0]))
    }
    return fields
}

/// A stand-in for the cache's digest function.
func digest(_ text: String) -> String { "digest \(text.hashValue)" }

/// A request in the form that the cache takes.
func asked(
    _ lines: [String] = [],
    method: String = "GET",
    url: String = "http://h/a"
) throws -> CacheRequest {
    let fields = fields(lines)
    let credential = fields["Authorization"].map(digest)
    return try #require(
        CacheRequest(url: url, method: method, fields: fields, credential: credential)
    )
}

/// A response that arrived at ``moment``; its request was sent `delay` seconds earlier.
func stored(
    _ lines: [String],
    status: Int = 200,
    to request: CacheRequest? = nil,
    delay: Double = 0
) throws -> StoredHead {
    let request = try request ?? asked()
    let fields = fields(lines)
    let names = VarySelection.names(fields) ?? []
    return StoredHead(
        key: request.key,
        status: status,
        httpVersion: "HTTP/1.1",
        reason: "",
        fields: StoredFields.storable(fields),
        requestTime: moment - delay,
        responseTime: moment,
        selection: VarySelection(names, of: request.fields, digest: digest)
    )
}

extension VarySelection {
    func matches(_ request: HTTPHeaderFields) -> Bool { matches(request, digest: digest) }

    func mayMatch(_ request: HTTPHeaderFields) -> Bool { mayMatch(request, digest: digest) }
}
