import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Error codes")
struct URLErrorCodeTests {
    /// Each code in the callers' spellings, at the code and at the error.
    private static let named: [(URLError.Code.Name, URLError.Code, URLError.Code, Int)] = [
        (.timedOut, .timedOut, URLError.timedOut, NSURLErrorTimedOut),
        (.cancelled, .cancelled, URLError.cancelled, NSURLErrorCancelled),
        (.cannotMoveFile, .cannotMoveFile, URLError.cannotMoveFile, NSURLErrorCannotMoveFile),
    ]

    @Test("T-14 a code equals its number, with a name or without")
    func open() {
        for (name, code, atError, number) in Self.named {
            #expect(code.name == name)
            #expect(code == atError)
            #expect(code.rawValue == number)
        }
        let foreign = URLError.Code(rawValue: -77)
        #expect(foreign.name == nil)
        #expect("\(foreign)" == "-77")
        #expect("\(URLError(foreign, detail: "x"))" == "error -77: x (URLError.-77 -77)")
        #expect("\(URLError(.timedOut))" == "timed out (URLError.timedOut -1001)")
    }

    @Test("T-14 a name is that of its declaration", arguments: URLError.Code.Name.allCases)
    func names(name: URLError.Code.Name) {
        let code = URLError.Code(name)
        #expect("\(code)" == "\(name)")
        #expect(!code.words.isEmpty)
        #expect(StoredError(URLError(code)).urlError.code == code)
    }

    @Test("T-14 an error has domain, number and words without all of Foundation")
    func withoutFoundation() {
        let error: any Error = URLError(.badURL, detail: "no host")
        #expect(error._domain == "NSURLErrorDomain")
        #expect(error._code == -1_000)
        #expect((error as? any LocalizedError)?.errorDescription?.hasSuffix(": no host") == true)
    }
}
