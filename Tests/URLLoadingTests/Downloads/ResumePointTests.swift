import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Where a download continues")
struct ResumePointTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    private func file(size: Int64) throws -> FileStatus {
        try folder.write([UInt8](repeating: 1, count: Int(size)), to: "a")
        return try #require(FileStatus(folder.path("a")))
    }

    private func data(
        _ file: FileStatus?,
        received: Int64,
        total: Int64? = 9,
        validator: EntityValidator? = .entityTag("\"a\"")
    ) -> ResumeData {
        ResumeData(
            url: "http://h/a",
            fields: [],
            validator: validator,
            received: ReceivedRanges(prefix: received),
            totalBytes: total,
            file: .partFile("/part"),
            identity: file?.identity
        )
    }

    @Test("T-08 an unchanged file continues at the written byte")
    func untouched() throws {
        let file = try file(size: 7)
        #expect(ResumePoint(data(file, received: 7), file)?.start == 7)
        #expect(ResumePoint(data(file, received: 5), file)?.start == 5)
    }

    @Test("T-08 a file that another program changed or replaced does not continue")
    func touched() throws {
        let before = try file(size: 7)
        let data = data(before, received: 7)
        try folder.setModified(1_000_000_000, of: "a")
        #expect(ResumePoint(data, FileStatus(folder.path("a"))) == nil)
        #expect(ResumePoint(data, try file(size: 8)) == nil)
        link(folder.path("a"), folder.path("b"))
        let linked = try #require(FileStatus(folder.path("a")))
        #expect(ResumePoint(self.data(linked, received: 7), linked) == nil, "a second name")
    }

    @Test("T-08 no file, an empty one, or counts that do not fit do not continue")
    func unusable() throws {
        let file = try file(size: 7)
        #expect(ResumePoint(data(file, received: 7), nil) == nil)
        #expect(ResumePoint(data(nil, received: 7), file) == nil)
        #expect(ResumePoint(data(file, received: 0), file) == nil)
        #expect(ResumePoint(data(file, received: 8), file) == nil)
        #expect(ResumePoint(data(file, received: 7, total: 6), file) == nil)
    }

    @Test("T-08 bytes behind the file's end are not received")
    func behindTheEnd() throws {
        let file = try file(size: 7)
        var data = data(file, received: 4)
        let ranges = try #require(ByteRanges(ordered: [0...1, 5...6]))
        data.received = ReceivedRanges(ranges, trailer: PartFileTrailer())
        #expect(ResumePoint(data, file)?.start == 2)
        let behind = try #require(ByteRanges(ordered: [0...1, 6...7]))
        data.received = ReceivedRanges(behind, trailer: PartFileTrailer())
        #expect(ResumePoint(data, file) == nil)
    }

    @Test("T-08 a complete part makes the client request the last byte again")
    func complete() throws {
        let file = try file(size: 9)
        let point = try #require(ResumePoint(data(file, received: 9), file))
        #expect(point.start == 8)
        let asked = point.asking(try request("http://h/a"))
        #expect(asked.headerFields["Range"] == "bytes=8-")
        #expect(asked.headerFields["If-Range"] == "\"a\"")
    }

    private func verdict(
        _ status: Int,
        _ fields: [String: String] = [:],
        total: Int64? = 9,
        validator: EntityValidator? = .entityTag("\"a\"")
    ) throws -> ResumePoint.Verdict {
        let file = try file(size: 5)
        let data = data(file, received: 5, total: total, validator: validator)
        let point = try #require(ResumePoint(data, file))
        let response = HTTPURLResponse(
            url: try url("http://h/a"),
            statusCode: status,
            httpVersion: nil,
            headerFields: HTTPHeaderFields(fields)
        )
        return point.verdict(on: response)
    }

    @Test("T-08 the client takes the rest where range, length and validator fit")
    func goesOn() throws {
        let fitting = ["Content-Range": "bytes 5-8/9"]
        #expect(try verdict(206, fitting) == .continue(5...8, total: 9))
        #expect(try verdict(206, fitting, total: nil) == .continue(5...8, total: 9))
        #expect(try verdict(206, ["Content-Range": "bytes 5-8/*"]) == .continue(5...8, total: 9))
        #expect(
            try verdict(206, fitting.merging(["ETag": "\"a\""]) { $1 })
                == .continue(5...8, total: 9)
        )
        #expect(try verdict(206, ["Content-Range": "bytes 5-6/9"]) == .continue(5...6, total: 9))
        #expect(
            try verdict(206, ["Content-Range": "bytes 5-6/*"], total: nil)
                == .continue(5...6, total: nil)
        )
    }

    @Test("T-08 the client refuses a part in another content coding than the file's")
    func coding() throws {
        var data = data(try file(size: 5), received: 5)
        for (coding, known, isOther) in [
            ("gzip", nil, true), ("identity", nil, false), ("", nil, false),
            ("gzip", "gzip", false), ("GZip", "gzip", false), ("br", "gzip", true),
            (nil, "gzip", false), (nil, nil, false),
        ] as [(String?, String?, Bool)] {
            data.contentEncoding = known
            let fields = coding.map { ["Content-Encoding": $0] } ?? [:]
            #expect(data.isRecoded(by: HTTPHeaderFields(fields)) == isOther, "\(coding ?? "-")")
            #expect(try ResumeData(data.encoded).contentEncoding == known)
        }
        let coded = ["Content-Range": "bytes 5-8/9", "Content-Encoding": "gzip"]
        #expect(try verdict(206, coded) == .startOver(.entityChanged))
    }

    @Test("T-08 the client refuses a range that does not fit")
    func doesNotFit() throws {
        for text in ["bytes 4-8/9", "bytes 6-8/9", "bytes */9", "bytes 0-8/9", "nonsense"] {
            #expect(try verdict(206, ["Content-Range": text]) == .startOver(.unexpectedRange(text)))
        }
        #expect(try verdict(206) == .startOver(.unexpectedRange("no Content-Range")))
        #expect(try verdict(206, ["Content-Range": "bytes 5-9/10"]) == .startOver(.entityChanged))
        let tooLong = "bytes 5-9/*"
        #expect(
            try verdict(206, ["Content-Range": tooLong]) == .startOver(.unexpectedRange(tooLong))
        )
        let other = ["Content-Range": "bytes 5-8/9", "ETag": "\"b\""]
        #expect(try verdict(206, other) == .startOver(.entityChanged))
        let weak = ["Content-Range": "bytes 5-8/9", "ETag": "W/\"a\""]
        #expect(try verdict(206, weak) == .startOver(.entityChanged))
        let date = EntityValidator.lastModified("Sun, 06 Nov 1994 08:49:37 GMT")
        let later = [
            "Content-Range": "bytes 5-8/9", "Last-Modified": "Sun, 06 Nov 1994 08:49:38 GMT",
        ]
        #expect(try verdict(206, later, validator: date) == .startOver(.entityChanged))
    }

    @Test("T-08 a whole response replaces the part, and the delegate gets the reason")
    func whole() throws {
        #expect(try verdict(200, ["ETag": "\"b\""]) == .replace(.entityChanged))
        #expect(try verdict(200) == .replace(.entityChanged))
        #expect(try verdict(200, ["ETag": "\"a\""]) == .replace(.rangesNotSupported))
    }

    @Test("T-08 status 416 is success only with our length and validator")
    func unsatisfied() throws {
        let ours = ["Content-Range": "bytes */5"]
        #expect(try verdict(416, ours, total: nil) == .isComplete)
        #expect(try verdict(416, ours, total: 5 + 4) == .startOver(.entityChanged))
        #expect(try verdict(416, [:], total: nil) == .startOver(.entityChanged))
        let other = ours.merging(["ETag": "\"b\""]) { $1 }
        #expect(try verdict(416, other, total: nil) == .startOver(.entityChanged))
        #expect(
            try verdict(416, ["Content-Range": "bytes */4"], total: nil)
                == .startOver(.entityChanged)
        )
    }

    @Test("T-08 an error status leaves the file as it is")
    func unrelated() throws {
        for status in [401, 404, 412, 500, 503] {
            #expect(try verdict(status) == .unrelated)
        }
        for status in [202, 204, 226, 300, 302, 304] {
            #expect(try verdict(status) == .invalid)
        }
    }
}
