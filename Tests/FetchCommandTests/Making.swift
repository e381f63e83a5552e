import URLLoading

@testable import FetchCommand

/// Parses a valid command line.
func options(_ arguments: String...) throws -> Options {
    try FlagParser.parse(arguments)
}

/// Plans a valid command line with a fixed boundary.
func plan(_ arguments: String...) throws -> Plan {
    try plan(arguments)
}

/// Plans a valid command line with a fixed boundary.
func plan(_ arguments: [String]) throws -> Plan {
    try Plan(try FlagParser.parse(arguments), boundary: "XX")
}

/// The usage error of a command line, or nil.
func usageError(_ arguments: [String]) -> UsageError? {
    do {
        _ = try Plan(try FlagParser.parse(arguments))
        return nil
    } catch {
        return error
    }
}

/// The file error that prevents a plan of the command line, or nil.
func fileFailure(_ arguments: [String]) -> UsageError? {
    let error = usageError(arguments)
    return error?.exitStatus == .fileIO ? error : nil
}

/// All values of a session's plan, the proxy's secrets included, for comparison.
func described(_ session: SessionPlan) -> [String?] {
    let credential = session.transport.proxyCredential
    let secrets = [credential?.user, credential?.password, session.transport.clientKeyPassword]
    return [String(reflecting: session)] + secrets
}

extension TaskPlan: Equatable {
    /// Whether two plans send the same request, and do the same with the response.
    static func == (one: TaskPlan, other: TaskPlan) -> Bool {
        one.kind == other.kind && one.address == other.address && one.request == other.request
            && one.removedHeaders == other.removedHeaders && one.body == other.body
            && one.identity == other.identity && one.expected == other.expected
    }
}
