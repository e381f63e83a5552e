import Testing
import URLLoading

@testable import FetchCommand

@Suite struct HintsTests {
    @Test(arguments: [
        (URLError.Code.cannotDecodeRawData, "the server uses the transfer coding gzip"),
        (.requestBodyStreamExhausted, "it could not be stored in /none: No such file or directory"),
    ])
    func noneWhereTheFlagDoesNotHelp(_ code: URLError.Code, _ detail: String) {
        #expect(Hints.hint(for: URLError(code)) != nil)
        #expect(Hints.hint(for: URLError(code, detail: detail)) == nil)
    }
}
