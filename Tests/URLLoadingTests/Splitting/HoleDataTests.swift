import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import URLLoading

@Suite("Resume data of files with holes")
struct HoleDataTests {
    private let folder: TestSupport.TemporaryFolder
    private let trailer = PartFileTrailer()

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    private func ranges(_ ranges: [ClosedRange<Int64>]) throws -> ByteRanges {
        try #require(ByteRanges(ordered: ranges))
    }

    /// A file of 1,000 bytes with a marker behind them, and resume data for it.
    private func data(
        _ pieces: [ClosedRange<Int64>],
        hasTrailer: Bool = true
    ) throws -> ResumeData {
        let end = hasTrailer ? Array(trailer.text.utf8) : []
        try folder.write(PseudoRandom.bytes(1_000) + end, to: "part")
        return ResumeData(
            url: "http://a/b",
            fields: [],
            validator: .entityTag("\"one\""),
            received: ReceivedRanges(try ranges(pieces), trailer: trailer),
            totalBytes: 1_000,
            file: .partFile(folder.path("part")),
            identity: FileStatus(folder.path("part"))?.identity
        )
    }

    private func point(_ data: ResumeData) -> ResumePoint? {
        ResumePoint(data, FileStatus(folder.path("part")), at: folder.path("part"))
    }

    @Test("T-08 resume data is the same after writing and reading, with holes and without")
    func roundTrip() throws {
        let data = try data([0...99, 500...799])
        let text = String(decoding: data.encoded, as: UTF8.self)
        #expect(text.contains("\"version\" : 3"))
        #expect(try ResumeData(data.encoded) == data)
        var plain = data
        plain.received = ReceivedRanges(prefix: 100)
        #expect(try ResumeData(plain.encoded) == plain)
    }

    @Test("T-08 resume data of version 2 reads as written, and fails without its marker")
    func versionTwo() throws {
        let data = try data([0...99, 500...799])
        let text = String(decoding: data.encoded, as: UTF8.self)
        let older = String(text.replacing("\"version\" : 3", with: "\"version\" : 2"))
        #expect(try ResumeData(Data(older.utf8)) == data)
        for text in [text, older] {
            let bare = text.replacing("\"mark\" : \"\(trailer.token)\",\n", with: "")
            #expect(bare != text)
            #expect(
                throws: ResumeDataError.malformed("its file has holes, but the mark is missing")
            ) { _ = try ResumeData(Data(bare.utf8)) }
        }
    }

    @Test(
        "resume data with invalid ranges is an error",
        arguments: [
            "[[0,99],[50,399]]", "[[300,399],[0,299]]", "[[0,398]]", "[[0]]", "[[5,4]]", "[]",
            "[[700,1099]]", "[[-100,299]]", "[[0,9223372036854775807]]",
        ]
    )
    func malformed(pairs: String) throws {
        let text = String(decoding: try data([0...399]).encoded, as: UTF8.self)
        let lines = try #require(text.firstRange(of: "\"ranges\" : "))
        let end = try #require(text.firstRange(of: "],\n  \"received"))
        let malformed = text[..<lines.upperBound] + pairs + text[end.lowerBound...].dropFirst()
        #expect(throws: ResumeDataError.malformed("its ranges are invalid")) {
            _ = try ResumeData(Data(malformed.utf8))
        }
    }

    @Test("T-08 the client requests the first hole, and no more")
    func asks() throws {
        let point = try #require(point(try data([0...99, 500...799])))
        #expect(point.hasHoles)
        let asked = point.asking(URLRequest(url: try url("http://a/b")))
        #expect(asked.headerFields["Range"] == "bytes=100-499")
        let missing = try #require(self.point(try data([500...999])))
        #expect(missing.asking(try request("http://a/b")).headerFields["Range"] == "bytes=0-499")
    }

    @Test("T-08 a file without a hole continues as any other")
    func noHole() throws {
        let point = try #require(point(try data([0...99])))
        #expect(!point.hasHoles)
        #expect(point.start == 100)
        let whole = try #require(self.point(try data([0...999])))
        #expect(whole.start == 999)
    }

    @Test("T-08 a file changed since the writing continues by its marker")
    func changed() throws {
        let data = try data([0...99, 500...799])
        let file = try #require(fopen(folder.path("part"), "r+"))
        fputs("more", file)
        fclose(file)
        #expect(point(data) != nil)
        #expect(ResumePoint(data, FileStatus(folder.path("part"))) == nil)
        try folder.write(PseudoRandom.bytes(1_064), to: "other")
        #expect(rename(folder.path("other"), folder.path("part")) == 0)
        #expect(point(data) == nil, "another file")
    }

    @Test("the trailer is valid at the end of a file, and nowhere else")
    func trailerIsFound() throws {
        #expect(trailer.text.utf8.count == PartFileTrailer.length)
        try folder.write(Array("abc\(trailer.text)".utf8), to: "marked")
        #expect(PartFileTrailer(of: folder.path("marked")) == trailer)
        try folder.write(Array("abc\(trailer.text)d".utf8), to: "not")
        #expect(PartFileTrailer(of: folder.path("not")) == nil)
        try folder.write(Array("short".utf8), to: "short")
        #expect(PartFileTrailer(of: folder.path("short")) == nil)
        #expect(PartFileTrailer(of: folder.path("none")) == nil)
        #expect(PartFileTrailer(token: "x") == nil)
    }

    @Test("T-08 the client does not believe a 416 for a file with holes")
    func unsatisfied() throws {
        let point = try #require(point(try data([0...99, 500...799])))
        let response = HTTPURLResponse(
            url: try url("http://a/b"),
            statusCode: 416,
            httpVersion: nil,
            headerFields: HTTPHeaderFields(["Content-Range": "bytes */400"])
        )
        #expect(point.verdict(on: response) == .startOver(.entityChanged))
    }
}
