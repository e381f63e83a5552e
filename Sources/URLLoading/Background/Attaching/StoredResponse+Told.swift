import FoundationEssentials

extension StoredResponse {
    /// The answer as a program sees it; `nil` where what was written down is none.
    var urlResponse: HTTPURLResponse? {
        guard let url = URL(string: url) else { return nil }
        var header = HTTPHeaderFields()
        for field in fields where field.count == 2 { header.add(field[1], to: field[0]) }
        return HTTPURLResponse(
            url: url,
            statusCode: status,
            httpVersion: httpVersion,
            headerFields: header
        )
    }
}
