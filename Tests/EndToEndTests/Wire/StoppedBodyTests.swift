import TestSupport
import Testing

/// HTTP/2 servers that complete the response before they have read the request's body.
@Suite("Bodies that a server stops", .timeLimit(.minutes(1)))
struct StoppedBodyTests {
    /// The event after the response.
    enum Sequel: String, CaseIterable {
        /// RST_STREAM with NO_ERROR: the server reads no more of the body.
        case stopped
        /// The server reads the body to its end.
        case read
        /// RST_STREAM with CANCEL.
        case cancelled
        /// RST_STREAM with NO_ERROR, within the response.
        case short
    }

    /// A minimal HTTP/2 server that responds before the request's body is complete.
    ///
    /// `stopping.py CERTIFICATE KEY SEQUEL LENGTH`: no server of Debian's does so on demand.
    private static let script = #"""
        import socket, ssl, struct, sys

        certificate, key, sequel, length = sys.argv[1:]
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate, key)
        tls.set_alpn_protocols(["h2"])
        listener = socket.create_server(("127.0.0.1", 0))
        with open("port", "w") as file:
            print(listener.getsockname()[1], file=file)

        def frame(kind, flags, stream, payload=b""):
            return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload

        def respond(connection, number):
            # HPACK's `:status: 200`, and `content-length: 5` as a literal.
            head = b"\x88" + (b"\x0f\x0d\x015" if length == "length" else b"")
            connection.sendall(frame(1, 4, number, head))
            if sequel == "short":
                connection.sendall(frame(0, 0, number, b"hel"))
            else:
                connection.sendall(frame(0, 1, number, b"hello"))
            if sequel != "read":
                error = 8 if sequel == "cancelled" else 0
                connection.sendall(frame(3, 0, number, struct.pack(">I", error)))

        def serve(connection):
            stream = connection.makefile("rb")
            stream.read(24)
            connection.sendall(frame(4, 0, 0))
            hasRoom = False
            while True:
                head = stream.read(9)
                if len(head) < 9:
                    return
                kind, flags, number = struct.unpack(">BBI", head[3:])
                payload = stream.read(int.from_bytes(head[:3], "big"))
                if kind == 4 and not flags & 1:
                    connection.sendall(frame(4, 1, 0))
                if kind == 1:
                    respond(connection, number)
                if kind == 0 and sequel == "read":
                    # Once: it sends no frame after that, which would wake libcurl for the end of the response.
                    # If fetch had not read such a frame when it closes, it would reset the connection.
                    if not hasRoom:
                        room = struct.pack(">I", 4_000_000)
                        connection.sendall(frame(8, 0, 0, room) + frame(8, 0, number, room))
                        hasRoom = True
                    if flags & 1:
                        print("read", flush=True)

        while True:
            plain, _ = listener.accept()
            try:
                with tls.wrap_socket(plain, server_side=True) as connection:
                    serve(connection)
            except OSError:
                pass
        """#

    private func post(
        _ sequel: Sequel,
        hasLength: Bool,
        body: String = "body",
        in folder: TemporaryFolder
    ) async throws -> ProcessResult {
        let certificates = try Nginx.shared.certificates
        try folder.write(Self.script, to: "stopping.py")
        try folder.write(PseudoRandom.bytes(3_000_000, seed: 37), to: "body")
        return try await FetchProcess(
            shell: #"""
                python3 -I stopping.py "$1" "$2" "$3" "$4" >log 2>&1 & server=$!
                until [ -s port ]; do sleep 0.02; done
                cat body | "$FETCH" -q -T 20 --ca-certificate "$5" --post-file "$6" \
                    "https://localhost:$(cat port)/"
                status=$?
                # The server may still have bytes to read that fetch has sent.
                tries=0
                [ "$3" != read ] || until [ -s log ] || [ $((tries += 1)) -gt 500 ]; do sleep 0.02; done
                kill $server
                exit $status
                """#,
            [
                certificates.server.certificate, certificates.server.key, sequel.rawValue,
                hasLength ? "length" : "none", certificates.authority, body,
            ],
            in: folder
        ).run()
    }

    @Test(
        "a complete response counts when the server stops the body without an error, or reads on",
        arguments: [Sequel.stopped, .read],
        [false, true]
    )
    func whole(sequel: Sequel, hasLength: Bool) async throws {
        let folder = try TemporaryFolder("stopped")
        let result = try await post(sequel, hasLength: hasLength, in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "hello")
        #expect(result.stderr.isEmpty)
        #expect(folder.readText("log") == (sequel == .read ? "read\n" : ""))
    }

    @Test("a complete response counts when the server reads on, though the body has no length")
    func stream() async throws {
        let folder = try TemporaryFolder("stopped")
        let result = try await post(.read, hasLength: true, body: "-", in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(result.stdoutText == "hello")
        #expect(folder.readText("log") == "read\n")
    }

    @Test(
        "an error code, or an incomplete response, is status 4",
        arguments: [Sequel.cancelled, .short]
    )
    func broken(sequel: Sequel) async throws {
        let folder = try TemporaryFolder("stopped")
        let result = try await post(sequel, hasLength: true, in: folder)
        #expect(result.status == 4, "\(result)")
        #expect(result.stderr.contains("connection lost"))
    }
}
