import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Where a download goes on")
struct ResumePointTests {
    private func data(
        received: Int64 = 5,
        total: Int64? = 9,
        boot: String = "now",
        validator: EntityValidator? = .entityTag("\"a\"")
    ) -> ResumeData {
        ResumeData(
            url: "http://h/a",
            fields: [],
            validator: validator,
            receivedBytes: received,
            totalBytes: total,
            file: .partFile("/part"),
            identity: FileIdentity(stat(), boot: boot)
        )
    }

    private func file(size: Int64, boot: String = "now") throws -> FileStatus {
        let folder = try TemporaryFolder()
        try folder.write([UInt8](repeating: 1, count: Int(size)), to: "a")
        var status = try #require(FileStatus(folder.path("a")))
        status.identity = FileIdentity(stat(), boot: boot)
        return status
    }

    @Test("T-08 in the same run of the machine all that is in the file counts")
    func sameBoot() throws {
        let point = try #require(ResumePoint(data(), try file(size: 7)))
        #expect((point.offset, point.start) == (7, 7))
        #expect(ResumePoint(data(), try file(size: 3))?.offset == 3)
    }

    @Test("T-08 after a new start of the machine only what had been brought to the disk counts")
    func otherBoot() throws {
        #expect(ResumePoint(data(), try file(size: 7, boot: "later"))?.offset == 5)
        #expect(ResumePoint(data(), try file(size: 3, boot: "later")) == nil)
        #expect(ResumePoint(data(boot: ""), try file(size: 7, boot: ""))?.offset == 5)
    }

    @Test("T-08 another file, no file, an empty one or one that is too long is not continued")
    func unusable() throws {
        #expect(ResumePoint(data(), nil) == nil)
        #expect(ResumePoint(data(), try file(size: 0)) == nil)
        #expect(ResumePoint(data(), try file(size: 10)) == nil)
        var other = try file(size: 7)
        var status = stat()
        status.st_ino = 99
        other.identity = FileIdentity(status, boot: "now")
        #expect(ResumePoint(data(), other) == nil)
    }

    @Test("T-08 the last byte of a complete part is asked for again")
    func complete() throws {
        let point = try #require(ResumePoint(data(), try file(size: 9)))
        #expect((point.offset, point.start) == (9, 8))
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
        let data = data(total: total, validator: validator)
        let point = try #require(ResumePoint(data, try file(size: 5)))
        let response = HTTPURLResponse(
            url: try url("http://h/a"),
            statusCode: status,
            httpVersion: nil,
            headerFields: HTTPHeaderFields(fields)
        )
        return point.verdict(on: response)
    }

    @Test("T-08 the rest is taken where range, length and validator fit")
    func goesOn() throws {
        let fitting = ["Content-Range": "bytes 5-8/9"]
        #expect(try verdict(206, fitting) == .goOn(total: 9))
        #expect(try verdict(206, fitting, total: nil) == .goOn(total: 9))
        #expect(try verdict(206, ["Content-Range": "bytes 5-8/*"]) == .goOn(total: 9))
        #expect(try verdict(206, fitting.merging(["ETag": "\"a\""]) { $1 }) == .goOn(total: 9))
    }

    @Test("T-08 a range that does not fit is refused")
    func doesNotFit() throws {
        for text in ["bytes 4-8/9", "bytes 6-8/9", "bytes */9", "bytes 0-8/9", "nonsense"] {
            #expect(
                try verdict(206, ["Content-Range": text]) == .startOver(.unexpectedRange(text))
            )
        }
        #expect(try verdict(206) == .startOver(.unexpectedRange("no Content-Range")))
        #expect(try verdict(206, ["Content-Range": "bytes 5-9/10"]) == .startOver(.entityChanged))
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

    @Test("T-08 a whole answer replaces the part, and why is told")
    func whole() throws {
        #expect(try verdict(200, ["ETag": "\"b\""]) == .replace(.entityChanged))
        #expect(try verdict(200) == .replace(.entityChanged))
        #expect(try verdict(200, ["ETag": "\"a\""]) == .replace(.rangesNotSupported))
    }

    @Test("T-08 416 is success with our length and validator only")
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

    @Test("T-08 an error says nothing about the file")
    func unrelated() throws {
        for status in [204, 304, 401, 404, 500, 503] {
            #expect(try verdict(status) == .unrelated)
        }
    }
}
