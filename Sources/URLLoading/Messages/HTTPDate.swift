/// Dates in HTTP headers.
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// A date in any of HTTP's three forms
    /// ([RFC 9110 §5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)), as seconds since
    /// 1970; `nil` for all else.
    ///
    /// - Parameters:
    ///   - text: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`, or
    ///     `Sun Nov  6 08:49:37 1994`.
    ///   - now: seconds since 1970: a year of two digits is never more than 50 years after it;
    ///     `nil`: the clock's time.
    /// - Returns: the seconds.
    package static func seconds(_ text: String, now: Double? = nil) -> Int? {
        fixed(text) ?? obsolete(text, now: now)
    }

    /// Reads an IMF-fixdate, the form that servers write today.
    static func fixed(_ text: String) -> Int? {
        var text = text
        return text.withUTF8 { bytes in
            // A day of one digit is not by the book, and sent all the same.
            if bytes.count == 28, bytes[5] != UInt8(ascii: " ") {
                return fixed(
                    String(decoding: bytes[..<5], as: UTF8.self) + "0"
                        + String(decoding: bytes[5...], as: UTF8.self)
                )
            }
            guard bytes.count == 29, bytes[3...].starts(with: ", ".utf8),
                bytes[7] == UInt8(ascii: " "), bytes[11] == UInt8(ascii: " "),
                bytes[16] == UInt8(ascii: " "), bytes[19] == UInt8(ascii: ":"),
                bytes[22] == UInt8(ascii: ":"), bytes[25...].starts(with: " GMT".utf8),
                let day = number(bytes[5..<7], 1...31),
                let month = months.firstIndex(where: { bytes[8..<11].elementsEqual($0.utf8) }),
                let year = number(bytes[12..<16], 1_900...9_999),
                let hour = number(bytes[17..<19], 0...23),
                let minute = number(bytes[20..<22], 0...59),
                let second = number(bytes[23..<25], 0...60)
            else { return nil }
            return seconds(year: year, month: month + 1, day: day, hour, minute, second)
        }
    }

    private static func seconds(
        year: Int,
        month: Int,
        day: Int,
        _ hour: Int,
        _ minute: Int,
        _ second: Int
    ) -> Int {
        ((daysSince1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
    }

    /// A moment in UTC as seconds since 1970; `nil` where its parts are out of their ranges.
    static func seconds(
        year: Int,
        month: Int,
        day: Int,
        hour: Int,
        minute: Int,
        second: Int
    ) -> Int? {
        guard (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        return seconds(year: year, month: month, day: day, hour, minute, second)
    }

    /// The parts of a moment in UTC: the way back.
    static func parts(
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

    /// The days of the Gregorian calendar, in years that begin in March.
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
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return range.contains(number) ? number : nil
    }
}
