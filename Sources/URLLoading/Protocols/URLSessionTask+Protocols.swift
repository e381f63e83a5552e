import FoundationEssentials

// Hops without the network: `URLProtocol` classes of the program, and local URLs.
extension URLSessionTask {
    /// Asks the program's protocols whether one of them loads a hop; `false` where there are none.
    ///
    /// The question runs on a queue, because it calls the program's code. Until then no hop exists to
    /// suspend or cancel; the life cycle notes the program's calls.
    func askProtocols(
        _ request: URLRequest,
        _ body: TaskBody,
        _ id: HopID,
        _ timeLimit: Duration?,
        _ locked: inout Locked
    ) -> Bool {
        let classes = session.protocolClasses
        guard !classes.isEmpty else { return false }
        locked.hop = nil
        let queue = SerialQueue("URLProtocol")
        queue.async { [self] in
            let chosen = classes.first { $0.canInit(with: self) }
            let source = Result { () throws(URLError) in
                try chosen.map { chosen throws(URLError) in
                    let whole = try body.added(to: request)
                    return ProtocolSource(chosen, whole, for: self, on: queue)
                }
            }
            report { task, locked in
                task.begin(source, request, body, id, timeLimit, &locked)
            }
        }
        return true
    }

    /// Begins a hop after the task has asked the protocols.
    private func begin(
        _ source: Result<ProtocolSource?, URLError>,
        _ request: URLRequest,
        _ body: TaskBody,
        _ id: HopID,
        _ timeLimit: Duration?,
        _ locked: inout Locked
    ) {
        do throws(URLError) {
            let source = try source.get()
            guard case .requesting(id) = locked.lifecycle.state else {
                source?.stop()
                throw URLError(.cancelled)
            }
            if let source {
                noteHop(request, &locked)
                locked.hop = localHop(
                    source,
                    request,
                    id,
                    timeLimit,
                    readsInPlace: readsBodyInPlace(locked)
                )
            } else {
                start(request, body, id, timeLimit, &locked, asksProtocols: false, isRead: true)
            }
            if locked.lifecycle.isSuspended { locked.hop?.suspend() }
        } catch {
            act(locked.lifecycle.ended(id, HopEnd(error: error)), &locked)
        }
    }

    /// The hop for a local URL, which accepts no body; `nil` if the task needs the network.
    func builtInHop(
        _ request: URLRequest,
        _ body: TaskBody,
        _ id: HopID,
        _ timeLimit: Duration?,
        readsInPlace: Bool
    ) throws(URLError) -> LocalHop? {
        guard let url = request.url, let kind = LocalAddress(url) else { return nil }
        let method = request.httpMethod ?? "GET"
        guard ["GET", "HEAD"].contains(method), !body.isSome else {
            throw URLError(
                .unsupportedURL,
                detail: "a \(kind.rawValue) URL accepts no data",
                failingURL: url
            )
        }
        let source: any ResponseSource =
            switch kind {
            case .data: DataSource(url, method: method)
            case .file: FileSource(url, method: method)
            }
        return localHop(source, request, id, timeLimit, readsInPlace: readsInPlace)
    }

    private func localHop(
        _ source: any ResponseSource,
        _ request: URLRequest,
        _ id: HopID,
        _ timeLimit: Duration?,
        readsInPlace: Bool
    ) -> LocalHop {
        LocalHop(
            source,
            ResponseContext(
                method: request.httpMethod ?? "GET",
                limit: session.settings.transport.maximumBodyBytes,
                readsInPlace: readsInPlace
            ),
            id: id,
            client: self,
            temporaryFolder: session.settings.temporaryFolder,
            timeLimit: timeLimit
        )
    }
}

extension TaskBody {
    /// A request with the task's body.
    fileprivate func added(to request: URLRequest) throws(URLError) -> URLRequest {
        var whole = request
        switch self {
        case .none: break
        case .data(let data): whole.httpBody = data
        case .file, .stream: whole.httpBodyStream = try open()
        }
        return whole
    }
}
