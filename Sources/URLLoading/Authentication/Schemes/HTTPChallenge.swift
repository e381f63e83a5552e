/// One challenge of a `WWW-Authenticate` or `Proxy-Authenticate` field
/// ([RFC 9110 §11.3](https://www.rfc-editor.org/rfc/rfc9110#section-11.3)).
struct HTTPChallenge: Sendable, Hashable {
    /// A parameter: its name in lower case, its value without quotes and escapes.
    struct Parameter: Sendable, Hashable {
        let name: String
        let value: String
    }

    /// More parameters than any scheme knows; what comes after them is left out.
    private static let limit = 100

    /// The scheme in lower case.
    let scheme: String
    /// What stands in the place of parameters; `nil` where there are some, or nothing at all.
    var token68: String?
    /// The parameters, each name once.
    private(set) var parameters: [Parameter] = []

    init(scheme: String, token68: String? = nil) {
        self.scheme = scheme.asciiLowercased
        self.token68 = token68
    }

    /// The value of a parameter, its name in lower case.
    subscript(name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// Adds a parameter; a name that is there already counts as it was first.
    mutating func add(_ name: String, _ value: String) {
        let name = name.asciiLowercased
        guard parameters.count < Self.limit, self[name] == nil else { return }
        parameters.append(Parameter(name: name, value: value))
    }
}

extension HTTPChallenge {
    /// All challenges of some fields, in their order.
    static func challenges(in values: [String]) -> [HTTPChallenge] {
        values.flatMap { value in
            var parser = HTTPChallengeParser(value)
            return parser.challenges()
        }
    }

    /// The parameters of a field that has no scheme, as `Authentication-Info`.
    static func parameters(in value: String) -> HTTPChallenge {
        var parser = HTTPChallengeParser(value)
        return parser.parameters()
    }
}
