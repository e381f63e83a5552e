import Foundation
import Synchronization
import TestSupport
import Testing

/// The output of `--events json`.
@Suite("Events", .timeLimit(.minutes(1)))
struct EventsTests {
    @Test("the events report a download, call by call")
    func download() async throws {
        let nginx = try Nginx.shared
        let path = try nginx.addLargeFile("events-download", size: 3_000_000)
        let (result, events) = try await Events.run(["-O", "out", nginx.url(path)])
        #expect(result.status == 0, "\(result)")
        #expect(events.names.first == "didReceiveResponse")
        #expect(
            events.names.suffix(4) == [
                "didFinishDownloadingTo", "didFinishCollecting", "didCompleteWithError",
                "didBecomeInvalidWithError",
            ]
        )
        #expect(events.sum("bytesWritten") == 3_000_000)
        let last = try #require(events.named("didWriteData").last)
        #expect(last["totalBytesWritten"] == 3_000_000)
        #expect(last["totalBytesExpectedToWrite"] == 3_000_000)
        #expect(last["calls"] as Int? == nil)
        let response = try #require(events.all.first)
        #expect(response.object("response")["statusCode"] as? Int == 200)
        #expect(response.header("response").contains("Content-Length: 3000000"))
        #expect(response["method"] == "urlSession(_:downloadTask:didReceive:completionHandler:)")
        #expect(
            events.named("didFinishDownloadingTo").first?["location"]
                == result.folder.path("out.part")
        )
        #expect(events.named("didCompleteWithError").first?.members["error"] is NSNull)
        #expect(events.all.dropLast().allSatisfy { $0.task == 1 && $0["url"] == nginx.url(path) })
        // The messages to users do not change.
        #expect(result.stderr.contains("out: "))
        #expect(!result.stderr.contains("{"))
    }

    @Test("the events report an upload, from a file and as a stream", arguments: ["body", "-"])
    func upload(source: String) async throws {
        let nginx = try Nginx.shared
        let folder = try TemporaryFolder("events")
        try folder.writePseudoRandom(size: 500_000, to: "body")
        let (result, events) = try await Events.run(
            ["--upload-file", source, nginx.url("/dav/events-upload-\(source.count)")],
            in: folder,
            input: .bytes(PseudoRandom.bytes(500_000))
        )
        #expect(result.status == 0, "\(result)")
        #expect(events.sum("bytesSent") == 500_000)
        let last = try #require(events.named("didSendBodyData").last)
        #expect(last["totalBytesSent"] == 500_000)
        #expect(last["totalBytesExpectedToSend"] == (source == "-" ? -1 : 500_000))
        #expect(events.names.contains("needNewBodyStream") == (source == "-"))
        #expect(
            events.named("didReceiveResponse").first?["method"]
                == "urlSession(_:dataTask:didReceive:completionHandler:)"
        )
    }

    @Test("the events report a redirect, with the following request")
    func redirect() async throws {
        let nginx = try Nginx.shared
        let (result, events) = try await Events.run(["-O", "-", nginx.url("/redirect/302")])
        #expect(result.status == 0, "\(result)")
        #expect(events.names.prefix(2) == ["willPerformHTTPRedirection", "didReceiveResponse"])
        #expect(events.sum("bytesReceived") == result.stdout.count)
        let redirect = try #require(events.all.first)
        #expect(redirect.object("response")["statusCode"] as? Int == 302)
        #expect(redirect.object("newRequest")["url"] as? String == nginx.url("/echo/target"))
        #expect(redirect.object("newRequest")["httpMethod"] as? String == "GET")
        // The task keeps its original URL.
        #expect(events.all.dropLast().allSatisfy { $0["url"] == nginx.url("/redirect/302") })
    }

    @Test(
        "an error has its name and number; an error status is a response, and the task is cancelled"
    )
    func errors() async throws {
        let refusing = try RefusingPort()
        let (failed, events) = try await Events.run([refusing.url()])
        #expect(failed.status == 4, "\(failed)")
        #expect(
            events.names == [
                "didFinishCollecting", "didCompleteWithError", "didBecomeInvalidWithError",
            ]
        )
        let error = try #require(events.all.dropFirst().first).object("error")
        #expect(error["code"] as? Int == -1_004)
        #expect(error["name"] as? String == "cannotConnectToHost")
        #expect(error["failingURL"] as? String == refusing.url())
        let nginx = try Nginx.shared
        let (missing, more) = try await Events.run([nginx.url("/status/404")])
        #expect(missing.status == 8)
        #expect(more.all.first?.object("response")["statusCode"] as? Int == 404)
        #expect(
            more.named("didCompleteWithError").first?.object("error")["name"] as? String
                == "cancelled"
        )
    }

    @Test("T-16 the events report a task's metrics before its end, request by request")
    func metrics() async throws {
        let nginx = try Nginx.shared
        let (result, events) = try await Events.run([
            "-vv", "-O", "-", "--ca-certificate", try Certificates.shared.authority,
            nginx.url("/redirect/to-https"),
        ])
        #expect(result.status == 0, "\(result)")
        let metrics = try #require(events.named("didFinishCollecting").first)
        #expect(metrics["redirectCount"] == 1)
        let all = metrics.members["transactionMetrics"] as? [[String: Any]] ?? []
        #expect(all.map { $0["resourceFetchType"] as? String } == ["networkLoad", "networkLoad"])
        #expect(all.map { $0["networkProtocolName"] as? String } == ["http/1.1", "http/1.1"])
        let statuses = all.map { ($0["response"] as? [String: Any])?["statusCode"] as? Int }
        #expect(statuses == [302, 200])
        #expect(all.first?["negotiatedTLSProtocolVersion"] is NSNull)
        #expect(all.last?["negotiatedTLSProtocolVersion"] as? String == "TLSv13")
        #expect(all.last?["countOfResponseBodyBytesReceived"] as? Int == result.stdout.count)
        let lines = result.stderrLines
        let call = try #require(lines.firstIndex { $0.contains("task 1 didFinishCollecting: ") })
        #expect(
            lines[call + 1].hasPrefix("    GET \(nginx.url("/redirect/to-https")) 302, http/1.1")
        )
        #expect(lines[call + 2].contains(" 200, http/1.1, TLSv13, "))
        #expect(lines[call + 3].hasPrefix("* task 1 didCompleteWithError"))
    }

    @Test("several URLs are several tasks, which run one after the other with -j 1")
    func severalURLs() async throws {
        let nginx = try Nginx.shared
        let urls = (1...4).map { nginx.url("/echo/events-\($0)") }
        let (result, events) = try await Events.run(["-qj1", "-O-"] + urls)
        #expect(result.status == 0, "\(result)")
        let ends = events.named("didCompleteWithError")
        #expect(ends.map(\.task) == [1, 2, 3, 4])
        #expect(ends.map { $0["url"] ?? "" } == urls)
        let tasks = events.all.dropLast().map(\.task)
        #expect(tasks == tasks.sorted())
    }

    @Test("every line on standard error is an event, messages included")
    func standardError() async throws {
        let nginx = try Nginx.shared
        let missing = nginx.url("/status/404")
        let result = try await FetchProcess.run(
            "--events",
            "json",
            "-vv",
            "-S",
            "-k",
            nginx.url("/files/hello.txt"),
            missing
        )
        #expect(result.status == 8, "\(result)")
        let events = try Events(Array(result.stderr.utf8))
        #expect(events.violations == [], "\(result)")
        #expect(events.timesRise)
        let messages = events.named("message")
        #expect(
            messages.filter { $0["level"] == "error" }.map { $0["text"] ?? "" } == [
                "fetch: \(missing): 404 Not Found"
            ]
        )
        #expect(messages.contains { $0["level"] == "warning" })
        #expect(messages.contains { ($0["text"] ?? "").hasPrefix("  HTTP/1.1 200 OK\n  ") })
        // The error is reported after its own task's end; the other task may end later.
        #expect(events.named("didCompleteWithError").count == 2)
        let end = try #require(
            events.all.firstIndex { $0.name == "didCompleteWithError" && $0["url"] == missing }
        )
        let error = try #require(events.all.lastIndex { $0["level"] == "error" })
        #expect(end < error)
        let quiet = try await FetchProcess.run("--events=json", "-q", nginx.url("/echo/quiet"))
        #expect(try Events(Array(quiet.stderr.utf8)).named("message").count == 0, "\(quiet)")
    }

    @Test("-vv and --events work together, and report the same calls")
    func textAndJSON() async throws {
        let nginx = try Nginx.shared
        let (result, events) = try await Events.run(["-vv", nginx.url("/redirect/307")])
        #expect(result.status == 0, "\(result)")
        let calls = result.stderrLines.filter {
            $0.hasPrefix("* task ") || $0.hasPrefix("* session ")
        }
        let names = calls.map { line in
            let words = line.split(separator: " ")
            return String(words[words[1] == "session" ? 2 : 3].prefix { $0 != ":" })
        }
        #expect(names == events.names)
        #expect(result.stderrLines.last == "* session didBecomeInvalidWithError: nil")
    }

    @Test("--dry-run makes no file for events")
    func dryRun() async throws {
        let result = try await FetchProcess.run("--events-file", "events", "--dry-run", "http://h/")
        #expect(result.status == 0, "\(result)")
        #expect(result.folder.names() == [])
    }

    @Test("T-08 the events report where a download continues, or the reason why it starts over")
    func continued() async throws {
        let folder = try TemporaryFolder("events")
        let bytes = PseudoRandom.bytes(200_000)
        let served = Mutex(ServedFile(bytes))
        served.withLock { $0.cutAfter = 90_000 }
        let server = try SocketServer { try served.withLock { $0 }.serve($0) }
        let (cut, first) = try await Events.run(["-t", "1", "-O", "out", server.url()], in: folder)
        #expect(cut.status == 4, "\(cut)")
        #expect(
            first.named("didCompleteWithError").first?.object("error")["name"] as? String
                == "networkConnectionLost"
        )
        let (again, second) = try await Events.run(
            ["-c", "-t", "1", "-O", "out", server.url()],
            in: folder
        )
        #expect(again.status == 4, "\(again)")
        let resumed = try #require(second.named("didResumeAtOffset").first)
        #expect(resumed["fileOffset"] == 90_000)
        #expect(resumed["expectedTotalBytes"] == 200_000)
        served.withLock { file in
            file.cutAfter = nil
            file.entityTag = "\"two\""
        }
        let (whole, third) = try await Events.run(["-c", "-O", "out", server.url()], in: folder)
        #expect(whole.status == 0, "\(whole)")
        let reason: String? = third.named("didStartOver").first?["reason"]
        #expect(reason == "the file on the server has changed")
    }
}
