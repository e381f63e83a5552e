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
    } catch PlanError.usage(let error) {
        return error
    } catch {
        return error as? UsageError
    }
}

/// The file error that prevents a plan of the command line, or nil.
func fileFailure(_ arguments: [String]) throws -> FileFailure? {
    let options = try FlagParser.parse(arguments)
    do {
        _ = try Plan(options)
        return nil
    } catch PlanError.file(let failure) {
        return failure
    }
}

/// All values of a session's plan, the proxy's secrets included, for comparison.
func described(_ session: SessionPlan) -> [String?] {
    let credential = session.transport.proxyCredential
    let secrets = [credential?.user, credential?.password, session.transport.clientKeyPassword]
    return [String(reflecting: session)] + secrets
}
