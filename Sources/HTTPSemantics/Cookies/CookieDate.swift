/// Dates of cookies, which have many forms
/// ([RFC 6265 §5.1.1](https://www.rfc-editor.org/rfc/rfc6265#section-5.1.1)).
public enum CookieDate {
    /// Parses a date; its parts may be in any order, and its time zone is ignored.
    ///
    /// - Parameter text: such as `Sun, 06 Nov 1994 08:49:37 GMT` or `Thu, 01-Jan-70 00:00:00`.
    /// - Returns: the seconds since 1970; `nil` if a part is missing, or the day does not exist.
    public static func seconds(_ text: String) -> Int? {
        var (time, day, month, year): ([Int]?, Int?, Int?, Int?)
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = Self.time(token) {
                time = found
            } else if day == nil, let found = number(token, 1...2) {
                day = found
            } else if month == nil, let found = Self.month(token) {
                month = found
            } else if year == nil, let found = number(token, 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if year < 70 { year += 2_000 } else if year < 100 { year += 1_900 }
        guard year >= 1_601, time[2] < 60, day <= length(of: month, year) else { return nil }
        return HTTPDate.seconds(
            year: year,
            month: month,
            day: day,
            hour: time[0],
            minute: time[1],
            second: time[2]
        )
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Hour, minute and second; `nil` for another text.
    private static func time(_ token: Substring.UTF8View) -> [Int]? {
        let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0].allSatisfy(\.isDigit), parts[1].allSatisfy(\.isDigit),
            // Text may follow the seconds, even with further colons.
            let hour = number(parts[0], 1...2), let minute = number(parts[1], 1...2),
            let second = number(parts[2], 1...2)
        else { return nil }
        return [hour, minute, second]
    }

    /// The number at the beginning of a token, if it has as many digits; other text may follow it.
    private static func number(
        _ token: Substring.UTF8View,
        _ lengths: ClosedRange<Int>
    ) -> Int? {
        let digits = token.prefix(while: \.isDigit)
        guard lengths.contains(digits.count) else { return nil }
        return Int(Substring(digits))
    }

    private static func month(_ token: Substring.UTF8View) -> Int? {
        let name = Substring(token.prefix(3)).asciiLowercased
        let names = "jan feb mar apr may jun jul aug sep oct nov dec".split(byte: 0x20)
        return names.firstIndex { $0.hasBytes(of: name) }.map { $0 + 1 }
    }

    private static func length(of month: Int, _ year: Int) -> Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
