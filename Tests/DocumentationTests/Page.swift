import FoundationEssentials

/// A page of Markdown, as far as these tests read it.
struct Page {
    /// The Markdown pages of this repository.
    static let all =
        [
            "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Examples/README.md",
            "docs/architecture.md", "docs/background.md", "docs/behaviour.md",
            "docs/development.md",
            "docs/events.md", "docs/examples.md", "docs/guide.md", "docs/from-curl.md",
            "docs/from-wget.md", "docs/resume-data.md", "docs/self-contained.md", "docs/spec.md",
            "docs/speed.md", "docs/stability.md",
        ] + decisions + articles

    /// The library's articles.
    static let articles = ["BackgroundSessions", "FromFoundation", "GettingStarted", "URLLoading"]
        .map {
            "Sources/URLLoading/URLLoading.docc/\($0).md"
        }

    /// The pages of `docs/decisions`, including their list.
    static let decisions =
        ((try? FileManager.default.contentsOfDirectory(
            atPath: Repository.path("docs/decisions")
        )) ?? []).filter { $0.hasSuffix(".md") }.map { "docs/decisions/\($0)" }.sorted()

    let name: String
    private let lines: [Substring]

    /// Reads a page of the repository by its path.
    init(_ name: String) throws {
        self.init(name: name, text: try Repository.text(of: name))
    }

    init(name: String, text: String) {
        self.name = name
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The whole text of the page.
    var text: String { lines.joined(separator: "\n") }

    /// The text of each block between fences of a language.
    func blocks(_ language: String) -> [String] {
        var blocks: [String] = []
        var block: [Substring]?
        for line in lines {
            if let inside = block {
                if line == "```" {
                    blocks.append(inside.joined(separator: "\n"))
                    block = nil
                } else {
                    block = inside + [line]
                }
            } else if line == "```\(language)" {
                block = []
            }
        }
        return blocks
    }

    /// The code spans outside fenced blocks.
    var spans: [String] {
        var isFenced = false
        var prose: [Substring] = []
        for line in lines {
            if line.hasPrefix("```") {
                isFenced.toggle()
            } else if !isFenced {
                prose.append(line)
            }
        }
        return prose.joined(separator: "\n").matches(of: /`([^`]+)`/).map { String($0.1) }
    }

    /// The targets of its links.
    var links: [String] {
        text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
    }

    /// The rows of a section's tables as cells, without the table heads.
    func rows(under heading: String) -> [[String]] {
        let section = lines.drop { $0 != "## \(heading)" }.dropFirst()
            .prefix { !$0.hasPrefix("## ") }
        var rows: [[String]] = []
        for line in section where line.hasPrefix("|") {
            let cells = line.dropFirst().dropLast().split(separator: "|")
            // The row above a rule was the head.
            if cells.allSatisfy({ $0.allSatisfy { $0 == "-" } }) {
                rows.removeLast()
            } else {
                rows.append(cells.map { $0.trimmed })
            }
        }
        return rows
    }
}

extension Substring {
    /// The text without spaces at both ends.
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
