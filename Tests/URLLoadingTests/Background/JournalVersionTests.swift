import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

/// A journal that an earlier build has written, before its transfer process was killed.
@Suite("Journals of earlier builds")
struct JournalVersionTests {
    private func bytes() throws -> [UInt8] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return Array(
            try Data(contentsOf: tests.appending(path: "Fixtures/background-journal-1.ndjson"))
        )
    }

    @Test("a journal of version 1 has the same meaning as before")
    func first() throws {
        var records: [JournalRecord] = []
        let replay = try bytes().withUnsafeBytes { bytes in
            try JournalReplay(bytes, .current, path: "journal") { records.append($0) }
        }
        // 25 lines; each of the six tasks is made held.
        #expect(records.count == 31)
        let length = try bytes().count
        #expect(replay.length == length)
        let state = BackgroundState(records)
        #expect(state.settings?.identifier == "fixture")
        #expect(state.settings?.command == "true")
        let stored = try #require(state.settings?.configuration)
        #expect(SessionSettings(stored: stored) != nil)
        #expect(state.tasks.keys.sorted() == Array(1...6))
        for number in [1, 2, 6] { #expect(state.tasks[number]?.hasEnded == true) }
        guard case .parked(let challenge)? = state.tasks[3]?.phase,
            case .active(nil)? = state.tasks[4]?.phase,
            case .active(let retry?)? = state.tasks[5]?.phase
        else {
            Issue.record("\(state.tasks.map { ($0.key, $0.value.phase) })")
            return
        }
        #expect(challenge.realm == "fixture")
        #expect(retry.attempts == 3)
        #expect(retry.error.code == -1_004)
        #expect(state.tasks[4]?.record.request.url == "http://127.0.0.1:18734/slow")
        #expect(state.tasks[4]?.record.destination == "/tmp/fetch-fixture/out/slow")
        #expect(state.tasks[6]?.record.body?.file.size == 8)
        #expect(state.events.count == 4)
        // The server has refused the upload's method with 501, and a download with 404.
        #expect(state.counters.counts == BackgroundCounts(succeeded: 1, failed: 2))
        #expect(state.counters.command?.status == 0)
        #expect(BackgroundState(state.history) == state)
        var machine = BackgroundStateMachine(state)
        let step = machine.begin(at: retry.until)
        #expect(step.effects.contains { if case .start = $0 { true } else { false } })
    }

    @Test("a task that starts resumed is held by a journal of version 1 without another record")
    func held() throws {
        var task = taskRecord(1)
        task.startsResumed = true
        let line = try JournalLine.encode(
            .made(task: task),
            number: 1,
            batch: 1,
            isLast: true,
            JSONBytes()
        )
        let reader = try #require(JournalFormat.current.readers[1])
        let records = try reader(Data(line.dropLast()))
        #expect(BackgroundState(records).tasks[1]?.phase == .held)
        #expect(BackgroundState(records + [.resumed(task: 1)]).tasks[1]?.phase == .active(nil))
        #expect(BackgroundState([.made(task: task)]).tasks[1]?.phase == .active(nil))
    }
}
