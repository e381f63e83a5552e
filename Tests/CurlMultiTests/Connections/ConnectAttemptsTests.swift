import Glibc
import Testing

@testable import CurlMulti

@Suite("Connection attempts of a transfer")
struct ConnectAttemptsTests {
    /// A loopback address, to which a route always exists.
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

    @Test("a transfer without an attempt does not claim that a route is missing")
    func none() {
        #expect(!Self.attempts().haveNoPath(Int(ENETUNREACH)))
    }

    @Test("a host that refuses the connection has a route")
    func refused() {
        let attempts = Self.attempts((Self.here, false))
        #expect(!attempts.haveNoPath(Int(ECONNREFUSED)))
        #expect(!attempts.haveNoPath(Int(ETIMEDOUT)))
        #expect(!attempts.haveNoPath(0))
    }

    @Test("the error of a single address shows that the host has no route")
    func single() {
        let attempts = Self.attempts((Self.here, false))
        for error in [ENETUNREACH, ENETDOWN, EHOSTUNREACH] {
            #expect(attempts.haveNoPath(Int(error)))
        }
    }

    @Test("an error without a route does not count where another address refused the connection")
    func oneRefused() {
        let attempts = Self.attempts((Self.here, false), (Self.elsewhere, true))
        #expect(!attempts.haveNoPath(Int(ENETUNREACH)))
        #expect(!attempts.haveNoPath(Int(ECONNREFUSED)))
    }

    @Test("a transfer lacks a route when all its addresses were skipped, whatever the error")
    func allSkipped() {
        let attempts = Self.attempts((Self.here, true), (Self.elsewhere, true))
        #expect(attempts.haveNoPath(0))
    }

    @Test("link-local addresses of IPv4 and IPv6 are recognised")
    func linkLocal() {
        #expect(Self.address(AF_INET, [169, 254, 1, 2]).isLinkLocal)
        #expect(!Self.here.isLinkLocal)
        let zeros = [UInt8](repeating: 0, count: 14)
        #expect(Self.address(AF_INET6, [0xFE, 0x80] + zeros).isLinkLocal)
        #expect(Self.address(AF_INET6, [0xFE, 0xBF] + zeros).isLinkLocal)
        #expect(!Self.address(AF_INET6, [0xFE, 0xC0] + zeros).isLinkLocal)
        #expect(!Self.address(AF_INET6, [0xFD, 0x00] + zeros).isLinkLocal)
    }

    @Test("the loopback always has a route, and a Unix socket needs none")
    func paths() {
        #expect(NetworkPath.error(to: Self.here) == 0)
        #expect(NetworkPath.exists(to: Self.here))
        #expect(NetworkPath.error(to: Self.address(AF_UNIX, [])) == 0)
    }
}
