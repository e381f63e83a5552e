import Testing

@testable import URLLoading

@Suite("Dates in fields")
struct OldDateTests {
    @Test("RFC 9110 §5.6.7 a validator's date may have an obsolete form")
    func obsoleteValidators() throws {
        let old = "Sunday, 06-Nov-94 08:48:37 GMT"
        let fields = HTTPHeaderFields(["Last-Modified": old, "Date": "Sun Nov  6 08:49:37 1994"])
        #expect(EntityValidator(fields) == .lastModified(old))
        #expect(EntityValidator(entityTag: nil, lastModified: old) == .lastModified(old))
        let response = try stored(["Last-Modified: \(old)"])
        #expect(CacheValidation.conditions(response).map(\.name) == ["If-Modified-Since"])
    }
}
