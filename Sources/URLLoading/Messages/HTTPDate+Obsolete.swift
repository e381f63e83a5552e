// The two forms that HTTP has given up, and that a recipient still has to read
// (RFC 9110 §5.6.7). They carry no more than the first does, so they become it.
extension HTTPDate {
    /// Reads one of the two older forms.
    static func obsolete(_ text: String, now: Double?) -> Int? {
        let words = text.split(byte: 0x20)
        if words.count == 4, words[0].endsWithBytes(of: ","), words[3] == "GMT" {
            let date = words[1].split(byte: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            guard date.count == 3, date[2].utf8.count == 2,
                date[2].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let year = Int(date[2])
            else { return nil }
            let limit = (now ?? Double(WallClock.now) / 1e6) + 50 * 365.25 * 86_400
            // The latest of the centuries that is not more than 50 years ahead.
            return [2_100, 2_000, 1_900].lazy.compactMap { century in
                fixed("Sun, \(date[0]) \(date[1]) \(century + year) \(words[2]) GMT")
            }.first { Double($0) <= limit }
        }
        guard words.count == 5, words[0].utf8.count == 3 else { return nil }
        return fixed("Sun, \(words[2]) \(words[1]) \(words[4]) \(words[3]) GMT")
    }
}
