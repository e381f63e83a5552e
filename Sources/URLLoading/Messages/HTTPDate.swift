/// Dates in HTTP headers.
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// An IMF-fixdate ([RFC 9110 §5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)),
    /// such as `Sun, 06 Nov 1994 08:49:37 GMT`, as seconds since 1970; `nil` for all else.
    ///
    /// The two older forms, which no server has sent for decades, are not read.
    package static func seconds(_ text: String) -> Int? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[0].count == 4, words[0].last == ",", words[5] == "GMT",
            let day = number(words[1], 1...31),
            let month = months.firstIndex(of: String(words[2])),
            let year = number(words[3], 1_900...9_999)
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], 0...23),
            let minute = number(clock[1], 0...59), let second = number(clock[2], 0...60)
        else { return nil }
        let days = daysSince1970(year, month + 1, day)
        return ((days * 24 + hour) * 60 + minute) * 60 + second
    }

    /// The days of the Gregorian calendar, in years that begin in March.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }

    private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else {
            return nil
        }
        return range.contains(number) ? number : nil
    }
}
