// The two forms that HTTP has given up, and that a recipient still has to read
// (RFC 9110 §5.6.7). They carry no more than the first does, so they become it.
extension HTTPDate {
    /// A date in any of HTTP's three forms, as seconds since 1970; `nil` for all else.
    ///
    /// - Parameters:
    ///   - text: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, or
    ///     `Sun Nov  6 08:49:37 1994`.
    ///   - now: seconds since 1970: a year of two digits is never more than 50 years after it.
    /// - Returns: the seconds.
    package static func seconds(_ text: String, now: Double) -> Int? {
        if let seconds = seconds(text) { return seconds }
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        if words.count == 4, let comma = words[0].last, comma == ",", words[3] == "GMT" {
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3, date[2].utf8.count == 2, let year = Int(date[2]) else {
                return nil
            }
            return recent(now: now) { century in
                seconds("Sun, \(date[0]) \(date[1]) \(century + year) \(words[2]) GMT")
            }
        }
        guard words.count == 5, words[0].utf8.count == 3 else { return nil }
        return seconds("Sun, \(words[2]) \(words[1]) \(words[4]) \(words[3]) GMT")
    }

    /// The latest of the centuries that is not more than 50 years ahead.
    private static func recent(now: Double, _ seconds: (_ century: Int) -> Int?) -> Int? {
        let limit = now + 50 * 365.25 * 86_400
        return [2_100, 2_000, 1_900].lazy.compactMap(seconds).first { Double($0) <= limit }
    }
}
