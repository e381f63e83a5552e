import FoundationEssentials
import Testing

@testable import URLLoading

/// A state of a task's life, reached by events.
enum TaskStage: String, CaseIterable {
    case ready, delayed, askingDelayed, openingBody, identifying, choosingCertificate
    case offline, requesting, deciding, redirecting, receiving, leaving, failing
    case inTransferProcess, ended

    static let first = HopID(number: 1)

    /// The name of the life's own state.
    var name: String {
        switch self {
        case .redirecting: "deciding"
        case .failing: "leaving"
        default: rawValue
        }
    }

    func life(
        _ body: TaskLifecycle.ResponsePolicy.Body = .askResponse,
        maximumRedirects: Int = 1
    ) throws -> TaskLifecycle {
        var life = TaskLifecycle(
            try request("http://h/a"),
            body: self == .openingBody ? .stream(nil) : .none,
            responsePolicy: TaskLifecycle.ResponsePolicy(
                asksAboutRedirects: self == .redirecting,
                body: body,
                maximumRedirects: maximumRedirects
            ),
            timeLimit: .seconds(60),
            waitsForConnectivity: true
        )
        guard self != .inTransferProcess else {
            life.moveToTransferProcess(isSuspended: false)
            return life
        }
        guard self != .ready else { return life }
        let delay: Duration? =
            switch self {
            case .delayed: .seconds(5)
            case .askingDelayed: .zero
            default: nil
            }
        _ = life.resume(delay: delay)
        try enter(&life)
        return life
    }

    /// A response of the hop's server.
    static func response(
        _ status: Int,
        _ fields: [String: String] = [:]
    ) throws -> HTTPURLResponse {
        try #require(
            HTTPURLResponse(
                url: try url("http://h/a"),
                statusCode: status,
                httpVersion: nil,
                headerFields: fields
            )
        )
    }

    private func enter(_ life: inout TaskLifecycle) throws {
        let end = HopEnd(error: URLError(.cannotConnectToHost))
        switch self {
        case .ready, .delayed, .askingDelayed, .openingBody, .requesting, .inTransferProcess: break
        case .identifying:
            // The hop's request was made for a proxy.
            _ = life.authentication.addProofs(
                try PreparedRequest(
                    life.currentRequest,
                    SessionSettings(kind: .ephemeral).defaultFields
                ),
                try url("http://h/a"),
                hasBody: false,
                body: .none,
                through: ProxyServer("http://proxy:3128")
            )
            end.proxyHead = try Self.response(407, ["Proxy-Authenticate": "Basic realm=\"r\""])
            _ = life.ended(Self.first, end)
        case .choosingCertificate:
            end.wantedIssuers = []
            end.leavesBody = true
            _ = life.ended(Self.first, end)
        case .offline:
            end.absence = .noPath
            end.leavesBody = true
            _ = life.ended(Self.first, end)
        case .deciding: _ = life.received(http: try Self.response(200), of: Self.first)
        case .redirecting, .leaving:
            _ = life.received(http: try Self.response(302, ["Location": "/b"]), of: Self.first)
        case .receiving:
            _ = life.received(http: try Self.response(200), of: Self.first)
            _ = life.resolveResponse(Self.first, .allow)
        case .failing: _ = life.cancel()
        case .ended: _ = life.end(URLError(.badURL))
        }
    }
}

extension TaskLifecycle {
    /// The name of the state.
    var name: String { String("\(state)".prefix { $0 != "(" }) }
}

extension [TaskLifecycle.Action] {
    /// The actions in a word or two each.
    var words: String {
        map { action in
            switch action {
            case .start(let request, _, let id, _): "start \(id.number) \(request.url?.path ?? "")"
            case .complete(let error, _, _): "complete \(error.map { "\($0.code)" } ?? "well")"
            case .suspendHop: "suspend hop"
            case .resumeHop: "resume hop"
            case .cancelHop: "cancel hop"
            case .decide(.discard): "discard"
            case .decide: "decide"
            case .stopAwaitingNetwork: "stop waiting"
            case .awaitNetwork: "wait"
            case .reportWaiting: "tell"
            case .awaitDate: "await date"
            case .askBody: "ask body"
            case .askResponse: "ask response"
            case .askRedirect: "ask redirect"
            case .askDestination: "ask destination"
            case .becomeDownload: "become download"
            default: "other"
            }
        }.joined(separator: ", ")
    }
}
