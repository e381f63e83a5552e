import Glibc
import TestSupport
import Testing
import URLLoading

@testable import FetchCommand

@Suite("The last event in an events file")
struct EventCursorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder("cursor")
    }

    private func line(_ sequence: Int, _ session: String = "token") -> String {
        #"{"event":"didCompleteWithError","session":"\#(session)","sequence":\#(sequence)}"# + "\n"
    }

    private func take() -> BackgroundCursor? { EventCursor.take(from: folder.path("events")) }

    @Test("the last event counts, even if other lines follow it")
    func last() throws {
        try folder.write(line(1) + line(2) + #"{"event":"didWriteData"}"# + "\n", to: "events")
        #expect(take() == BackgroundCursor(token: "token", sequence: 2))
    }

    @Test("an incomplete last line is ignored, and cut off")
    func torn() throws {
        try folder.write(line(1) + #"{"schema":1,"event":"di"#, to: "events")
        #expect(take() == BackgroundCursor(token: "token", sequence: 1))
        #expect(folder.readText("events") == line(1))
        try folder.write("{\"sch", to: "events")
        #expect(take() == nil)
        #expect(folder.size("events") == 0)
    }

    @Test("a line that is not an event is kept")
    func foreign() throws {
        for text in ["precious", "precious\nand more", #"{"schema":"https://a.example","a":1}"#] {
            try folder.write(text, to: "events")
            #expect(take() == nil)
            #expect(folder.readText("events") == text)
        }
    }

    @Test("the last event is found far from the file's end")
    func far() throws {
        let other =
            #"{"event":"didWriteData","url":"\#(String(repeating: "x", count: 99))"}"# + "\n"
        let text = line(7) + String(repeating: other, count: 3_000)
        try folder.write(text, to: "events")
        #expect(take() == BackgroundCursor(token: "token", sequence: 7))
        #expect(folder.size("events") == text.utf8.count)
    }

    @Test("the search reads no more of the file than its limit")
    func limit() throws {
        let other = #"{"event":"didWriteData","bytes":1234}"# + "\n"
        let text = line(7) + String(repeating: other, count: 3_000)
        let path = try folder.write(text, to: "events")
        #expect(EventCursor.take(from: path, within: Int64(text.utf8.count) - 1) == nil)
        #expect(EventCursor.take(from: path, within: 100) == nil)
        #expect(folder.readText("events") == text)
        let all = EventCursor.take(from: path, within: Int64(text.utf8.count))
        #expect(all == BackgroundCursor(token: "token", sequence: 7))
        // An incomplete event is cut off, however far the previous event is.
        try folder.write(text + #"{"schema":1,"ev"#, to: "events")
        #expect(EventCursor.take(from: path, within: 100) == nil)
        #expect(folder.readText("events") == text)
    }

    @Test("a large file without events is not changed, and costs no more time")
    func large() throws {
        let size = 1 << 36
        let path = try folder.write("", to: "events")
        try #require(truncate(path, size) == 0)
        #expect(take() == nil)
        #expect(folder.size("events") == size)
    }

    @Test("a missing or empty file has no last event")
    func nothing() throws {
        #expect(take() == nil)
        try folder.write("", to: "events")
        #expect(take() == nil)
        #expect(EventCursor.take(from: "/dev/null") == nil)
    }
}
