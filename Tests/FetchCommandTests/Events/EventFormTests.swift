import FoundationEssentials
import Testing
import URLLoading

@testable import FetchCommand

@Suite struct EventFormTests {
    private static func json(_ value: EventValue) -> String {
        value.jsonText
    }

    @Test func everyKindOfValueIsJSON() {
        let value = EventValue.object(
            [
                EventMember("none", .none), EventMember("number", .number(-1)),
                EventMember("amount", .amount(.max)),
                EventMember("seconds", .seconds(microseconds: 12_000_345)),
                EventMember("list", .list([.text("a"), .list([]), .object([], summary: "x")])),
            ],
            summary: ""
        )
        #expect(
            Self.json(value)
                == #"{"none":null,"number":-1,"amount":9223372036854775807,"#
                + #""seconds":12.000345,"list":["a",[],{}]}"#
        )
    }

    @Test(arguments: [
        ("plain", #""plain""#), ("", #""""#), ("a\"b\\c/d", #""a\"b\\c/d""#),
        ("\n\r\t\0", #""\n\u000d\u0009\u0000""#), ("\u{7f}\u{9b}", #""\u007f\u009b""#),
        ("\u{202e}\u{2028}\u{61c}", #""\u202e\u2028\u061c""#), ("é\u{1F600}", "\"é\u{1F600}\""),
        ("\u{1b}[2J", #""\u001b[2J""#), ("http://me:pw@h/x", #""http://(redacted)@h/x""#),
        ("https://h/@scope/x@1", #""https://h/@scope/x@1""#),
    ])
    func stringsAreEscaped(_ text: String, _ expected: String) {
        #expect(Self.json(.text(text)) == expected)
    }

    @Test func aPathIsUnchanged() {
        let path = "/tmp/dd//me@x/small\u{7}.part"
        #expect(Self.json(.plain(path)) == #""/tmp/dd//me@x/small\u0007.part""#)
        let event = SessionEvent(
            name: .didFinishDownloadingTo,
            method: "m",
            task: 1,
            url: nil,
            arguments: [EventMember("location", .plain(path))]
        )
        #expect(EventForm.text.words(.call(event)).hasSuffix(#": /tmp/dd//me@x/small\u{7}.part"#))
        let error = URLError(.cannotCreateFile, detail: "dd//me@x")
        #expect(Self.json(.error(error)).contains("dd//me@x"))
        #expect(EventValue.error(error).text.contains("dd//me@x"))
        #expect(!Self.json(.error(URLError(.badURL, detail: "//me@x"))).contains("me@x"))
    }

    @Test func aRecordIsOneLine() {
        let record = EventRecord.message("one\ntwo", .note, .now)
        let line = EventForm.json.line(record)
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
    }

    @Test func credentialsInFieldsAreRedacted() throws {
        var fields = HTTPHeaderFields()
        for name in ["authorization", "Proxy-Authorization", "COOKIE", "Set-Cookie \t"] {
            fields.add("s3cret", to: name)
        }
        fields.add("http://me:s3cret@h/", to: "Location")
        fields.add("shown", to: "X-Other")
        let url = try #require(URL(string: "http://me:s3cret@h/"))
        let response = HTTPURLResponse(
            url: url,
            statusCode: 200,
            httpVersion: nil,
            headerFields: fields
        )
        let text = Self.json(.response(response))
        #expect(!text.contains("s3cret"))
        #expect(text.contains("shown"))
        #expect(text.matches(of: /\(redacted\)/).count == 6)
        var request = URLRequest(url: url)
        request.headerFields = fields
        #expect(!Self.json(.request(request)).contains("s3cret"))
        let event = SessionEvent(
            name: .didReceiveResponse,
            method: "m",
            task: 1,
            url: url.absoluteString,
            arguments: [EventMember("newRequest", .request(request))]
        )
        #expect(!String(decoding: EventForm.text.line(.call(event)), as: UTF8.self).contains("s3c"))
    }

    @Test func timestampsAreRFC3339() {
        let moment = EventMoment(wall: 1_709_210_096_000_042, monotonic: 1_000_001)
        #expect(moment.timestamp == "2024-02-29T12:34:56.000042Z")
        #expect(EventValue.decimal(moment.monotonic) == "1.000001")
        #expect(EventMoment(wall: 0, monotonic: 0).timestamp == "1970-01-01T00:00:00.000000Z")
    }
}
