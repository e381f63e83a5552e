import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import URLLoading

@Suite("A program's own protocols", .timeLimit(.minutes(1)))
struct URLProtocolTests {
    @Test("S-09 a subclass serves its own scheme, to every kind of task")
    func serves() async throws {
        let script = ScriptedProtocol.Script("serves") { load in
            load.respond(length: 5)
            load.load("he")
            load.load("llo")
            load.finish()
        }
        let delegate = RecordingDelegate()
        let session = try URLSession.scripted(delegate)
        let task = session.dataTask(with: script.url)
        task.resume()
        #expect(await delegate.completion(of: task) == nil)
        #expect(String(decoding: delegate.data(task), as: UTF8.self) == "hello")
        #expect(delegate.calls(task).first == .response(0))
        #expect(await eventually { script.stops == 1 })
        let download = session.downloadTask(with: script.url)
        download.resume()
        #expect(await delegate.completion(of: download) == nil)
        #expect(delegate.calls(download).contains(.finished))
        #expect(download.countOfBytesReceived == 5)
        let (data, response) = try await session.data(from: script.url)
        #expect(data.count == 5)
        #expect(response.expectedContentLength == 5)
        let (bytes, _) = try await session.bytes(from: script.url)
        var text = ""
        for try await byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        #expect(text == "hello")
        session.finishTasksAndInvalidate()
        #expect(await eventually { script.starts == 4 && script.stops == 4 })
        #expect(await eventually { delegate.calls().last == .invalid })
    }

    @Test("S-09 a subclass precedes the network, and may pass a request on to it")
    func intercepts() async throws {
        let nginx = try Nginx.shared
        let script = ScriptedProtocol.Script("localhost") { load in
            load.respond()
            load.load("mine")
            load.finish()
        }
        let session = try URLSession.scripted()
        defer { session.finishTasksAndInvalidate() }
        var request = URLRequest(url: try url("http://localhost:\(nginx.httpPort)/files/hello.txt"))
        let (own, first) = try await session.data(for: request)
        #expect(String(decoding: own, as: UTF8.self) == "mine")
        #expect(!(first is HTTPURLResponse))
        ScriptedProtocol.setProperty(true, forKey: "passed", in: &request)
        #expect(ScriptedProtocol.property(forKey: "passed", in: request) as? Bool == true)
        let (theirs, response) = try await session.data(for: request)
        #expect(String(decoding: theirs, as: UTF8.self) == "Hello, world!\n")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        ScriptedProtocol.removeProperty(forKey: "passed", in: &request)
        #expect(ScriptedProtocol.property(forKey: "passed", in: request) == nil)
        // A session without it uses the network.
        let other = try URLSession.testing()
        defer { other.finishTasksAndInvalidate() }
        #expect(try await other.data(for: request).0.count == 14)
        #expect(script.starts == 1)
    }

    @Test("S-09 the session asks classes in their order, with the request in its canonical form")
    func order() async throws {
        final class First: URLProtocol {
            override class func canInit(with request: URLRequest) -> Bool {
                request.url?.scheme == "order"
            }
            override class func canonicalRequest(for request: URLRequest) -> URLRequest {
                var request = request
                request.setValue("yes", forHTTPHeaderField: "X-Form")
                return request
            }
            override func startLoading() {
                guard let url = request.url else { return }
                let words = "first \(request.value(forHTTPHeaderField: "X-Form") ?? "no")"
                let response = HTTPURLResponse(
                    url: url,
                    statusCode: 404,
                    httpVersion: nil,
                    headerFields: ["Content-Type": "text/plain"]
                )
                guard let response else { return }
                client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
                client?.urlProtocol(self, didLoad: Data(words.utf8))
                client?.urlProtocolDidFinishLoading(self)
            }
        }
        final class Second: URLProtocol {
            override class func canInit(with request: URLRequest) -> Bool { true }
        }
        let session = try URLSession.scripted(nil, [First.self, Second.self])
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(from: try url("order://x/"))
        #expect(String(decoding: data, as: UTF8.self) == "first yes")
        #expect((response as? HTTPURLResponse)?.statusCode == 404)
        let code = await errorCode { _ = try await session.data(from: try url("http://x/")) }
        #expect(code == .unsupportedURL)
    }

    @Test("S-09 the shared session alone asks registered classes, the last first")
    func registered() async throws {
        let script = ScriptedProtocol.Script("registered") { load in
            load.respond()
            load.finish()
        }
        #expect(URLProtocol.registerClass(ScriptedProtocol.self))
        #expect(URLProtocol.registerClass(ScriptedProtocol.self))
        defer { URLProtocol.unregisterClass(ScriptedProtocol.self) }
        #expect(try await URLSession.shared.data(from: script.url).0.isEmpty)
        let other = try URLSession.testing()
        defer { other.finishTasksAndInvalidate() }
        #expect(await errorCode { _ = try await other.data(from: script.url) } == .unsupportedURL)
        URLProtocol.unregisterClass(ScriptedProtocol.self)
        let code = await errorCode { _ = try await URLSession.shared.data(from: script.url) }
        #expect(code == .unsupportedURL)
        #expect(script.starts == 1)
    }

    @Test("S-09 the protocol has the body that the task sends")
    func body() async throws {
        let script = ScriptedProtocol.Script("body") { load in
            load.respond()
            load.load(String(decoding: load.request.httpBody ?? Data(), as: UTF8.self))
            load.finish()
        }
        let session = try URLSession.scripted()
        defer { session.finishTasksAndInvalidate() }
        let request = URLRequest(url: script.url)
        let (data, _) = try await session.upload(for: request, from: Data("sent".utf8))
        #expect(String(decoding: data, as: UTF8.self) == "sent")
        #expect(script.request?.httpMethod == "PUT")
    }

    @Test(
        "S-09 the task ignores calls that are out of order, repeated or too late",
        arguments: Misuse.all
    )
    func misuse(_ misuse: Misuse) async throws {
        let script = ScriptedProtocol.Script("misuse-\(misuse.name)") { misuse.play($0) }
        let delegate = RecordingDelegate()
        let session = try URLSession.scripted(delegate)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: script.url)
        task.resume()
        #expect(await delegate.completion(of: task) == misuse.code)
        #expect(String(decoding: delegate.data(task), as: UTF8.self) == misuse.data)
        #expect(await eventually { script.stops == 1 })
        let ends = delegate.calls(task).filter { if case .completed = $0 { true } else { false } }
        #expect(ends.count == 1)
    }

    struct Misuse: Sendable, CustomTestStringConvertible {
        let name: String
        let code: URLError.Code?
        let data: String
        let play: @Sendable (ScriptedProtocol) -> Void
        var testDescription: String { name }

        static let all = [
            Misuse(name: "early-data", code: nil, data: "b") { load in
                load.load("a")
                load.respond()
                load.load("b")
                load.finish()
            },
            Misuse(name: "two-responses", code: nil, data: "a") { load in
                load.respond()
                load.respond(length: 7)
                load.load("a")
                load.finish()
            },
            Misuse(name: "two-ends", code: nil, data: "a") { load in
                load.respond()
                load.load("a")
                load.finish()
                load.finish()
                load.fail(URLError(.timedOut))
                load.load("b")
                load.respond()
            },
            Misuse(name: "no-response", code: .badServerResponse, data: "") { $0.finish() },
            Misuse(name: "failure", code: .networkConnectionLost, data: "a") { load in
                load.respond()
                load.load("a")
                load.fail(URLError(.networkConnectionLost))
                load.finish()
            },
            Misuse(name: "foreign-error", code: .unknown, data: "") { load in
                struct Own: Error {}
                load.fail(Own())
            },
        ]
    }

    @Test(
        "S-09 the task blocks a protocol that is faster than its reader, and memory stays bounded"
    )
    func backPressure() async throws {
        let counter = Mutex(0)
        let size = 64 << 10
        let script = ScriptedProtocol.Script("pressure") { load in
            load.respond()
            for _ in 0..<256 {
                load.load(String(repeating: "x", count: size))
                counter.withLock { $0 += 1 }
            }
            load.finish()
        }
        let delegate = RecordingDelegate()
        let session = try URLSession.scripted(delegate)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: script.url)
        task.resume()
        #expect(await eventually { counter.withLock { $0 } > 0 })
        task.suspend()
        // One queue and a delegate's window are all that can be on its way.
        let most = (ProtocolLoad.limit + DeliveryWindow.limit + (1 << 20)) / size
        let before = counter.withLock { $0 }
        #expect(counter.withLock { $0 } <= before + most)
        task.resume()
        #expect(await delegate.completion(of: task) == nil)
        #expect(delegate.data(task).count == 256 * size)
        #expect(counter.withLock { $0 } == 256)
    }

    @Test("S-09 a cancel releases a blocked protocol, and stops it once")
    func cancels() async throws {
        let returned = Flag()
        let piece = String(repeating: "x", count: 1 << 20)
        let script = ScriptedProtocol.Script("paused") { load in
            load.respond()
            for _ in 0..<64 { load.load(piece) }
            load.finish()
            returned.raise()
        }
        let session = try URLSession.scripted(RecordingDelegate())
        defer { session.finishTasksAndInvalidate() }
        let delegate = RecordingDelegate(.init(received: { task, _ in task.suspend() }))
        let task = session.dataTask(with: script.url)
        task.delegate = delegate
        task.resume()
        #expect(await eventually { task.state == .suspended })
        #expect(!returned.isUp)
        task.cancel()
        #expect(await delegate.completion(of: task) == .cancelled)
        #expect(await eventually { returned.isUp && script.stops == 1 })
        task.cancel()
        #expect(script.stops == 1)
    }

    @Test("S-09 a task cancelled before the choice of a protocol starts nothing")
    func cancelledEarly() async throws {
        let script = ScriptedProtocol.Script("early") { _ in }
        let delegate = RecordingDelegate()
        let session = try URLSession.scripted(delegate)
        defer { session.finishTasksAndInvalidate() }
        for _ in 0..<50 {
            let task = session.dataTask(with: script.url)
            task.resume()
            task.cancel()
            #expect(await delegate.completion(of: task) == .cancelled)
        }
        #expect(await eventually { script.stops == script.starts })
    }

    @Test("S-09 the session releases a protocol with its load")
    func releases() async throws {
        final class Counted: URLProtocol {
            static let living = Atomic(0)
            required init(
                request: URLRequest,
                cachedResponse: CachedURLResponse?,
                client: (any URLProtocolClient)?
            ) {
                super.init(request: request, cachedResponse: cachedResponse, client: client)
                Self.living.add(1, ordering: .relaxed)
            }
            deinit { Self.living.subtract(1, ordering: .relaxed) }
            override class func canInit(with request: URLRequest) -> Bool { true }
        }
        let session = try URLSession.scripted(nil, [Counted.self])
        defer { session.finishTasksAndInvalidate() }
        let code = await errorCode { _ = try await session.data(from: try url("counted://x/")) }
        #expect(code == .unsupportedURL)
        #expect(await eventually { Counted.living.load(ordering: .relaxed) == 0 })
    }
}
