import FoundationEssentials

/// A file of text that is read line by line, whose lines may end as any system ends them.
enum LineFile {
    /// Hands each line on, also the one behind the last end of a line.
    ///
    /// - Parameters:
    ///   - data: the file.
    ///   - understands: takes a line, and says whether it is one of the file's form.
    /// - Returns: the first that is not, or is no UTF-8, from 1; `nil`: all are.
    static func firstStrangeLine(of data: Data, _ understands: (String) -> Bool) -> Int? {
        var strange: Int?
        let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let bytes = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if String(validating: bytes, as: UTF8.self).map(understands) == true { continue }
            strange = strange ?? index + 1
        }
        return strange
    }
}
