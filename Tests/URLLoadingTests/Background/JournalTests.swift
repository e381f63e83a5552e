import Foundation
import TestSupport
import Testing

@testable import URLLoading

@Suite("Journal of a background session", .timeLimit(.minutes(1)))
struct JournalTests {
    private let session: BackgroundSession
    private let file: String

    init() throws {
        session = try BackgroundSession()
        file = session.name + "/journal"
    }

    /// The records of the journal.
    private func records(
        _ format: JournalFormat = .current
    ) throws(BackgroundError) -> [JournalRecord]? {
        var found: [JournalRecord] = []
        guard let folder = try? session.open(),
            var journal = try Journal.open(
                in: folder.folder,
                format: format,
                take: { found.append($0) }
            )
        else { return nil }
        if journal.isOfOtherVersion { try journal.rewrite(found, in: folder.folder) }
        return found
    }

    private let first: [JournalRecord] = [.session(settings: sessionSettings())]
    private let second: [JournalRecord] = [
        .made(task: taskRecord(1)), .made(task: taskRecord(2)), .resumed(task: 1),
    ]
    private let third: [JournalRecord] = [
        .event(sequence: 1, event: .completed(task: 1, error: .lost, response: nil)),
        .event(sequence: 2, event: .allDone(counts: BackgroundCounts(succeeded: 0, failed: 1))),
    ]

    /// Writes a journal of three batches, and returns the length after each.
    private func write() throws -> [Int] {
        let folder = try session.open()
        var journal = try Journal.make(first, in: folder.folder)
        var lengths = [Int(journal.size)]
        for batch in [second, third] {
            try journal.append(batch, beginsWork: true)
            lengths.append(Int(journal.size))
        }
        return lengths
    }

    @Test("written records are read again, and more can be appended")
    func roundTrip() throws {
        #expect(try records() == nil)
        _ = try write()
        #expect(try records() == first + second + third)
        let folder = try session.open()
        do {
            var journal = try found(try Journal.open(in: folder.folder, take: { _ in }))
            try journal.append([.paused(isPaused: true)], beginsWork: false)
            try journal.append([], beginsWork: false)
        }
        #expect(try records() == first + second + third + [.paused(isPaused: true)])
        var status = stat()
        #expect(stat(session.home.path(file), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test("each line is JSON, with a number, a batch, and a checksum")
    func lines() throws {
        _ = try write()
        let text = try #require(session.home.readText(file))
        let lines = text.split(separator: "\n")
        #expect(lines.count == 7)
        #expect(lines[0] == #"{"format":"URLLoading background journal","version":2}"#)
        for (number, line) in lines.enumerated().dropFirst() {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let members = try #require(object as? [String: Any])
            #expect(members["number"] as? Int == number)
            #expect((members["check"] as? String)?.count == 16)
            #expect(members["record"] is [String: Any])
        }
        #expect(text.hasSuffix("\n"))
    }

    @Test("a last batch that is cut at any byte is ignored, and new batches follow")
    func torn() throws {
        let lengths = try write()
        let whole = try #require(session.home.read(file))
        #expect(whole.count == lengths[2])
        for length in lengths[1]..<lengths[2] {
            try session.home.write(Array(whole[..<length]), to: file)
            chmod(session.home.path(file), 0o600)
            let folder = try session.open()
            do {
                var said: [JournalRecord] = []
                var journal = try found(
                    try Journal.open(in: folder.folder, take: { said.append($0) })
                )
                #expect(said == first + second, "cut at \(length)")
                #expect(session.home.size(file) == lengths[1])
                try journal.append(third, beginsWork: false)
            }
            #expect(session.home.read(file) == whole, "cut at \(length)")
        }
    }

    @Test(
        "a last batch of which only some pages are on the disk is ignored",
        arguments: [0, 1, 20, 200]
    )
    func pages(start: Int) throws {
        let lengths = try write()
        var bytes = try #require(session.home.read(file))
        for place in (lengths[1] + start)..<min(lengths[1] + start + 50, lengths[2]) {
            bytes[place] = 0
        }
        try session.home.write(bytes, to: file)
        chmod(session.home.path(file), 0o600)
        #expect(try records() == first + second)
    }

    @Test("a byte that has changed before the last batch is an error that changes nothing")
    func corrupt() throws {
        let lengths = try write()
        let whole = try #require(session.home.read(file))
        for place in stride(from: lengths[0], to: lengths[1], by: 7) {
            var bytes = whole
            bytes[place] ^= 0x20
            try session.home.write(bytes, to: file)
            chmod(session.home.path(file), 0o600)
            do throws(BackgroundError) {
                let found = try records()
                Issue.record("changed at \(place): \(String(describing: found))")
            } catch {
                guard case .corrupt(let path, let line, _) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(path.hasSuffix("/journal"))
                #expect((3...5).contains(line))
            }
            #expect(session.home.read(file) == bytes)
        }
    }

    @Test("missing, repeated or moved lines are an error")
    func lostLines() throws {
        _ = try write()
        let lines = try #require(session.home.readText(file)).split(separator: "\n")
        for strange in [
            lines[...2] + lines[4...], lines[...3] + lines[2...], lines[...1] + lines[5...],
        ] {
            try session.home.write(strange.joined(separator: "\n") + "\n", to: file)
            chmod(session.home.path(file), 0o600)
            #expect(throws: BackgroundError.self) { try records() }
        }
    }

    @Test("a file that is not a journal, or empty, is an error", arguments: ["", "x", "{}\n"])
    func strange(text: String) throws {
        _ = try session.open()
        try session.home.write(text, to: file)
        chmod(session.home.path(file), 0o600)
        #expect(throws: BackgroundError.self) { try records() }
        #expect(session.home.readText(file) == text)
    }

    @Test("a newer version is refused by its number, and not changed")
    func newer() throws {
        let folder = try session.open()
        _ = try Journal.make(
            first,
            in: folder.folder,
            format: JournalFormat(version: 3, readers: [:])
        )
        let before = session.home.read(file)
        let path = folder.folder.place("journal")
        #expect(throws: BackgroundError.journalVersion(path: path, version: 3)) { try records() }
        #expect(session.home.read(file) == before)
    }

    @Test("an older version is read, and continued in this version")
    func older() throws {
        _ = try write()
        // For example, a version in which tasks were resumed when they were made.
        let next = JournalFormat(
            version: 3,
            readers: [
                2: { line in
                    struct Line: Decodable { let record: JournalRecord }
                    let record = try JSONDecoder().decode(Line.self, from: line).record
                    guard case .made(let task) = record else { return [record] }
                    return [record, .resumed(task: task.identifier)]
                }
            ]
        )
        let wanted =
            first + [
                .made(task: taskRecord(1)), .resumed(task: 1), .made(task: taskRecord(2)),
                .resumed(task: 2), .resumed(task: 1),
            ] + third
        #expect(try records(next) == wanted)
        #expect(
            session.home.readText(file)?.hasPrefix(
                #"{"format":"URLLoading background journal","version":3}"#
            ) == true
        )
        #expect(try records(next) == wanted)
    }

    @Test("a journal is rewritten when most records are obsolete; an old draft has no effect")
    func rewriting() throws {
        let folder = try session.open()
        try session.home.write("left by a crash", to: session.name + "/journal~")
        var journal = try Journal.make(first, in: folder.folder)
        var count = 0
        while !journal.isMostlyHistory(whereNeeded: 4) {
            try journal.append([.paused(isPaused: count % 2 == 0)], beginsWork: false)
            count += 1
        }
        let before = journal.size
        #expect(before > Journal.compactionFloor)
        let state = BackgroundState(try #require(try records()))
        try session.home.write("left by a crash", to: session.name + "/journal~")
        try journal.rewrite(state.history, in: folder.folder)
        let after = journal.size
        let isMostlyHistory = journal.isMostlyHistory(whereNeeded: state.historyCount)
        #expect(after < 2_000)
        #expect(!isMostlyHistory)
        try journal.append(second, beginsWork: true)
        _ = consume journal
        #expect(BackgroundState(try #require(try records())).tasks.count == 2)
        #expect(!session.home.exists(session.name + "/journal~"))
    }

    @Test("a journal that others can read, or that is a link, is refused")
    func unsafe() throws {
        _ = try write()
        chmod(session.home.path(file), 0o640)
        #expect(throws: BackgroundError.self) { try records() }
        chmod(session.home.path(file), 0o600)
        let path = session.home.path(file)
        #expect(rename(path, path + ".moved") == 0)
        #expect(symlink(path + ".moved", path) == 0)
        #expect(throws: BackgroundError.self) { try records() }
    }

    @Test("a journal of another session in the same folder is an error")
    func foreign() throws {
        let folder = try session.open()
        _ = try Journal.make(
            [.session(settings: sessionSettings("Com.Example.Test"))],
            in: folder.folder
        )
        #expect(
            throws: BackgroundError.foreign(
                path: folder.folder.place("journal"),
                identifier: "Com.Example.Test"
            )
        ) { _ = try JournaledState.open(folder, settings: sessionSettings()) }
    }

    @Test("a thousand tasks are one batch")
    func groupCommit() throws {
        let folder = try session.open()
        var journaled = try found(try JournaledState.open(folder, settings: sessionSettings()))
        _ = try journaled.begin(in: folder, at: 1)
        let tasks = (1...1_000).map { taskRecord($0) }
        var inputs: [BackgroundInput] = [.make(tasks, from: 1)]
        inputs += tasks.map { .resume(task: $0.identifier) }
        let effects = try journaled.take(inputs, in: folder, at: 2)
        // One reply, and as many starts as tasks run at once.
        #expect(effects.count == 1 + 16)
        let last = try #require(session.home.readText(file)).split(separator: "\n").last
        // Two batches have made and begun the session. The journal has no history to leave out.
        #expect(last?.contains(#""batch":3,"last":true,"#) == true)
        #expect(try #require(try records()).count == 3 + 2 * 1_000)
        #expect(try #require(session.home.size(file)) < 1 << 20)
    }
}
