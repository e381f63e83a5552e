import FoundationEssentials

extension URLRequest: Hashable {
    /// Whether both ask for the same in the same way.
    ///
    /// The order of fields of different names and the case of names do not count, nor do properties set with
    /// ``URLProtocol``. Body streams are the same where they are one.
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

    /// Hashes what is asked for.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(httpMethod)
        hasher.combine(httpBody)
    }
}

extension URLRequest: CustomStringConvertible {
    /// The URL, without a password that is in it.
    public var description: String {
        url.map { UserInfo.redacted(in: $0.absoluteString) } ?? "url: nil"
    }
}

extension HTTPHeaderFields {
    /// The values by their names in lower case, each name's in their order.
    var valuesByName: [String: [ExactText]] {
        Dictionary(grouping: fields) { $0.name.asciiLowercased }.mapValues {
            $0.map { ExactText($0.value) }
        }
    }
}
