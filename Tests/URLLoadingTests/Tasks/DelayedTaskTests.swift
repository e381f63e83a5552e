import FoundationEssentials
import Testing

@testable import URLLoading

@Suite("Delayed tasks")
struct DelayedTaskTests {
    private func life() throws -> TaskLifecycle {
        TaskLifecycle(
            try request("http://example.com/"),
            body: .none,
            responsePolicy: TaskLifecycle.ResponsePolicy(
                asksAboutRedirects: false,
                body: .settled(.collect),
                maximumRedirects: 20
            ),
            timeLimit: .seconds(60)
        )
    }

    /// The actions in a word each.
    private func words(_ actions: [TaskLifecycle.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .awaitDate(_, let number): "await \(number)"
            case .askDelayed: "ask"
            case .start(let request, _, _, _): "start \(request.url?.path ?? "")"
            case .complete(let error, _, _): "complete \(error?.code.description ?? "")"
            default: "other"
            }
        }
    }

    @Test("a task waits for its date, asks, and begins")
    func waits() throws {
        var life = try life()
        #expect(words(life.resume(delay: .seconds(5))) == ["await 1"])
        #expect(words(life.dateMayHaveCome(1, delay: .seconds(1))) == ["await 2"])
        #expect(words(life.dateMayHaveCome(1, delay: .zero)) == [])
        #expect(words(life.dateMayHaveCome(2, delay: .zero)) == ["ask"])
        #expect(words(life.resolveDelay(.continueLoading, nil)) == ["start /"])
        #expect(words(life.resolveDelay(.cancel, nil)) == [])
    }

    @Test("a delayed task asks its delegate at once if the date has passed or was removed")
    func pastDate() throws {
        var first = try life()
        #expect(words(first.resume(delay: .zero)) == ["ask"])
        var second = try life()
        #expect(words(second.resume(delay: .seconds(5))) == ["await 1"])
        #expect(words(second.dateMayHaveCome(nil, delay: nil)) == ["ask"])
        #expect(
            words(second.resolveDelay(.useNewRequest, try request("http://x/y"))) == ["start /y"]
        )
    }

    @Test("a new request has its own body, unless the delayed task has one")
    func ownBody() throws {
        for (own, expected) in [(Data("new".utf8), "new"), (nil, "old")] as [(Data?, String)] {
            var life = try life()
            life.body = .data(Data("old".utf8))
            _ = life.resume(delay: .zero)
            let body = own.map(TaskBody.data)
            _ = life.resolveDelay(.useNewRequest, try request("http://x/y"), ownBody: body)
            guard case .data(let data) = life.body else {
                Issue.record("another body")
                continue
            }
            #expect(String(decoding: data, as: UTF8.self) == expected)
        }
    }

    @Test("a task suspended meanwhile begins to wait again, and asks once")
    func suspended() throws {
        var life = try life()
        #expect(words(life.resume(delay: .seconds(5))) == ["await 1"])
        #expect(words(life.suspend()) == [])
        #expect(words(life.dateMayHaveCome(1, delay: .zero)) == [])
        #expect(words(life.resume(delay: .seconds(4))) == ["await 2"])
        #expect(words(life.dateMayHaveCome(2, delay: .zero)) == ["ask"])
        #expect(words(life.suspend()) == [])
        #expect(words(life.resolveDelay(.continueLoading, nil)) == [])
        #expect(words(life.resume(delay: .zero)) == ["start /"])
    }

    @Test("a delayed task ends at the program's or the delegate's cancel")
    func cancelled() throws {
        var waiting = try life()
        _ = waiting.resume(delay: .seconds(5))
        #expect(words(waiting.cancel()) == ["complete cancelled"])
        #expect(words(waiting.dateMayHaveCome(1, delay: .zero)) == [])
        var asked = try life()
        _ = asked.resume(delay: .zero)
        #expect(words(asked.resolveDelay(.cancel, nil)) == ["complete cancelled"])
    }

    @Test("a background session's task with a date fails, and does not begin early")
    func inTransferProcess() throws {
        var life = try life()
        life.moveToTransferProcess(isSuspended: true)
        #expect(
            words(life.resume(delay: .seconds(5))) == ["other", "complete resourceUnavailable"]
        )
        var past = try self.life()
        past.moveToTransferProcess(isSuspended: true)
        #expect(words(past.resume(delay: .zero)) == ["other"])
    }
}
