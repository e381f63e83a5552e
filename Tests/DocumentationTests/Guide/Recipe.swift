import TestSupport
import Testing

/// A block of commands in a document, with the output that the document shows.
struct Recipe: Sendable, CustomTestStringConvertible {
    /// `sh`, `crontab`, or `ini` for a unit of systemd.
    let language: String
    let text: String
    /// The output in the following block of `text`.
    let prints: String?
    /// The number of its first line in the document, from 1.
    let line: Int

    var testDescription: String { "line \(line): \(text.prefix { $0 != "\n" })" }

    /// Whether it is a timer of systemd, which starts a service and has no command of its own.
    var isTimer: Bool { language == "ini" && text.contains("\n[Timer]\n") }

    /// Its commands, for a shell.
    var script: String {
        let lines = text.split(separator: "\n")
        switch language {
        case "crontab":
            // The first five fields are the time.
            return lines.map { $0.split(separator: " ", maxSplits: 5).last ?? "" }
                .joined(separator: "\n")
        case "ini":
            let start = "ExecStart=/usr/bin/"
            return lines.filter { $0.hasPrefix(start) }.map { $0.dropFirst(start.count) }
                .joined(separator: "\n")
        default: return text
        }
    }

    /// The recipes of a document, and the languages of the other blocks.
    static func all(in text: String) -> (recipes: [Recipe], others: [String]) {
        var recipes: [Recipe] = []
        var others: [String] = []
        var fence: (language: Substring, line: Int, lines: [Substring])?
        for (place, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if var block = fence {
                guard line == "```" else {
                    block.lines.append(line)
                    fence = block
                    continue
                }
                fence = nil
                let text = block.lines.joined(separator: "\n") + "\n"
                switch block.language {
                case "sh", "crontab", "ini":
                    recipes.append(
                        Recipe(
                            language: "\(block.language)",
                            text: text,
                            prints: nil,
                            line: block.line
                        )
                    )
                case "text" where recipes.last?.prints == nil && !recipes.isEmpty:
                    let last = recipes.removeLast()
                    recipes.append(
                        Recipe(
                            language: last.language,
                            text: last.text,
                            prints: text,
                            line: last.line
                        )
                    )
                default: others.append("\(block.language) in line \(block.line)")
                }
            } else if line.hasPrefix("```") {
                fence = (line.dropFirst(3), place + 2, [])
            }
        }
        return (recipes, others)
    }
}

/// A folder and a home directory with the files that a document's commands name.
struct RecipeStage {
    let hosts: NamedHosts
    let folder: TemporaryFolder
    let home: TemporaryFolder

    init() throws {
        hosts = try NamedHosts.shared
        folder = try TemporaryFolder("recipe")
        home = try TemporaryFolder("home")
        try hosts.prepare(folder)
    }

    /// Runs commands as a script that stops at the first error.
    ///
    /// Only the proxy is replaced, since its name does not resolve.
    func run(_ script: String, environment: [String: String] = [:]) async throws -> ProcessResult {
        let proxy = try Squid.shared.port(.open)
        let text = script.replacing("proxy.example.org:3128", with: "127.0.0.1:\(proxy)")
        return try await FetchProcess.shell(
            """
            set -e
            mkdir "$HOME/bin"
            ln -s "$FETCH" "$HOME/bin/fetch"
            PATH=$HOME/bin:$PATH
            \(text)
            """,
            in: folder,
            home: home,
            environment: hosts.environment.merging(environment) { _, given in given }
        )
    }
}
