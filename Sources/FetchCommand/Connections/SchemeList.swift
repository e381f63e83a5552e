import URLLoading

/// The schemes that are allowed, in curl's notation: `=https`, `-all,https`, `-http`.
struct SchemeList: Equatable, Sendable {
    static let all = SchemeList(schemes: known)

    private static let known = ["http", "https", "file", "data"]

    /// In the order of `known`.
    private var schemes: [String]

    private init(schemes: [String]) {
        self.schemes = schemes
    }

    /// Parses the value of `--proto`; unknown schemes are ignored.
    init(_ value: FlagValue) throws(UsageError) {
        schemes = Self.known
        for word in value.text.lowercased().split(separator: ",") {
            let name = word.drop { "+-=".contains($0) }
            guard HTTPSyntax.isToken(String(name)) else {
                throw value.invalid("is not a list of schemes", hint: "as in =https or -all,https")
            }
            let before = schemes
            schemes = Self.known.filter { scheme in
                let isNamed = name == "all" || name == scheme
                return switch word.first {
                case "-": before.contains(scheme) && !isNamed
                case "=": isNamed
                default: before.contains(scheme) || isNamed
                }
            }
        }
    }

    /// Whether a scheme, in lower case, is allowed.
    func allows(_ scheme: String) -> Bool { schemes.contains(scheme) }

    /// The allowed schemes, for messages.
    var words: String { schemes.isEmpty ? "none" : schemes.sorted().joined(separator: ", ") }
}
