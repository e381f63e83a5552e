// Numbers that a server or a file has written may be anything: no sum, product or conversion of them
// may trap. What does not fit becomes the nearest number that does.
extension FixedWidthInteger {
    /// The sum, or the nearest number there is.
    package func adding(clamping other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the nearest number there is.
    package func subtracting(clamping other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }

    /// The product, or the nearest number there is.
    package func multiplied(clamping other: Self) -> Self {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
    }

    /// The number without what is behind its point, or the nearest there is; 0 for what is no number.
    package init(clamping number: Double) {
        self =
            Self(exactly: number.rounded(.towardZero))
            ?? (number > 0 ? .max : number < 0 ? .min : 0)
    }
}
