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
    var optionalClient = 0
    var fewRequests = 0

    private static var all: [WritableKeyPath<NginxPorts, Int>] {
        [
            \.http, \.tls, \.http2, \.tls12, \.expired, \.selfSigned, \.wrongHost, \.revoked,
            \.client, \.optionalClient, \.fewRequests,
        ]
    }

    /// The number of ports.
    static var count: Int { all.count }

    /// Assigns the ports to the servers in order.
    init(_ ports: [Int]) {
        for (field, port) in zip(Self.all, ports) {
            self[keyPath: field] = port
        }
    }
}
