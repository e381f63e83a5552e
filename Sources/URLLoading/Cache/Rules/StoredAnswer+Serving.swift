import FoundationEssentials

extension StoredAnswer {
    /// The answer as it is served.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - length: of the body, bytes.
    ///   - isValidated: whether the server has just confirmed it; else it has its `Age`, and the
    ///     fields that `no-cache` names are left out
    ///     ([RFC 9111 §5.2.2.4](https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2.4)).
    /// - Returns: the head.
    func head(now: Double, length: Int64, isValidated: Bool) -> HopHead {
        var served = fields
        let age = isValidated ? nil : Int(clamping: Freshness(self, now: now).age)
        if let age {
            let control = CacheControl(fields["Cache-Control"])
            if control.has("no-cache"), let names = control.fieldNames("no-cache") {
                served = StoredFields.without(names, served)
            }
            served["Age"] = String(age)
        }
        if served["Content-Length"] == nil, status != 204 {
            served["Content-Length"] = String(length)
        }
        return HopHead(
            status: status,
            httpVersion: httpVersion,
            reason: reason,
            fields: served,
            storedAge: age
        )
    }

    /// The answer after the server has said that it still holds
    /// ([RFC 9111 §4.3.4](https://www.rfc-editor.org/rfc/rfc9111#section-4.3.4)).
    func confirmed(by head: HopHead, requestTime: Double, responseTime: Double) -> StoredAnswer {
        var confirmed = self
        // What an answer on the way has aged is not what this one has.
        confirmed.fields["Age"] = nil
        confirmed.fields = StoredFields.updated(confirmed.fields, by: head.fields)
        confirmed.requestTime = requestTime
        confirmed.responseTime = responseTime
        return confirmed
    }
}

extension CacheReader {
    /// What a request that takes only what is cached is told where nothing is
    /// ([RFC 9111 §5.2.1.7](https://www.rfc-editor.org/rfc/rfc9111#section-5.2.1.7)).
    static var gatewayTimeout: CacheReader {
        var fields = HTTPHeaderFields()
        fields["Content-Length"] = "0"
        let head = HopHead(
            status: 504,
            httpVersion: "HTTP/1.1",
            reason: HTTPStatus.phrase(504),
            fields: fields
        )
        return CacheReader(head: head, body: MemoryBody(Data()), isHead: false)
    }
}
