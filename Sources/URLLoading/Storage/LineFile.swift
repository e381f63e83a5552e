import FoundationEssentials

/// A file of text that is read line by line, whose lines may end as any system ends them.
enum LineFile {
    /// The bytes that some editors put before a text in UTF-8.
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Hands each line on, also the one behind the last end of a line.
    ///
    /// - Parameters:
    ///   - data: the file.
    ///   - take: takes a line's bytes before its line feed, its number from 1, and its text without a
    ///     carriage return at its end; `nil`: it is no UTF-8.
    static func forEachLine(of data: Data, _ take: (Data, Int, String?) -> Void) {
        let data = data.starts(with: byteOrderMark) ? data.dropFirst(byteOrderMark.count) : data
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let words = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            take(line, index + 1, String(validating: words, as: UTF8.self))
        }
    }

    /// Hands each line on, also the one behind the last end of a line.
    ///
    /// - Parameters:
    ///   - data: the file.
    ///   - understands: takes a line, and says whether it is one of the file's form.
    /// - Returns: the first that is not, or is no UTF-8, from 1; `nil`: all are.
    static func firstStrangeLine(of data: Data, _ understands: (String) -> Bool) -> Int? {
        var strange: Int?
        forEachLine(of: data) { _, number, text in
            if text.map(understands) != true { strange = strange ?? number }
        }
        return strange
    }
}
