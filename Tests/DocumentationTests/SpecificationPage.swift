import FoundationEssentials

/// The page `docs/spec.md`: a row for each behaviour.
///
/// A row's last cell lists the tests whose display names contain its id.
struct SpecificationPage {
    static let path = "docs/spec.md"

    /// The ids of rows in a text, such as `T-07`.
    static func ids(in text: some StringProtocol) -> Set<String> {
        Set(String(text).matches(of: /\b[STABC]-\d\d\b/).map { String($0.0) })
    }

    /// The number of tests and suites per file whose display names contain each row's id.
    static func proofs(in files: [(path: String, text: String)]) -> [String: [String: Int]] {
        var proofs: [String: [String: Int]] = [:]
        for file in files {
            for test in file.text.matches(of: /@(?:Test|Suite)\(\s*"((?:[^"\\]|\\.)*)"/) {
                for id in ids(in: test.1) { proofs[id, default: [:]][file.path, default: 0] += 1 }
            }
        }
        return proofs
    }

    /// The same for all tests of the repository; the files are read once.
    static func proofs() throws -> [String: [String: Int]] { try proofsOfAll.get() }

    private static let proofsOfAll = Result {
        proofs(
            in: try Repository.swiftFiles(below: "Tests").map {
                ($0, try Repository.text(of: $0))
            }
        )
    }

    /// The page with new last cells; the other text is unchanged.
    static func filled(_ text: String, with proofs: [String: [String: Int]]) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                guard let row = line.prefixMatch(of: /\| ([STABC]-\d\d) \| [^|]* \|/) else {
                    return String(line)
                }
                let tests = (proofs[String(row.1)] ?? [:]).sorted { $0.key < $1.key }
                    .map { file, count in
                        let name = file.split(separator: "/").last?.dropLast(".swift".count) ?? ""
                        return "[\(name)](../\(file)) \(count)"
                    }
                return "\(row.0) \(tests.joined(separator: ", ")) |"
            }
            .joined(separator: "\n")
    }
}
