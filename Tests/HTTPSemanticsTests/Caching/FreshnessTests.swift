import HTTPSemantics
import Testing

@Suite("Freshness of a response")
struct FreshnessTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let lines: [String]
        let lifetime: Double
        var age = 0.0
        var status = 200
        var delay = 0.0
        var testDescription: String { "\(status) \(lines.joined(separator: "; "))" }
    }

    private static let tenDaysBefore = "Last-Modified: Sat, 04 Nov 2023 22:13:20 GMT"
    private static let hourBefore = "Last-Modified: Tue, 14 Nov 2023 21:13:20 GMT"
    private static let hourAfter = "Expires: Tue, 14 Nov 2023 23:13:20 GMT"
    private static let date = "Date: \(momentText)"

    @Test(
        "C-01 the lifetime is max-age, else Expires, else a tenth of the time since Last-Modified",
        arguments: [
            Case(lines: [], lifetime: 0),
            Case(lines: ["Cache-Control: max-age=60"], lifetime: 60),
            Case(lines: ["Cache-Control: max-age=60", hourAfter], lifetime: 60),
            Case(lines: ["Cache-Control: max-age=0", hourAfter], lifetime: 0),
            Case(lines: ["Cache-Control: max-age=junk", hourAfter], lifetime: 0),
            Case(lines: ["Cache-Control: max-age=1", "Cache-Control: max-age=9"], lifetime: 0),
            Case(lines: ["Cache-Control: s-maxage=60"], lifetime: 0),
            Case(lines: ["Cache-Control: s-maxage=60, max-age=5"], lifetime: 5),
            Case(lines: [hourAfter, date], lifetime: 3_600),
            Case(lines: [hourAfter], lifetime: 3_600),
            Case(lines: ["Expires: 0", date], lifetime: 0),
            Case(lines: ["Expires: -1", date, tenDaysBefore], lifetime: 0),
            Case(lines: ["Expires: \(momentText)", date], lifetime: 0),
            Case(lines: [hourAfter, hourAfter, date], lifetime: 0),
            Case(lines: ["Expires: Tuesday, 14-Nov-23 23:13:20 GMT", date], lifetime: 3_600),
            Case(lines: ["Expires: Tue Nov 14 23:13:20 2023", date], lifetime: 3_600),
            Case(lines: ["Expires: Tue, 14 Nov 2023 23:13:20 UTC", date], lifetime: 0),
            // The server's clock is an hour behind: Expires counts from the server's own Date.
            Case(
                lines: [hourAfter, "Date: Tue, 14 Nov 2023 21:13:20 GMT"],
                lifetime: 7_200,
                age: 3_600
            ),
            Case(lines: [hourBefore, date], lifetime: 360),
            Case(lines: [hourBefore], lifetime: 360),
            Case(lines: [tenDaysBefore, date], lifetime: 3_600),
            Case(lines: ["Last-Modified: junk", date], lifetime: 0),
            Case(lines: ["Last-Modified: Tue, 14 Nov 2023 23:13:20 GMT", date], lifetime: 0),
            Case(lines: [hourBefore, date], lifetime: 360, status: 404),
            Case(lines: [hourBefore, date], lifetime: 0, status: 302),
            Case(lines: [hourBefore, date], lifetime: 0, status: 500),
            Case(lines: [hourBefore, date, "Cache-Control: public"], lifetime: 360, status: 500),
            Case(lines: ["Cache-Control: max-age=60"], lifetime: 60, status: 500),
            Case(lines: ["Pragma: no-cache", "Cache-Control: max-age=60"], lifetime: 60),
        ]
    )
    func lifetime(_ sample: Case) throws {
        let response = try stored(sample.lines, status: sample.status)
        let freshness = Freshness(response, now: moment)
        #expect(freshness.lifetime == sample.lifetime)
        #expect(freshness.age == sample.age)
    }

    @Test(
        "C-01 the age is the Age field plus the delay of the response and the time in the cache",
        arguments: [
            Case(lines: ["Age: 30"], lifetime: 0, age: 130),
            Case(lines: ["Age: 30", date], lifetime: 0, age: 135, delay: 5),
            Case(lines: ["Age: 30, 50"], lifetime: 0, age: 130),
            Case(lines: ["Age: junk"], lifetime: 0, age: 100),
            Case(lines: ["Age: -30"], lifetime: 0, age: 100),
            Case(lines: ["Age: 1.5"], lifetime: 0, age: 100),
            Case(lines: ["Age: 99999999999999"], lifetime: 0, age: 2_147_483_748),
            Case(lines: ["Date: Tue, 14 Nov 2023 22:12:20 GMT"], lifetime: 0, age: 160),
            Case(
                lines: ["Date: Tue, 14 Nov 2023 22:12:20 GMT", "Age: 30"],
                lifetime: 0,
                age: 160,
                delay: 5
            ),
            Case(
                lines: ["Date: Tue, 14 Nov 2023 22:12:20 GMT", "Age: 90"],
                lifetime: 0,
                age: 195,
                delay: 5
            ),
            Case(lines: ["Date: Tue, 14 Nov 2023 23:13:20 GMT"], lifetime: 0, age: 100),
            Case(lines: ["Date: junk"], lifetime: 0, age: 100),
        ]
    )
    func age(_ sample: Case) throws {
        let response = try stored(sample.lines, delay: sample.delay)
        #expect(Freshness(response, now: moment + 100).age == sample.age)
    }

    @Test("C-01 a response is fresh before the end of its lifetime, and stale at the end")
    func border() throws {
        let response = try stored(["Cache-Control: max-age=10"])
        #expect(Freshness(response, now: moment + 9.9).isFresh)
        #expect(!Freshness(response, now: moment + 10).isFresh)
        #expect(Freshness(response, now: moment + 15).staleness == 5)
    }

    @Test("C-01 a clock that went back by more than a minute makes a response stale")
    func clockWentBack() throws {
        let response = try stored(["Cache-Control: max-age=10"])
        #expect(Freshness(response, now: moment - 5).isFresh)
        #expect(!Freshness(response, now: moment - 3_600).isFresh)
    }

    @Test("C-01 a year of two digits is at most 50 years ahead")
    func twoDigits() {
        #expect(HTTPDate.seconds("Sunday, 06-Nov-94 08:49:37 GMT", now: moment) == 784_111_777)
        #expect(HTTPDate.seconds("Sun Nov  6 08:49:37 1994", now: moment) == 784_111_777)
        #expect(HTTPDate.seconds("Tuesday, 14-Nov-23 22:13:20 GMT", now: moment) == Int(moment))
        #expect(HTTPDate.seconds("Monday, 01-Jan-70 00:00:00 GMT", now: moment) == 3_155_760_000)
        for text in ["Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37", "", "0"] {
            #expect(HTTPDate.seconds(text, now: moment) == nil, "\(text)")
        }
    }
}
