import Foundation

/// The smallest HTTP client: sends a text to a loopback port and returns the received text.
enum RawClient {
    /// The result of an exchange.
    struct Response {
        /// All received bytes, each as one character.
        var text = ""
        /// `errno` of the read that failed, or 0 after a proper end.
        var error: Int32 = 0
    }

    /// Sends a request and reads until the server closes or breaks the connection.
    static func exchange(port: Int, ipv6: Bool = false, _ request: String) throws -> Response {
        let number = socket(ipv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(number) }
        let connected = ipv6 ? connectIPv6(number, port) : connectIPv4(number, port)
        guard connected == 0 else { return Response(error: errno) }
        let bytes = Array(request.utf8)
        _ = bytes.withUnsafeBytes {
            send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        var response = Response()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(number, &buffer, buffer.count, 0)
            if count < 0 { response.error = errno }
            if count <= 0 { return response }
            response.text.unicodeScalars.append(
                contentsOf: buffer[..<count].map { Unicode.Scalar($0) }
            )
        }
    }

    /// Fetches a path and closes.
    static func get(port: Int, _ path: String, _ fields: String = "") throws -> String {
        let request =
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)Connection: close\r\n\r\n"
        return try exchange(port: port, request).text
    }

    private static func connectIPv4(_ number: Int32, _ port: Int) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        address.sin_port = UInt16(port).bigEndian
        return withUnsafeBytes(of: &address) { connect(number, $0) }
    }

    private static func connectIPv6(_ number: Int32, _ port: Int) -> Int32 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        address.sin6_port = UInt16(port).bigEndian
        return withUnsafeBytes(of: &address) { connect(number, $0) }
    }

    private static func connect(_ number: Int32, _ address: UnsafeRawBufferPointer) -> Int32 {
        guard let pointer = address.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
            return -1
        }
        return Glibc.connect(number, pointer, socklen_t(address.count))
    }
}
