import Testing

@testable import URLLoading

@Suite("Validators")
struct EntityValidatorTests {
    private let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func validator(_ fields: [String: String]) -> EntityValidator? {
        EntityValidator(HTTPHeaderFields(fields))
    }

    @Test("a strong tag is a validator, whatever the date is")
    func strongTag() {
        let fields = ["ETag": "\"a\"", "Last-Modified": date, "Date": date]
        #expect(validator(fields) == .entityTag("\"a\""))
        #expect(validator(["ETag": "\"\""]) == .entityTag("\"\""))
    }

    @Test("a weak or malformed tag is no validator, and no date replaces it")
    func weakTag() {
        for tag in ["W/\"a\"", "a", "\"", "\"a\"b\"", "\"a b\"", ""] {
            let fields = ["ETag": tag, "Last-Modified": "Sun, 06 Nov 1994 08:00:00 GMT"]
            #expect(validator(fields.merging(["Date": date]) { $1 }) == nil, "\(tag)")
        }
    }

    @Test("a date is a validator once it is a minute old by the server's clock")
    func byDate() {
        let old = "Sun, 06 Nov 1994 08:48:37 GMT"
        #expect(validator(["Last-Modified": old, "Date": date]) == .lastModified(old))
        let young = "Sun, 06 Nov 1994 08:48:38 GMT"
        #expect(validator(["Last-Modified": young, "Date": date]) == nil)
        #expect(validator(["Last-Modified": old]) == nil)
        #expect(validator(["Last-Modified": "yesterday", "Date": date]) == nil)
    }
}
