import URLLoading

/// A task's progress as a line of its own, for where nothing can be redrawn.
enum ProgressLine {
    /// `NAME: 30%, 6.0 MiB of 20.0 MiB, 2.0 MiB/s, eta 7s`; the rate is that since the last line.
    static func text(
        _ reading: TaskProgress.Reading,
        after last: LinePolicy,
        at now: ContinuousClock.Instant
    ) -> String {
        let rate =
            Double(reading.count.subtracting(clamping: last.count))
            / max((now - last.time) / .seconds(1), 0.001)
        let verb = reading.phase == .sending ? "sent " : ""
        var parts: [String] = []
        if let expected = reading.expected, expected >= reading.count, expected > 0 {
            let share = Double(reading.count) / Double(expected)
            let left = Double(expected - reading.count) / max(rate, 1)
            parts.append(verb + "\(Int(clamping: share * 100))%")
            parts.append("\(ByteText.size(reading.count)) of \(ByteText.size(expected))")
            parts.append(rateText(rate))
            if let left = TimeText.short(.seconds(left)) { parts.append("eta \(left)") }
        } else {
            parts.append(verb + ByteText.size(reading.count))
            parts.append(rateText(rate))
        }
        return "\(reading.name): " + parts.joined(separator: ", ")
    }

    private static func rateText(_ rate: Double) -> String {
        "\(ByteText.size(Int64(clamping: rate)))/s"
    }
}
