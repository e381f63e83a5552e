import Testing

@Suite struct ChangelogTests {
    @Test func unreleasedChangesHaveASection() throws {
        let page = try Page("CHANGELOG.md")
        #expect(page.text.hasPrefix("# Changelog\n"))
        let headings = page.text.split(separator: "\n").filter { $0.hasPrefix("## ") }
        #expect(headings.first == "## [Unreleased]")
        #expect(headings.count { $0 == "## [Unreleased]" } == 1)
        for heading in headings.dropFirst() {
            #expect(heading.wholeMatch(of: /## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d/) != nil)
        }
    }

    @Test func kindsOfChangeAreThoseOfKeepAChangelog() throws {
        let kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
        for line in try Page("CHANGELOG.md").text.split(separator: "\n")
        where line.hasPrefix("### ") {
            #expect(kinds.contains(String(line.dropFirst(4))))
        }
    }
}
