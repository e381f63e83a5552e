import FoundationEssentials

extension StoredResponse {
    /// When what was sent was last changed, seconds since 1970, as the server says.
    var lastModified: Int64? {
        let field = fields.last {
            $0.count == 2 && HTTPHeaderFields.areSame($0[0], "Last-Modified")
        }
        return field.flatMap { HTTPDate.seconds($0[1]) }.map(Int64.init)
    }

    /// Writes the head of an answer down.
    init(_ response: HTTPURLResponse) {
        self.init(
            url: response.url?.absoluteString ?? "",
            status: response.statusCode,
            httpVersion: response.httpVersion,
            fields: response.headerFields.fields.map { [$0.name, $0.value] }
        )
    }
}
