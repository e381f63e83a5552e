/// Why a `connectionProxyDictionary` cannot be obeyed; no value stands in it.
enum ProxyDictionaryFlaw: Error, Equatable, CustomStringConvertible {
    case unknownKey(String)
    /// The value is of another kind than the key wants, or out of range.
    case value(key: String)
    /// The key is needed by another one.
    case missing(key: String)
    /// No script is run to find a proxy.
    case automatic(key: String)

    /// In words.
    var description: String {
        switch self {
        case .unknownKey(let key): "the key \(key) is not known"
        case .value(let key): "the value of \(key) cannot be used"
        case .missing(let key): "\(key) is missing"
        case .automatic(let key): "\(key): proxies are not configured automatically"
        }
    }
}
