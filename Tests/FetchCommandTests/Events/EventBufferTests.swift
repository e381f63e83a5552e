import Testing

@testable import FetchCommand

@Suite struct EventBufferTests {
    /// The text lines of progress reports: `* task 1 didWriteData: 5, totalBytesWritten: …`.
    private static func taken(_ buffer: inout EventBuffer) -> [String] {
        buffer.takeAll().map { String(decoding: $0.bytes.dropLast(), as: UTF8.self) }
    }

    private static func line(_ event: SessionEvent) -> EventLine {
        EventLine(.call(event), .text)
    }

    @Test func keepsOrder() {
        var buffer = EventBuffer(.text, limit: 10_000)
        buffer.add(Self.line(.progress(1, total: 1)))
        buffer.add(Self.line(.progress(2, total: 3)))
        buffer.add(Self.line(.end()))
        #expect(buffer.calls == 3)
        #expect(
            Self.taken(&buffer) == [
                "* task 1 didWriteData: 1, totalBytesWritten: 1",
                "* task 1 didWriteData: 2, totalBytesWritten: 3",
                "* task 1 didCompleteWithError: nil",
            ]
        )
        #expect(buffer.calls == 0)
        #expect(Self.taken(&buffer) == [])
    }

    @Test func mergesByteEventsWhenFull() {
        var buffer = EventBuffer(.text, limit: 400)
        for count in 1...1_000 { buffer.add(Self.line(.progress(3, total: Int64(3 * count)))) }
        buffer.add(Self.line(.end()))
        #expect(buffer.calls == 1_001)
        let lines = Self.taken(&buffer)
        #expect(lines.count < 12)
        #expect(lines.last == "* task 1 didCompleteWithError: nil")
        let sums = lines.dropLast().map { Int($0.split(separator: " ")[4].dropLast()) ?? -1 }
        #expect(sums.reduce(0, +) == 3_000)
        #expect(lines.dropLast().last?.contains("totalBytesWritten: 3000") == true)
        #expect(lines.contains { $0.hasSuffix(" calls)") })
    }

    @Test func doesNotMergeAcrossAnotherEventOfTheTask() {
        var buffer = EventBuffer(.text, limit: 240)
        for task in [1, 2] {
            buffer.add(Self.line(.progress(1, total: 1, task: task)))
            buffer.add(Self.line(.progress(1, total: 2, task: task)))
            buffer.add(Self.line(.end(task: task)))
        }
        #expect(
            Self.taken(&buffer) == [
                "* task 1 didWriteData: 2, totalBytesWritten: 2 (2 calls)",
                "* task 1 didCompleteWithError: nil",
                "* task 2 didWriteData: 2, totalBytesWritten: 2 (2 calls)",
                "* task 2 didCompleteWithError: nil",
            ]
        )
    }

    @Test func mergesTheReportsOfConcurrentTasks() {
        var buffer = EventBuffer(.text, limit: 200)
        for count in 1...50 {
            for task in [1, 2] {
                buffer.add(Self.line(.progress(1, total: Int64(count), task: task)))
            }
        }
        #expect(Self.taken(&buffer).suffix(2).allSatisfy { $0.contains("totalBytesWritten: 50") })
    }

    @Test func timesIncrease() throws {
        var buffer = EventBuffer(.json, limit: 1_500)
        for count in 1...200 {
            let event = SessionEvent.progress(1, total: Int64(count), task: 1 + count % 2)
            buffer.add(EventLine(.call(event), .json))
        }
        let times = buffer.takeAll().compactMap { line in
            String(decoding: line.bytes, as: UTF8.self)
                .firstMatch(of: /"monotonic":([0-9.]+)/).flatMap { Double($0.1) }
        }
        #expect(times.count > 1)
        #expect(times == times.sorted())
    }

    @Test func reportsDroppedEventsInTheirPlace() {
        var buffer = EventBuffer(.text, limit: 100)
        for task in 1...10 { buffer.add(Self.line(.end(task: task))) }
        #expect(buffer.calls == 10)
        #expect(
            Self.taken(&buffer) == [
                "* task 1 didCompleteWithError: nil", "* task 2 didCompleteWithError: nil",
                "* 8 lines dropped: the reader was too slow",
            ]
        )
        buffer.add(Self.line(.end(task: 11)))
        #expect(Self.taken(&buffer) == ["* task 11 didCompleteWithError: nil"])
    }

    @Test func noEventOvertakesDroppedOnes() {
        var buffer = EventBuffer(.text, limit: 100)
        for _ in 1...2 { buffer.add(Self.line(.progress(1, total: 1))) }
        for task in 2...4 { buffer.add(Self.line(.end(task: task))) }
        // The same task's report is in the buffer, but before the gap, so the new report is not merged
        // into it.
        buffer.add(Self.line(.progress(1, total: 2)))
        let lines = Self.taken(&buffer)
        #expect(lines.first?.hasSuffix("(2 calls)") == true)
        #expect(lines.last == "* 3 lines dropped: the reader was too slow")
    }

    @Test func aLineLongerThanTheBufferIsTakenAlone() {
        var buffer = EventBuffer(.text, limit: 10)
        buffer.add(Self.line(.end()))
        #expect(Self.taken(&buffer).count == 1)
    }
}
