import URLLoading

/// Counts, sizes, times and rates as text.
enum ByteText {
    /// A number with its noun: `1 byte`, `2 bytes`.
    static func count(_ number: some BinaryInteger, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    /// A size: `512 B`, `1.5 MiB`.
    static func size(_ bytes: Int64) -> String {
        guard bytes >= 1_024 else { return "\(bytes) B" }
        let (value, unit) = scaled(bytes, below: 1_023.95)
        return "\(decimal(value)) \(unit)"
    }

    /// A size with at most three digits, so that it fits `compactWidth` columns:
    /// `999 B`, `1.0 KiB`, `12.3 MiB`, `123 MiB`.
    static func compact(_ bytes: Int64) -> String {
        guard bytes >= 1_000 else { return "\(max(0, bytes)) B" }
        let (value, unit) = scaled(bytes, below: 999.5)
        return "\(value < 99.95 ? decimal(value) : "\(Int(clamping: value.rounded()))") \(unit)"
    }

    /// A size in the smallest unit in which the number is below a limit.
    private static func scaled(_ bytes: Int64, below limit: Double) -> (Double, unit: String) {
        var value = Double(bytes) / 1_024
        var unit = 0
        while value >= limit, unit < units.count - 1 {
            value /= 1_024
            unit += 1
        }
        return (value, units[unit])
    }

    /// The width of `99.9 MiB` in columns.
    static let compactWidth = 8

    /// A duration: `0.3 s`, `2 min 5 s`.
    static func time(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        guard seconds >= 60 else { return "\(decimal(seconds)) s" }
        let whole = Int(clamping: seconds)
        return "\(whole / 60) min \(whole % 60) s"
    }

    /// An age in whole units, rounded down: `40 s`, `12 min`, `5 h`, `3 days`.
    static func age(_ seconds: Int) -> String {
        switch max(0, seconds) {
        case ..<60: "\(max(0, seconds)) s"
        case ..<3_600: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) days"
        }
    }

    /// A rate: `4.0 MiB/s`.
    static func rate(_ bytes: Int64, _ duration: Duration) -> String {
        let seconds = max(duration / .seconds(1), 0.001)
        return "\(size(Int64(clamping: Double(bytes) / seconds)))/s"
    }

    /// A number with one decimal; avoids Foundation's large formatting code.
    private static func decimal(_ value: Double) -> String {
        let tenths = Int(clamping: (value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
