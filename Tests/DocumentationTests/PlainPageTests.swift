import Testing

/// Checks that the pages for newcomers are short, use plain words, and name declarations that exist.
@Suite struct PlainPageTests {
    /// The pages to which these rules apply.
    private static let pages =
        [
            "README.md", "docs/architecture.md", "docs/behaviour.md", "docs/examples.md",
            "docs/spec.md",
            "docs/speed.md",
        ] + Page.decisions

    /// Modules, whose names occur in no declaration.
    private static let modules: Set<String> = [
        "CurlMulti", "FetchCommand", "FetchDocumentation", "FoundationNetworking", "TestSupport",
    ]

    /// All words in the sources.
    private static let words: Set<Substring> = {
        let files = ["Sources", "Tests/FetchDocumentation"].flatMap {
            (try? Repository.swiftFiles(below: $0)) ?? []
        }
        return files.reduce(into: []) { words, file in
            let text = (try? Repository.text(of: file)) ?? ""
            words.formUnion(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
        }
    }()

    @Test func architectureIsOnePage() throws {
        let lines = try Page("docs/architecture.md").text.split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(lines.count <= 121)
    }

    @Test(arguments: pages)
    func theActingPartyIsNamed(_ name: String) throws {
        let prose = try Page(name).text.replacing(/\]\([^)]*\)/, with: "]")
        let vague = prose.matches(of: /(?i)\b(?:who|whom|whoever|nobody|somebody|anybody)\b/)
        #expect(vague.map { String($0.0) } == [], "\(name)")
    }

    @Test(arguments: pages)
    func aSentenceHasAtMostThirtyWords(_ name: String) throws {
        for sentence in Self.sentences(of: try Page(name).text) {
            let words = sentence.split(whereSeparator: \.isWhitespace)
                .filter { $0.contains { $0.isLetter || $0.isNumber } }
            #expect(words.count <= 30, "\(name): \(sentence)")
        }
    }

    @Test(arguments: pages)
    func whatIsNamedIsInTheSources(_ name: String) throws {
        // A type, or a member of a type: two capitals with small letters between them.
        for span in try Page(name).spans {
            let path = span.prefix { $0 != "(" }
            guard path.wholeMatch(of: /[A-Za-z]\w*(?:\.\w+)*/) != nil,
                path.contains(/[a-z][A-Z]|^[A-Z][a-z]/), !path.hasSuffix(".swift"),
                !Self.modules.contains(String(path))
            else { continue }
            for word in path.split(separator: ".") {
                #expect(Self.words.contains(word), "\(name) names \(span)")
            }
        }
    }

    @Test func everyDecisionIsListedAndHasItsConsequence() throws {
        let list = try Page("docs/decisions/README.md")
        let decisions = Page.decisions.filter { !$0.hasSuffix("/README.md") }
        #expect(decisions.count >= 20)
        let names = decisions.compactMap { $0.split(separator: "/").last.map(String.init) }
        #expect(list.links == names)
        for name in decisions {
            let parts = try Page(name).text.split(separator: "\n## ").dropFirst()
            #expect(!parts.isEmpty, "\(name)")
            for part in parts {
                let title = part.prefix { $0 != "\n" }
                #expect(part.contains("**Consequence.**"), "\(name): \(title)")
            }
        }
    }

    @Test func sentencesAreSeparated() {
        let text = "# A b\nOne `x.y` two.\nThree: four.\n\n- Five\n  six\n- Seven\n| a | b |\n"
        #expect(Self.sentences(of: text) == ["One `x.y` two", "Three: four.", "Five six", "Seven"])
    }

    /// The sentences outside headings, tables and code.
    private static func sentences(of text: String) -> [String] {
        var paragraphs: [[Substring]] = [[]]
        var isFenced = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isFenced.toggle()
            } else if isFenced || line.hasPrefix("#") || line.hasPrefix("|") || line.isEmpty {
                paragraphs.append([])
            } else if let item = line.prefixMatch(of: /(?:-|\d+\.) (.*)/) {
                paragraphs.append([item.1])
            } else {
                paragraphs[paragraphs.count - 1].append(line.drop { $0 == " " })
            }
        }
        return paragraphs.map { $0.joined(separator: " ") }
            .flatMap { $0.split(separator: /[.?!] +|: +(?=[A-Z`*])/) }
            .map(String.init)
            .filter { !$0.isEmpty }
    }
}
