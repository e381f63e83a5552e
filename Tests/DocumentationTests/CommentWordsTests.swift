import Testing

/// Checks that sentences in comments are short, and name the party that acts.
@Suite struct CommentWordsTests {
    @Test(arguments: ["Sources", "Tests", "Fuzz", "Examples"])
    func commentsArePlain(in folder: String) throws {
        var problems: [String] = []
        for file in try Repository.swiftFiles(below: folder) {
            let sentences = CommentReader.sentences(in: try Repository.text(of: file))
            problems += sentences.compactMap { sentence in
                sentence.problem.map { "\(file):\(sentence.line): \($0)" }
            }
        }
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }

    @Test func sentencesAreSeparatedAndHaveTheirLine() {
        let text = """
            /// One `a.b` two. Three
            /// four: five: Six.
            ///
            /// - Parameter a: the first (if any.) Then more
            ///   of it.
            /// | a | table |
            /// ```
            /// code
            /// ```
            /// # Heading
            /// 1. Seven
            let url = "https://x // none"
            // Eight
            /// Nine? Ten
            """
        let sentences = CommentReader.sentences(in: text).map { "\($0.line) \($0.text)" }
        #expect(
            sentences == [
                "1 One `a.b` two.", "1 Three four: five:", "2 Six.",
                "4 Parameter a: the first (if any.)", "4 Then more of it.", "11 Seven",
                "13 Eight", "14 Nine?", "14 Ten",
            ]
        )
    }

    @Test func textInALiteralIsNoComment() {
        let quotes = "\"\"\""
        let text = "let a = \(quotes)\n    // Inside\n    \(quotes).count\n// Outside"
        #expect(CommentReader.sentences(in: text).map(\.text) == ["Outside"])
    }

    @Test(arguments: [
        ("Whoever asks waits.", "whoever: Whoever asks waits."),
        ("The byte (which nobody reads) stays.", "nobody: The byte (which nobody reads) stays."),
        ("The client `who` waits.", nil), ("A file whose name is long.", nil),
        ("It is a whole: no one-byte piece.", nil), ("The field `leftover` stays.", nil),
    ])
    func vagueWordsAreFound(_ text: String, _ problem: String?) {
        #expect(CommentReader.sentences(in: "// \(text)").map(\.problem) == [problem])
    }

    @Test(arguments: [(30, true), (31, false)])
    func longSentencesAreFound(_ count: Int, _ isFine: Bool) {
        let words = Array(repeating: "word", count: count - 1).joined(separator: "\n    // ")
        let sentence = CommentReader.sentences(in: "    // \(words) — end. Short.").first
        #expect((sentence?.problem == nil) == isFine)
    }
}

/// A sentence of a comment, and the line on which it begins.
private struct CommentSentence {
    /// The words of a sentence; the pages for newcomers have the same limit.
    private static let maximumWords = 30
    /// Words that name no party, and words that stood for a technical term here.
    private static let vagueWords: Set<String> = [
        "anybody", "asker", "attacher", "bereaved", "crew", "crumb", "crumbs", "desk", "everybody",
        "flaw", "flaws", "guest", "guests", "intake", "leftover", "leftovers", "ledger", "nobody",
        "obstacle", "obstacles", "patience", "somebody", "surroundings", "tally", "teller",
        "visitor", "visitors", "who", "whoever", "whom", "whyever",
    ]

    let line: Int
    let words: [ArraySlice<UInt8>]

    var text: String {
        words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    /// What is wrong with the sentence; `nil`: nothing.
    var problem: String? {
        let count = words.count { $0.contains(where: Self.isWordByte) }
        if count > Self.maximumWords { return "\(count) words: \(text)" }
        return vagueWord.map { "\($0): \(text)" }
    }

    /// The first vague word outside code.
    private var vagueWord: String? {
        var isCode = false
        for word in words {
            for part in word.split(separator: UInt8(ascii: "`"), omittingEmptySubsequences: false) {
                if part.startIndex > word.startIndex { isCode.toggle() }
                guard !isCode else { continue }
                for letters in part.split(whereSeparator: { !Self.isWordByte($0) }) {
                    let lowercase = String(decoding: letters.map { $0 | 0x20 }, as: UTF8.self)
                    if Self.vagueWords.contains(lowercase) { return lowercase }
                }
            }
        }
        return nil
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

/// Reads the sentences in the comments of a Swift file, except comments behind code.
///
/// It works on bytes, because a debug build takes long for all characters of the sources.
private struct CommentReader {
    private static let space = UInt8(ascii: " ")
    private static let slash = UInt8(ascii: "/")

    private var sentences: [CommentSentence] = []
    /// The words of the paragraph so far, each with its line.
    private var paragraph: [(line: Int, word: ArraySlice<UInt8>)] = []
    /// The number of slashes of the comment; 0: none.
    private var slashes = 0
    private var isFenced = false
    private var isInLiteral = false

    static func sentences(in text: String) -> [CommentSentence] {
        var reader = CommentReader()
        let lines = Array(text.utf8).split(
            separator: UInt8(ascii: "\n"),
            omittingEmptySubsequences: false
        )
        for (index, line) in lines.enumerated() { reader.take(line, index + 1) }
        reader.endParagraph()
        return reader.sentences
    }

    private mutating func take(_ line: ArraySlice<UInt8>, _ number: Int) {
        let code = line.drop { $0 == Self.space }
        guard !isInLiteral, code.starts(with: "//".utf8) else {
            endParagraph()
            (slashes, isFenced) = (0, false)
            // A literal of several lines begins at a line's end, and ends at a line's start.
            let delimiter = "\"\"\"".utf8
            isInLiteral =
                isInLiteral
                ? !code.starts(with: delimiter) : code.suffix(3).elementsEqual(delimiter)
            return
        }
        let text = code.drop { $0 == Self.slash }
        let count = text.startIndex - code.startIndex
        if count != slashes {
            endParagraph()
            (slashes, isFenced) = (count, false)
        }
        take(comment: text.drop { $0 == Self.space }, number)
    }

    private mutating func take(comment text: ArraySlice<UInt8>, _ number: Int) {
        if text.starts(with: "```".utf8) {
            isFenced.toggle()
            return endParagraph()
        }
        guard !isFenced, let first = text.first, first != UInt8(ascii: "|"),
            first != UInt8(ascii: "#")
        else { return endParagraph() }
        var words = text.split(separator: Self.space)
        if isItem(words[0]) {
            endParagraph()
            words.removeFirst()
        }
        paragraph += words.map { (number, $0) }
    }

    /// Whether a word is the mark of a list's item: `-`, or a number with a period.
    private func isItem(_ word: ArraySlice<UInt8>) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return word.elementsEqual("-".utf8)
            || (word.count > 1 && word.last == UInt8(ascii: ".")
                && word.dropLast().allSatisfy { digits.contains($0) })
    }

    private mutating func endParagraph() {
        guard !paragraph.isEmpty else { return }
        var words: [ArraySlice<UInt8>] = []
        var line = paragraph[0].line
        for (index, item) in paragraph.enumerated() {
            if words.isEmpty { line = item.line }
            words.append(item.word)
            let next = index + 1 < paragraph.count ? paragraph[index + 1].word : nil
            guard endsSentence(item.word, before: next) else { continue }
            sentences.append(CommentSentence(line: line, words: words))
            words = []
        }
        paragraph = []
    }

    private func endsSentence(
        _ word: ArraySlice<UInt8>,
        before next: ArraySlice<UInt8>?
    ) -> Bool {
        guard let next, let first = next.first else { return true }
        let text = word.last == UInt8(ascii: ")") ? word.dropLast() : word
        switch text.last {
        case UInt8(ascii: "."), UInt8(ascii: "?"), UInt8(ascii: "!"): return true
        case UInt8(ascii: ":"):
            return first == UInt8(ascii: "`") || first == UInt8(ascii: "*")
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
        default: return false
        }
    }
}
