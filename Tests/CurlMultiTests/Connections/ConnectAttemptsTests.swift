import Glibc
import Testing

@testable import CurlMulti

@Suite("Whether there was a way to where a transfer was to go")
struct ConnectAttemptsTests {
    /// An address to which there always is one.
    private static let here = address(AF_INET, [127, 0, 0, 1])
    private static let elsewhere = address(AF_INET, [192, 0, 2, 1])

    private static func address(_ family: CInt, _ host: [UInt8]) -> SocketAddress {
        var bytes = withUnsafeBytes(of: sa_family_t(family)) { Array($0) } + [0, 80]
        if family == AF_INET6 { bytes += [0, 0, 0, 0] }
        bytes += host + [UInt8](repeating: 0, count: 8)
        return bytes.withUnsafeBytes { SocketAddress($0) }
    }

    private static func attempts(_ made: (SocketAddress, isSkipped: Bool)...) -> ConnectAttempts {
        var attempts = ConnectAttempts()
        for (address, isSkipped) in made { attempts.note(address, isSkipped: isSkipped) }
        return attempts
    }

    @Test("without a try nothing is known")
    func none() {
        #expect(!Self.attempts().lackPath(Int(ENETUNREACH)))
    }

    @Test("a host that refuses is there")
    func refused() {
        let attempts = Self.attempts((Self.here, false))
        #expect(!attempts.lackPath(Int(ECONNREFUSED)))
        #expect(!attempts.lackPath(Int(ETIMEDOUT)))
        #expect(!attempts.lackPath(0))
    }

    @Test("a single address says by its error that no host is there")
    func single() {
        let attempts = Self.attempts((Self.here, false))
        for error in [ENETUNREACH, ENETDOWN, EHOSTUNREACH] {
            #expect(attempts.lackPath(Int(error)))
        }
    }

    @Test("where one address refused, the error of one without a route is not the whole truth")
    func oneRefused() {
        let attempts = Self.attempts((Self.here, false), (Self.elsewhere, true))
        #expect(!attempts.lackPath(Int(ENETUNREACH)))
        #expect(!attempts.lackPath(Int(ECONNREFUSED)))
    }

    @Test("where there was a way to none, there is none, whatever the error says")
    func allSkipped() {
        let attempts = Self.attempts((Self.here, true), (Self.elsewhere, true))
        #expect(attempts.lackPath(0))
    }

    @Test("addresses that mean something on their own link only are known as such")
    func linkLocal() {
        #expect(Self.address(AF_INET, [169, 254, 1, 2]).isLinkLocal)
        #expect(!Self.here.isLinkLocal)
        let zeros = [UInt8](repeating: 0, count: 14)
        #expect(Self.address(AF_INET6, [0xFE, 0x80] + zeros).isLinkLocal)
        #expect(Self.address(AF_INET6, [0xFE, 0xBF] + zeros).isLinkLocal)
        #expect(!Self.address(AF_INET6, [0xFE, 0xC0] + zeros).isLinkLocal)
        #expect(!Self.address(AF_INET6, [0xFD, 0x00] + zeros).isLinkLocal)
    }

    @Test("there is always a way to the loopback, and a Unix socket needs none")
    func paths() {
        #expect(NetworkPath.error(to: Self.here) == 0)
        #expect(NetworkPath.exists(to: Self.here))
        #expect(NetworkPath.error(to: Self.address(AF_UNIX, [])) == 0)
    }
}
