import FoundationEssentials
import Testing

@testable import URLLoading

// What the server's next response means for a stored one: a confirmation, a replacement, or a failure.
extension CacheExchangeTests {
    @Test("C-01 a 304 confirms a stale response, which is served and fresh again")
    func confirmed() throws {
        let request = try asked()
        _ = try load(request, head(["Cache-Control: max-age=10", "ETag: \"a\"", "X: 1"]), "hello")
        clock.now += 20
        var again = exchange(request)
        guard case .load(let fields) = again.begin() else {
            Issue.record("served")
            return
        }
        #expect(fields.map(\.value) == ["\"a\""])
        let confirmation = head(["ETag: \"a\"", "Cache-Control: max-age=10", "X: 2"], status: 304)
        guard case .serve(var reader) = again.received(confirmation) else {
            Issue.record("not confirmed")
            return
        }
        #expect(reader.head.status == 200)
        #expect(reader.head.fields["X"] == "2")
        #expect(reader.head.fields["Age"] == nil)
        #expect(try reader.readAll() == Array("hello".utf8))
        clock.now += 5
        #expect(try served(request) == "hello")
    }

    @Test("C-01 a new response replaces the stale one")
    func replaced() throws {
        let request = try asked()
        _ = try load(request, head(["Cache-Control: max-age=10", "ETag: \"a\""]), "old")
        clock.now += 20
        let fields = try load(request, head(["Cache-Control: max-age=10", "ETag: \"b\""]), "new")
        #expect(fields == ["If-None-Match: \"a\""])
        #expect(try served(request) == "new")
    }

    @Test("C-01 the hop begins again without conditions after a 304 about another entity")
    func wrongConfirmation() throws {
        let request = try asked()
        _ = try load(request, head(["ETag: \"a\""]), "old")
        var again = exchange(request)
        guard case .load(let fields) = again.begin(), !fields.isEmpty else {
            Issue.record("no condition")
            return
        }
        guard case .sendAgain = again.received(head(["ETag: \"b\""], status: 304)) else {
            Issue.record("taken")
            return
        }
        guard case .load(let second) = again.begin() else {
            Issue.record("served")
            return
        }
        #expect(second.isEmpty)
        #expect(cache.currentMemoryUsage == 0)
    }

    @Test("C-01 the cache replaces a failing server, as far as stale-if-error permits")
    func staleIfError() throws {
        let request = try asked()
        let response = head(["Cache-Control: max-age=1, stale-if-error=60", "ETag: \"a\""])
        _ = try load(request, response, "old")
        clock.now += 30
        var again = exchange(request)
        guard case .load = again.begin() else {
            Issue.record("served")
            return
        }
        guard case .serve(let reader) = again.received(head([], status: 503)) else {
            Issue.record("the error was ignored")
            return
        }
        #expect(reader.head.status == 200)
        #expect(reader.head.fields["Age"] == "30")
        #expect(again.failed(URLError(.cannotConnectToHost)) != nil)
        #expect(again.failed(URLError(.cancelled)) == nil)
        #expect(again.failed(URLError(.serverCertificateUntrusted)) == nil)
        clock.now += 60
        #expect(again.failed(URLError(.timedOut)) == nil)
        guard case .forward = again.received(head([], status: 503)) else {
            Issue.record("too old")
            return
        }
    }

    @Test("C-01 a failing server is replaced by a response without a validator, too")
    func staleWithoutValidator() throws {
        let request = try asked()
        _ = try load(request, head(["Cache-Control: max-age=1, stale-if-error=60"]), "old")
        clock.now += 30
        var again = exchange(request)
        guard case .load = again.begin() else {
            Issue.record("served")
            return
        }
        #expect(again.failed(URLError(.cannotConnectToHost)) != nil)
        guard case .serve = again.received(head([], status: 503)) else {
            Issue.record("the error was ignored")
            return
        }
    }

    @Test("C-01 a newer response that is not stored removes an old one without a validator")
    func superseded() throws {
        let request = try asked()
        for (fields, status) in [([], 404), (["Cache-Control: no-store"], 200)] {
            _ = try load(request, head(["Cache-Control: max-age=100"]), "old")
            let reload = try asked(["Cache-Control: no-cache"])
            _ = try load(reload, head(fields, status: status))
            #expect(try served(request) == nil, "\(status)")
        }
    }

    @Test("C-01 a 304 without a date is as new as its receipt")
    func confirmedWithoutDate() throws {
        let request = try asked()
        let date = "Date: " + (HTTPDate.text(Int(clock.now)) ?? "")
        _ = try load(request, head(["Cache-Control: max-age=10", "ETag: \"a\"", date]), "hello")
        clock.now += 20
        var again = exchange(request)
        guard case .load = again.begin(),
            case .serve = again.received(head(["ETag: \"a\""], status: 304))
        else {
            Issue.record("not confirmed")
            return
        }
        clock.now += 5
        #expect(try served(request) == "hello")
    }
}
