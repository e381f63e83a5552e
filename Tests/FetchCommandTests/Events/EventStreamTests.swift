import Dispatch
import Glibc
import HTTPSemantics
import Synchronization
import TestSupport
import Testing

@testable import FetchCommand

@Suite(.timeLimit(.minutes(1)))
struct EventStreamTests {
    /// The two ends of a pipe, closed when the test ends.
    private final class Ends {
        private(set) var reading: CInt
        private(set) var writing: CInt

        init() throws {
            // An abandoned stream may still write when the test closes the other end.
            signal(SIGPIPE, SIG_IGN)
            var ends: [CInt] = [-1, -1]
            try #require(pipe(&ends) == 0)
            (reading, writing) = (ends[0], ends[1])
        }

        deinit {
            if reading >= 0 { close(reading) }
            if writing >= 0 { close(writing) }
        }

        func closeWriting() {
            close(writing)
            writing = -1
        }

        func closeReading() {
            close(reading)
            reading = -1
        }

        /// Reads until at least `count` bytes have arrived or the pipe ends.
        func read(atLeast count: Int) -> [UInt8] {
            var all: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65_536)
            while all.count < count {
                let got = Glibc.read(reading, &piece, piece.count)
                guard got > 0 else { break }
                all += piece[..<got]
            }
            return all
        }
    }

    @Test func anUnreadStreamDoesNotBlock() throws {
        let ends = try Ends()
        let stream = EventStream(OutputDescriptor(ends.writing), .json)
        for count in 1...20_000 { stream.post(.call(.progress(1, total: Int64(count)))) }
        stream.post(.call(.end()))
        // The lines written before that are not lost.
        var first = pollfd(fd: ends.reading, events: Int16(POLLIN), revents: 0)
        #expect(poll(&first, 1, 30_000) == 1)
        let loss = try #require(stream.finish(timeout: .seconds(1)))
        #expect(loss.reason == nil)
        #expect(loss.count > 19_000)
        #expect(loss.count < 20_001)
    }

    @Test(arguments: [true, false])
    func aLateReaderGetsTheWholeSum(blocking: Bool) throws {
        let ends = try Ends()
        if !blocking { try #require(fcntl(ends.writing, F_SETFL, O_NONBLOCK) == 0) }
        let stream = EventStream(OutputDescriptor(ends.writing), .text)
        for count in 1...50_000 { stream.post(.call(.progress(2, total: Int64(2 * count)))) }
        var text = ""
        while !text.contains("totalBytesWritten: 100000") {
            text += String(decoding: ends.read(atLeast: 1), as: UTF8.self)
        }
        #expect(stream.finish(timeout: .seconds(30)) == nil)
        let sum = text.split(separator: "\n").reduce(0) {
            $0 + (Int($1.split(separator: " ")[4].dropLast()) ?? 0)
        }
        #expect(sum == 100_000)
        #expect(text.contains(" calls)"))
    }

    @Test func theEndDoesNotWaitForASlowReader() throws {
        let ends = try Ends()
        let stream = EventStream(OutputDescriptor(ends.writing), .json)
        // Both halves of the buffer are full: no more can be written for now.
        for _ in 1...20_000 { stream.post(.call(.end())) }
        let reading = ends.reading
        let isSlow = Mutex(true)
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            var page = [UInt8](repeating: 0, count: 4_096)
            // One page in 200 ms: more than 50 seconds in all.
            repeat {
                if isSlow.withLock(\.self) { poll(nil, 0, 200) }
            } while read(reading, &page, page.count) > 0
            isDone.signal()
        }
        let start = MonotonicInstant.now
        let loss = stream.finish(timeout: .seconds(30), by: start + .milliseconds(300))
        #expect(MonotonicInstant.now - start < .seconds(20))
        #expect(loss?.reason == nil)
        #expect((loss?.count ?? 0) > 0)
        isSlow.withLock { $0 = false }
        _ = stream.finish(timeout: .seconds(30))
        ends.closeWriting()
        isDone.wait()
    }

    @Test func aFullDiskEndsWithACompleteLine() throws {
        let disk = try FullDisk(room: 4_096)
        let line = EventForm.json.line(.call(.end()))
        let (written, failure) = EventOutput(OutputDescriptor(disk.descriptor))
            .write(Array(repeating: line, count: 100).flatMap(\.self))
        #expect(failure != nil)
        #expect(written == 4_096 / line.count * line.count)
        #expect(disk.text.utf8.count == written)
    }

    @Test func eventsWrittenBeforeTheDiskWasFullAreNotCountedAsLost() throws {
        let disk = try FullDisk(room: 4_096)
        let stream = EventStream(OutputDescriptor(disk.descriptor), .json)
        for _ in 1...100 { stream.post(.call(.end())) }
        let loss = try #require(stream.finish(timeout: .seconds(30)))
        let lines = disk.text.split(separator: "\n").count
        #expect(lines > 0)
        #expect(loss.count == 100 - lines)
    }

    @Test func aClosedReaderIsNamed() throws {
        let ends = try Ends()
        let stream = EventStream(OutputDescriptor(ends.writing), .json)
        ends.closeReading()
        for _ in 1...3 { stream.post(.call(.end())) }
        let loss = try #require(stream.finish(timeout: .seconds(30)))
        #expect(loss.count == 3)
        #expect(loss.reason?.contains("the reader has closed it") == true)
    }

    @Test func aMessageFollowsEarlierOutput() throws {
        let ends = try Ends()
        let stream = EventStream(OutputDescriptor(ends.writing), .text)
        for _ in 1...100 { stream.post(.call(.end())) }
        stream.write { .message("last", .note, .now) }
        let line = "* task 1 didCompleteWithError: nil\n"
        let text = String(repeating: line, count: 100) + "last\n"
        let read = String(decoding: ends.read(atLeast: text.utf8.count), as: UTF8.self)
        #expect(read == text)
    }
}
