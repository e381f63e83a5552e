import FoundationEssentials
import Synchronization

@testable import URLLoading

/// A transport that a test scripts, and that records its commands.
final class ScriptedTransport: Transport {
    /// The commands, in order.
    enum Command: Equatable, Sendable {
        case start(HopID, String, String)
        case decide(HopID)
        case suspend(HopID)
        case resume(HopID)
        case cancel(HopID)
        case finish
    }

    /// A task, which its session keeps for as long as it runs.
    private struct Client {
        weak var client: (any HopClient)?
    }

    private struct State {
        var commands: [Command] = []
        var clients: [HopID: Client] = [:]
    }

    private let state = Mutex(State())

    var commands: [Command] { state.withLock { $0.commands } }

    func client(_ number: Int) -> (any HopClient)? {
        state.withLock { $0.clients[HopID(number: number)]?.client }
    }

    func start(
        _ request: HopRequest,
        id: HopID,
        client: any HopClient
    ) throws(URLError) -> any RunningHop {
        state.withLock { state in
            state.commands.append(.start(id, request.request.method, request.request.url))
            state.clients[id] = Client(client: client)
        }
        return Hop(transport: self, id: id)
    }

    func finish() {
        note(.finish)
    }

    private func note(_ command: Command) {
        state.withLock { $0.commands.append(command) }
    }

    private struct Hop: RunningHop {
        let transport: ScriptedTransport
        let id: HopID

        func decide(_ disposition: BodyDisposition) { transport.note(.decide(id)) }
        func decide(_ disposition: TrustDecision, about trust: ServerTrust) {
            transport.note(.decide(id))
        }
        func consumed(_ bytes: Int) {}
        func suspend() { transport.note(.suspend(id)) }
        func resume() { transport.note(.resume(id)) }
        func cancel() { transport.note(.cancel(id)) }
        func setPriority(_ priority: Float) {}
    }
}
