/// The time of a file in HTTP's words.
enum FileTime {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970 as an IMF-fixdate
    /// ([RFC 9110 §5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)); `nil` for times
    /// that it has no words for, before 1970 or after 9999.
    static func text(_ seconds: Int) -> String? {
        guard (0..<253_402_300_800).contains(seconds) else { return nil }
        let (day, clock) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, dayOfMonth) = date(daysSince1970: day)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = [clock / 3_600, clock / 60 % 60, clock % 60].map(two).joined(separator: ":")
        return "\(days[day % 7]), \(two(dayOfMonth)) \(months[month - 1]) \(year) \(time) GMT"
    }

    /// The Gregorian calendar, in years that begin in March.
    private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let day = shifted % 146_097
        let yearOfEra = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let march = (5 * dayOfYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * march + 2) / 5 + 1)
    }
}
