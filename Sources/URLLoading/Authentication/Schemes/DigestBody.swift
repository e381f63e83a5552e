import FoundationEssentials

/// A request's body, as far as a digest over it (`qop=auth-int`) is concerned.
enum DigestBody: Sendable {
    /// There is none.
    case none
    /// In memory.
    case data(Data)
    /// Hashed by whoever has it, in lower-case hex, by the challenge's function.
    case hashed(String)
    /// It comes as it comes.
    case unknown

    /// In lower-case hex; `nil` where it cannot be had.
    func hash(by function: DigestFunction) -> String? {
        switch self {
        case .none: MessageDigest.hex([], by: function)
        case .data(let data): MessageDigest.hex(data, by: function)
        case .hashed(let hash): hash
        case .unknown: nil
        }
    }
}
