import FoundationEssentials
import TestSupport
import Testing

@testable import URLLoading

@Suite("Connection sharing, service types and networks", .timeLimit(.minutes(1)))
struct NetworkPropertiesTests {
    @Test("S-05 each HTTP/2 request has its own connection without httpShouldUsePipelining")
    func pipelining() async throws {
        let nginx = try Nginx.shared
        let file = try nginx.addLargeFile("s05-alone.bin", size: 100_000)
        for (isShared, query) in [(true, "?shared"), (false, "?alone")] {
            let session = try URLSession.testing {
                $0.httpShouldUsePipelining = isShared
                $0.transport.maximumBytesPerSecond = 400_000
            }
            defer { session.finishTasksAndInvalidate() }
            #expect(session.configuration.httpShouldUsePipelining == isShared)
            let address = try url(nginx.http2URL(file + query))
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await session.data(from: address).0.count }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(counts == Array(repeating: 100_000, count: 4))
            let entries = await nginx.accessLog(file + query, waitingFor: 4)
            #expect(Set(entries.map(\.connection)).count == (isShared ? 1 : 4))
        }
    }

    @Test(
        "S-05 the service type sets the packets' class",
        arguments: [
            (URLRequest.NetworkServiceType.default, 0 as UInt8), (.background, 0x04),
            (.responsiveData, 0x48), (.voice, 0xB8), (.callSignaling, 0xA0),
        ]
    )
    func serviceType(type: URLRequest.NetworkServiceType, expected: UInt8) async throws {
        let server = try SocketServer { connection in
            _ = try connection.readHead()
            try connection.respond(body: "\(connection.trafficClass().map(Int.init) ?? -1)")
        }
        let session = try URLSession.testing { $0.networkServiceType = type }
        defer { session.finishTasksAndInvalidate() }
        let (data, _) = try await session.data(from: try url(server.url()))
        #expect(String(decoding: data, as: UTF8.self) == "\(expected)")
    }

    @Test("S-05 background sessions keep the service type and the sharing of connections")
    func stored() throws {
        let configuration = URLSessionConfiguration.default
        configuration.networkServiceType = .background
        configuration.httpShouldUsePipelining = false
        let settings = try #require(SessionSettings(stored: configuration.settings.stored))
        #expect(settings.networkServiceType == .background)
        #expect(!settings.multiplexes)
        let usual = try #require(
            SessionSettings(stored: URLSessionConfiguration.default.settings.stored)
        )
        #expect(usual.networkServiceType == .default)
        #expect(usual.multiplexes)
    }

    @Test("S-05 the session stores settings that Linux cannot check, and restricts nothing")
    func access() async throws {
        let configuration = try URLSessionConfiguration.testing()
        #expect(configuration.allowsCellularAccess)
        #expect(configuration.allowsExpensiveNetworkAccess)
        #expect(configuration.allowsConstrainedNetworkAccess)
        configuration.allowsCellularAccess = false
        configuration.allowsExpensiveNetworkAccess = false
        configuration.allowsConstrainedNetworkAccess = false
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        #expect(!session.configuration.allowsCellularAccess)
        let address = try url(try Nginx.shared.url("/files/hello.txt"))
        let (_, response) = try await session.data(from: address)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test("S-05 the session passes no completion command on without launch events")
    func launchEvents() throws {
        let identifier = try BackgroundIdentifier("launch")
        let configuration = URLSessionConfiguration.background(withIdentifier: "launch")
        #expect(configuration.sessionSendsLaunchEvents)
        configuration.background.completionCommand = "touch x"
        #expect(BackgroundSettings(identifier, configuration.settings).command == "touch x")
        configuration.sessionSendsLaunchEvents = false
        #expect(BackgroundSettings(identifier, configuration.settings).command == nil)
    }

    @Test("S-09 protocolClasses begins as an empty list to insert into")
    func protocolClasses() {
        let configuration = URLSessionConfiguration.ephemeral
        #expect(configuration.protocolClasses?.isEmpty == true)
        configuration.protocolClasses?.insert(ScriptedProtocol.self, at: 0)
        #expect(configuration.protocolClasses?.count == 1)
        configuration.protocolClasses = nil
        #expect(configuration.protocolClasses?.isEmpty == true)
    }
}
