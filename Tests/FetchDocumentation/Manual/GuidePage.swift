import FetchCommand

/// The page of `man fetch-guide`, generated from `docs/guide.md`.
///
/// It supports the Markdown that the guide uses: headings of two levels, paragraphs, lists with `-
/// `, fenced blocks, links and backquotes. A line with a picture is left out.
struct GuidePage {
    let markdown: String
    /// The date of the last change, as in 2025-12-31.
    let date: String

    private static let notice = "Made by 'make docs' from docs/guide.md: change that."

    /// The complete page.
    var text: String {
        var page = Roff()
        page.comment(Self.notice)
        page.macro("TH", "FETCH-GUIDE", "7", date, "fetch \(Version.number)", "User Manual")
        page.macro("ad", "l")
        page.section("Name")
        page.append(["fetch\\-guide \\- recipes for fetch"])
        page.section("Description")
        addParts(to: &page)
        page.section("See also")
        page.append([#"\fBfetch\fR(1), \fBcurl\fR(1), \fBjq\fR(1), \fBwget\fR(1)"#])
        return page.text
    }

    private func addParts(to page: inout Roff) {
        var paragraph: [Substring] = []
        var fence: [String]?
        func end() {
            guard !paragraph.isEmpty else { return }
            page.paragraph(Self.plain(paragraph.joined(separator: " ")), Prose())
            paragraph = []
        }
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = fence {
                if line == "```" { page.example(lines) }
                fence = line == "```" ? nil : lines + [String(line)]
            } else if line.hasPrefix("```") {
                end()
                fence = []
            } else if line.hasPrefix("## ") {
                end()
                page.section(String(line.dropFirst(3)))
            } else if line.isEmpty || line.hasPrefix("# ") || line.hasPrefix("![")
                || line.hasPrefix("- ")
            {
                end()
                if line.hasPrefix("- ") { paragraph = [line.dropFirst(2)] }
            } else {
                paragraph.append(line)
            }
        }
        end()
    }

    /// Replaces each link with its text and the path of its file.
    private static func plain(_ text: String) -> String {
        text.replacing(/\[([^\]]*)\]\(([^)]*)\)/) { "\($0.1) (docs/\($0.2))" }
    }
}
