import Dispatch
package import FoundationEssentials

extension URLSession {
    /// Whether a URL is reached over TLS though it says otherwise: its host has promised that.
    package func reachesOverTLS(_ url: URL) -> Bool {
        hsts?.upgraded(url) != nil
    }
}

// TLS where a host has promised it: before any hop, whoever asks for it.
extension URLSessionTask {
    /// A request as it is to be sent: over TLS where its host is known to want that.
    func secured(_ request: URLRequest, _ locked: inout Locked) -> URLRequest {
        guard let url = request.url, let secure = session.hsts?.upgraded(url) else {
            return request
        }
        var request = request
        request.url = secure
        locked.lifecycle.currentRequest.url = secure
        tellUpgrade(to: secure, locked)
        return request
    }

    /// Refuses a redirect out of TLS where the server's key is pinned: without TLS no key is shown.
    ///
    /// - Parameters:
    ///   - request: the request, over TLS where its host is known to want that.
    ///   - locked: of the task.
    /// - Throws: `appTransportSecurityRequiresSecureConnection`.
    func checkPin(_ request: URLRequest, _ locked: Locked) throws(URLError) {
        guard locked.lifecycle.hasLeftTLS, let url = request.url,
            session.settings.transport.trust.pinnedPublicKey != nil,
            Origin(url)?.scheme != "https"
        else { return }
        throw URLError(
            .appTransportSecurityRequiresSecureConnection,
            detail: "the redirect leads out of TLS, where no key can be pinned:"
                + " \(url.absoluteString)",
            failingURL: url
        )
    }

    /// Takes what an answer says of its host.
    func keepPromise(_ head: HopHead, _ request: URLRequest, _ locked: Locked) {
        guard let hsts = session.hsts, let text = head.fields.first("Strict-Transport-Security"),
            let origin = request.url.flatMap(Origin.init), origin.scheme == "https",
            session.settings.transport.trust.verifiesServer, !session.overlooks(origin),
            let field = HSTSField(text)
        else { return }
        hsts.take(field, from: origin.host)
    }

    private func tellUpgrade(to url: URL, _ locked: Locked) {
        guard let delegate = audience(locked) else { return }
        session.queue.async { [self] in
            delegate.urlSession(session, task: self, didUpgradeTo: url)
        }
    }
}
