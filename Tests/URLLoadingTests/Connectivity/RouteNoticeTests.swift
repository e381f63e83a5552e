import Testing

@testable import URLLoading

@Suite("Notices of rtnetlink")
struct RouteNoticeTests {
    /// A message of a type with a payload; `size` is the length in its header.
    static func message(_ type: UInt16, _ payload: [UInt8] = [], size: Int? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        withUnsafeBytes(of: UInt32(size ?? 16 + payload.count)) { bytes += $0 }
        withUnsafeBytes(of: type) { bytes += $0 }
        bytes += [UInt8](repeating: 0, count: 10) + payload
        while bytes.count % 4 != 0 { bytes.append(0) }
        return bytes
    }

    /// RTM_NEWLINK with a link's flags.
    static func link(flags: UInt32) -> [UInt8] {
        message(16, [UInt8](repeating: 0, count: 8) + withUnsafeBytes(of: flags) { Array($0) })
    }

    private func mayHelp(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { RouteNotice.mayHelp($0) }
    }

    @Test("T-15 a running link, a new address or a new route may help")
    func helps() {
        #expect(mayHelp(Self.link(flags: 0x1043)))
        for type: UInt16 in [20, 24, 25, 4] { #expect(mayHelp(Self.message(type)), "\(type)") }
    }

    @Test("T-15 a link that is down, or a removed address or route, does not help")
    func doesNotHelp() {
        #expect(!mayHelp([]))
        #expect(!mayHelp(Self.link(flags: 0x1003)))
        for type: UInt16 in [1, 2, 3, 17, 21, 28] {
            #expect(!mayHelp(Self.message(type)), "\(type)")
        }
    }

    @Test("several messages are parsed one by one, at multiples of four bytes")
    func several() {
        let gone = Self.message(21, [1, 2, 3])
        #expect(gone.count == 20)
        #expect(!mayHelp(gone + gone))
        #expect(mayHelp(gone + gone + Self.message(24)))
    }

    @Test("a malformed notice may help", arguments: [0, 15, 17, 1 << 20])
    func malformed(size: Int) {
        #expect(mayHelp(Self.message(21, size: size)))
        #expect(mayHelp([1, 2, 3]))
        #expect(mayHelp(Self.message(16, [0])))
    }
}
