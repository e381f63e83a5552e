import Testing

@testable import FetchCommand

/// The bytes of a command line that are secret.
@Suite struct ArgumentSecretTests {
    /// The arguments with stars in place of secrets.
    private static func hidden(_ arguments: [String]) throws -> [String] {
        var hidden = arguments.map { Array($0.utf8) }
        for secret in try FlagParser.read(arguments).secrets {
            guard let range = secret.range else { continue }
            for index in range { hidden[secret.argument][index] = UInt8(ascii: "*") }
        }
        return hidden.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        (["-u", "me:pä"], ["-u", "me:***"]),
        (["-ume:pw"], ["-ume:**"]),
        (["-qume:pw"], ["-qume:**"]),
        (["--user=me:pw"], ["--user=me:**"]),
        (["--user", "me"], ["--user", "me"]),
        (["--password", "pw", "--bearer=tok"], ["--password", "**", "--bearer=***"]),
        (
            ["--password", "@file", "--bearer", "env:TOKEN"],
            ["--password", "@file", "--bearer", "env:TOKEN"]
        ),
        (["-x", "http://me:pw@proxy:1"], ["-x", "http://*****@proxy:1"]),
        (["-H", "Authorization: Bearer x"], ["-H", "Authorization:*********"]),
        (["-H", "cookie:a=b", "-H", "Accept: x"], ["-H", "cookie:***", "-H", "Accept: x"]),
        (["http://me:pw@h/@x", "h/@x", "me:pw@h"], ["http://*****@h/@x", "h/@x", "*****@h"]),
        (["--", "http://me@h/"], ["--", "http://**@h/"]),
    ])
    func secretsAreFound(_ arguments: [String], _ expected: [String]) throws {
        #expect(try Self.hidden(arguments) == expected)
    }

    @Test func aUserAloneIsHiddenWithoutAWarning() throws {
        let secrets = try FlagParser.read(["http://me@h/", "http://me:pw@h/"]).secrets
        #expect(secrets.map(\.isPlain) == [false, true])
    }
}
