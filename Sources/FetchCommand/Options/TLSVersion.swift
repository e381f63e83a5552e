/// A version of TLS, oldest first.
enum TLSVersion: String, CaseIterable, Comparable, Sendable {
    case v10 = "1.0"
    case v11 = "1.1"
    case v12 = "1.2"
    case v13 = "1.3"

    static func < (one: Self, other: Self) -> Bool {
        one.rawValue < other.rawValue
    }
}
