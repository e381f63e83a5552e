/// Times of which the columns count.
enum TimeText {
    /// The most columns that a text takes.
    static let width = 6

    /// `59s`, `59m59s`, `23h59m`, `99d23h`; nil for what is longer.
    static func short(_ duration: Duration) -> String? {
        let seconds = duration.components.seconds
        switch seconds {
        case ..<0: return nil
        case ..<60: return "\(seconds)s"
        case ..<3_600: return "\(seconds / 60)m\(twoDigits(seconds % 60))s"
        case ..<86_400: return "\(seconds / 3_600)h\(twoDigits(seconds / 60 % 60))m"
        case ..<8_640_000: return "\(seconds / 86_400)d\(twoDigits(seconds / 3_600 % 24))h"
        default: return nil
        }
    }

    private static func twoDigits(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
