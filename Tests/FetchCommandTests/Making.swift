import URLLoading

@testable import FetchCommand

/// Reads a command line that is in order.
func options(_ arguments: String...) throws -> Options {
    try FlagParser.parse(arguments)
}

/// Plans a command line that is in order, with a boundary that is known.
func plan(_ arguments: String...) throws -> Plan {
    try plan(arguments)
}

/// Plans a command line that is in order, with a boundary that is known.
func plan(_ arguments: [String]) throws -> Plan {
    try Plan(try FlagParser.parse(arguments), boundary: "XX")
}

/// The error that the command line ends in, or nil.
func usageError(_ arguments: [String]) -> UsageError? {
    do {
        _ = try Plan(try FlagParser.parse(arguments))
        return nil
    } catch PlanError.usage(let error) {
        return error
    } catch {
        return error as? UsageError
    }
}

/// The file that keeps the command line from being planned, or nil.
func fileFailure(_ arguments: [String]) throws -> FileFailure? {
    let options = try FlagParser.parse(arguments)
    do {
        _ = try Plan(options)
        return nil
    } catch PlanError.file(let failure) {
        return failure
    }
}

/// All that a session's plan says, secrets of the proxy included, to be compared.
func described(_ session: SessionPlan) -> [String?] {
    let credential = session.transport.proxyCredential
    let secrets = [credential?.user, credential?.password, session.transport.clientKeyPassword]
    return [String(reflecting: session)] + secrets
}
