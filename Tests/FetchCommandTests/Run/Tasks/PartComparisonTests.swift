import FoundationEssentials
import Testing
import URLLoading

@testable import FetchCommand

@Suite("Comparison of a part's end")
struct PartComparisonTests {
    private let folder: ScratchFolder
    private let part: UnprovenPart

    init() throws {
        folder = try ScratchFolder()
        let path = try folder.file("x.part", "beginning")
        part = UnprovenPart(path: path, status: try #require(FileStatus(path)))
    }

    @Test("the comparison requests the part's last bytes, with the known validator")
    func asks() throws {
        var part = part
        part.validator = EntityValidator(HTTPHeaderFields(["ETag": "\"a\""]))
        let url = try #require(URL(string: "http://h/x"))
        let request = try PartComparison(part).asking(URLRequest(url: url))
        #expect(request.headerFields["Range"] == "bytes=0-8")
        #expect(request.headerFields["If-Range"] == "\"a\"")
    }

    @Test("the head of the response alone may decide the comparison")
    func heads() throws {
        let comparison = try PartComparison(part)
        let right = ["Content-Range": "bytes 0-8/20"]
        let newer = right.merging(["Last-Modified": "Fri, 01 Jan 2100 00:00:00 GMT"]) { $1 }
        let older = right.merging(["Last-Modified": "Fri, 01 Jan 1990 00:00:00 GMT"]) { $1 }
        let table: [(Int, [String: String], String)] = [
            (206, right, "none"), (206, older, "none"), (206, newer, "differs"),
            (206, [:], "differs"), (206, ["Content-Range": "bytes 1-8/20"], "differs"),
            (206, ["Content-Range": "bytes 0-9/20"], "differs"), (200, right, "differs"),
            (416, [:], "differs"), (404, [:], "status"), (503, right, "status"),
        ]
        for (status, fields, word) in table {
            let finding = comparison.finding(on: try FetchLife.response(status, fields))
            switch finding {
            case nil: #expect(word == "none")
            case .differs: #expect(word == "differs", "\(status) \(fields)")
            case .status(let found): #expect(word == "status" && found == status)
            case .same, .isComplete: Issue.record("no bytes were compared")
            }
        }
    }
}
