import CLinux
import URLLoading

/// The texts of `fetch --help`, generated from the flags' declarations.
package enum HelpText {
    /// One line; errors show it as well.
    package static let usage = "Usage: fetch [options] URL..."

    /// In columns.
    private static let width = 80
    /// The column where explanations begin.
    private static let column = 32
    /// The column where explanations begin in the short help.
    private static let shortColumn = 27

    /// The flags of the short help, each by its first name.
    static let common = [
        "--output", "--directory-prefix", "--continue", "--timestamping", "--no-clobber",
        "--input-file", "--jobs", "--checksum", "--data", "--json", "--form", "--upload-file",
        "--request", "--head", "--header", "--user", "--bearer", "--compressed", "--proxy",
        "--no-check-certificate", "--max-time", "--tries", "--quiet", "--verbose", "--write-out",
    ]

    private static let examples = [
        ("fetch https://example.org/disk.iso", "save as disk.iso"),
        ("fetch -qO - https://example.org/install.sh | sh", "write to standard output"),
        ("fetch --json '{\"a\": 1}' https://api.example.org/", "post, print the response"),
    ]

    static var topics: String { FlagSection.allCases.map { "\($0)" }.joined(separator: ", ") }

    /// The help text for `all`, a section or a flag's long name; without a topic, the short help.
    static func text(on topic: String?) -> String? {
        guard let topic else { return short }
        if topic == "all" { return usage + "\n" + FlagSection.allCases.map(text).joined() }
        if let section = FlagSection.allCases.first(where: { "\($0)" == topic }) {
            return usage + "\n" + text(of: section)
        }
        guard let flag = Flags.named("--\(topic)") else { return nil }
        let details = flag.details.replacing("`", with: "")
        return entry(flag) + wrapped(details, width: width - 4).map { "    \($0)\n" }.joined()
    }

    private static func text(of section: FlagSection) -> String {
        let flags = Flags.all.filter { $0.section == section }
        return "\n\(section.rawValue):\n" + flags.map { entry($0) }.joined()
    }

    private static var short: String {
        var text = usage + "\n"
        for name in common {
            guard let flag = Flags.named(name) else { continue }
            // The first clause of the help line.
            var help = flag.help.split(separator: "; ").first.map(String.init) ?? ""
            if help.count > width - shortColumn, let first = help.split(separator: ", ").first {
                help = String(first)
            }
            text += entry(flag, help, column: shortColumn)
        }
        text += "\n"
        for (command, words) in examples {
            text += "  " + command + String(repeating: " ", count: max(1, 52 - command.count))
            text += words + "\n"
        }
        let statuses =
            "Exit status: 0 success, 2 command line, 3 files, 4 network, 5 TLS, 6 credentials, "
            + "7 protocol, 8 the server's error, 10 checksum, 11 policy, 13 body gone, 124 --max-time"
        text += wrapped(statuses, width: width).joined(separator: "\n") + "\n"
        return text + "More: fetch --help all, man fetch, or --help and one of\n"
            + wrapped(topics, width: width).joined(separator: "\n") + "\n"
    }

    private static func entry(
        _ flag: Flag,
        _ help: String? = nil,
        column: Int = Self.column
    ) -> String {
        let left = "  " + spelling(flag)
        let lines = wrapped(help ?? flag.help, width: width - column)
        var text = left
        if left.count + 2 > column {
            text += "\n" + String(repeating: " ", count: column)
        } else {
            text += String(repeating: " ", count: column - left.count)
        }
        text += lines.joined(separator: "\n" + String(repeating: " ", count: column))
        return text + "\n"
    }

    /// `-O, -o, --output FILE`: the letters, then the first long name; no aliases.
    static func spelling(_ flag: Flag) -> String {
        var names = flag.letters.map { "-\($0)" }
        names += flag.singleDashNames.map { "-\($0)" }
        if let long = flag.longNames.first { names.append("--\(long)") }
        let indent = flag.letters.isEmpty && flag.singleDashNames.isEmpty ? "    " : ""
        return indent + names.joined(separator: ", ") + (flag.placeholder.map { " \($0)" } ?? "")
    }

    /// Breaks the text at spaces; a word longer than a line gets a line of its own.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}

enum FlagSuggestions {
    /// The error for an unknown name, dashes included; `word`: the cluster with the letter.
    static func error(unknown name: String, within word: String? = nil) -> UsageError {
        // A cluster such as -nH whose letters are unknown is probably one misspelled word.
        let sought = word.map { $0.utf8.count > 3 ? $0 : name } ?? name
        return .unknownFlag(name, near: near(sought))
    }

    /// Up to three declared long flags with a similar spelling, the nearest first.
    static func near(_ name: String) -> [String] {
        let sought = bare(name)
        guard sought.count >= 2 else { return [] }
        var found: [(name: String, distance: Int)] = []
        for flag in Flags.all {
            for name in flag.names where name.startsWithBytes(of: "--") {
                let candidate = bare(name)
                let difference = abs(sought.count - candidate.count)
                if sought.count >= 3, candidate.starts(with: sought) {
                    found.append((name, difference))
                    continue
                }
                let limit = max(1, min(sought.count, candidate.count) / 3)
                // The distance is no less than the difference of the lengths.
                guard difference <= limit else { continue }
                let distance = EditDistance.between(sought, candidate, atMost: limit)
                if distance <= limit { found.append((name, distance)) }
            }
        }
        return found.sorted { $0.distance < $1.distance }.prefix(3).map(\.name)
    }

    /// The name in lower case without dashes, and with `-` for `_`.
    private static func bare(_ name: String) -> [UInt8] {
        name.lowercased().utf8.drop { $0 == UInt8(ascii: "-") }
            .map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
    }
}

/// The number of typing errors between two words.
enum EditDistance {
    /// The fewest insertions, deletions, substitutions and swaps of adjacent bytes that change one
    /// word into the other (optimal string alignment); `limit + 1` if it is more than the limit.
    static func between(_ one: [UInt8], _ other: [UInt8], atMost limit: Int = .max - 1) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for (row, left) in one.enumerated() {
            var current = [row + 1]
            for (column, right) in other.enumerated() {
                var best = min(
                    last[column + 1] + 1,
                    current[column] + 1,
                    last[column] + (left == right ? 0 : 1)
                )
                if row > 0, column > 0, left == other[column - 1], one[row - 1] == right {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            // No later number is smaller than the smallest of two rows.
            guard min(last.min() ?? 0, current.min() ?? 0) <= limit else { return limit + 1 }
            beforeLast = last
            last = current
        }
        return min(last[other.count], limit + 1)
    }
}

package enum Version {
    /// As shown by `fetch --version` and sent in the `User-Agent` field.
    package static let number = URLLoadingVersion.text

    /// The text of `--version`: the number, the commit if the build knows it, and the libraries.
    static var text: String {
        let commit = linux_build_commit().map { " (commit \(String(cString: $0)))" } ?? ""
        return "fetch \(number)\(commit)\n\(URLLoadingVersion.libraries)\n"
    }
}
