/// The width of a text on a terminal, in columns.
///
/// For composed emoji, on which terminals disagree, it is the larger width: a width that is too
/// large leaves a gap, one that is too small would wrap the line.
enum DisplayWidth {
    static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The width of a character, with its combining marks.
    static func of(_ character: Character) -> Int {
        let width = character.unicodeScalars.reduce(0) { $0 + of($1) }
        // VARIATION SELECTOR-16 selects the emoji form, which has two columns.
        return character.unicodeScalars.contains("\u{fe0f}") ? max(width, 2) : width
    }

    /// The width of one scalar: 0 for a combining mark, 2 for East Asian letters and emoji.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20..<0x7f: return 1
        case 0..<0xa0: return 0
        // Soft hyphens and number signs are visible, although their category is Cf.
        case 0xad, 0x600...0x605, 0x6dd, 0x70f, 0x890...0x891, 0x8e2, 0x110bd, 0x110cd: return 1
        // Vowels and final consonants of decomposed Korean syllables combine with the first letter.
        case 0x1160...0x11ff, 0xd7b0...0xd7ff: return 0
        // Regional indicators: two of them make a flag of two columns.
        case 0x1f1e6...0x1f1ff: return 1
        default: break
        }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        return isWide(scalar) || scalar.properties.isEmojiPresentation ? 2 : 1
    }

    /// The text; if it is too wide, its beginning and end with an ellipsis between.
    ///
    /// The end of a file's name shows its type.
    static func fitted(_ text: String, to columns: Int, ellipsis: String) -> String {
        guard of(text) > columns else { return text }
        let room = columns - of(ellipsis)
        guard room >= 2 else { return prefix(text[...], columns) }
        let head = prefix(text[...], room - room / 2)
        return head + ellipsis + suffix(text.dropFirst(head.count), room / 2)
    }

    private static func prefix(_ text: Substring, _ columns: Int) -> String {
        var left = columns
        return String(
            text.prefix { character in
                left -= of(character)
                return left >= 0
            }
        )
    }

    private static func suffix(_ text: Substring, _ columns: Int) -> String {
        var left = columns
        let start = text.reversed().prefix { character in
            left -= of(character)
            return left >= 0
        }
        return String(text.suffix(start.count))
    }

    /// Whether the width class is W or F of [UAX #11](https://www.unicode.org/reports/tr11/),
    /// except emoji, which have a property of their own.
    ///
    /// The ranges are whole blocks, whose unassigned scalars are wide too.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x303f: false
        case 0x1100...0x115f, 0x2329...0x232a, 0x2e80...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3,
            0xf900...0xfaff, 0xfe10...0xfe19, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6:
            true
        case 0x16fe0...0x18d8f, 0x1aff0...0x1b2ff, 0x1d300...0x1d376, 0x1f200...0x1f265,
            0x1f300...0x1f320, 0x1f5a4, 0x1f947...0x1f9ff, 0x20000...0x3fffd:
            true
        default: false
        }
    }
}
