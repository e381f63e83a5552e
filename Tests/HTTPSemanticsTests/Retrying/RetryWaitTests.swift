import HTTPSemantics
import Testing

@Suite("Waits between attempts")
struct RetryWaitTests {
    @Test("the waits double up to the limit, and half of each wait is random")
    func backoff() {
        let longest = Duration.seconds(10)
        for (failed, full) in zip(1..., [1.0, 2, 4, 8, 10, 10]) {
            let least = Backoff.wait(after: failed, upTo: longest, jitter: 0)
            let most = Backoff.wait(after: failed, upTo: longest, jitter: 0.999)
            #expect(least == .seconds(full / 2))
            #expect(most > .seconds(full * 0.99) && most <= .seconds(full))
        }
        #expect(Backoff.wait(after: .max, upTo: longest, jitter: 0) == .seconds(5))
        #expect(Backoff.wait(after: 3, upTo: .zero, jitter: 0.5) == .zero)
    }

    @Test(
        "a server's Retry-After is obeyed up to five minutes, or up to a longer limit of the policy"
    )
    func asked() {
        let backoff = Duration.milliseconds(700)
        func wait(_ asked: Duration?, _ longest: Duration = .seconds(10)) -> RetryWait {
            RetryWait(backoff: backoff, asked: asked, longest: longest)
        }
        #expect(wait(nil) == RetryWait(backoff))
        #expect(wait(.zero) == RetryWait(backoff))
        #expect(wait(.seconds(1)) == RetryWait(.seconds(1)))
        #expect(wait(.seconds(300)) == RetryWait(.seconds(300)))
        #expect(wait(.seconds(301)).duration == .seconds(300))
        #expect(wait(.seconds(301)).asked == .seconds(301))
        #expect(wait(.seconds(301), .seconds(600)) == RetryWait(.seconds(301)))
    }

    /// `Retry-After`, `Date`, seconds.
    @Test(
        "Retry-After is seconds, or a date by the response's own clock",
        arguments: [
            ("120", nil, 120), (" 5", nil, 5), ("0", nil, 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", 30),
            ("Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", 30),
            ("Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:07 GMT", 30),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 09:00:00 GMT", 0),
            // Without a Date field the client's clock counts: 784111777 is 08:49:37.
            ("Sun, 06 Nov 1994 08:49:47 GMT", nil, 10),
            ("Sun, 06 Nov 1994 08:49:47 GMT", "nonsense", 10),
            ("99999999999999999999999999", nil, 1 << 32),
        ] as [(String, String?, Int)]
    )
    func retryAfter(text: String, date: String?, seconds: Int) {
        let wait = RetryAfter.wait(text, date: date, now: 784_111_777)
        #expect(wait == .seconds(seconds))
    }

    @Test(
        "a Retry-After of another form asks for no wait",
        arguments: ["", "-5", "1.5", "soon", "5 s", "٣"]
    )
    func nonsense(text: String) {
        #expect(RetryAfter.wait(text, date: nil, now: 0) == nil)
    }

    /// Values of Retry-After.
    @Test(
        "T-11 a Retry-After of any length gives a wait in range",
        arguments: [
            "0", "99999999999999999999", "9223372036854775807", "4294967297", "-1", "1e9", "nan",
            "",
            "Fri, 31 Dec 9999 23:59:59 GMT", "Sun, 06 Nov 1994 08:49:37 GMT", "\u{301}5",
            "5\u{301}",
        ]
    )
    func anyLength(text: String) {
        for now in [0, 1e18, -1e18, Double.infinity, .nan] {
            let wait = RetryAfter.wait(text, date: nil, now: now)
            #expect(wait.map { $0 >= .zero && $0 <= .seconds(1 << 32) } ?? true)
        }
    }
}
