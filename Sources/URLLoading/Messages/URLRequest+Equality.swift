import FoundationEssentials

extension URLRequest: Hashable {
    /// Whether both are the same request.
    ///
    /// The order of fields with different names, the case of names, and properties set with ``URLProtocol``
    /// do not count. Two body streams are equal only if they are identical.
    public static func == (one: URLRequest, other: URLRequest) -> Bool {
        one.url == other.url && one.httpMethod == other.httpMethod
            && one.httpRequestTarget == other.httpRequestTarget
            && one.httpBody == other.httpBody && one.httpBodyStream === other.httpBodyStream
            && one.cachePolicy == other.cachePolicy
            && one.timeoutInterval == other.timeoutInterval
            && one.httpShouldHandleCookies == other.httpShouldHandleCookies
            && one.mainDocumentURL == other.mainDocumentURL
            && one.headerFields.valuesByName == other.headerFields.valuesByName
    }

    /// Hashes the URL, the method and the body.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(httpMethod)
        hasher.combine(httpBody)
    }
}

extension URLRequest: CustomStringConvertible {
    /// The URL, without its password.
    public var description: String {
        url.map { UserInfo.redacted(in: $0.absoluteString) } ?? "url: nil"
    }
}

extension HTTPHeaderFields {
    /// The values by lower-case names, in order for each name.
    var valuesByName: [String: [ExactText]] {
        Dictionary(grouping: fields) { $0.name.asciiLowercased }.mapValues {
            $0.map { ExactText($0.value) }
        }
    }
}
