import TestSupport

/// The result of the system's curl, an independent client that proves how a server behaves.
struct CurlResponse: CustomStringConvertible {
    /// curl's exit status.
    let exit: Int32?
    /// The status of each response, those of a proxy too, in order.
    let statuses: [Int]
    /// All heads of the responses, one after the other.
    let heads: String
    /// The last response's body.
    let body: String
    /// curl's messages.
    let stderr: String

    /// Runs curl in a folder of its own and with a clean environment.
    ///
    /// - Parameters:
    ///   - arguments: curl's arguments, the URL among them.
    ///   - user: Passed as `--user` where given.
    ///   - environment: Variables to add.
    ///   - input: Its standard input.
    /// - Returns: The responses, whatever curl's exit status.
    /// - Throws: `TestSupportError.timedOut` when curl exceeds the time limit.
    static func get(
        _ arguments: String...,
        user: TestUser? = nil,
        environment: [String: String] = [:],
        input: ProcessInput = .null
    ) async throws -> CurlResponse {
        try await get(arguments, user: user, environment: environment, input: input)
    }

    /// Runs curl with arguments in an array.
    static func get(
        _ arguments: [String],
        user: TestUser? = nil,
        environment: [String: String] = [:],
        input: ProcessInput = .null
    ) async throws -> CurlResponse {
        let result = try await FetchProcess(
            shell: #"exec curl -sS -m 20 -D heads -o body "$@""#,
            (user.map { ["--user", $0.pair] } ?? []) + arguments,
            environment: environment,
            input: input
        ).run()
        let heads = result.folder.readText("heads") ?? ""
        return CurlResponse(
            exit: result.status,
            statuses: heads.split(separator: "\r\n").compactMap { line in
                line.hasPrefix("HTTP/") ? Int(line.split(separator: " ")[1]) : nil
            },
            heads: heads,
            body: result.folder.readText("body") ?? "",
            stderr: result.stderr
        )
    }

    var description: String {
        "curl exit \(exit ?? -1) \(stderr)\n\(heads)\n\(body)"
    }
}
