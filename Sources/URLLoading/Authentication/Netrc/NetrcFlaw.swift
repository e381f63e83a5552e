/// What is wrong with the text of a `.netrc`; lines are counted from 1.
package enum NetrcFlaw: Error, Sendable, Hashable {
    /// A quote, or an escape, has no end on its line.
    case openQuote(line: Int)
    /// A keyword at the end of the file.
    case missingValue(line: Int)
    /// A word is not UTF-8, or has a NUL in it.
    case notText(line: Int)
}

extension NetrcFlaw: CustomStringConvertible {
    /// What is wrong, in words, and without the words of the file.
    package var description: String {
        switch self {
        case .openQuote(let line): "line \(line): a quote is not closed"
        case .missingValue(let line): "line \(line): a keyword without its value"
        case .notText(let line): "line \(line): a word that is not UTF-8"
        }
    }
}
