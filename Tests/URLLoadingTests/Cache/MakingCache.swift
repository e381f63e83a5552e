import FoundationEssentials
import Synchronization
import Testing

@testable import URLLoading

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

/// The head of a response.
func head(_ lines: [String], status: Int = 200) -> HopHead {
    HopHead(status: status, httpVersion: "HTTP/1.1", reason: "", fields: fields(lines))
}

/// A request in the form that the cache takes.
func asked(
    _ lines: [String] = [],
    method: String = "GET",
    url: String = "http://h/a"
) throws -> CacheRequest {
    try #require(CacheRequest(url: url, method: method, fields: fields(lines)))
}

/// A response that arrived at ``moment``; its request was sent `delay` seconds earlier.
func stored(
    _ lines: [String],
    status: Int = 200,
    to request: CacheRequest? = nil,
    delay: Double = 0
) throws -> StoredHead {
    StoredHead(
        head(lines, status: status),
        to: try request ?? asked(),
        requestTime: moment - delay,
        responseTime: moment
    )
}

extension CacheReader {
    /// Reads the rest of the body.
    mutating func readAll(_ piece: Int = 1 << 16) throws -> [UInt8] {
        var all: [UInt8] = []
        var space = [UInt8](repeating: 0, count: piece)
        while true {
            let count = try space.withUnsafeMutableBytes { try read(into: $0) }
            if count == 0 { return all }
            all += space[..<count]
        }
    }
}

/// The cache that sessions share, in tests.
enum SharedCache {
    /// Replaces the shared cache, so that tests write nothing to the home of the user that runs them.
    static let keepOffDisk: Void = {
        URLCache.shared = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
    }()
}

/// A clock that a test sets.
final class HandClock: Sendable {
    private let time = Mutex(moment)

    /// Seconds since 1970.
    var now: Double {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    var clock: @Sendable () -> Double { { [self] in now } }
}
