import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

/// Sessions with a script: orders of events that a real server rarely produces.
@Suite("Tasks with a scripted transport", .timeLimit(.minutes(1)))
struct TaskOrderTests {
    private let transport = ScriptedTransport()
    private let first = HopID(number: 1)

    private func session(_ recorder: RecordingDelegate) -> URLSession {
        URLSession(SessionSettings(kind: .ephemeral), transport, recorder, nil)
    }

    private func head(_ status: Int, _ fields: [String: String] = [:]) -> HopHead {
        HopHead(
            status: status,
            httpVersion: "HTTP/1.1",
            reason: "",
            fields: HTTPHeaderFields(fields)
        )
    }

    @Test("T-01 suspend and resume reach the hop, and have no effect twice")
    func suspends() async throws {
        let task = session(RecordingDelegate()).dataTask(with: try url("http://h/"))
        task.resume()
        task.resume()
        task.suspend()
        task.suspend()
        task.resume()
        #expect(
            transport.commands == [
                .start(first, "GET", "http://h/"), .suspend(first), .resume(first),
            ]
        )
        transport.client(1)?.hop(first, didEnd: HopEnd())
    }

    @Test("T-13 a cancelled task waits for its hop's end, and makes no call in between")
    func cancelWaits() async throws {
        let recorder = RecordingDelegate()
        let task = session(recorder).dataTask(with: try url("http://h/"))
        task.resume()
        let client = try #require(transport.client(1))
        _ = client.hop(first, didReceive: head(200))
        #expect(await eventually { recorder.calls(task) == [.response(200)] })
        #expect(await eventually { transport.commands.contains(.decide(first)) })
        task.cancel()
        #expect(task.state == .canceling)
        client.hop(first, didReceive: Data("late".utf8))
        client.hop(first, didEnd: HopEnd(error: URLError(.cancelled)))
        #expect(await recorder.completion(of: task) == .cancelled)
        #expect(recorder.calls(task) == [.response(200), .completed(.cancelled)])
        #expect(task.state == .completed)
    }

    @Test("T-09 a redirect decided while the task is suspended waits for resume")
    func redirectWhileSuspended() async throws {
        let recorder = RecordingDelegate()
        let task = session(recorder).dataTask(with: try url("http://h/"))
        task.resume()
        let client = try #require(transport.client(1))
        task.suspend()
        _ = client.hop(first, didReceive: head(302, ["Location": "/next"]))
        #expect(await eventually { transport.commands.contains(.decide(first)) })
        client.hop(first, didEnd: HopEnd())
        #expect(transport.commands.count == 3)
        task.resume()
        let second = HopID(number: 2)
        #expect(transport.commands.last == .start(second, "GET", "http://h/next"))
        transport.client(2)?.hop(second, didEnd: HopEnd())
    }

    @Test("T-13 an end, a head or data of an ended hop changes nothing")
    func lateCalls() async throws {
        let recorder = RecordingDelegate()
        let task = session(recorder).dataTask(with: try url("http://h/"))
        task.resume()
        let client = try #require(transport.client(1))
        client.hop(first, didEnd: HopEnd(error: URLError(.timedOut)))
        client.hop(first, didEnd: HopEnd())
        _ = client.hop(first, didReceive: head(200))
        client.hop(first, didReceive: Data("x".utf8))
        #expect(await recorder.completion(of: task) == .timedOut)
        task.cancel()
        task.resume()
        #expect(recorder.calls(task) == [.completed(.timedOut)])
    }

    @Test("S-08 the session notifies its transport once it will start nothing more")
    func finish() async throws {
        let recorder = RecordingDelegate()
        let session = session(recorder)
        let task = session.dataTask(with: try url("http://h/"))
        task.resume()
        session.finishTasksAndInvalidate()
        #expect(!transport.commands.contains(.finish))
        transport.client(1)?.hop(first, didEnd: HopEnd(error: URLError(.timedOut)))
        #expect(await eventually { transport.commands.contains(.finish) })
    }
}
