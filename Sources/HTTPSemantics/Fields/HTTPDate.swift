import FoundationEssentials

/// Dates in HTTP headers
/// ([RFC 9110 §5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)), in seconds since 1970.
public enum HTTPDate {
    /// The days of the week, from the one on which 1970 began.
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let monthLetters: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

    /// Parses a date in any of HTTP's three forms; `nil` for any other text.
    ///
    /// - Parameters:
    ///   - text: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, or `Sun Nov  6
    ///     08:49:37 1994`.
    ///   - now: seconds since 1970: a year of two digits is never more than 50 years after it; `nil`:
    ///     the clock's time.
    /// - Returns: the seconds since 1970 ([RFC 9110
    ///   §5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)).
    public static func seconds(_ text: String, now: Double? = nil) -> Int? {
        fixed(text) ?? obsolete(text, now: now)
    }

    /// Formats a moment as an IMF-fixdate, the form that servers write today.
    ///
    /// - Parameter seconds: since 1970.
    /// - Returns: the text; `nil` before 1970 or after 9999.
    public static func text(_ seconds: Int) -> String? {
        guard (0..<253_402_300_800).contains(seconds) else { return nil }
        let date = parts(of: seconds)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = [date.hour, date.minute, date.second].map(two).joined(separator: ":")
        let day = days[seconds / 86_400 % 7]
        let month = "\(monthLetters)".dropFirst(3 * (date.month - 1)).prefix(3)
        return "\(day), \(two(date.day)) \(month) \(date.year) \(time) GMT"
    }

    /// Parses an IMF-fixdate, the form that servers write today.
    private static func fixed(_ text: String) -> Int? {
        var text = text
        return text.withUTF8 { bytes in
            // A day of one digit is not valid, but servers send it.
            if bytes.count == 28, bytes[5] != UInt8(ascii: " ") {
                return fixed(
                    String(decoding: bytes[..<5], as: UTF8.self) + "0"
                        + String(decoding: bytes[5...], as: UTF8.self)
                )
            }
            guard bytes.count == 29, hasForm(bytes), let day = number(bytes[5..<7], 1...31),
                let month = month(bytes[8], bytes[9], bytes[10]),
                let year = number(bytes[12..<16], 1_900...9_999),
                let hour = number(bytes[17..<19], 0...23),
                let minute = number(bytes[20..<22], 0...59),
                let second = number(bytes[23..<25], 0...60)
            else { return nil }
            return seconds(
                year: year,
                month: month,
                day: day,
                hour: hour,
                minute: minute,
                second: second
            )
        }
    }

    /// Whether 29 bytes have the form `···, ·· ··· ···· ··:··:·· GMT`.
    private static func hasForm(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let blank = UInt8(ascii: " ")
        let colon = UInt8(ascii: ":")
        guard bytes[4] == blank, bytes[7] == blank, bytes[11] == blank, bytes[16] == blank,
            bytes[19] == colon, bytes[22] == colon, bytes[25] == blank
        else { return false }
        return bytes[3] == UInt8(ascii: ",") && bytes[26] == UInt8(ascii: "G")
            && bytes[27] == UInt8(ascii: "M") && bytes[28] == UInt8(ascii: "T")
    }

    /// The month, from 1, whose name begins with three letters; `nil` if there is none.
    private static func month(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int? {
        monthLetters.withUTF8Buffer { letters in
            var place = 0
            while place < letters.count {
                if letters[place] == first, letters[place + 1] == second,
                    letters[place + 2] == third
                {
                    return place / 3 + 1
                }
                place += 3
            }
            return nil
        }
    }

    /// Converts a moment in UTC to seconds since 1970; `nil` if its parts are out of their ranges.
    ///
    /// A day that its month does not have, such as 31 February, is in the next month. A leap second at
    /// the end of 9999 is in the year 10000.
    public static func seconds(
        year: Int,
        month: Int,
        day: Int,
        hour: Int,
        minute: Int,
        second: Int
    ) -> Int? {
        guard (0...10_000).contains(year), (1...12).contains(month), (1...31).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        return ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    }

    /// Converts seconds since 1970, which may not be negative, to the parts of a moment in UTC.
    public static func parts(
        of seconds: Int
    ) -> (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        let (days, time) = (seconds / 86_400, seconds % 86_400)
        // Eras of 400 years, in years that begin in March.
        let shifted = days + 719_468
        let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (
            year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0),
            month: month,
            day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1,
            hour: time / 3_600,
            minute: time / 60 % 60,
            second: time % 60
        )
    }

    /// The days between 1970 and a day of the Gregorian calendar, in years that begin in March.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }

    private static func number(
        _ digits: Slice<UnsafeBufferPointer<UInt8>>,
        _ range: ClosedRange<Int>
    ) -> Int? {
        var number = 0
        for digit in digits {
            guard digit.isDigit else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return range.contains(number) ? number : nil
    }
}

// The two forms that HTTP has abandoned, and that a recipient must still parse (RFC 9110 §5.6.7). They
// contain no more than the first form, so we convert them to it.
extension HTTPDate {
    /// Parses one of the two older forms.
    fileprivate static func obsolete(_ text: String, now: Double?) -> Int? {
        let words = text.split(byte: 0x20)
        if words.count == 4, words[0].endsWithBytes(of: ","), words[3] == "GMT" {
            let date = words[1].split(byte: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard date.count == 3, date[2].utf8.count == 2,
                let year = Int(digits: date[2])
            else { return nil }
            let limit = (now ?? Date().timeIntervalSince1970) + 50 * 365.25 * 86_400
            // We use the latest century in which the date is not more than 50 years ahead.
            return [2_100, 2_000, 1_900].lazy.compactMap { century in
                fixed("Sun, \(date[0]) \(date[1]) \(century + year) \(words[2]) GMT")
            }.first { Double($0) <= limit }
        }
        guard words.count == 5, words[0].utf8.count == 3 else { return nil }
        return fixed("Sun, \(words[2]) \(words[1]) \(words[4]) \(words[3]) GMT")
    }
}
