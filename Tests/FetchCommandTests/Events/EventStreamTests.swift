import Glibc
import Testing

@testable import FetchCommand

@Suite(.timeLimit(.minutes(1)))
struct EventStreamTests {
    /// A pipe's two ends, closed with the test.
    private final class Ends {
        private(set) var reading: CInt
        let writing: CInt

        init() throws {
            // A stream that was given up may still be writing when the test closes the other end.
            signal(SIGPIPE, SIG_IGN)
            var ends: [CInt] = [-1, -1]
            try #require(pipe(&ends) == 0)
            (reading, writing) = (ends[0], ends[1])
        }

        deinit {
            if reading >= 0 { close(reading) }
            close(writing)
        }

        func closeReading() {
            close(reading)
            reading = -1
        }

        /// All that comes until there are so many bytes or more.
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

    @Test func whatNobodyReadsHoldsNobodyUp() throws {
        let ends = try Ends()
        let stream = EventStream(OutputDescriptor(ends.writing), .json)
        for count in 1...20_000 { stream.post(.call(.progress(1, total: Int64(count)))) }
        stream.post(.call(.end()))
        let loss = try #require(stream.finish(patience: .milliseconds(50)))
        #expect(loss.reason == nil)
        #expect(loss.count > 19_000)
        #expect(loss.count < 20_001)
    }

    @Test(arguments: [true, false])
    func aReaderWhoComesLateGetsAllOfTheSum(blocking: Bool) throws {
        let ends = try Ends()
        if !blocking { try #require(fcntl(ends.writing, F_SETFL, O_NONBLOCK) == 0) }
        let stream = EventStream(OutputDescriptor(ends.writing), .text)
        for count in 1...50_000 { stream.post(.call(.progress(2, total: Int64(2 * count)))) }
        var text = ""
        while !text.contains("totalBytesWritten: 100000") {
            text += String(decoding: ends.read(atLeast: 1), as: UTF8.self)
        }
        #expect(stream.finish(patience: .seconds(30)) == nil)
        let sum = text.split(separator: "\n").reduce(0) {
            $0 + (Int($1.split(separator: " ")[4].dropLast()) ?? 0)
        }
        #expect(sum == 100_000)
        #expect(text.contains(" calls)"))
    }

    @Test func aReaderWhoHasGoneIsNamed() throws {
        let ends = try Ends()
        let stream = EventStream(OutputDescriptor(ends.writing), .json)
        ends.closeReading()
        for _ in 1...3 { stream.post(.call(.end())) }
        let loss = try #require(stream.finish(patience: .seconds(30)))
        #expect(loss.count == 3)
        #expect(loss.reason?.contains("its reader has gone") == true)
    }

    @Test func aMessageComesAfterWhatWasThere() throws {
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
