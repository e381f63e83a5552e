/// A number with decimals as text, kept exact: 0.1 has no `Double`.
struct DecimalText: Equatable {
    /// All digits, without the point.
    let digits: Int64
    /// How many of them stand behind the point.
    let decimals: Int

    /// Which way a fraction goes.
    enum Rounding {
        case up
        case down
    }

    /// Splits `1.5M` into its number and its unit in lower case; nil where no number begins the text.
    ///
    /// Signs, exponents, `nan` and `inf` are no numbers here, and a point needs digits on both sides.
    static func split(_ text: String) -> (number: DecimalText, unit: String)? {
        var digits: Int64 = 0
        var whole = 0
        var decimals = 0
        var pointSeen = false
        var rest = text.utf8[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "."), !pointSeen {
                pointSeen = true
            } else if (0x30...0x39).contains(byte) {
                guard whole + decimals < 15 else { return nil }
                digits = digits * 10 + Int64(byte - 0x30)
                if pointSeen { decimals += 1 } else { whole += 1 }
            } else {
                break
            }
            rest = rest.dropFirst()
        }
        guard whole > 0, !pointSeen || decimals > 0 else { return nil }
        return (DecimalText(digits: digits, decimals: decimals), Substring(rest).lowercased())
    }

    /// The number times the factor, or nil where that is beyond 64 bits.
    func times(_ factor: Int64, rounding: Rounding) -> Int64? {
        let (product, overflow) = digits.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        var divisor: Int64 = 1
        for _ in 0..<decimals { divisor *= 10 }
        let (quotient, remainder) = product.quotientAndRemainder(dividingBy: divisor)
        return rounding == .up && remainder > 0 ? quotient + 1 : quotient
    }
}
