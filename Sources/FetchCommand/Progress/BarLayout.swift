/// What of a bar fits into how many columns; the same for all bars, so that they align.
struct BarLayout: Equatable {
    /// A name has at least so many columns, if it needs them, while anything can be left out.
    private static let shortestName = 10
    /// With the last part alone beside it.
    private static let stump = 4
    /// More than that is given to neither name nor gauge.
    private static let longestName = 60
    private static let longestGauge = 40

    /// In their order.
    let parts: [BarPart]
    /// Columns of the name; 0 for none.
    let name: Int
    /// Columns of the gauge, its brackets included.
    let gauge: Int

    /// - Parameters:
    ///   - columns: the terminal's; the last one stays empty, since some break the line there.
    ///   - longestName: columns of the longest name.
    ///   - hasLengths: whether the length of any of the bodies is known.
    init(columns: Int, longestName: Int, hasLengths: Bool) {
        let room = max(0, columns - 1)
        var parts: [BarPart] =
            hasLengths
            ? BarPart.allCases
            : BarPart.allCases.filter { BarPart.leftOutWithoutLength.contains($0) || $0 == .count }
        func needed() -> Int { parts.reduce(0) { $0 + $1.width } }
        let least = min(longestName, Self.shortestName)
        for part in hasLengths ? BarPart.leftOut : BarPart.leftOutWithoutLength {
            if least + needed() <= room { break }
            parts.removeAll { $0 == part }
        }
        var name = min(longestName, Self.longestName, room - needed())
        if name < min(longestName, Self.stump) {
            name = 0
            if (parts.first?.ownWidth ?? 0) > room { parts = [] }
        }
        self.name = name
        self.parts = parts
        let spare = room - name - needed()
        gauge = min(Self.longestGauge, BarPart.gauge.ownWidth + max(0, spare))
    }

    /// Whether nothing fits.
    var isEmpty: Bool { parts.isEmpty && name == 0 }
}
