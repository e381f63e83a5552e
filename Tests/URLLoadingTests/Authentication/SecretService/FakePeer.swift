import Glibc

@testable import URLLoading

/// The other end of a connection to a fake bus.
struct FakePeer {
    let connection: CInt

    /// Writes all bytes; a closed peer is no error.
    func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes {
            Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
    }

    /// Reads `count` bytes; `nil` where the connection ends before.
    func read(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var byte: UInt8 = 0
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// Reads to the end of the connection.
    func readToEnd() {
        while read(1) != nil {}
    }

    /// Accepts a client, as a bus does.
    func authenticate() {
        _ = line()
        send(Array("DATA\r\n".utf8))
        _ = line()
        send(Array("OK 0123456789abcdef0123456789abcdef\r\n".utf8))
        while let line = line(), line != Array("BEGIN\r\n".utf8) {
            send(Array("ERROR\r\n".utf8))
        }
    }

    private func line() -> [UInt8]? {
        var line: [UInt8] = []
        while line.last != 0x0A {
            guard let byte = read(1) else { return nil }
            line += byte
        }
        return line
    }
}
