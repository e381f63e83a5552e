import FetchDocumentation
import FoundationEssentials
import Testing

/// Checks that the man page, the completions and the specification's last column are up to date.
///
/// With `FETCH_RECORD` in the environment, as `make docs` sets it, an outdated file is written anew, and
/// the test fails.
@Suite struct GeneratedFileTests {
    private static let isRecording =
        ProcessInfo.processInfo.environment["FETCH_RECORD"]?.isEmpty == false

    private static func generated(date: String) throws -> [GeneratedFile] {
        GeneratedFile.all(
            examples: try Page("docs/examples.md").examples,
            guide: try Repository.text(of: "docs/guide.md"),
            date: date
        )
    }

    /// The page's date is that of its last change, so the comparison takes it from the committed page.
    private static func date(of page: String) -> String {
        page.firstMatch(of: /\.TH FETCH\S* [17] (\d{4}-\d\d-\d\d)\s/).map { String($0.1) } ?? ""
    }

    private static func today() -> String {
        Date.now.formatted(.iso8601.year().month().day())
    }

    /// The first line in which two texts differ.
    private static func difference(_ committed: String, _ made: String) -> String {
        let old = committed.split(separator: "\n", omittingEmptySubsequences: false)
        let new = made.split(separator: "\n", omittingEmptySubsequences: false)
        let number = zip(old, new).prefix { $0 == $1 }.count
        let line = { (lines: [Substring]) in number < lines.count ? lines[number] : "(the end)" }
        return "line \(number + 1): '\(line(old))' should be '\(line(new))'"
    }

    @Test(arguments: GeneratedFile.all(examples: [], date: "").map(\.path))
    func equalsWhatTheDeclarationsGenerate(_ path: String) throws {
        let committed = (try? Repository.text(of: path)) ?? ""
        let find = { (file: GeneratedFile) in file.path == path }
        let made = try #require(Self.generated(date: Self.date(of: committed)).first(where: find))
        guard committed != made.text else { return }
        if Self.isRecording {
            let new = try #require(Self.generated(date: Self.today()).first(where: find))
            try Repository.write(new.text, to: path)
            Issue.record("\(path) was written anew: commit it")
        } else {
            let difference = Self.difference(committed, made.text)
            Issue.record("\(path) is out of date: run 'make docs'; \(difference)")
        }
    }

    @Test func specificationNamesItsTests() throws {
        let committed = try Repository.text(of: SpecificationPage.path)
        let made = SpecificationPage.filled(committed, with: try SpecificationPage.proofs())
        guard committed != made else { return }
        if Self.isRecording {
            try Repository.write(made, to: SpecificationPage.path)
            Issue.record("\(SpecificationPage.path) was written anew: commit it")
        } else {
            let difference = Self.difference(committed, made)
            Issue.record("\(SpecificationPage.path) is out of date: run 'make docs'; \(difference)")
        }
    }

    @Test func aDifferenceIsFound() {
        #expect(Self.difference("a\nb\n", "a\nc\n") == "line 2: 'b' should be 'c'")
        #expect(Self.difference("a", "a\nb") == "line 2: '(the end)' should be 'b'")
    }
}
