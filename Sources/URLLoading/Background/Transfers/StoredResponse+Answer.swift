import FoundationEssentials

extension StoredResponse {
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
