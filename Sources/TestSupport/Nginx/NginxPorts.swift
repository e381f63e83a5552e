import Foundation

/// The loopback ports of the shared nginx, one for each of its servers.
struct NginxPorts {
    var http = 0
    var tls = 0
    var http2 = 0
    var tls12 = 0
    var expired = 0
    var selfSigned = 0
    var wrongHost = 0
    var revoked = 0
    var client = 0

    /// Ports that were free a moment ago; another program may take one before nginx does.
    static func free() throws -> NginxPorts {
        var ports = NginxPorts()
        let fields: [WritableKeyPath<NginxPorts, Int>] = [
            \.http, \.tls, \.http2, \.tls12, \.expired, \.selfSigned, \.wrongHost, \.revoked,
            \.client,
        ]
        // All are held until the last is chosen, so that no two are the same.
        var held: [SocketListener] = []
        for field in fields {
            let listener = try SocketListener()
            ports[keyPath: field] = listener.port
            held.append(listener)
        }
        for listener in held { listener.close() }
        return ports
    }
}
