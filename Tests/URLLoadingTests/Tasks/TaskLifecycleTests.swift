import Testing

@testable import URLLoading

/// The lifecycle of a session's task, state by event.
@Suite("Task lifecycle")
struct TaskLifecycleTests {
    private static let first = TaskStage.first
    private static let second = HopID(number: 2)

    @Test("the task reaches each state", arguments: TaskStage.allCases.map(\.rawValue))
    func states(_ name: String) throws {
        let stage = try #require(TaskStage(rawValue: name))
        #expect(try stage.life().name == stage.name)
    }

    @Test("the task suspends and resumes in each state")
    func suspending() throws {
        let table: [(TaskStage, suspend: String, String, resume: String, String)] = [
            (.ready, "", "ready", "start 1 /a", "requesting"),
            (.delayed, "", "ready", "start 1 /a", "requesting"),
            (.askingDelayed, "", "askingDelayed", "", "askingDelayed"),
            (.openingBody, "", "openingBody", "", "openingBody"),
            (.identifying, "", "identifying", "", "identifying"),
            (.choosingCertificate, "", "choosingCertificate", "", "choosingCertificate"),
            (.offline, "stop waiting", "ready", "start 2 /a", "requesting"),
            (.requesting, "suspend hop", "requesting", "resume hop", "requesting"),
            (.deciding, "suspend hop", "deciding", "resume hop", "deciding"),
            (.redirecting, "suspend hop", "deciding", "resume hop", "deciding"),
            (.receiving, "suspend hop", "receiving", "resume hop", "receiving"),
            (.leaving, "suspend hop", "leaving", "resume hop", "leaving"),
            (.failing, "suspend hop", "leaving", "resume hop", "leaving"),
            (
                .inTransferProcess, "suspend hop", "inTransferProcess", "resume hop",
                "inTransferProcess"
            ),
            (.ended, "", "ended", "", "ended"),
        ]
        #expect(table.map(\.0) == TaskStage.allCases)
        for (stage, suspend, suspended, resume, resumed) in table {
            var life = try stage.life()
            #expect(life.suspend().words == suspend, "\(stage)")
            #expect(life.name == suspended, "\(stage)")
            #expect(life.suspend().isEmpty)
            #expect(life.resume().words == resume, "\(stage)")
            #expect(life.name == resumed, "\(stage)")
            #expect(life.resume().isEmpty)
        }
    }

    @Test("the task cancels once in each state")
    func cancelling() throws {
        let table: [(TaskStage, String, String)] = [
            (.ready, "complete cancelled", "ended"),
            (.delayed, "complete cancelled", "ended"),
            (.askingDelayed, "complete cancelled", "ended"),
            (.openingBody, "complete cancelled", "ended"),
            (.identifying, "complete cancelled", "ended"),
            (.choosingCertificate, "complete cancelled", "ended"),
            (.offline, "complete cancelled", "ended"),
            (.requesting, "cancel hop", "leaving"),
            (.deciding, "discard, cancel hop", "leaving"),
            (.redirecting, "discard, cancel hop", "leaving"),
            (.receiving, "cancel hop", "leaving"),
            (.leaving, "cancel hop", "leaving"),
            (.failing, "", "leaving"),
            (.inTransferProcess, "cancel hop", "inTransferProcess"),
            (.ended, "", "ended"),
        ]
        #expect(table.map(\.0) == TaskStage.allCases)
        for (stage, actions, state) in table {
            var life = try stage.life()
            #expect(life.cancel().words == actions, "\(stage)")
            #expect(life.name == state, "\(stage)")
            #expect(life.cancel().isEmpty, "\(stage)")
            guard state == "leaving" else { continue }
            #expect(life.ended(Self.first, HopEnd()).words == "complete cancelled", "\(stage)")
        }
    }

    @Test("the end of a task's hop counts, and that of another one has no effect")
    func hopEnds() throws {
        let ends: [TaskStage: (String, String)] = [
            .requesting: ("complete networkConnectionLost", "ended"),
            .deciding: ("complete networkConnectionLost", "ended"),
            .redirecting: ("complete networkConnectionLost", "ended"),
            .receiving: ("complete networkConnectionLost", "ended"),
            .leaving: ("start 2 /b", "requesting"),
            .failing: ("complete cancelled", "ended"),
        ]
        for stage in TaskStage.allCases {
            var life = try stage.life()
            let lost = HopEnd(error: URLError(.networkConnectionLost))
            #expect(life.ended(Self.second, lost).isEmpty, "\(stage)")
            #expect(life.name == stage.name)
            let (actions, state) = ends[stage] ?? ("", stage.name)
            #expect(life.ended(Self.first, lost).words == actions, "\(stage)")
            #expect(life.name == state, "\(stage)")
        }
        var whole = try TaskStage.receiving.life()
        #expect(whole.ended(Self.first, HopEnd()).words == "complete well")
    }

    @Test("a head counts while its hop runs, and in no other state")
    func heads() throws {
        for stage in TaskStage.allCases {
            var life = try stage.life()
            let (disposition, actions) = life.received(
                http: try TaskStage.response(200),
                of: Self.first
            )
            switch (stage, disposition) {
            case (.requesting, .hold): #expect(actions.words == "ask response")
            case (.requesting, _): Issue.record("the body is not buffered")
            case (_, .discard): #expect(actions.isEmpty && life.name == stage.name)
            default: Issue.record("\(stage): \(disposition)")
            }
        }
    }

    @Test("a delegate's disposition counts while the task waits for it, and in no other state")
    func delegateDispositions() throws {
        let next = try request("http://h/c")
        let events: [(String, Set<TaskStage>, (inout TaskLifecycle) -> [TaskLifecycle.Action])] = [
            ("body", [.openingBody], { $0.resolveBody(nil) }),
            ("redirect", [.redirecting], { $0.resolveRedirect(Self.first, next) }),
            ("response", [.deciding], { $0.resolveResponse(Self.first, .allow) }),
            ("destination", [], { $0.resolveDestination(Self.first, .temporary) }),
            ("certificate", [.choosingCertificate], { $0.resolveIdentity() }),
            ("no certificate", [.choosingCertificate], { $0.cancelIdentity() }),
            ("delayed", [.askingDelayed], { $0.resolveDelay(.continueLoading, nil) }),
            ("caching", [], { $0.resolveCaching() }),
            ("digest", [], { $0.verified(nil, mayStartOver: true) }),
            ("network", [.offline], { $0.networkMayBeThere(.change) }),
            ("inTransferProcess", [.inTransferProcess], { $0.endedInTransferProcess(nil) }),
            ("date", [.delayed], { $0.dateMayHaveCome(1, delay: .zero) }),
        ]
        for (event, stages, send) in events {
            for stage in TaskStage.allCases {
                var life = try stage.life()
                let actions = send(&life)
                #expect(actions.isEmpty != stages.contains(stage), "\(event), \(stage)")
                if actions.isEmpty { #expect(life.name == stage.name, "\(event), \(stage)") }
            }
        }
    }

    @Test("a reply about another hop has no effect")
    func otherHop() throws {
        var deciding = try TaskStage.deciding.life()
        #expect(deciding.resolveResponse(Self.second, .allow).isEmpty)
        var redirecting = try TaskStage.redirecting.life()
        #expect(redirecting.resolveRedirect(Self.second, nil).isEmpty)
    }

    @Test("the delegate's disposition decides on the response")
    func dispositions() throws {
        let table: [(URLSession.ResponseDisposition, String, String)] = [
            (.allow, "decide", "receiving"), (.cancel, "discard, cancel hop", "leaving"),
            (.becomeDownload, "become download", "deciding"),
        ]
        for (disposition, actions, state) in table {
            var life = try TaskStage.deciding.life()
            #expect(life.resolveResponse(Self.first, disposition).words == actions)
            #expect(life.name == state)
        }
        var download = try TaskStage.requesting.life(.askDestination)
        let (_, asks) = download.received(http: try TaskStage.response(200), of: Self.first)
        #expect(asks.words == "ask destination")
        #expect(download.resolveDestination(Self.first, nil).words == "discard, cancel hop")
    }

    @Test("the task follows a redirect, refuses it, or ends with one too many")
    func redirects() throws {
        var followed = try TaskStage.redirecting.life()
        let target = try request("http://h/c")
        #expect(followed.resolveRedirect(Self.first, target).words == "discard")
        #expect(followed.ended(Self.first, HopEnd()).words == "start 2 /c")
        var refused = try TaskStage.redirecting.life()
        #expect(refused.resolveRedirect(Self.first, nil).words == "ask response")
        #expect(refused.name == "deciding")
        var one = try TaskStage.leaving.life(maximumRedirects: 0)
        #expect(one.ended(Self.first, HopEnd()).words == "complete httpTooManyRedirects")
        // A task suspended meanwhile follows the redirect after resume.
        var suspended = try TaskStage.leaving.life()
        _ = suspended.suspend()
        #expect(suspended.ended(Self.first, HopEnd()).isEmpty)
        #expect(suspended.name == "ready")
        #expect(suspended.resume().words == "start 2 /b")
    }

    @Test("the task repeats its request once without Expect for a server that refuses it")
    func expectation() throws {
        var life = try TaskStage.requesting.life()
        life.mayExpectContinue = true
        let refusal = try TaskStage.response(417)
        #expect(life.received(http: refusal, of: Self.first).1.isEmpty)
        #expect(life.name == "leaving")
        #expect(life.ended(Self.first, HopEnd()).words == "start 2 /a")
        #expect(life.received(http: refusal, of: Self.second).1.words == "ask response")
    }
}
